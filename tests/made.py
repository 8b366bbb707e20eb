"""Pages made to fail, with the truth of what was done: the material of benchmarks/diagnosis.py.

The layouts are those of newspapers, letters, ledgers and leaves; the faults those that layout
analysis and language models show. What is known of a page can be taken away step by step: tags of
regions, outlines, lines.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, zip_longest

import numpy as np

from htreval_core import pair_path
from htreval_core.diagnosis import EventKind
from htreval_core.model import Line, Polygon, Transcript
from tests.conftest import SAMPLES
from tests.sheets import Sheet, make_sheet, misread

K = EventKind
Token = int | str
"""A word of the output: the number of a reference word, or a word that the page does not have."""
Output = list[list[Token]]
Span = tuple[int, int]
KNOWN = ("tags", "shapes", "lines", "nothing")
"""What is known of a page, from most to least."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What was done.

    Args:
        kind: the name that it should get.
        spans: reference words that it concerns; any one of them will do, because of two
            neighbours that changed places either may be said to have moved.
        also: names that are right as well.
    """

    kind: EventKind
    spans: tuple[Span, ...] = ()
    also: frozenset[EventKind] = frozenset()

    @property
    def names(self) -> frozenset[EventKind]:
        return self.also | {self.kind}


@dataclass(eq=False)
class Made:
    """A page in the making; parts are lines of the reference by what they are ("body", "note")."""

    sheet: Sheet
    output: Output
    parts: Mapping[str, list[int]]
    rng: np.random.Generator
    faults: list[Fault] = field(default_factory=list)

    def line(self, number: int) -> list[Token]:
        """The words of a reference line."""
        return list(self.sheet.lines[number])

    def span(self, lines: Sequence[int]) -> Span:
        """From the first word of some lines to their last."""
        return self.sheet.lines[lines[0]][0], self.sheet.lines[lines[-1]][-1] + 1

    def at(self, line: int) -> int:
        """Where in the output a reference line begins."""
        first = self.sheet.lines[line][0]
        return next(n for n, row in enumerate(self.output) if first in row)

    def take_out(self, lines: Sequence[int]) -> list[list[Token]]:
        """Whole lines taken out of the output, as they stood there."""
        wanted = [self.line(number) for number in lines]
        self.output = [row for row in self.output if row not in wanted]
        return wanted


class Paper:
    """Words and boxes for the lines of a page."""

    def __init__(self, words: Iterator[str], rng: np.random.Generator) -> None:
        self._words = words
        self._rng = rng
        self.lines: list[Line] = []
        self.parts: dict[str, list[int]] = {}

    def block(
        self, part: str, n: int, size: tuple[int, int], x: float, y: float, width: float,
        kind: str = "paragraph", height: float = 30,
    ) -> float:  # fmt: skip
        """Some lines below each other; the height where they end."""
        for number in range(n):
            text = " ".join(
                next(self._words) for _ in range(int(self._rng.integers(size[0], size[1] + 1)))
            )
            box = Polygon.from_box(x, y + height * number, x + width, y + height * number + 22)
            self.parts.setdefault(part, []).append(len(self.lines))
            self.lines.append(Line(text, part, box, kind))
        return y + height * n

    def page(self, size: tuple[int, int] = (1000, 1400)) -> Transcript:
        return Transcript(tuple(self.lines), "ReadingOrder", size)


def start(transcript: Transcript, parts: Mapping[str, list[int]], rng: np.random.Generator) -> Made:
    """A page that is read in order."""
    sheet = make_sheet(transcript)
    return Made(sheet, [list(line) for line in sheet.lines], parts, rng)


# --- layouts


def single(paper: Paper, rng: np.random.Generator) -> Transcript:
    paper.block("body", int(rng.integers(16, 30)), (6, 10), 100, 100, 800)
    return paper.page()


def with_head(paper: Paper, rng: np.random.Generator) -> Transcript:
    """A running head, a page number, a footnote and a catch-word around one column."""
    paper.block("head", 1, (2, 4), 350, 40, 300, "header")
    bottom = paper.block("body", int(rng.integers(16, 26)), (6, 10), 100, 100, 800)
    paper.block("foot", 2, (7, 9), 100, bottom + 30, 800, "footnote")
    paper.block("catch", 1, (1, 1), 820, bottom + 110, 80, "catch-word")
    return paper.page()


def with_note(paper: Paper, rng: np.random.Generator) -> Transcript:
    """One column with a note beside it."""
    left = bool(rng.integers(0, 2))
    paper.block("body", int(rng.integers(18, 30)), (7, 10), 280 if left else 40, 100, 660)
    paper.block(
        "note", int(rng.integers(4, 9)), (2, 4), 40 if left else 720, 160, 210, "marginalia", 26
    )
    return paper.page()


def columns(paper: Paper, rng: np.random.Generator) -> Transcript:
    """A heading over two to five columns."""
    k = int(rng.integers(2, 6))
    width = 940 / k
    paper.block("heading", 1, (4, 7), 200, 40, 600, "heading")
    n = int(rng.integers(12, 22))
    for number in range(k):
        paper.block(
            f"column {number}", n + int(rng.integers(-1, 2)), (4, 6) if k < 4 else (3, 5),
            30 + width * number, 110, width - 20,
        )  # fmt: skip
    return paper.page()


def feuilleton(paper: Paper, rng: np.random.Generator) -> Transcript:
    """Columns above a rule, and as many below it that go on from left to right."""
    k = int(rng.integers(2, 5))
    width = 940 / k
    n = int(rng.integers(10, 16))
    for number in range(k):
        paper.block(f"above {number}", n, (4, 6), 30 + width * number, 60, width - 20)
    for number in range(k):
        lines = int(rng.integers(5, 9))
        paper.block(f"below {number}", lines, (4, 6), 30 + width * number, 640, width - 20)
    return paper.page()


def table(paper: Paper, rng: np.random.Generator) -> Transcript:
    """A table of short cells under some text, column by column in the reference."""
    paper.block("body", 6, (6, 9), 60, 60, 880)
    n_columns, rows = int(rng.integers(3, 6)), int(rng.integers(8, 16))
    for number in range(n_columns):
        paper.block(f"cells {number}", rows, (1, 2), 60 + 180 * number, 300, 150, "TableCell")
    return paper.page()


def double_page(paper: Paper, rng: np.random.Generator) -> Transcript:
    n = int(rng.integers(14, 22))
    paper.block("left", n, (6, 9), 100, 100, 800)
    paper.block("right", n, (6, 9), 1100, 100, 800)
    return paper.page((2000, 1400))


# --- faults of order


def _body(made: Made) -> list[int]:
    """The lines of the body that are still there and whole."""
    return [line for line in made.parts["body"] if made.line(line) in made.output]


def _body_line(made: Made, low: int, high: int) -> int:
    body = _body(made)
    return body[int(made.rng.integers(low, len(body) - high))]


def swap_lines(made: Made) -> bool:
    one = _body_line(made, 2, 3)
    a, b = made.at(one), made.at(one + 1)
    made.output[a], made.output[b] = made.output[b], made.output[a]
    made.faults.append(Fault(K.LINES_SWAPPED, (made.span([one]), made.span([one + 1]))))
    return True


def suffix_late(made: Made, kind: EventKind = K.SUFFIX_LATE) -> bool:
    """The end of a line after the next one, or before its own beginning."""
    one = _body_line(made, 1, 2)
    words = made.line(one)
    if len(words) < 6:
        return False
    cut = int(made.rng.integers(3, len(words) - 2))
    a, suffix = made.at(one), (int(words[cut]), int(words[-1]) + 1)
    if kind is K.SUFFIX_LATE:
        made.output[a : a + 2] = [words[:cut], made.output[a + 1], words[cut:]]
        made.faults.append(Fault(kind, (suffix, made.span([one + 1]))))
    else:
        made.output[a : a + 1] = [words[cut:], words[:cut]]
        made.faults.append(Fault(kind, ((int(words[0]), int(words[cut])), suffix)))
    return True


def suffix_first(made: Made) -> bool:
    return suffix_late(made, K.SUFFIX_FIRST)


def move_block(made: Made) -> bool:
    body = _body(made)
    size = int(made.rng.integers(3, max(4, len(body) // 4)))
    first = int(made.rng.integers(0, len(body) - size - 5))
    block = body[first : first + size]
    rows = made.take_out(block)
    passed = body[first + size : first + size + int(made.rng.integers(4, len(body) - first - size))]
    place = made.at(passed[-1]) + 1
    made.output[place:place] = rows
    made.faults.append(Fault(K.MOVED, (made.span(block), made.span(passed))))
    return True


def mix_note(made: Made) -> bool:
    """The note between the lines beside it, or at their ends."""
    body, note = _body(made), made.parts["note"]
    rows = made.take_out(note)
    joined = bool(made.rng.integers(0, 2))
    for line, row in zip(body[2:], rows, strict=False):
        at = made.at(line)
        if joined:
            made.output[at] = made.output[at] + row
        else:
            made.output[at + 1 : at + 1] = [row]
    made.faults.append(Fault(K.MARGINALIA, (made.span(note),)))
    return True


def _rows(made: Made, parts: Sequence[str], *, joined: bool) -> Iterator[list[Token]]:
    for lines in zip_longest(*(made.parts[part] for part in parts)):
        rows = [made.line(line) for line in lines if line is not None]
        if joined:
            yield list(chain.from_iterable(rows))
        else:
            yield from rows


def _named(made: Made, start: str) -> list[str]:
    return [part for part in made.parts if part.startswith(start)]


def _column_spans(made: Made, parts: Sequence[str]) -> tuple[Span, ...]:
    """All of the columns, and each without its first line or its last: either may have moved."""
    every = [made.parts[part] for part in parts]
    spans = [made.span([every[0][0], every[-1][-1]])]
    spans += [made.span(lines[1:]) for lines in every]
    spans += [made.span(lines[:-1]) for lines in every]
    if len(every) > 2:
        spans.append(made.span([every[0][1], every[-2][-1]]))
        spans.append(made.span([every[1][0], every[-1][-2]]))
    return tuple(spans)


def _interleave(made: Made, parts: Sequence[str], kind: EventKind, *, joined: bool) -> bool:
    first = made.at(made.parts[parts[0]][0])
    made.take_out(list(chain.from_iterable(made.parts[part] for part in parts)))
    made.output[first:first] = list(_rows(made, parts, joined=joined))
    made.faults.append(Fault(kind, _column_spans(made, parts)))
    return True


def read_across(made: Made) -> bool:
    return _interleave(made, _named(made, "column"), K.COLUMNS_ACROSS, joined=True)


def read_by_line(made: Made) -> bool:
    return _interleave(made, _named(made, "column"), K.COLUMNS_BY_LINE, joined=False)


def read_leaves(made: Made) -> bool:
    joined = bool(made.rng.integers(0, 2))
    return _interleave(made, ["left", "right"], K.DOUBLE_PAGE, joined=joined)


def read_rows(made: Made) -> bool:
    joined = bool(made.rng.integers(0, 2))
    return _interleave(made, _named(made, "cells"), K.TABLE, joined=joined)


def reverse_columns(made: Made) -> bool:
    """Two neighbouring columns in the wrong order."""
    parts = _named(made, "column")
    at = int(made.rng.integers(0, len(parts) - 1))
    one, other = made.parts[parts[at]], made.parts[parts[at + 1]]
    rows = made.take_out(one)
    place = made.at(other[-1]) + 1
    made.output[place:place] = rows
    made.faults.append(Fault(K.COLUMN_ORDER, (made.span(one), made.span(other))))
    return True


def read_below(made: Made) -> bool:
    """What stands below the rule read on from each column above it."""
    above, below = _named(made, "above"), _named(made, "below")
    made.output = []
    for one, other in zip(above, below, strict=True):
        made.output += [made.line(n) for n in (*made.parts[one], *made.parts[other])]
    lower = [n for part in below for n in made.parts[part]]
    first = [n for part in above[1:] for n in made.parts[part]]
    spans = (
        made.span([lower[0], lower[-1]]), made.span([lower[0], made.parts[below[-2]][-1]]),
        made.span([first[0], first[-1]]),
    )  # fmt: skip
    made.faults.append(Fault(K.BELOW_RULE, spans))
    return True


def _move_part(made: Made, part: str, kind: EventKind, *also: EventKind) -> bool:
    lines = made.parts[part]
    rows = made.take_out(lines)
    place = made.at(_body_line(made, 3, 5)) + 1
    made.output[place:place] = rows
    made.faults.append(Fault(kind, (made.span(lines),), frozenset(also)))
    return True


def move_head(made: Made) -> bool:
    return _move_part(made, "head", K.RUNNING_HEAD)


def move_foot(made: Made) -> bool:
    # Where nothing says that it is one, a footnote is a block like any other.
    return _move_part(made, "foot", K.FOOTNOTE, K.MOVED)


def move_catch(made: Made) -> bool:
    return _move_part(made, "catch", K.CATCH_WORD)


# --- text that is missing, added, repeated or invented


def _some_lines(made: Made, low: int, high: int) -> list[int]:
    body = _body(made)
    size = int(made.rng.integers(low, high))
    first = int(made.rng.integers(1, len(body) - size))
    return body[first : first + size]


def drop_block(made: Made) -> bool:
    block = _some_lines(made, 2, 5)
    made.take_out(block)
    made.faults.append(Fault(K.MISSING, (made.span(block),)))
    return True


def cut_off(made: Made) -> bool:
    """The output ends before the page does."""
    body = _body(made)
    rest = body[-int(made.rng.integers(3, len(body) // 2)) :]
    made.take_out(rest)
    made.faults.append(Fault(K.TRUNCATED, (made.span(rest),)))
    return True


def repeat_block(made: Made) -> bool:
    block = _some_lines(made, 2, 4)
    place = made.at(block[-1]) + 1
    made.output[place:place] = [made.line(n) for n in block]
    made.faults.append(Fault(K.REPEATED, ()))
    return True


def double_lines(made: Made) -> bool:
    """Every line of a stretch twice."""
    for line in _some_lines(made, 5, 9):
        place = made.at(line) + 1
        made.output[place:place] = [made.line(line)]
    made.faults.append(Fault(K.REPEATED, ()))
    return True


def nonsense(n: int, rng: np.random.Generator) -> list[Token]:
    """Words that stand nowhere."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [
        "".join(letters[int(i)] for i in rng.integers(0, 26, int(rng.integers(3, 9))))
        for _ in range(n)
    ]


def invent_block(made: Made) -> bool:
    place = int(made.rng.integers(0, len(made.output)))
    n_lines = int(made.rng.integers(2, 4))
    made.output[place:place] = [nonsense(7, made.rng) for _ in range(n_lines)]
    made.faults.append(Fault(K.INVENTED, ()))
    return True


def replace_block(made: Made) -> bool:
    """A passage replaced by other text of about the same length, such as a translation."""
    block = _some_lines(made, 3, 6)
    for line in block:
        made.output[made.at(line)] = nonsense(len(made.line(line)), made.rng)
    made.faults.append(Fault(K.REPLACED, (made.span(block),)))
    return True


def loop_more(made: Made) -> bool:
    """A few words over and over, besides all text."""
    line = _body_line(made, 2, 3)
    unit = made.line(line)[: int(made.rng.integers(2, 6))]
    at = made.at(line)
    made.output[at] = unit * int(made.rng.integers(5, 20)) + made.line(line)[len(unit) :]
    made.faults.append(Fault(K.LOOP, ()))
    return True


def loop_instead(made: Made) -> bool:
    """A line over and over instead of the rest of the page."""
    body = _body(made)
    line = body[int(made.rng.integers(3, len(body) - 4))]
    rest = body[body.index(line) + 1 :]
    at = made.at(line)
    made.take_out(rest)
    made.output[at + 1 : at + 1] = [made.line(line) for _ in range(len(rest))]
    made.faults.append(Fault(K.LOOP, ()))
    return True


FAULTS: Mapping[str, tuple[Callable[[Made], bool], ...]] = {
    "single": (
        swap_lines, suffix_first, suffix_late, move_block, drop_block, cut_off, repeat_block,
        double_lines, invent_block, replace_block, loop_more, loop_instead,
    ),
    "head": (move_head, move_foot, move_catch),
    "note": (mix_note, mix_note),
    "columns": (read_across, read_by_line, reverse_columns),
    "feuilleton": (read_below,),
    "table": (read_rows,),
    "double": (read_leaves,),
}  # fmt: skip
"""What is done to pages of each layout."""
MINGLED: Sequence[tuple[str, tuple[Callable[[Made], bool], ...]]] = (
    ("note", (mix_note, drop_block)), ("note", (mix_note, swap_lines)),
    ("note", (mix_note, suffix_late)), ("head", (move_head, move_block)),
    ("head", (move_head, move_catch, drop_block)), ("head", (move_foot, invent_block)),
    ("single", (move_block, replace_block)), ("single", (drop_block, loop_more)),
    ("table", (read_rows, invent_block)),
)  # fmt: skip
"""Faults on one body."""
LAYOUTS: Mapping[str, Callable[[Paper, np.random.Generator], Transcript]] = {
    "single": single, "head": with_head, "note": with_note, "columns": columns,
    "feuilleton": feuilleton, "table": table, "double": double_page,
}  # fmt: skip


@cache
def letterbook() -> tuple[str, ...]:
    """The words of the letter-book, from which pages are made."""
    pages = pair_path(SAMPLES / "letterbook").pages
    return tuple(
        word for page in pages for line in page.reference.lines for word in line.text.split()
    )


def make(layout: str, words: Sequence[str], rng: np.random.Generator) -> Made:
    """A page of a layout, read in order."""
    at = int(rng.integers(0, len(words) - 1200))
    paper = Paper(iter([*words[at:], *words]), rng)
    return start(LAYOUTS[layout](paper, rng), paper.parts, rng)


def sides(made: Made, rate: float, known: str) -> tuple[Transcript, Transcript]:
    """Reference and output of a page, some words misread, with no more than is to be known."""
    lines = []
    for row in made.output:
        words = [made.sheet.words[token] if isinstance(token, int) else token for token in row]
        if words:
            lines.append(Line(" ".join(misread(words, rate, made.rng))))
    reference = made.sheet.transcript
    if known == "nothing":
        text = " ".join(line.text for line in reference.lines)
        return Transcript((Line(text),)), Transcript((Line(" ".join(ln.text for ln in lines)),))
    if known == "shapes":
        # Regions are there, but nobody says what they are.
        plain = (replace(line, region_kind="TextRegion") for line in reference.lines)
        reference = replace(reference, lines=tuple(plain))
    elif known == "lines":
        reference = Transcript(tuple(Line(line.text) for line in reference.lines))
    return reference, Transcript(tuple(lines))
