"""Layout failures and misread words, with the truth of what was done.

A layout failure works on the words of a page by number, so the truth stays known whatever is
misread afterwards. The three ways of splitting a line and the swaps are those of Vidal et al.
2023, Sec. 6; the other failures are the ones that the diagnosis names.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from htreval_core.diagnosis.model import EventKind, Span
from htreval_core.model import Line, Transcript

WordLines = list[list[int]]
"""The output as lines of word numbers of the reference; -1 for a word that is not there."""

_LETTERS = string.ascii_lowercase


@dataclass(frozen=True, slots=True)
class Sheet:
    """A reference page as its words, by line.

    Args:
        words: all words in reading order.
        lines: word numbers of each line.
        regions: the region of each line.
        transcript: the page itself.
    """

    words: tuple[str, ...]
    lines: tuple[tuple[int, ...], ...]
    regions: tuple[str, ...]
    transcript: Transcript

    def lines_of(self, region: str) -> list[int]:
        return [number for number, name in enumerate(self.regions) if name == region]


@dataclass(frozen=True, slots=True)
class Truth:
    """What was done to a page.

    Args:
        kind: the failure.
        spans: reference words that moving back restores the order; any one of them will do,
            because of two neighbours that changed places either may be said to have moved.
        touched: all reference words that the failure reorders.
    """

    kind: EventKind
    spans: tuple[Span, ...]
    touched: Span


def make_sheet(transcript: Transcript) -> Sheet:
    """The words of a transcript by line; blank lines are passed over."""
    words: list[str] = []
    lines: list[tuple[int, ...]] = []
    regions: list[str] = []
    for line in transcript.lines:
        of_line = line.text.split()
        if of_line:
            lines.append(tuple(range(len(words), len(words) + len(of_line))))
            words += of_line
            regions.append(line.region or "")
    return Sheet(tuple(words), tuple(lines), tuple(regions), transcript)


def misread(words: Sequence[str], rate: float, rng: np.random.Generator) -> list[str]:
    """Words of which about ``rate`` have one to three characters wrong, each its own way."""
    out: list[str] = []
    for word in words:
        if rng.random() >= rate:
            out.append(word)
            continue
        letters = list(word)
        for _ in range(1 + int(rng.integers(0, 3)) if len(word) > 4 else 1):
            at = int(rng.integers(0, len(letters)))
            letter = _LETTERS[int(rng.integers(0, 26))]
            action = rng.integers(0, 4)
            if action == 0 and len(letters) > 1:
                del letters[at]
            elif action == 1:
                letters.insert(at, letter)
            else:
                letters[at] = letter
        out.append("".join(letters))
    return out


def as_transcript(
    sheet: Sheet, output: WordLines, rate: float, rng: np.random.Generator, *, lines: bool = True
) -> Transcript:
    """The output as text, some of its words misread; without line breaks if so wanted.

    Words numbered -1 become words of the page's own alphabet that say nothing.
    """
    texts = []
    for line in output:
        words = [sheet.words[n] if n >= 0 else _nonsense(rng) for n in line]
        texts.append(" ".join(misread(words, rate, rng)))
    if not lines:
        texts = [" ".join(texts)]
    return Transcript(tuple(Line(text) for text in texts if text))


def _nonsense(rng: np.random.Generator) -> str:
    return "".join(_LETTERS[int(n)] for n in rng.integers(0, 26, int(rng.integers(3, 9))))


def in_order(sheet: Sheet) -> WordLines:
    """The page as it should be read."""
    return [list(line) for line in sheet.lines]


Failure = Callable[[Sheet, np.random.Generator], tuple[WordLines, Truth] | None]
"""A failure of a page, or None where the page has no room for it."""


def _span(sheet: Sheet, lines: Sequence[int]) -> Span:
    return sheet.lines[lines[0]][0], sheet.lines[lines[-1]][-1] + 1


def _body(sheet: Sheet) -> list[int]:
    """Lines of the longest region."""
    names = list(dict.fromkeys(sheet.regions))
    return max((sheet.lines_of(name) for name in names), key=len)


def _pick(rng: np.random.Generator, low: int, high: int) -> int:
    return int(rng.integers(low, high))


def swap_lines(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """Two neighbouring lines change places."""
    body = _body(sheet)
    if len(body) < 4:
        return None
    a, b = body[at : at + 2] if (at := _pick(rng, 1, len(body) - 2)) else body[:2]
    output = in_order(sheet)
    output[a], output[b] = output[b], output[a]
    spans = (_span(sheet, [a]), _span(sheet, [b]))
    return output, Truth(EventKind.LINES_SWAPPED, spans, _span(sheet, [a, b]))


def _split(sheet: Sheet, rng: np.random.Generator) -> tuple[int, int, list[int], list[int]] | None:
    """A line, the line after it, and both parts of the first."""
    body = [n for n in _body(sheet)[:-1] if len(sheet.lines[n]) >= 4]
    if len(body) < 3:
        return None
    line = body[_pick(rng, 1, len(body))]
    words = list(sheet.lines[line])
    cut = _pick(rng, 2, len(words) - 1)
    return line, line + 1, words[:cut], words[cut:]


def suffix_first(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """The end of a line is read before its beginning."""
    found = _split(sheet, rng)
    if found is None:
        return None
    line, _, prefix, suffix = found
    output = in_order(sheet)
    output[line : line + 1] = [suffix, prefix]
    spans = ((prefix[0], prefix[-1] + 1), (suffix[0], suffix[-1] + 1))
    return output, Truth(EventKind.SUFFIX_FIRST, spans, (prefix[0], suffix[-1] + 1))


def suffix_late(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """The end of a line is read after the next line."""
    found = _split(sheet, rng)
    if found is None:
        return None
    line, after, prefix, suffix = found
    output = in_order(sheet)
    output[line : after + 1] = [prefix, list(sheet.lines[after]), suffix]
    spans = ((suffix[0], suffix[-1] + 1), _span(sheet, [after]))
    return output, Truth(EventKind.SUFFIX_LATE, spans, (suffix[0], sheet.lines[after][-1] + 1))


def prefix_late(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """The beginning of a line is read after the next line: the end of it, the next line, it."""
    found = _split(sheet, rng)
    if found is None:
        return None
    line, after, prefix, suffix = found
    output = in_order(sheet)
    output[line : after + 1] = [suffix, list(sheet.lines[after]), prefix]
    spans = ((prefix[0], prefix[-1] + 1), (suffix[0], sheet.lines[after][-1] + 1))
    return output, Truth(EventKind.PREFIX_LATE, spans, (prefix[0], sheet.lines[after][-1] + 1))


def move_block(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """Some lines are read far from their place."""
    body = _body(sheet)
    if len(body) < 12:
        return None
    size = _pick(rng, 3, max(4, len(body) // 3))
    start = _pick(rng, 0, len(body) - size + 1)
    block = body[start : start + size]
    rest = [n for n in range(len(sheet.lines)) if n not in block]
    places = [p for p in range(len(rest) + 1) if abs(p - rest_place(rest, block)) >= 4]
    if not places:
        return None
    place = places[_pick(rng, 0, len(places))]
    order = [*rest[:place], *block, *rest[place:]]
    home = rest_place(rest, block)
    passed = rest[min(home, place) : max(home, place)]
    output = [list(sheet.lines[n]) for n in order]
    touched = sorted([*block, *passed])
    spans = (_span(sheet, block), _span(sheet, passed))
    return output, Truth(EventKind.MOVED, spans, _span(sheet, touched))


def rest_place(rest: Sequence[int], block: Sequence[int]) -> int:
    """Where among the other lines a block belongs."""
    return sum(n < block[0] for n in rest)


def mix_marginalia(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """The lines of a marginal note are read between the lines beside them."""
    kinds = {line.region: line.region_kind for line in sheet.transcript.lines}
    notes = [name for name in dict.fromkeys(sheet.regions) if kinds.get(name) == "marginalia"]
    body = _body(sheet)
    if not notes or len(body) < 8:
        return None
    note = sheet.lines_of(notes[_pick(rng, 0, len(notes))])
    start = _pick(rng, 1, len(body) - len(note) - 1)
    after = {body[start + n]: line for n, line in enumerate(note)}
    order: list[int] = []
    for n in range(len(sheet.lines)):
        if n not in note:
            order.append(n)
            if n in after:
                order.append(after[n])
    output = [list(sheet.lines[n]) for n in order]
    return output, Truth(EventKind.MARGINALIA, (_span(sheet, note),), _span(sheet, note))


def _two_columns(sheet: Sheet) -> tuple[list[int], list[int]] | None:
    names = [n for n in dict.fromkeys(sheet.regions) if len(sheet.lines_of(n)) >= 6]
    for left, right in pairwise(names):
        first, second = sheet.lines_of(left), sheet.lines_of(right)
        if second[0] == first[-1] + 1 and abs(len(first) - len(second)) <= 3:
            return first, second
    return None


def _interleave(
    sheet: Sheet, kind: EventKind, step: int, *, joined: bool
) -> tuple[WordLines, Truth] | None:
    found = _two_columns(sheet)
    if found is None:
        return None
    left, right = found
    rows: WordLines = []
    for at in range(0, max(len(left), len(right)), step):
        a = [list(sheet.lines[n]) for n in left[at : at + step]]
        b = [list(sheet.lines[n]) for n in right[at : at + step]]
        if joined and a and b:
            rows.append(a[0] + b[0])
        else:
            rows += [*a, *b]
    before = [list(sheet.lines[n]) for n in range(left[0])]
    after = [list(sheet.lines[n]) for n in range(right[-1] + 1, len(sheet.lines))]
    # The first stretch of the left column and the last of the right one stand where they belong:
    # order is restored by moving what is left of either column.
    last = len(right) - len(right) % step if len(right) % step else len(right) - step
    spans = tuple(_span(sheet, lines) for lines in (left[step:], right[:last]) if lines)
    return [*before, *rows, *after], Truth(kind, spans, _span(sheet, [*left, *right]))


def columns_by_line(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """A line of the left column, a line of the right one, by turns."""
    return _interleave(sheet, EventKind.COLUMNS_BY_LINE, 1, joined=False)


def columns_across(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """Lines run on from the left column into the right one."""
    return _interleave(sheet, EventKind.COLUMNS_ACROSS, 1, joined=True)


def columns_in_zones(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """Several lines of the left column, then as many of the right one."""
    return _interleave(sheet, EventKind.COLUMNS_IN_ZONES, _pick(rng, 4, 7), joined=False)


def double_page(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """Lines run on from the left leaf into the right one."""
    size = sheet.transcript.page_size
    if size is None or size[0] <= size[1]:
        return None
    return _interleave(sheet, EventKind.DOUBLE_PAGE, 1, joined=bool(rng.integers(0, 2)))


def drop_block(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """Some lines are left out."""
    body = _body(sheet)
    if len(body) < 8:
        return None
    size = _pick(rng, 2, 5)
    start = _pick(rng, 0, len(body) - size + 1)
    block = body[start : start + size]
    output = [list(line) for n, line in enumerate(sheet.lines) if n not in block]
    return output, Truth(EventKind.MISSING, (_span(sheet, block),), _span(sheet, block))


def repeat_block(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """Some lines are read twice."""
    body = _body(sheet)
    if len(body) < 8:
        return None
    size = _pick(rng, 1, 4)
    start = _pick(rng, 0, len(body) - size + 1)
    block = body[start : start + size]
    output = in_order(sheet)
    output[block[-1] + 1 : block[-1] + 1] = [list(sheet.lines[n]) for n in block]
    return output, Truth(EventKind.REPEATED, (_span(sheet, block),), _span(sheet, block))


def invent_block(sheet: Sheet, rng: np.random.Generator) -> tuple[WordLines, Truth] | None:
    """Lines are written that are not on the page."""
    output = in_order(sheet)
    place = _pick(rng, 0, len(output) + 1)
    output[place:place] = [[-1] * _pick(rng, 5, 10) for _ in range(_pick(rng, 1, 4))]
    return output, Truth(EventKind.INVENTED, (), (0, 0))


FAILURES: Mapping[EventKind, Failure] = MappingProxyType(
    {
        EventKind.LINES_SWAPPED: swap_lines,
        EventKind.SUFFIX_FIRST: suffix_first,
        EventKind.SUFFIX_LATE: suffix_late,
        EventKind.PREFIX_LATE: prefix_late,
        EventKind.MOVED: move_block,
        EventKind.MARGINALIA: mix_marginalia,
        EventKind.COLUMNS_BY_LINE: columns_by_line,
        EventKind.COLUMNS_ACROSS: columns_across,
        EventKind.COLUMNS_IN_ZONES: columns_in_zones,
        EventKind.DOUBLE_PAGE: double_page,
        EventKind.MISSING: drop_block,
        EventKind.REPEATED: repeat_block,
        EventKind.INVENTED: invent_block,
    }
)
"""The failures by the name that the diagnosis should give them."""


def make_failure(
    transcript: Transcript, kind: EventKind, rng: np.random.Generator
) -> tuple[Transcript, Truth] | None:
    """A page read with one failure and no misread word, or None where it has no room for it."""
    sheet = make_sheet(transcript)
    made = FAILURES[kind](sheet, rng)
    return made and (as_transcript(sheet, made[0], 0.0, rng), made[1])
