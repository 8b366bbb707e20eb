"""Both sides aligned once everything is in its place, and which rows say that they agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from htreval_core.diagnosis.limits import TRACE
from htreval_core.diagnosis.model import Detail, EventKind, Extent, Span
from htreval_core.diagnosis.page.chains import likeness
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.model import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch without counterpart.

    Args:
        kind: what it is.
        reference: the reference words; empty for added text.
        hypothesis: the stretches of the output.
        words: words of the text concerned.
        errors: what WER charges there.
        source: the reference words that repeated text repeats.
        copies: how often a loop has its text.
        share: the part of the output, or of the reference where text is missing, that it takes.
        extent: of replaced and repeated text, how much of the page it is.
        foreign: of a loop, whether the page does not have its text at all.
        detail: what else is known of it.
    """

    kind: EventKind
    reference: Span
    hypothesis: tuple[Span, ...]
    words: int
    errors: int
    source: Span | None = None
    copies: float = 0.0
    share: float = 0.0
    extent: Extent | None = None
    foreign: bool = False
    detail: Detail | None = None


@dataclass(frozen=True, eq=False)
class Trace:
    """Both sides aligned, the output put back into the order of the reference.

    Args:
        ref: the reference word of each row, -1 for none.
        hyp: the word of the output, by its place in the output as it was read.
        wrong: whether WER counts an error there.
        anchored: whether the two words say that they belong together.
    """

    ref: IntArray
    hyp: IntArray
    wrong: BoolArray
    anchored: BoolArray

    @classmethod
    def of(cls, ground: Ground, order: Sequence[int]) -> "Trace":
        """The trace of the reference and the output's words in the given order."""
        ref_words, hyp_words = ground.reference.words, ground.hypothesis.words
        ref, hyp = ground.aligned(order)
        both = np.flatnonzero((ref >= 0) & (hyp >= 0))
        a = [ref_words[j] for j in ref[both].tolist()]
        b = [hyp_words[k] for k in hyp[both].tolist()]
        wrong = np.ones(len(ref), dtype=bool)
        wrong[both] = [one != other for one, other in zip(a, b, strict=True)]
        anchored = np.zeros(len(ref), dtype=bool)
        anchored[both] = likeness(a, b) > 0
        bits = np.zeros(len(ref))
        pairs = list(zip(ref[both].tolist(), hyp[both].tolist(), strict=True))
        bits[both] = ground.evidence.of_pairs(pairs)
        return cls(ref, hyp, wrong, _without_chance(anchored, bits))


def _without_chance(anchored: BoolArray, bits: FloatArray) -> BoolArray:
    """Anchored rows but for the few between two long gaps that say next to nothing."""
    runs: list[list[int]] = []
    for value, rows in groupby(range(len(anchored)), anchored.__getitem__):
        places = list(rows)
        runs.append([int(value), places[0], places[-1] + 1])
    out = anchored.copy()
    for at in range(1, len(runs) - 1):
        value, start, end = runs[at]
        beside = min(runs[at - 1][2] - runs[at - 1][1], runs[at + 1][2] - runs[at + 1][1])
        few = bits[start:end].sum() < TRACE.BITS and end - start <= max(beside, 2)
        if value and few and beside >= TRACE.LEAST_RUN:
            out[start:end] = False
    return out


def place_of(trace: Trace, rows: BoolArray, *, after: bool = False) -> Span:
    """Where in the reference text of the output stands: an empty span.

    Args:
        after: whether behind the last of these rows; else before the first.
    """
    at = np.flatnonzero(rows)
    edge = 0 if not len(at) else int(at[-1]) + 1 if after else int(at[0])
    place = int(trace.ref[:edge].max(initial=-1)) + 1
    return place, place
