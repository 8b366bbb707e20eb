"""Text that was read out of its place, with what stands around it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from htreval_core.diagnosis.limits import DISPLACED
from htreval_core.diagnosis.model import EventKind, Span
from htreval_core.diagnosis.order.groups import Layout, Segment
from htreval_core.diagnosis.page.ground import Ground


def turns(read: Sequence[int]) -> tuple[int, int]:
    """How often chunks, as the output read them, go back in the reference, and the other way."""
    both = read, np.argsort(read).tolist()
    down, back = (sum(b < a for a, b in pairwise(order)) for order in both)
    return down, back


def is_grid(n: int, down: int, back: int) -> bool:
    """Whether n chunks that turn back so often are the cells of rows and columns, not shuffled."""
    return (down + 1) * (back + 1) <= n * max(DISPLACED.GRID, n / DISPLACED.SHUFFLED)


@dataclass(frozen=True, eq=False)
class Displaced:
    """Text that was read out of its place, with what stands around it."""

    layout: Layout
    chunks: tuple[int, ...]
    ground: Ground

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """The reference words, by stretches without other text that was found elsewhere."""
        spans: list[Span] = []
        for place, number in enumerate(self.chunks):
            span = self.whole(number)
            if place and number == self.chunks[place - 1] + 1:
                spans[-1] = (spans[-1][0], span[1])
            else:
                spans.append(span)
        return tuple(spans)

    def whole(self, number: int) -> Span:
        """A chunk with the words of its own lines that no other chunk claims: they were misread."""
        chunks, ground = self.layout.chunks, self.ground
        start, end = chunks[number].ref_start, chunks[number].ref_end
        if not ground.has_lines:
            return start, end
        before = chunks[number - 1].ref_end if number else 0
        is_last = number + 1 == len(chunks)
        after = len(ground.reference.words) if is_last else chunks[number + 1].ref_start
        first, last = ground.line_span(start)[0], ground.line_span(end - 1)[1]
        return first if first >= before else start, last if last <= after else end

    @property
    def reference(self) -> Span:
        """From its first reference word to its last."""
        return self.spans[0][0], self.spans[-1][1]

    @property
    def n_words(self) -> int:
        """Reference words of it, those of lines of which nothing was read left out."""
        line_of, lines = self.ground.reference.line_of, set(self.lines)
        return sum(line_of[j] in lines for start, end in self.spans for j in range(start, end))

    @cached_property
    def lines(self) -> list[int]:
        """Positions of its reference lines, of which anything was read."""
        return self.lines_of(self.chunks)

    @cached_property
    def places(self) -> list[int]:
        """Where its segments stand among all segments."""
        return sorted(self.layout.place_of[chunk] for chunk in self.chunks)

    @cached_property
    def region(self) -> tuple[Segment, ...]:
        """The segments from its first to its last."""
        return self.layout.segments[self.places[0] : self.places[-1] + 1]

    @cached_property
    def turns(self) -> tuple[int, int]:
        """Those of the chunks there."""
        return turns([one.chunk for one in self.region])

    @cached_property
    def are_cut(self) -> bool:
        """Whether most of the chunks there are parts of reference lines."""
        starts, ends = self.ground.starts_ref_line, self.ground.ends_ref_line
        spans = [self.whole(one.chunk) for one in self.region]
        parts = [not (starts(at) and ends(to)) for at, to in spans]
        return self.ground.has_lines and sum(parts) >= DISPLACED.CUT * len(parts)

    @cached_property
    def raw_pieces(self) -> list[Span]:
        """The stretches of output that it stands in."""
        pieces: list[Span] = []
        last = -2
        for place in self.places:
            segment = self.layout.segments[place]
            if place == last + 1:
                pieces[-1] = (pieces[-1][0], segment.hyp_end)
            else:
                pieces.append((segment.hyp_start, segment.hyp_end))
            last = place
        return pieces

    @cached_property
    def pieces(self) -> list[Span]:
        """The same, with a line of noise between two long pieces overlooked."""
        per_line = self.ground.words_per_line if self.ground.has_lines else DISPLACED.USUAL_LINE
        pieces = [self.raw_pieces[0]]
        for start, end in self.raw_pieces[1:]:
            before = pieces[-1]
            between = start - before[1]
            shorter = min(end - start, before[1] - before[0])
            is_noise = (
                between <= DISPLACED.NOISE * per_line
                and shorter > 2 * DISPLACED.PIECE_OF_COLUMN * per_line
            )
            if is_noise or (between < shorter and self._are_strangers(before[1], start)):
                pieces[-1] = (before[0], end)
            else:
                pieces.append((start, end))
        return pieces

    def _are_strangers(self, start: int, end: int) -> bool:
        """Whether all words of a stretch of the output stand elsewhere themselves."""
        inside = [one for one in self.layout.segments if start <= one.hyp_start < end]
        return all(one.chunk in self.layout.out_of_order for one in inside)

    @cached_property
    def stretches(self) -> list[Span]:
        """The stretches of output that go on in the reference as they do there."""
        found: list[Span] = []
        last = -2
        for place in self.places:
            segment = self.layout.segments[place]
            before = self.layout.segments[last] if found else segment
            if place == last + 1 and segment.chunk == before.chunk + 1:
                found[-1] = (found[-1][0], segment.hyp_end)
            else:
                found.append((segment.hyp_start, segment.hyp_end))
            last = place
        return found

    @cached_property
    def between(self) -> list[int]:
        """Numbers of the chunks that were read between its first piece and its last."""
        own = set(self.chunks)
        inside = self.layout.segments[self.places[0] : self.places[-1] + 1]
        return [segment.chunk for segment in inside if segment.chunk not in own]

    @cached_property
    def jumped(self) -> list[int]:
        """Numbers of the chunks between where it was read and where it belongs."""
        own = set(self.chunks)
        place_of = self.layout.place_of
        first, last = self.places[0], self.places[-1]
        return [
            number
            for number in range(len(self.layout.chunks))
            if number not in own
            and (
                (number < self.chunks[0] and place_of[number] > last)
                or (number > self.chunks[-1] and place_of[number] < first)
            )
        ]

    @cached_property
    def tag(self) -> EventKind | None:
        """The name that the file gives to most of its text, where that tells a fault."""
        if not self.ground.has_tags:
            return None
        tags = [self.ground.tag(line) for line in self.lines]
        most = (
            tag for tag in dict.fromkeys(tags)
            if self.ground.most(self.lines, [one is tag for one in tags])
        )  # fmt: skip
        return next(most, None)

    @cached_property
    def pairs_of_line(self) -> Counter[int]:
        """How many words of each of its reference lines were read there."""
        line_of = self.ground.reference.line_of
        return Counter(line_of[j] for n in self.chunks for j, _ in self.layout.chunks[n].pairs)

    def lines_of(self, chunks: Sequence[int]) -> list[int]:
        """Positions of the reference lines of which some chunks have a word."""
        line_of = self.ground.reference.line_of
        return sorted({line_of[j] for n in chunks for j, _ in self.layout.chunks[n].pairs})
