"""From displaced groups to names: what kind of failure it was, by its shape on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from htreval_core.diagnosis.groups import Layout
from htreval_core.diagnosis.model import EventKind, Span
from htreval_core.model import Transcript
from htreval_core.text import PageWords

_LIKE_LENGTHS = 0.45
_PIECE_OF_COLUMN = 2.5
_PIECE_OF_ZONE = 1.6
_SHORT = 2.3
_INSIDE_LINES = 0.35


@dataclass(frozen=True, eq=False)
class Ground:
    """The page under the words: lines, regions and geometry of both sides."""

    reference: PageWords
    hypothesis: PageWords
    ref_transcript: Transcript

    @property
    def has_lines(self) -> bool:
        return len(set(self.reference.line_of)) > 1

    @property
    def has_hyp_lines(self) -> bool:
        return len(set(self.hypothesis.line_of)) > 1

    @property
    def words_per_line(self) -> float:
        lines = len(set(self.reference.line_of)) or 1
        return max(len(self.reference.words) / lines, 1.0)

    def ref_lines(self, span: Span) -> tuple[int, ...]:
        """Numbers, from 1, of the reference lines of a span."""
        return tuple(sorted({line + 1 for line in self.reference.line_of[span[0] : span[1]]}))

    def hyp_lines(self, spans: Sequence[Span]) -> tuple[int, ...]:
        """Numbers, from 1, of the hypothesis lines of spans."""
        return tuple(
            sorted({ln + 1 for start, end in spans for ln in self.hypothesis.line_of[start:end]})
        )

    def starts_ref_line(self, word: int) -> bool:
        return word == 0 or self._differs(self.reference, word)

    def ends_ref_line(self, word: int) -> bool:
        """Whether a word, given by the position after it, is the last of its line."""
        return word == len(self.reference.words) or self._differs(self.reference, word)

    def starts_hyp_line(self, word: int) -> bool:
        return word == 0 or self._differs(self.hypothesis, word)

    def ends_hyp_line(self, word: int) -> bool:
        """Whether a word, given by the position after it, is the last of its line."""
        return word == len(self.hypothesis.words) or self._differs(self.hypothesis, word)

    @staticmethod
    def _differs(words: PageWords, word: int) -> bool:
        return words.line_of[word] != words.line_of[word - 1]

    def is_marginal(self, span: Span) -> bool:
        """Whether the file says of most of these lines that they are marginalia."""
        kinds = [self.ref_transcript.lines[n - 1].region_kind for n in self.ref_lines(span)]
        marginal = [kind for kind in kinds if kind and "margin" in kind.lower()]
        return len(marginal) * 2 > len(kinds)

    def middles(self, span: Span) -> list[float]:
        """Where across the page the lines of a span stand: 0 left to 1 right."""
        size = self.ref_transcript.page_size
        lines = [self.ref_transcript.lines[n - 1] for n in self.ref_lines(span)]
        if not size or any(line.polygon is None for line in lines):
            return []
        return [line.polygon.middle[0] / size[0] for line in lines if line.polygon]


def pieces_of(layout: Layout, group: Sequence[int]) -> list[Span]:
    """The stretches of hypothesis that a group stands in, foreign text between them."""
    chunks = set(group)
    pieces: list[Span] = []
    last = -2
    for place, segment in enumerate(layout.segments):
        if segment.chunk in chunks:
            if place == last + 1:
                pieces[-1] = (pieces[-1][0], segment.hyp_end)
            else:
                pieces.append((segment.hyp_start, segment.hyp_end))
            last = place
    return pieces


def name_group(layout: Layout, group: Sequence[int], ground: Ground) -> tuple[EventKind, bool]:
    """The kind of a displaced group, and whether the page's lines vouch for the name."""
    span = (layout.chunks[group[0]].ref_start, layout.chunks[group[-1]].ref_end)
    pieces = pieces_of(layout, group)
    lengths = [end - start for start, end in pieces]
    if not ground.has_lines:
        if len(pieces) >= 3:
            return EventKind.INTERLEAVED, False
        if len(pieces) == 1 and lengths[0] <= 20 and _swaps_with_neighbour(layout, group):
            return EventKind.LOCAL_SWAP, False
        return EventKind.MOVED, False
    per_line = ground.words_per_line
    if ground.is_marginal(span):
        return EventKind.MARGINALIA, True
    if len(pieces) >= 3:
        typical = float(np.median(lengths))
        like = np.mean([min(n, typical) / max(n, typical) >= _LIKE_LENGTHS for n in lengths])
        if like >= 0.6 and typical <= _PIECE_OF_COLUMN * per_line:
            return _columns(layout, group, pieces, ground), True
    if len(pieces) >= 2:
        if max(lengths) > _PIECE_OF_ZONE * per_line:
            return EventKind.COLUMNS_IN_ZONES, True
        whole = [ground.starts_ref_line(layout.chunks[chunk].ref_start) for chunk in group]
        if max(lengths) <= 0.6 * per_line and np.mean(whole) < 0.5:
            return EventKind.SCRAMBLED, True
        return EventKind.MARGINALIA, True
    if lengths[0] <= _SHORT * per_line:
        swap = _name_swap(layout, group, ground)
        if swap:
            return swap, True
    return EventKind.MOVED, True


def _columns(
    layout: Layout, group: Sequence[int], pieces: Sequence[Span], ground: Ground
) -> EventKind:
    """Which kind of interleaving: two leaves, across lines, or line by line."""
    span = (layout.chunks[group[0]].ref_start, layout.chunks[group[-1]].ref_end)
    size = ground.ref_transcript.page_size
    here = ground.middles(span)
    if here and size and size[0] > size[1]:
        others = [
            x
            for number, chunk in enumerate(layout.chunks)
            if number not in group
            for x in ground.middles((chunk.ref_start, chunk.ref_end))
        ]
        if others and (np.median(here) < 0.5) != (np.median(others) < 0.5):
            return EventKind.DOUBLE_PAGE
    if ground.has_hyp_lines:
        inside = [
            not (ground.starts_hyp_line(start) and ground.ends_hyp_line(end))
            for start, end in pieces
        ]
        if np.mean(inside) >= _INSIDE_LINES:
            return EventKind.COLUMNS_ACROSS
    return EventKind.COLUMNS_BY_LINE


def _swaps_with_neighbour(layout: Layout, group: Sequence[int]) -> bool:
    """Whether the group and the text next to it in the reference merely changed places."""
    return _neighbour(layout, group) is not None


def _neighbour(layout: Layout, group: Sequence[int]) -> tuple[Span, Span] | None:
    """(first, second) in the reference of the two spans that changed places, the group one."""
    places = [place for place, seg in enumerate(layout.segments) if seg.chunk in set(group)]
    span = (layout.chunks[group[0]].ref_start, layout.chunks[group[-1]].ref_end)
    before, after = places[0] - 1, places[-1] + 1
    # Read too early: in the reference it follows what now comes right after it.
    if after < len(layout.segments) and layout.segments[after].chunk == group[0] - 1:
        other = layout.chunks[group[0] - 1]
        return (other.ref_start, other.ref_end), span
    # Read too late: in the reference it precedes what now comes right before it.
    if before >= 0 and layout.segments[before].chunk == group[-1] + 1:
        other = layout.chunks[group[-1] + 1]
        return span, (other.ref_start, other.ref_end)
    return None


def _name_swap(layout: Layout, group: Sequence[int], ground: Ground) -> EventKind | None:
    found = _neighbour(layout, group)
    if found is None:
        return None
    first, second = found
    longest = _SHORT * ground.words_per_line
    cut_inside = not ground.starts_ref_line(second[0])
    if cut_inside:
        # U V of one line read as V U; with the next line between, U came late.
        lines = ground.reference.line_of
        reaches_on = lines[second[1] - 1] > lines[second[0]]
        if reaches_on and ground.starts_ref_line(first[0]):
            return EventKind.PREFIX_LATE
        return EventKind.SUFFIX_FIRST
    if not ground.starts_ref_line(first[0]) and first[1] - first[0] <= longest:
        return EventKind.SUFFIX_LATE
    if not ground.ends_ref_line(second[1]) and second[1] - second[0] <= longest:
        return EventKind.PREFIX_LATE
    if max(first[1] - first[0], second[1] - second[0]) <= longest:
        return EventKind.LINES_SWAPPED
    return None
