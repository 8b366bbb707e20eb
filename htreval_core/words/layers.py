"""Which layer of the page the errors of WER fall on: body, notes, heads and feet, tables.

The layer of a word of the reference is that of its line, by the region type that the reference
gives (``Line.region_kind``). All words and errors of blank and nearly blank pages are in a row of
their own. Every error of WER is charged to one layer, so rows add up to WER, part by part:

- **Order and doubt**: what putting a displaced text back saves is charged to the layer of that
  text; if it is of several layers, by its words in each.
- **The others** are the errors that remain once displaced text is put back. A word misread or left
  out is charged to its own layer; a word added, to the layer of the place where it stands: by the
  boxes, where the output has boxes and the reference outlines, that of the line on which the word
  lies; else that of the nearest word before it in the output, or after it at the top, that the
  matching pairs with a word of the reference.
- **What such an error is called** follows bWER, of which a page has so many misread, left out and
  added: divided or joined words first; words that the output has as often as the reference are
  coincidence; the others are what the alignment has them for. bWER takes a word left out here and
  one added there for one word misread, and WER's second error is coincidence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from htreval_core.diagnosis.look import Look
from htreval_core.diagnosis.model import Diagnosis, EventKind
from htreval_core.diagnosis.order.repair import repaired_order
from htreval_core.metrics.page import PageReference
from htreval_core.model import Parts, Transcript
from htreval_core.scoring.score import Progress, over_pages, read_page, sendable
from htreval_core.scoring.stream import each
from htreval_core.scoring.study import Study
from htreval_core.scoring.workers import Processes
from htreval_core.settings import Settings
from htreval_core.sources.dataset import PageItem

NEARLY_BLANK = 5
"""A page with no more words than this is nearly blank: it bears a page number, a stamp or a title.
One added word is 20 % or more there, and says nothing of how text is read."""


class Layer(StrEnum):
    """A layer of the page."""

    BODY = "body"
    NOTES = "notes"
    HEADS = "heads and feet"
    TABLES = "tables"
    OTHER = "other"
    UNTYPED = "not typed"
    BLANK = "blank or nearly blank pages"


_EXACTLY: Mapping[str, Layer] = {
    **dict.fromkeys(("", "textregion", "textblock", "block", "region"), Layer.UNTYPED),
    **dict.fromkeys(
        ("paragraph", "text", "body", "main", "mainzone", "heading", "title", "dropcapital",
         "dropcapitalzone"), Layer.BODY),
    **dict.fromkeys(("note", "notes"), Layer.NOTES),
}  # fmt: skip
_CONTAINED: Mapping[str, Layer] = {
    "table": Layer.TABLES,
    **dict.fromkeys(("margin", "footnote", "endnote"), Layer.NOTES),
    **dict.fromkeys(
        ("header", "footer", "pagenum", "numbering", "catchword", "signaturemark", "quiremark",
         "running"), Layer.HEADS),
}  # fmt: skip
"""Layers by a part of the name: PAGE's ``footnote-continued``, SegmOnto's ``MarginTextZone:note``.
"""


def layer_of(kind: str | None) -> Layer:
    """The layer of a region by its type, in either case, with or without dashes.

    A ``heading`` stands in the text and is body, as is a drop capital; a ``header`` stands above
    it. Known are the types of PAGE, of SegmOnto and those that the readers give; others are
    ``OTHER``, and a region without a type is ``UNTYPED``.
    """
    name = re.sub(r"[\W_]", "", (kind or "").lower())
    if name in _EXACTLY:
        return _EXACTLY[name]
    return next((layer for part, layer in _CONTAINED.items() if part in name), Layer.OTHER)


def line_layers(reference: Transcript, settings: Settings) -> list[Layer]:
    """The layer of each line; ``UNTYPED`` where words are not known by their lines."""
    if settings.policy.words == "space":
        return [Layer.UNTYPED for _ in reference.lines]
    return [layer_of(line.region_kind) for line in reference.lines]


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One layer of the pages under one system.

    Args:
        pages: how many have words of it, or errors charged to it.
        words: of the reference.
        parts: the errors of WER that are charged to it; ``convention`` is not split, and 0.
        into: words of it that were read elsewhere, by the layer into which: that of the nearest
            word before them in the output that was not moved with them, or after them at the top.
            Without those where the reference is in doubt.
    """

    layer: Layer
    system: str
    pages: int
    words: int
    parts: Parts
    into: Mapping[Layer, int]

    @property
    def moved(self) -> int:
        """Words that were read elsewhere."""
        return sum(self.into.values())


Charges = Counter[tuple[Layer, str]]
"""Counts by layer: "pages", "words", each part of WER by its name in ``Parts``, and the words that
were read elsewhere, by the layer into which."""
_MISREAD = "substituted"
_WORN = {
    "S": (_MISREAD, "coincidence", "left_out", "added", "spaces"),
    "D": ("left_out", _MISREAD, "coincidence", "spaces", "added"),
    "I": ("added", _MISREAD, "coincidence", "spaces", "left_out"),
}
"""What a substitution, a deletion or an insertion is called where its own name is used up."""


_Task = tuple[PageItem, Mapping[str, Diagnosis]]
"""A page and its diagnosis under each system."""


def layer_rows(
    study: Study,
    diagnoses: Mapping[str, Sequence[Diagnosis]],
    *,
    workers: Processes | None = None,
    progress: Progress | None = None,
) -> list[LayerRow]:
    """The errors of WER by layer of the page and system, of pages that were diagnosed.

    Rows of a system add up to its WER, part by part. A page that can no longer be read is not
    typed. Each page is aligned and laid out again, which takes about as long as its diagnosis.

    Args:
        diagnoses: as ``diagnose`` gives them; those of pages that the study lacks are passed over.
        workers: where to run; in this process by default.
        progress: told how many pages are done.
    """
    told: dict[str, dict[str, Diagnosis]] = {}
    for system in study.systems:
        pages = study.pages_of(system)
        for one in diagnoses.get(system, ()):
            if one.page_id in pages:
                told.setdefault(one.page_id, {})[system] = one

    tasks = ((sendable(study.dataset.item(one), workers), told[one]) for one in told)
    work = each(partial(_charge, settings=study.settings))
    results = over_pages(
        work, tasks, workers, item=lambda task: task[0], lost=lambda task: _unread(task[1]), times=4
    )
    sums: dict[str, Charges] = {system: Counter() for system in study.systems}
    for done, of_page in enumerate(results, start=1):
        for system, charges in of_page.items():
            sums[system].update(charges)
        if progress:
            progress(done, len(told))
    return [
        _row(layer, system, charges)
        for layer in Layer
        for system, charges in sums.items()
        if any(sums[one][layer, "pages"] for one in sums)
    ]


def _row(layer: Layer, system: str, charges: Charges) -> LayerRow:
    of = {name: charges[layer, name] for name in (_MISREAD, "left_out", "added")}
    rest = {name: charges[layer, name] for name in ("spaces", "order", "coincidence", "doubt")}
    parts = Parts(sum(of.values()), **rest, left_out=of["left_out"], added=of["added"])
    into = {one: charges[layer, one] for one in Layer if charges[layer, one]}
    return LayerRow(layer, system, charges[layer, "pages"], charges[layer, "words"], parts, into)


def _charge(task: _Task, settings: Settings) -> dict[str, Charges]:
    item, told = task
    if all(one.n_ref_words <= NEARLY_BLANK for one in told.values()):
        return {system: _whole(one, Layer.BLANK) for system, one in told.items()}
    try:
        page = read_page(item)
        reference = PageReference.of(page.page_id, page.reference, settings)
        charged = {}
        for system, of_system in told.items():
            output = page.hypotheses[system]
            scored = reference.score(system, output, settings)
            look = Look(scored, page.reference, output, settings, of_system)
            charged[system] = charge_page(look)
        return charged
    except Exception:  # whatever it is, the other pages are charged, and the sum holds
        return _unread(told)


def _unread(told: Mapping[str, Diagnosis]) -> dict[str, Charges]:
    return {system: _whole(one, Layer.UNTYPED) for system, one in told.items()}


def _whole(told: Diagnosis, layer: Layer) -> Charges:
    """All of a page charged to one layer."""
    found = Charges({(layer, name): n for name, n in _slots(told.parts).items()})
    found.update({(layer, name): getattr(told.parts, name) for name in ("order", "doubt")})
    found[layer, "words"] = told.n_ref_words
    found[layer, "pages"] = 1
    return found


def _slots(parts: Parts) -> dict[str, int]:
    """The errors that no order mends, by their names."""
    return {
        "spaces": parts.spaces, _MISREAD: parts.substituted, "left_out": parts.left_out,
        "added": parts.added, "coincidence": parts.coincidence,
    }  # fmt: skip


def charge_page(look: Look) -> Charges:
    """The words and the errors of a page, by layer."""
    told, line_of = look.diagnosis, look.page.reference.line_of
    kinds = line_layers(look.reference, look.settings)
    if told.n_ref_words <= NEARLY_BLANK:
        return _whole(told, Layer.BLANK)
    of_ref = [kinds[line] for line in line_of]
    found = Charges((layer, "words") for layer in of_ref)
    by_part: dict[str, Counter[Layer]] = {"order": Counter(), "doubt": Counter()}
    ref, hyp = look.page.matching.pairs
    mates = dict(zip(hyp.tolist(), ref.tolist(), strict=True))
    for event in told.events:
        if not event.of_order:
            continue
        lines = set(event.reference_lines)
        words = {j for j in range(*event.reference) if line_of[j] + 1 in lines}
        in_doubt = event.kind is EventKind.REFERENCE
        of_words = Counter(of_ref[j] for j in words)
        by_part["doubt" if in_doubt else "order"].update(_shared(event.errors, of_words))
        if not in_doubt:
            inside = {k for start, end in event.hypothesis for k in range(start, end)}
            moved = [k for k in sorted(inside) if mates.get(k) in words]
            places = _by_neighbours(
                moved, {k: of_ref[j] for k, j in mates.items() if k not in inside}
            )
            found.update((of_ref[mates[k]], into) for k, into in zip(moved, places, strict=True))
    for name, charged in by_part.items():
        _add(found, name, _shared(getattr(told.parts, name), charged))
    _charge_rest(found, look, kinds, of_ref, {k: of_ref[j] for k, j in mates.items()})
    found.update((layer, "pages") for layer in {layer for (layer, _), n in found.items() if n})
    return found


def _charge_rest(
    found: Charges, look: Look, kinds: Sequence[Layer], of_ref: Sequence[Layer],
    of_mate: Mapping[int, Layer],
) -> None:  # fmt: skip
    """Charge the errors that remain once displaced text is put back."""
    told, words, output = look.diagnosis, look.page.reference.words, look.page.hypothesis.words
    groups = [group for event in told.events for group in event.groups]
    order = repaired_order(look.layout, groups) if groups else []
    as_read = range(len(output))
    ref, hyp = look.ground.aligned(order if len(order) == len(output) else as_read)
    rows = [
        (j, k)
        for j, k in zip(ref.tolist(), hyp.tolist(), strict=True)
        if j < 0 or k < 0 or words[j] != output[k]
    ]
    added = [k for j, k in rows if j < 0]
    of_added = dict(zip(added, _by_neighbours(added, of_mate), strict=True))
    if look.layout.places is not None:
        line = look.layout.places.line
        of_added |= {k: kinds[line[k]] for k in added if line[k] >= 0}
    lost, extra, respaced = Counter(words), Counter(output), (set[int](), set[int]())
    for one in told.regroupings:
        respaced[0].update(one.ref)
        respaced[1].update(one.hyp)
        lost.subtract(words[j] for j in one.ref)
        extra.subtract(output[k] for k in one.hyp)
    left, kept_back = _slots(told.parts), list[tuple[str, Layer]]()
    of_rows: Counter[Layer] = Counter()
    for j, k in rows:
        layer = of_ref[j] if j >= 0 else of_added[k]
        of_rows[layer] += 1
        edit = "I" if j < 0 else "D" if k < 0 else "S"
        is_lost = j >= 0 and lost[words[j]] > extra[words[j]]
        is_extra = k >= 0 and extra[output[k]] > lost[output[k]]
        name = _WORN[edit][0] if is_lost or is_extra else "coincidence"
        if j in respaced[0] or k in respaced[1]:
            name = "spaces"
        if left[name]:
            left[name] -= 1
            found[layer, name] += 1
        else:
            kept_back.append((edit, layer))
    for edit, layer in sorted(kept_back, key=lambda one: "SDI".index(one[0])):
        name = next((name for name in _WORN[edit] if left[name]), "")
        if name:
            left[name] -= 1
            found[layer, name] += 1
    # A trace with costs of its own has more errors than there need be, which are no word's.
    for name, n in left.items():
        _add(found, name, _shared(n, of_rows or Counter(of_ref)))


def _by_neighbours(words: Iterable[int], of_mate: Mapping[int, Layer]) -> list[Layer]:
    """The layer in which words of the output stand, by the nearest words that have a mate.

    Args:
        words: positions in the output.
        of_mate: by position in the output, the layer of the word that it is matched with.
    """
    known = sorted(of_mate)
    if not known:
        return [Layer.UNTYPED for _ in words]
    return [of_mate[known[max(bisect_right(known, k) - 1, 0)]] for k in words]


def _shared(total: int, weights: Counter[Layer]) -> Counter[Layer]:
    """Whole numbers in proportion to the weights that add up to the total."""
    weights = +weights or Counter([Layer.UNTYPED])
    whole = weights.total()
    found = Counter({layer: total * n // whole for layer, n in weights.items()})
    by_rest = sorted(weights, key=lambda layer: -(total * weights[layer] % whole))
    found.update(by_rest[: total - found.total()])
    return found


def _add(found: Charges, name: str, charged: Mapping[Layer, int]) -> None:
    found.update({(layer, name): n for layer, n in charged.items()})
