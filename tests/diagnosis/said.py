"""What is counted and named on made pages and on the sample data, in a file; sentences in another.

``python -m tests.diagnosis.said`` writes both files anew. Their difference to those before is what
a change of the metrics, the diagnosis or the telling does; every line of it has to be wanted.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

import htreval_core as hv
from htreval_core.diagnosis.corpus.census import take_census
from htreval_core.metrics.columns import COUNTS, page_counts
from htreval_core.show.telling.events import tell_event
from htreval_core.words.confusions import char_confusions
from htreval_core.words.outcomes import word_outcomes
from tests import written
from tests.conftest import ROOT, SAMPLES
from tests.diagnosis.test_silent import CASES
from tests.made import FAULTS, KNOWN, LAYOUTS, MINGLED, Made, letterbook, make, sides
from tests.sheets import misread
from tests.tools import digest, look_at

FILE = ROOT / "tests" / "fixtures" / "said.txt"
SENTENCES = ROOT / "tests" / "fixtures" / "sentences.txt"
TOLD = ("letterbook", "models", "seite0418", "berlin")
"""Folders of the sample data."""
RATES = (0.0, 0.1, 0.2, 0.3)
RULES = {
    "notes float": hv.OrderRules(
        floats=hv.RegionRule(kinds=("header", "marginalia", "catch-word", "footer", "heading"))
    ),
    "all float": hv.OrderRules(floats=hv.RegionRule(names=("*",))),
    "heads left out": hv.OrderRules(left_out=hv.RegionRule(kinds=("header", "marginalia"))),
    "partial": hv.OrderRules(partial=True),
}
_SECTION = "== "


def sections() -> Mapping[str, Callable[[], Iterator[str]]]:
    """The parts of the file by their names, and what makes their lines."""
    return {
        "columns of the counts": lambda: iter([" ".join(COUNTS)]),
        **{layout: partial(_single, layout) for layout in FAULTS},
        **{f"mingled {known}": partial(_mingled, known) for known in KNOWN},
        **{f"orders: {name}": partial(_ordered, name) for name in RULES},
        **{f"many {known}": partial(_many, known) for known in KNOWN},
        "references in doubt": _doubted, "words of the letter-book": _of_words,
        "boxes on both sides": _boxed, "taken over": _taken_over, "written": _written,
        "in silence": _in_silence, "other pages": _other_pages,
        **{folder: partial(_sample, folder) for folder in TOLD},
    }  # fmt: skip


def stored() -> dict[str, list[str]]:
    """The lines of each part of the file."""
    found: dict[str, list[str]] = {}
    for section in FILE.read_text("utf-8").split(_SECTION)[1:]:
        name, *lines = section.splitlines()
        found[name] = lines
    return found


def _single(layout: str) -> Iterator[str]:
    """One fault a page."""
    words = letterbook()
    for number, fail in enumerate(FAULTS[layout]):
        for known in KNOWN:
            for seed in range(2 if layout == "single" else 5):
                rng = np.random.default_rng([seed, list(LAYOUTS).index(layout), number])
                made = make(layout, words, rng)
                if fail(made):
                    yield from _made(made, f"{fail.__name__} {known} {seed}", known)


def _mingled(known: str) -> Iterator[str]:
    """Several faults a page."""
    words = letterbook()
    for number, (layout, faults) in enumerate(MINGLED):
        for seed in range(3):
            made = make(layout, words, np.random.default_rng([seed, 100 + number]))
            if all(fail(made) for fail in faults):
                names = "+".join(fail.__name__ for fail in faults)
                yield from _made(made, f"{names} {seed}", known)


def _ordered(rules: str) -> Iterator[str]:
    """Pages whose regions may stand elsewhere."""
    words = letterbook()
    layouts = ("head", "note", "columns", "feuilleton", "table", "double")
    for number, layout in enumerate(layouts):
        for at, fail in enumerate(FAULTS[layout]):
            for seed in range(3):
                made = make(layout, words, np.random.default_rng([seed, 300 + number, at]))
                if not fail(made):
                    continue
                look = look_at(*sides(made, 0.05 * seed, "tags"), orders=RULES[rules])
                best = look.page.admissible
                yield from _told(f"{layout} {fail.__name__} {seed}", look.diagnosis)
                yield f"  {_counted(look.page.scores)}"
                order = " ".join(map(str, best.order))
                yield f"  {best.strict} or {best.errors}, at least {best.bound}, by {order}"


def _made(made: Made, name: str, known: str, rate: float | None = None) -> Iterator[str]:
    chosen = float(made.rng.choice(RATES)) if rate is None else rate
    look = look_at(*sides(made, chosen, known))
    yield from _told(f"{name} {chosen:.2f}", look.diagnosis)
    yield f"  {_counted(look.page.scores)}"
    for event_number, event in enumerate(look.diagnosis.events[:2]):
        if event.of_order:
            mended = look.put_right([event_number])
            yield f"  mended {event_number}: {mended.page.scores.wer.errors}"


def _written() -> Iterator[str]:
    """What language models write."""
    for name, seed, made in _all_written(6):
        found = written.diagnosed(made)
        name = f"{name} {seed}"
        yield from _told(name, found) if seed < 3 else [_in_brief(name, found)]


def _all_written(seeds: int) -> Iterator[tuple[str, int, written.Written]]:
    return written.all_made(str(SAMPLES / "letterbook"), range(seeds))


def _in_silence() -> Iterator[str]:
    """What models do without a word of it, on more and more of a page."""
    for name, case, rate, *_ in CASES:
        for n in (4, 7, 10, 13, 18, 40):
            rng = np.random.default_rng(n)
            reference, output = (side[:n] for side in case(rng))
            read = [" ".join(misread(line.split(), rate + 0.02 * (n % 3), rng)) for line in output]
            found = look_at("\n".join(reference), "\n".join(read)).diagnosis
            yield _in_brief(f"{name} {n}", found)


def _other_pages() -> Iterator[str]:
    """A system that writes the end of the page before at the head of each, less and less well."""
    books = written.letterbook(str(SAMPLES / "letterbook"))[:8]
    for n in range(1, 7):
        rng = np.random.default_rng(n)
        pages = []
        for at, (page_id, lines) in enumerate(books):
            output = [*books[at - 1][1][-5 * n :], *lines[: (0, -9, 12)[(at + n) % 3]]]
            output = [" ".join(misread(line.split(), 0.12 * n, rng)) for line in output]
            foot = "by order of the board and at the cost of nobody" if at % n < 3 else ""
            told = "\n".join([f"Folio {at}", *output, foot])
            pages.append(hv.Page.from_text(page_id, "\n".join(lines), {"A": told}))
        study = hv.diagnose(hv.score(pages, hv.Settings(resamples=10)))
        yield from (_in_brief(f"{found.page_id} {n}", found) for found in study["A"])


def _many(known: str) -> Iterator[str]:
    """Many more pages, of which only a digest tells whether as much is said of them.

    Every third is turned round: there the reference is the side that is out of order."""
    words = letterbook()
    for layout, faults in FAULTS.items():
        for number, fail in enumerate(faults):
            for seed in range(10, 18):
                made = make(layout, words, np.random.default_rng([seed, number]))
                if not fail(made):
                    continue
                rate = float(made.rng.choice((*RATES, 0.6)))
                both = sides(made, rate, known)
                look = look_at(*(both if seed % 3 else both[::-1]))
                told = _counted(look.page.scores)
                yield _in_brief(f"{fail.__name__} {seed} {rate}", look.diagnosis, told)


def _in_brief(name: str, found: hv.Diagnosis, more: str = "") -> str:
    kinds = ", ".join(event.kind for event in (*found.events, *found.edges))
    return f"{name}: {digest(' '.join((*_told('', found), more)))} {kinds}"


def _boxed() -> Iterator[str]:
    """Pages whose words have places on both sides, slanted, or in pixels of another image.

    Every third is turned round."""
    words = letterbook()
    for at, (layout, faults) in enumerate(FAULTS.items()):
        for number, fail in enumerate(faults):
            for seed in range(6):
                made = make(layout, words, np.random.default_rng([seed, 600 + at, number]))
                if not fail(made):
                    continue
                rate = (0.0, 0.1, 0.25, 0.5, 0.8, 0.3)[seed]
                reference, output = sides(made, rate, "shapes" if seed % 2 else "tags")
                sinks = (0.0, 0.01, -0.03)[seed // 2]
                both = (
                    _slanted(reference, sinks),
                    _with_places(made, reference, output, sinks, (1, 0.5)[seed % 2]),
                )
                look = look_at(*(both if seed % 3 else both[::-1]))
                told = _counted(look.page.scores)
                yield _in_brief(f"{fail.__name__} {seed} {rate}", look.diagnosis, told)


def _slanted(side: hv.Transcript, sinks: float) -> hv.Transcript:
    """The page with lines that sink so far from left to right, in pixels a pixel."""
    lines = []
    for line in side.lines:
        x, y = (line.polygon or hv.Polygon(())).points.T
        lines.append(replace(line, polygon=hv.Polygon(np.stack([x, y + sinks * x], axis=1))))
    return replace(side, lines=tuple(lines))


def _with_places(
    made: Made, reference: hv.Transcript, output: hv.Transcript, sinks: float, scale: float
) -> hv.Transcript:
    """The output with the box of each word, or of each other line alone, a little off.

    What the page does not have stands below it."""
    boxes: list[tuple[float, ...]] = []
    for line in reference.lines:
        left, top, right, bottom = (line.polygon or hv.Polygon(())).box
        ends = np.cumsum([0, *(len(word) + 1 for word in line.text.split())])
        across = left + (right - left) * ends / ends[-1]
        for x0, x1 in pairwise(across.tolist()):
            boxes.append((x0, top + sinks * x0, x1 - 5, bottom + sinks * x0))
    lines = []
    rows = [row for row in made.output if row]
    for n, (line, row) in enumerate(zip(output.lines, rows, strict=True)):
        foot = [(90.0 * at, 1500.0, 90.0 * at + 80, 1520.0) for at in range(len(row))]
        own = [boxes[one] if isinstance(one, int) else foot[at] for at, one in enumerate(row)]
        of_line = scale * (np.array(own) + made.rng.normal(0, 3, (len(own), 1)))
        around = hv.Polygon.from_box(*of_line[:, :2].min(axis=0), *of_line[:, 2:].max(axis=0))
        of_words = hv.Polygon.of_boxes(of_line.tolist()) if n % 2 else None
        lines.append(replace(line, polygon=around, word_boxes=of_words))
    width, height = reference.page_size or (0, 0)
    size = int(scale * width), int(scale * height)
    return replace(output, lines=tuple(lines), page_size=size)


def _taken_over() -> Iterator[str]:
    """Pages of which less and less was read: letters garbled, other text instead, hardly any."""
    words = letterbook()
    for seed in range(4):
        rng = np.random.default_rng([seed, 700])
        start, n = int(rng.integers(0, 2000)), (24, 60, 150, 200)[seed]
        page, other = words[start : start + n], words[start + 400 : start + 400 + n]
        for share in np.linspace(0.0, 1.0, 21).tolist():
            cut = int(share * n)
            garbled = "".join(
                "#aeinrst"[at % 8] if sign != " " and rng.random() < share else sign
                for at, sign in enumerate(" ".join(page))
            )
            outputs = {
                "garbled": garbled.split(), "another's beginning": [*other[:cut], *page[cut:]],
                "another's end": [*page[: n - cut], *other[n - cut :]], "cut": page[:cut],
                "refused": ["I'm sorry, I can't transcribe this image.", *page[:cut]],
                "shuffled": [*rng.permutation(np.array(page[:cut])).tolist(), *page[cut:]],
            }  # fmt: skip
            for name, output in outputs.items():
                both = _in_lines(page), _in_lines(output)
                found = look_at(*(both if cut % 3 else both[::-1])).diagnosis
                over = str(hv.find_catastrophe(found))
                yield _in_brief(f"{name} {seed} {share:.2f}", found, over)


def _in_lines(words: Sequence[str]) -> str:
    return "\n".join(" ".join(words[at : at + 8]) for at in range(0, len(words), 8))


def _doubted() -> Iterator[str]:
    """References that are out of order themselves, against three systems that are not."""
    words = letterbook()
    for layout, faults in FAULTS.items():
        pages = []
        for number, fail in enumerate(faults):
            for seed in range(3):
                made = make(layout, words, np.random.default_rng([seed, 400 + number]))
                if fail(made):
                    right, wrong = sides(made, 0.0, "tags" if seed else "shapes")
                    text = right.text.split("\n")
                    systems = {
                        name: "\n".join(
                            " ".join(misread(one.split(), rate, made.rng)) for one in text
                        )
                        for name, rate in (("A", 0.02), ("B", 0.05), ("C", 0.1))
                    }
                    as_read = {name: hv.Transcript.from_text(one) for name, one in systems.items()}
                    pages.append(hv.Page(f"{number}-{seed}", wrong if seed else right, as_read))
        study = hv.score(pages, hv.Settings(resamples=10))
        found = hv.diagnose(study)
        for one in hv.suspect_references(study.page_ids, found, found.upward):
            yield f"{layout}: {one.page_id} {_lines(one.reference_lines)} {one.errors}"
        for row in take_census(found):
            yield f"{layout}: {row}"
        for diagnoses in found.values():
            for diagnosis in diagnoses:
                yield from _told(f"{layout} {diagnosis.system} {diagnosis.page_id}", diagnosis)


def _of_words() -> Iterator[str]:
    """What became of the words, and which characters were confused."""
    study = hv.score(hv.pair_path(SAMPLES / "letterbook"), hv.Settings(resamples=10))
    systems = ("misreads", "reads-across")
    outcomes = word_outcomes(study, systems)
    for system in systems:
        for confusion in char_confusions(outcomes, system):
            yield f"{system}: {confusion}"
    for example in outcomes.examples(range(0, len(outcomes), 97)):
        yield f"{example}"


def _sample(folder: str) -> Iterator[str]:
    """The sample data, summed up as well."""
    study = hv.score(hv.pair_path(SAMPLES / folder), hv.Settings(resamples=10))
    for system, found in hv.diagnose(study).items():
        for diagnosis in found:
            yield from _told(f"{system} {diagnosis.page_id}", diagnosis)
        for scores in study.scores[system]:
            yield f"{system} {scores.page_id}: {_counted(scores)}"


def _told(name: str, found: hv.Diagnosis) -> Iterator[str]:
    parts = found.parts
    facts = parts, found.events, found.edges, found.admissible, found.regroupings
    yield (
        f"{name}: {parts.misread} misread, {parts.order} order, {parts.doubt} doubt, "
        f"{parts.coincidence} coincidence of {found.n_ref_words}, facts {digest(repr(facts))}"
    )
    for event in (*found.events, *found.edges):
        at = " ".join(f"{first}–{last}" for first, last in (event.reference, *event.hypothesis))
        numbers = (event.words, event.errors, event.pieces, event.notes, event.convention)
        yield f"  {event.kind}, {event.confidence}: {' '.join(map(str, numbers))} at {at}"
        yield f"    lines {_lines(event.reference_lines)} read {_lines(event.hypothesis_lines)}"


def _counted(scores: hv.PageScores) -> str:
    counts = page_counts(scores)
    return " ".join(str(counts[name]) for name in COUNTS)


def _lines(numbers: tuple[int, ...]) -> str:
    return f"{numbers[0]}–{numbers[-1]} ({len(numbers)})" if numbers else "none"


def sentences() -> list[str]:
    """A sentence for each kind of event and of facts about it, the first that comes up."""
    found: dict[str, str] = {}
    for diagnosis in _some_of_each():
        for event in (*diagnosis.events, *diagnosis.edges):
            facts = event.facts
            detail = getattr(facts, "detail", None)
            about = [type(one).__name__ for one in (facts, detail) if one is not None]
            convention = ["convention"] if event.convention else []
            key = ", ".join((event.kind.value, *about, *convention))
            found.setdefault(key, " ".join(tell_event(event).split()))
    return [f"{key}: {found[key]}" for key in sorted(found)]


def _some_of_each() -> Iterator[hv.Diagnosis]:
    words = letterbook()
    for layout, faults in FAULTS.items():
        for number, fail in enumerate(faults):
            for seed, known in enumerate(KNOWN):
                made = make(layout, words, np.random.default_rng([seed, 500 + number]))
                if fail(made):
                    yield look_at(*sides(made, 0.1, known), orders=RULES["notes float"]).diagnosis
    yield from (written.diagnosed(made) for _, _, made in _all_written(3))
    for folder in TOLD:
        study = hv.score(hv.pair_path(SAMPLES / folder), hv.Settings(resamples=10))
        for of_system in hv.diagnose(study).values():
            yield from of_system


def write(path: Path = FILE) -> None:
    """Everything that is said today."""
    SENTENCES.write_text("\n".join((*sentences(), "")), "utf-8")
    with path.open("w", encoding="utf-8") as out:
        for name, lines in sections().items():
            out.write("\n".join((f"{_SECTION}{name}", *lines(), "")))


if __name__ == "__main__":
    write()
