"""Which word was read as which: aligned words as CSV and JSON."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import chain
from typing import get_args

from htreval_core.diagnosis.look import Look
from htreval_core.metrics.kinds import View, WordKind, WordKinds, word_kinds
from htreval_core.metrics.page import ScoredPage
from htreval_core.show.palette import KIND_NAMES
from htreval_core.show.tables.values import JsonValue, as_json, csv_text

VIEWS: tuple[View, ...] = get_args(View)


@dataclass(frozen=True, slots=True)
class AlignedWord:
    """A row of an alignment.

    Args:
        view: "trace", the sequential alignment behind WER, or "matching", behind hWER and NSFD.
        number: of the row in its alignment, from 0.
        reference: the word; None where the output has one without a mate.
        hypothesis: the word; None where the reference has one without a mate.
        reference_index: its position among the words of its side, from 0.
        reference_line: the number of its line, from 1.
        kind: what happened to it: "right", "misread", "left out", "added", "right word, wrong
            place" for a word that the matching pairs with its equal and the trace does not, or
            "divided or joined" for each word of those that have every letter right.
    """

    system: str
    page_id: str
    view: View
    number: int
    reference: str | None
    hypothesis: str | None
    reference_index: int | None
    hypothesis_index: int | None
    reference_line: int | None
    hypothesis_line: int | None
    kind: str


COLUMNS = tuple(field.name for field in fields(AlignedWord))


def aligned_words(look: Look, views: Sequence[View] = VIEWS) -> Iterator[AlignedWord]:
    """The rows of the alignments of a page."""
    page = look.page
    divided = word_kinds(page, "matching", look.regroupings)
    ref, hyp = page.reference, page.hypothesis
    for view in views:
        shown = page.trace if view == "trace" else page.matching
        places = zip(shown.ref_index.tolist(), shown.hyp_index.tolist(), strict=True)
        for number, (j, k) in enumerate(places):
            yield AlignedWord(
                page.scores.system, page.scores.page_id, view, number,
                ref.words[j] if j >= 0 else None, hyp.words[k] if k >= 0 else None,
                j if j >= 0 else None, k if k >= 0 else None,
                ref.line_of[j] + 1 if j >= 0 else None, hyp.line_of[k] + 1 if k >= 0 else None,
                KIND_NAMES[_kind(page, view, j, k, divided)],
            )  # fmt: skip


def _kind(page: ScoredPage, view: View, j: int, k: int, kinds: WordKinds) -> WordKind:
    # A word of the output may be a piece of another word than its mate.
    own = WordKind(int(kinds.ref[j] if j >= 0 else kinds.hyp[k]))
    if j >= 0 and k >= 0 and page.reference.words[j] == page.hypothesis.words[k]:
        is_moved = view == "matching" and own == WordKind.MOVED
        return WordKind.MOVED if is_moved else WordKind.CORRECT
    if view == "matching" or own == WordKind.DIVIDED:
        return own
    if j < 0 or k < 0:
        return WordKind.INSERTED if j < 0 else WordKind.DELETED
    return WordKind.SUBSTITUTED


def aligned_csv(pages: Iterable[Look]) -> str:
    """A row per aligned pair of words."""
    rows = (astuple(row) for look in pages for row in aligned_words(look))
    return csv_text(chain([COLUMNS], rows))


def aligned_json(pages: Iterable[Look], signature: str) -> str:
    """Pages with their alignments as lists of rows."""
    found: list[JsonValue] = []
    for look in pages:
        content: dict[str, JsonValue] = {
            "page_id": look.page.scores.page_id, "system": look.page.scores.system,
        }  # fmt: skip
        for view in VIEWS:
            content[view] = [
                {name: getattr(row, name) for name in COLUMNS[4:]}
                for row in aligned_words(look, [view])
            ]
        found.append(content)
    return as_json({"signature": signature, "pages": found})
