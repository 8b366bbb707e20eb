"""The page under the words: lines, regions and boxes of both sides."""

import tomllib
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from htreval_core.diagnosis.limits import GROUND
from htreval_core.diagnosis.model import EventKind, Place, Span
from htreval_core.diagnosis.page.evidence import Evidence
from htreval_core.diagnosis.page.loops import Loop, find_copy, find_double, find_loops
from htreval_core.diagnosis.page.shapes import BOTTOM, LEFT, RIGHT, TOP, LineShapes
from htreval_core.metrics.edit import word_trace
from htreval_core.metrics.words import WordPair
from htreval_core.model import Alignment, FloatArray, IntArray, Transcript
from htreval_core.text import PageWords

Box = Sequence[float] | FloatArray
"""Left, top, right and bottom."""
_TAGS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
BY_TAG = {part: EventKind[name] for part, name in _TAGS.items()}
"""Names by what the files call a region: a part of the word is enough."""


@dataclass(frozen=True, eq=False)
class Ground:
    """What is known of a page besides its words.

    Args:
        reference: its words with their lines.
        hypothesis: the output's words with their lines.
        ref_transcript: for regions and outlines.
        hyp_transcript: the same of the output.
        trace: the refined trace of the words as they were read, where it is there already.
    """

    reference: PageWords
    hypothesis: PageWords
    ref_transcript: Transcript
    hyp_transcript: Transcript
    trace: Alignment | None = None

    @cached_property
    def words(self) -> WordPair:
        """Both sides with their words numbered."""
        return WordPair.of(self.reference.words, self.hypothesis.words)

    def aligned(self, order: Sequence[int]) -> tuple[IntArray, IntArray]:
        """The refined trace once the output's words, or some of them, stand in an order.

        Returns:
            For each row the reference word and the word of the output, by its place in the output
            as it was read; -1 for none.
        """
        at = np.asarray(order, dtype=np.int64)
        key = at.tobytes()
        if key not in self._alignments:
            words = tuple(self.hypothesis.words[k] for k in order)
            ordered = replace(self.words, hyp_words=words, hyp=self.words.hyp[at])
            rows = word_trace(ordered)
            self._alignments[key] = rows.ref_index, np.append(at, -1)[rows.hyp_index]
        return self._alignments[key]

    @cached_property
    def _alignments(self) -> dict[bytes, tuple[IntArray, IntArray]]:
        """The trace of each order: that of the page as it stands is asked for twice or more."""
        if self.trace is None:
            return {}
        as_read = np.arange(len(self.hypothesis.words), dtype=np.int64).tobytes()
        return {as_read: (self.trace.ref_index, self.trace.hyp_index)}

    @cached_property
    def evidence(self) -> Evidence:
        """What each pair of words says."""
        return Evidence(self.reference.words, self.hypothesis.words)

    @cached_property
    def loops(self) -> list[Loop]:
        """What the output repeats over and over, or once instead of other text."""
        both = self.reference.words, self.hypothesis.words
        loops = find_loops(*both) or find_double(*both)
        return loops or find_copy(*both, self.hypothesis.line_of)

    @property
    def is_twice(self) -> bool:
        """Whether the output is the whole text twice: the boxes of both tell no line apart."""
        n_hyp = len(self.hypothesis.words)
        return any(loop.is_double and loop.length == n_hyp for loop in self.loops)

    @cached_property
    def has_lines(self) -> bool:
        return len(set(self.reference.line_of)) > 1

    @cached_property
    def has_hyp_lines(self) -> bool:
        return len(set(self.hypothesis.line_of)) > 1

    @cached_property
    def words_per_line(self) -> float:
        lines = len(set(self.reference.line_of)) or 1
        return max(len(self.reference.words) / lines, 1.0)

    @cached_property
    def shapes(self) -> LineShapes | None:
        """The reference's lines on the page; None where too few have an outline."""
        shapes = LineShapes.of(self.ref_transcript)
        lines = np.unique(self.reference.line_of)
        if not len(lines) or np.isnan(shapes.boxes[lines, 0]).mean() > GROUND.MOST_UNKNOWN:
            return None
        return shapes

    @cached_property
    def n_words(self) -> IntArray:
        """Words of each reference line, shape (lines,)."""
        counts: IntArray = np.bincount(
            np.array(self.reference.line_of, dtype=np.int64),
            minlength=len(self.ref_transcript.lines),
        )
        return counts

    @cached_property
    def _starts(self) -> tuple[IntArray, IntArray]:
        """For each word of the reference the first of its line, and the one after the last."""
        line_of = np.array(self.reference.line_of, dtype=np.int64)
        if not len(line_of):
            return line_of, line_of
        cuts = np.flatnonzero(line_of[1:] != line_of[:-1]) + 1
        starts = np.concatenate([[0], cuts])
        ends = np.append(cuts, len(line_of))
        counts = ends - starts
        return np.repeat(starts, counts), np.repeat(ends, counts)

    @cached_property
    def block_of(self) -> list[int]:
        """The block of each reference word: a column, or a region where nothing has an outline.

        Lines are of one block as long as they stand in one column and do not begin anew above.
        """
        column = self._column_of
        blocks: list[int] = []
        block, last = 0, -1
        for line in self.reference.line_of:
            if line != last and last >= 0:
                block += self._begins(last, line, column)
            last = line
            blocks.append(block)
        return blocks

    def _begins(self, last: int, line: int, column: dict[int, int]) -> bool:
        """Whether a line begins another block than the one of the line before."""
        if self.shapes is None:
            lines = self.ref_transcript.lines
            return lines[last].region != lines[line].region
        if line not in column or last not in column:
            return False
        before, own = self.shapes.boxes[last], self.shapes.boxes[line]
        height = min(own[BOTTOM] - own[TOP], before[BOTTOM] - before[TOP])
        return column[line] != column[last] or bool(own[TOP] <= before[TOP] - height)

    @cached_property
    def _column_of(self) -> dict[int, int]:
        """The column of each line that has an outline."""
        if self.shapes is None:
            return {}
        lines = [n for n in np.flatnonzero(self.n_words).tolist() if self.shapes.height[n] > 0]
        return {n: number for number, column in enumerate(self.columns(lines)) for n in column}

    def line_span(self, word: int) -> Span:
        """The words of the line that a reference word stands on."""
        return int(self._starts[0][word]), int(self._starts[1][word])

    def span_of(self, line: int) -> Span:
        """The words of a reference line."""
        line_of = self.reference.line_of
        return bisect_left(line_of, line), bisect_right(line_of, line)

    def lines_of(self, spans: Iterable[Span]) -> list[int]:
        """Positions of the reference lines that some spans touch, rising."""
        line_of = self.reference.line_of
        return sorted({line for start, end in spans for line in line_of[start:end]})

    def ref_lines(self, spans: Iterable[Span]) -> tuple[int, ...]:
        """Numbers, from 1, of the reference lines of spans."""
        return tuple(line + 1 for line in self.lines_of(spans))

    def place(self, spans: Sequence[Span]) -> Place:
        """Where spans stand: their lines, or which part of lines that they do not fill."""
        start, end = spans[0][0], spans[-1][1]
        if not self.has_lines:
            return Place((), start + 1, end)
        lines = self.ref_lines(spans)
        first, last = self.line_span(start)
        if len(spans) > 1 or (start, end) == (first, last):
            return Place(lines)
        if len(lines) == 1:
            return Place(lines, start - first + 1, end - first, last - first)
        begin, stop = self.line_span(end - 1)
        ends = (last - start) / (last - first), (end - begin) / (stop - begin)
        return Place(lines, ends=ends)

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

    def kinds(self, lines: Iterable[int]) -> list[str]:
        """What the file calls the regions of lines, in lower case; empty where it says nothing."""
        return [(self.ref_transcript.lines[line].region_kind or "").lower() for line in lines]

    def tag(self, line: int) -> EventKind | None:
        """The name that the file or its place gives a line, if it is one that tells a fault."""
        return self._tags[line]

    @cached_property
    def has_tags(self) -> bool:
        """Whether any line has such a name."""
        return any(tag is not None for tag in self._tags)

    @cached_property
    def _tags(self) -> list[EventKind | None]:
        """The tag of each line."""
        kinds = [line.region_kind for line in self.ref_transcript.lines]
        lowered = {kind: (kind or "").lower() for kind in kinds}
        tags = {
            kind: next((name for part, name in BY_TAG.items() if part in said), None)
            for kind, said in lowered.items()
        }
        found = [tags[kind] for kind in kinds]
        if EventKind.MARGINALIA not in found:
            for line in self._in_margin():
                found[line] = found[line] or EventKind.MARGINALIA
        return found

    def _in_margin(self) -> list[int]:
        """Lines that are narrow and stand beside the text of the page, in no column of it.

        Numbers that are read one by one, each after its line, are cells of a table; so is what
        nearly every line has beside it."""
        lines = np.flatnonzero(self.n_words)
        boxes = self.boxes(lines.tolist())
        known = ~np.isnan(boxes[:, 0])
        lines, boxes = lines[known], boxes[known]
        if len(lines) < GROUND.LEAST_BODY:
            return []
        left, top, right, bottom = boxes.T
        widths, words = right - left, self.n_words[lines]
        usual = np.median(np.repeat(widths, words))
        body, narrow = widths > GROUND.NOTE * usual, widths <= GROUND.NOTE * usual
        shared = np.minimum(right[narrow, None], right[body]) - np.maximum(
            left[narrow, None], left[body]
        )
        over = (shared > GROUND.BESIDE * widths[narrow, None]).mean(axis=1)
        beside = (top[narrow, None] < bottom[body]) & (bottom[narrow, None] > top[body])
        found = np.flatnonzero(narrow)[(over <= GROUND.MOST_OVER) & beside.any(axis=1)]
        few = words[found].sum() <= GROUND.MOST_NOTES * words.sum()
        in_columns = Counter(self._column_of.get(line) for line in lines[body].tolist())
        columns = sum(n >= GROUND.LEAST_COLUMN * body.sum() for n in in_columns.values())
        if not few or columns > GROUND.LEAVES:
            return []
        own = lines[found]
        alone = own[~np.isin(own - 1, own) & ~np.isin(own + 1, own)]
        texts = [self.ref_transcript.lines[line].text for line in alone.tolist()]
        is_row = body.sum() <= GROUND.ROW * len(alone)
        cells = texts if is_row else [text for text in texts if is_of_digits(text)]
        return own.tolist() if 2 * len(cells) <= len(own) else []

    def is_marginal(self, spans: Iterable[Span]) -> bool:
        """Whether the file says of most words of these lines that they are marginalia."""
        lines = self.lines_of(spans)
        return self.most(lines, ["margin" in kind for kind in self.kinds(lines)])

    def most(self, lines: Sequence[int], are: Sequence[bool]) -> bool:
        """Whether the lines that are something have most of the words."""
        n_words = self.n_words[list(lines)]
        return bool(2 * n_words[np.array(are, dtype=bool)].sum() > n_words.sum())

    def box(self, lines: Sequence[int]) -> FloatArray:
        """Left, top, right and bottom of lines together; nan without outlines."""
        if self.shapes is None or not len(lines):
            return np.full(4, np.nan)
        boxes = self.shapes.boxes[list(lines)]
        boxes = boxes[~np.isnan(boxes[:, 0])]
        if not len(boxes):
            return np.full(4, np.nan)
        return np.array(
            [boxes[:, LEFT].min(), boxes[:, TOP].min(),
             boxes[:, RIGHT].max(), boxes[:, BOTTOM].max()]
        )  # fmt: skip

    def boxes(self, lines: Sequence[int]) -> FloatArray:
        """The box of each line, shape (lines, 4)."""
        if self.shapes is None:
            return np.full((len(lines), 4), np.nan)
        return self.shapes.boxes[list(lines)]

    def columns(self, lines: Sequence[int]) -> list[list[int]]:
        """Lines by the columns that they stand in, from left to right.

        What is much wider than most, such as a heading over all of them, is a column of its own.
        """
        if not len(lines):
            return []
        every = self.boxes(lines)
        of_lines = every[:, RIGHT] - every[:, LEFT]
        wide: list[bool] = (of_lines > GROUND.WIDE * float(np.nanmedian(of_lines))).tolist()
        widths: list[float] = of_lines.tolist()
        boxes: list[list[float]] = every.tolist()
        columns: list[list[int]] = []
        spans: list[list[float]] = []
        # Long lines first: they say how wide a column is.
        for at in sorted(range(len(lines)), key=lambda at: (wide[at], -widths[at])):
            for column, span in zip(columns, spans, strict=True):
                alike = GROUND.WIDE * (span[RIGHT] - span[LEFT]) >= widths[at]
                if alike and share(boxes[at], span) >= GROUND.SAME_COLUMN:
                    column.append(lines[at])
                    break
            else:
                columns.append([lines[at]])
                spans.append(boxes[at])
        together = sorted(zip(spans, columns, strict=True), key=lambda pair: pair[0][LEFT])
        return [sorted(column) for _, column in together]

    def is_column(self, lines: Sequence[int]) -> bool:
        """Whether nearly all lines stand over or under each other; a heading over several columns
        does over all of them."""
        # Some of thousands tell it as well, and each is held against each.
        left, _, right, _ = self.boxes(lines[:: len(lines) // GROUND.COMPARED + 1]).T
        shared = np.minimum(right[:, None], right) - np.maximum(left[:, None], left)
        narrower = np.minimum((right - left)[:, None], right - left)
        return bool((shared < GROUND.SAME_COLUMN * narrower).mean() <= GROUND.STRAY)


def is_of_digits(text: str) -> bool:
    """Whether most letters and digits are digits."""
    signs = [sign for sign in text if sign.isalnum()]
    return 2 * sum(map(str.isdigit, signs)) > len(signs)


def share(a: Box, b: Box) -> float:
    """How much of the narrower of two boxes lies over or under the other, 0 to 1."""
    width = min(a[RIGHT] - a[LEFT], b[RIGHT] - b[LEFT])
    shared = min(a[RIGHT], b[RIGHT]) - max(a[LEFT], b[LEFT])
    return float(max(shared, 0.0) / width) if width > 0 else 0.0
