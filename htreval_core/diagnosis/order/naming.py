"""From displaced groups to names: by the walk of the output over the blocks of the page."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from htreval_core.diagnosis.limits import DISPLACED, NAMING
from htreval_core.diagnosis.model import Confidence, DoubtReason, Elsewhere, EventKind, Span
from htreval_core.diagnosis.order.displaced import Displaced, is_grid
from htreval_core.diagnosis.order.groups import Layout
from htreval_core.diagnosis.page.ground import Ground, is_of_digits, share
from htreval_core.diagnosis.page.shapes import BOTTOM, LEFT, RIGHT, TOP
from htreval_core.model import FloatArray

_TABLES = ("table", "cell")


def name_group(
    layout: Layout, group: Sequence[int], ground: Ground
) -> tuple[EventKind, Confidence]:
    """The kind of a displaced group, and how far the page vouches for the name."""
    if (region := layout.regions.get(tuple(group))) is not None:
        return region, Confidence.SURE if layout.places else Confidence.LIKELY
    found = Displaced(layout, tuple(group), ground)
    if ground.has_lines and found.tag is not None and not _is_reversed(found):
        return found.tag, Confidence.SURE
    if ground.has_lines and is_signs(found):
        return EventKind.SIGNS, Confidence.SURE
    rules = _BY_LINES if ground.shapes is None else _BY_SHAPE
    rules = rules if ground.has_lines else _WITHOUT_LINES
    named, confidence = next((kind, sure) for kind, is_so, sure in rules if is_so(found))
    return (named if isinstance(named, EventKind) else named(found)), confidence


def _changed_places(found: Displaced) -> bool:
    is_short = _is_one(found) and _lengths(found)[0] <= NAMING.FEW_WORDS
    return is_short and _neighbour(found) is not None


def _is_one(found: Displaced) -> bool:
    return len(found.pieces) == 1


def _is_by_turns_short(found: Displaced) -> bool:
    return _is_of_short_pieces(found) and _n_sides(found) >= 2


def _lengths(found: Displaced) -> list[int]:
    return [end - start for start, end in found.pieces]


def _longest(found: Displaced) -> float:
    """The longest piece, in lines."""
    return max(_lengths(found)) / found.ground.words_per_line


def _is_reversed(found: Displaced) -> bool:
    """Whether its lines were read one by one from the last to the first."""
    order = [found.layout.place_of[chunk] for chunk in found.chunks]
    up = sum(after < before for before, after in pairwise(order))
    n_pieces = min(len(order), len(found.lines))
    return n_pieces >= NAMING.LEAST_REVERSED and up >= NAMING.MOST_REVERSED * (len(order) - 1)


def _is_scattered(found: Displaced) -> bool:
    return _longest(found) <= NAMING.LONG_PIECE and len(found.lines) <= 3


def _is_of_short_pieces(found: Displaced) -> bool:
    """Whether many of the words stand in three short pieces or more.

    A column that was read as a whole, with some single lines beside it, was not read by turns."""
    lengths = np.array(_lengths(found))
    short = lengths[lengths <= NAMING.ROW * found.ground.words_per_line]
    return len(lengths) >= 3 and bool(short.sum() >= NAMING.LEAST_SHORT * lengths.sum())


def _n_sides(found: Displaced) -> int:
    """The columns of the text and of what it was mixed with."""
    return len(found.ground.columns([*found.lines, *found.lines_of(found.between)]))


def _is_of_zones(found: Displaced) -> bool:
    zones = np.array(_lengths(found)) > NAMING.LONG_PIECE * found.ground.words_per_line
    return bool(zones.sum() >= 3) and _n_sides(found) >= 2


def is_signs(found: Displaced) -> bool:
    """Whether these are signs at the beginnings of lines: opening quotation marks, numbers."""
    words = [found.ground.reference.words[j] for start, end in found.spans
             for j in range(start, end)]  # fmt: skip
    starts = [found.ground.starts_ref_line(start) for start, _ in found.spans]
    short = sum(len(word) <= 2 for word in words) >= NAMING.SIGNS * len(words)
    letters = float(np.median([len(word) for word in words])) <= NAMING.SIGN
    return (
        len(found.spans) >= 4
        and short
        and letters
        and float(np.mean(starts)) >= NAMING.SIGNS_AT_START
    )


def _alternates(found: Displaced) -> bool:
    """Whether it was read in many short pieces of like length, other text between them.

    Of several columns that were read across, all but one may stand side by side in a piece: what
    counts are the stretches of the reference in it."""
    lengths = np.array([end - start for start, end in found.stretches])
    typical = float(np.median(lengths))
    like = np.minimum(lengths, typical) / np.maximum(lengths, typical) >= NAMING.LIKE_LENGTHS
    is_line = typical <= DISPLACED.PIECE_OF_COLUMN * found.ground.words_per_line
    return bool(like.mean() >= 0.5 and is_line) and _is_of_short_pieces(found)


def _is_narrow_text(found: Displaced) -> bool:
    """Whether it is little, in lines of far fewer words than those between which it was read."""
    if found.n_words > NAMING.MOST_OF_NOTE * len(found.ground.reference.words):
        return False
    own = found.ground.n_words[found.lines]
    other = found.ground.n_words[found.lines_of(found.between)]
    return (
        len(own) > 0 and len(other) > 0 and bool(np.median(own) <= NAMING.NARROW * np.median(other))
    )


def _is_table(found: Displaced) -> bool:
    """Whether cells were read by rows: by their tag, or by short blocks on a grid."""
    if len(found.raw_pieces) < 3:
        return False
    ground = found.ground
    both = [*found.lines, *found.lines_of(found.between)]
    tags = ground.kinds(both)
    hyp_lines = ground.hyp_lines(found.raw_pieces)
    tags_hyp = [
        (ground.hyp_transcript.lines[line - 1].region_kind or "").lower() for line in hyp_lines
    ]
    for of_side in (tags, tags_hyp):
        if of_side and sum(any(t in tag for t in _TABLES) for tag in of_side) * 2 > len(of_side):
            return True
    columns = [column for column in ground.columns(both) if len(column) >= 3]
    if len(columns) < 3 or np.median(ground.n_words[both]) > NAMING.CELL:
        return False
    tops = ground.boxes(both)[:, TOP]
    heights = np.diff(ground.boxes(both)[:, [TOP, BOTTOM]])[:, 0]
    rows = abs(tops[:, None] - tops) < 0.5 * np.median(heights)
    return bool(np.median(rows.sum(axis=1)) >= 2)


def goes_across(a: FloatArray, b: FloatArray) -> bool:
    """Whether one box stands on the line of the one before, right of its beginning."""
    return bool(max(a[TOP], b[TOP]) < min(a[BOTTOM], b[BOTTOM]) and a[LEFT] < b[LEFT])


def _table(found: Displaced) -> EventKind:
    """By rows, or by columns where the reference reads it across and the output downwards."""
    across = []
    read = [one.chunk for one in found.region]
    for chunks in (sorted(read), read):
        boxes = found.ground.boxes([line for one in chunks for line in found.lines_of([one])])
        steps = [goes_across(a, b) for a, b in pairwise(boxes)]
        across.append(2 * sum(steps) > len(steps))
    return EventKind.ROWS if across == [True, False] else EventKind.TABLE


def edge_kind(found: Displaced) -> EventKind | None:
    """A short line above or below all other text, read elsewhere: a running head, a number."""
    ground = found.ground
    if len(found.lines) > 2 or found.n_words > NAMING.HEAD * max(
        ground.words_per_line, NAMING.LEAST_LINE
    ):
        return None
    start, end = found.reference
    whole = ground.starts_ref_line(start) and ground.ends_ref_line(end)
    if len(found.raw_pieces) > 1 or not whole:
        return None
    words = np.flatnonzero(ground.n_words)
    boxes = ground.boxes(words.tolist())
    boxes = boxes[~np.isnan(boxes[:, 0])]
    own = ground.box(found.lines)
    if np.isnan(own[0]) or len(boxes) < 6:
        return None
    height = np.median(boxes[:, BOTTOM] - boxes[:, TOP])
    above = (
        boxes[:, BOTTOM].min() >= own[TOP] and (boxes[:, TOP] < own[BOTTOM] - 0.5 * height).sum()
    )
    below = (boxes[:, BOTTOM] > own[TOP] + 0.5 * height).sum()
    text = "".join(ground.reference.words[slice(*found.reference)])
    is_number = is_of_digits(text)
    if above and above <= len(found.lines) + 2 and own[TOP] <= boxes[:, TOP].min() + height:
        return EventKind.PAGE_NUMBER if is_number else EventKind.RUNNING_HEAD
    is_of_sheet = not is_number and any(map(str.isdigit, text))
    if below <= len(found.lines) + 1 and found.n_words <= 3 and not is_of_sheet:
        return EventKind.PAGE_NUMBER if is_number else EventKind.CATCH_WORD
    return None


def _is_double_page(found: Displaced) -> bool:
    """Whether two leaves were mixed: the pieces on one, the text between them on the other."""
    ground, foreign = found.ground, found.lines_of(found.between)
    size = ground.ref_transcript.page_size
    if size is None or size[0] <= size[1] or not foreign:
        return False
    if max(len(ground.columns(found.lines)), len(ground.columns(foreign))) > NAMING.LEAVES:
        return False
    middles = [
        np.nanmedian(ground.boxes(lines)[:, [LEFT, RIGHT]].mean(axis=1)) / size[0]
        for lines in (found.lines, foreign)
    ]
    if (middles[0] < 0.5) == (middles[1] < 0.5):
        return False
    # Leaves, not columns of a wide page: what was mixed is as wide as half of the page nearly is.
    own = ground.box(found.lines)
    return bool(own[RIGHT] - own[LEFT] >= NAMING.LEAF * size[0])


def _columns(found: Displaced) -> EventKind:
    """Whether the output runs on from column to column, goes down each, or scatters lines."""
    if _are_rows(found):
        return EventKind.ROWS
    ground = found.ground
    if ground.shapes is not None and ground.is_column(
        [*found.lines, *found.lines_of(found.between)]
    ):
        return EventKind.SCRAMBLED
    if ground.shapes is None and (
        not is_grid(len(found.region), *found.turns)
        or (ground.has_hyp_lines and found.are_cut and _cut_in_hyp(found) >= NAMING.CUT)
    ):
        return EventKind.SCRAMBLED
    pieces = [ground.starts_hyp_line(at) and ground.ends_hyp_line(to) for at, to in found.pieces]
    if ground.has_hyp_lines and 1 - np.mean(pieces) >= NAMING.INSIDE_LINES:
        return EventKind.COLUMNS_ACROSS
    return EventKind.COLUMNS_BY_LINE


def _are_rows(found: Displaced) -> bool:
    """Whether rows of the reference were read column by column.

    The pieces are parts of its lines and whole lines of the output; or the output reads on where
    the reference goes to and fro, and not the other way round."""
    down, back = found.turns
    if len(found.region) < NAMING.LEAST_CELLS or not is_grid(len(found.region), down, back):
        return False
    if found.ground.has_hyp_lines and found.are_cut and _cut_in_hyp(found) < NAMING.CUT:
        return min(down, back) > 0
    return down <= NAMING.TO_AND_FRO * back


def _cut_in_hyp(found: Displaced) -> float:
    """The share of what was read there that is a part of a line of the output."""
    starts, ends = found.ground.starts_hyp_line, found.ground.ends_hyp_line
    return float(np.mean([not (starts(o.hyp_start) and ends(o.hyp_end)) for o in found.region]))


def is_sparse(found: Displaced) -> bool:
    """Whether hardly any of the text between its first piece and its last was mixed with it."""
    return len(found.lines) < NAMING.LEAST_MIXED * len(found.lines_of(found.between))


def n_columns(found: Displaced) -> int:
    """How many columns the text and what it was mixed with stand in; 0 where it is not known."""
    if found.ground.shapes is None:
        return 0
    columns = found.ground.columns([*found.lines, *found.lines_of(found.between)])
    lines = sum(map(len, columns))
    return sum(len(column) >= max(2, NAMING.LEAST_COLUMN * lines) for column in columns)


def _is_below_rule(found: Displaced) -> bool:
    """Whether the output went on downwards in a column where the reference first goes to the next.

    Each piece stands in the column of the text that was read before it, under it, though the
    reference has text of other columns between them."""
    long = [
        piece for piece in found.pieces if piece[1] - piece[0] >= 2 * found.ground.words_per_line
    ]
    going_on = sum(_goes_on_below(found, piece) for piece in long)
    return bool(going_on) and going_on >= NAMING.MOST_PIECES * len(long)


def _goes_on_below(found: Displaced, piece: Span) -> bool:
    """Whether a piece was read on from the text above it, past a rule."""
    ground, layout = found.ground, found.layout
    line_of = ground.reference.line_of
    strangers = layout.out_of_order - set(found.chunks)
    # What stands elsewhere itself says little about a place.
    before = next((n for n in layout.chunks_before(piece[0])[::-1] if n not in strangers), None)
    chunks = [n for n in found.chunks if piece[0] <= layout.chunks[n].hyp_start < piece[1]]
    if before is None or not chunks:
        return False
    last, first = (
        line_of[layout.chunks[before].ref_end - 1], line_of[layout.chunks[chunks[0]].ref_start],
    )  # fmt: skip
    above, own = ground.boxes([last, first])
    if np.isnan(above[0]) or np.isnan(own[0]):
        return False
    box = ground.box(found.lines_of(chunks))
    is_column = above[RIGHT] - above[LEFT] <= NAMING.WIDE * (box[RIGHT] - box[LEFT])
    is_below = own[TOP] >= above[BOTTOM] - NAMING.OVERLAP * (above[BOTTOM] - above[TOP])
    if not (is_column and is_below and share(above, box) >= NAMING.SAME_COLUMN):
        return False
    lines = set(found.lines)
    skipped = [n for n in range(last + 1, first) if ground.n_words[n] and n not in lines]
    boxes = ground.boxes(skipped)
    elsewhere = boxes[[share(one, box) < NAMING.SAME_COLUMN for one in boxes]]
    return len(elsewhere) >= max(len(skipped) / 2, NAMING.LEAST_SKIPPED)


def _is_column_order(found: Displaced) -> bool:
    """Whether whole columns that stand beside each other changed places."""
    jumped = found.lines_of(found.jumped)
    if len(found.lines) < 4 or len(jumped) < 4:
        return False
    own = found.ground.box(found.lines)
    if np.isnan(own[0]):
        return False
    # A heading over both, or a line that was cut, may be among them: most must stand beside.
    beside = [line for line in jumped if share(found.ground.boxes([line])[0], own) < NAMING.ASIDE]
    if len(beside) < NAMING.MOST_BESIDE * len(jumped):
        return False
    # Text that goes on under other text of its column is no column.
    every = np.flatnonzero(found.ground.n_words)
    boxes = found.ground.boxes(every.tolist())
    width = own[RIGHT] - own[LEFT]
    above = [
        box
        for box in boxes.tolist()
        if box[BOTTOM] <= own[TOP] + (box[BOTTOM] - box[TOP]) / 2
        and share(box, own) >= NAMING.SAME_COLUMN
        and box[RIGHT] - box[LEFT] <= NAMING.WIDE * width
    ]
    if len(above) > NAMING.HEADINGS * len(found.lines):
        return False
    other = found.ground.box(beside)
    shared = min(own[BOTTOM], other[BOTTOM]) - max(own[TOP], other[TOP])
    shorter = min(own[BOTTOM] - own[TOP], other[BOTTOM] - other[TOP])
    return bool(shared >= 0.5 * shorter)


def _one_piece(found: Displaced) -> EventKind:
    """The name of what was read as a whole."""
    start, end = found.pieces[0]
    if end - start <= NAMING.SHORT * found.ground.words_per_line:
        swap = _name_swap(found)
        if swap is not None:
            return swap
    return EventKind.MOVED


def _neighbour(found: Displaced) -> tuple[Span, Span] | None:
    """(first, second) in the reference of the two spans that changed places, the group one."""
    layout, group = found.layout, found.chunks
    span = found.whole(group[0])[0], found.whole(group[-1])[1]
    before, after = found.places[0] - 1, found.places[-1] + 1
    # Read too early: in the reference it follows what now comes right after it.
    if after < len(layout.segments) and layout.segments[after].chunk == group[0] - 1:
        return found.whole(group[0] - 1), span
    # Read too late: in the reference it precedes what now comes right before it.
    if before >= 0 and layout.segments[before].chunk == group[-1] + 1:
        return span, found.whole(group[-1] + 1)
    return None


def _name_swap(found: Displaced) -> EventKind | None:
    neighbours = _neighbour(found)
    if neighbours is None:
        return None
    ground = found.ground
    first, second = neighbours
    longest = NAMING.SHORT * ground.words_per_line
    cut_inside = not ground.starts_ref_line(second[0])
    if cut_inside:
        # U V of one line read as V U; with the next line between, U came late.
        if max(first[1] - first[0], second[1] - second[0]) > longest + ground.words_per_line:
            return None
        lines = ground.reference.line_of
        reaches_on = lines[second[1] - 1] > lines[second[0]]
        if reaches_on and ground.starts_ref_line(first[0]):
            return EventKind.PREFIX_LATE
        return EventKind.SUFFIX_FIRST
    if max(first[1] - first[0], second[1] - second[0]) > longest:
        return None
    if not ground.starts_ref_line(first[0]):
        return EventKind.SUFFIX_LATE
    if not ground.ends_ref_line(second[1]):
        return EventKind.PREFIX_LATE
    return EventKind.LINES_SWAPPED


def where_read(found: Displaced, doubt: DoubtReason | None) -> Elsewhere:
    """Where displaced text stands and where it was read, as facts."""
    ground, chunks = found.ground, found.layout.chunks
    place = ground.place(found.spans)
    columns, late = n_columns(found), any(number > found.chunks[-1] for number in found.jumped)
    if not ground.has_lines:
        return Elsewhere(place, columns=columns, late=late, doubt=doubt)
    jumped = ground.ref_lines((chunks[n].ref_start, chunks[n].ref_end) for n in found.jumped)
    mixed = {*found.lines, *found.lines_of(found.between)}
    if found.chunks in found.layout.regions:
        region = found.layout.segments[slice(*found.layout.reach(found.chunks))]
        mixed |= {*found.lines_of([one.chunk for one in region])}
    after = _read_after(found)
    return Elsewhere(
        place, tuple(sorted(line + 1 for line in mixed)), after, len(found.pieces), jumped, late,
        columns, doubt, after == (0,) and _is_on_top(found), found.are_cut,
    )  # fmt: skip


def _is_on_top(found: Displaced) -> bool:
    """Whether displaced text stands above the text of the page, but perhaps for a number or two.

    And above text that the reference has before it: the number of a right leaf follows the left."""
    ground, own = found.ground, found.ground.box(found.lines)
    before = ground.boxes([n for n in range(found.lines[0]) if ground.n_words[n]])
    size = found.ground.ref_transcript.page_size
    near = NAMING.NEAR_HEAD * size[0] if size else np.inf
    aside = np.maximum(before[:, LEFT] - own[RIGHT], own[LEFT] - before[:, RIGHT])
    if not ((before[:, TOP] > own[TOP]) & (aside <= near)).any():
        return False
    others = set(np.flatnonzero(ground.n_words).tolist()) - {*found.lines}
    tops = ground.boxes(sorted(others))[:, [TOP, BOTTOM]].mean(axis=1)
    known, above = np.isfinite(tops).sum(), (tops < own[BOTTOM]).sum()
    return bool(known >= NAMING.LEAST_OUTLINED and above <= NAMING.ABOVE_HEAD)


def _read_after(found: Displaced) -> tuple[int, ...]:
    """The reference lines, from 1, after which the pieces were read; 0 for the top of the page."""
    layout, out = found.layout, found.layout.out_of_order
    after: list[int] = []
    for start, _ in found.pieces:
        # What stands elsewhere itself says nothing about a place.
        before = [chunk for chunk in layout.chunks_before(start) if chunk not in out]
        last = layout.chunks[before[-1]].pairs[-1][0] if before else None
        after.append(0 if last is None else found.ground.reference.line_of[last] + 1)
    return tuple(dict.fromkeys(after))


_K, _SURE, _LIKELY = EventKind, Confidence.SURE, Confidence.LIKELY
_Kind: TypeAlias = EventKind | Callable[[Displaced], EventKind]
_Rules: TypeAlias = Sequence[tuple[_Kind, Callable[[Displaced], bool], Confidence]]
_WITHOUT_LINES: _Rules = (
    (_K.INTERLEAVED, lambda found: len(found.pieces) >= 3, Confidence.COARSE),
    (_K.LOCAL_SWAP, _changed_places, Confidence.COARSE),
    (_K.MOVED, lambda _: True, Confidence.COARSE),
)
_BY_LINES: _Rules = (
    (_K.REVERSED, _is_reversed, _LIKELY),
    # Parts of lines, each on a line of its own, that go on in the row below.
    (_K.ROWS, lambda found: found.are_cut and _are_rows(found), _LIKELY),
    # Pieces of like length in turn with other lines; those of a note are far shorter than these.
    (_K.MARGINALIA, lambda found: _alternates(found) and _is_narrow_text(found), _LIKELY),
    (_columns, _alternates, _LIKELY),
    (_one_piece, _is_one, _LIKELY),
    (_K.COLUMNS_IN_ZONES, lambda found: _longest(found) > NAMING.LONG_PIECE, _LIKELY),
    # Pieces inside lines, and single lines read between others.
    (_K.SCRAMBLED, lambda of: of.are_cut and _longest(of) <= NAMING.SHORT_PIECE, _LIKELY),
    (_K.MARGINALIA, _is_narrow_text, _LIKELY),
    (_K.SCRAMBLED, lambda _: True, _LIKELY),
)
_BY_SHAPE: _Rules = (
    (_table, _is_table, _SURE),
    (lambda found: edge_kind(found) or _K.MOVED, lambda of: edge_kind(of) is not None, _LIKELY),
    (_K.REVERSED, _is_reversed, _LIKELY),
    # Pieces in turn on the two halves of a wide page.
    (_K.DOUBLE_PAGE, lambda found: _alternates(found) and _is_double_page(found), _SURE),
    (_K.SCRAMBLED, lambda found: len(found.pieces) >= 3 and _is_scattered(found), _LIKELY),
    (_columns, _alternates, _SURE),
    (_K.COLUMN_ORDER, lambda found: _is_one(found) and _is_column_order(found), _SURE),
    (_K.BELOW_RULE, _is_below_rule, _SURE),
    (_one_piece, _is_one, _SURE),
    (_K.SCRAMBLED, _is_scattered, _LIKELY),
    # Columns that changed places, or were mixed, in several pieces; then other text.
    (_K.COLUMN_ORDER, _is_column_order, _LIKELY),
    (_columns, _is_by_turns_short, _LIKELY),
    (_K.COLUMNS_IN_ZONES, _is_of_zones, _LIKELY),
    (_K.MOVED, lambda _: True, _LIKELY),
)
"""Kinds, or what finds one among several, with when text is of them and how sure the name is; the
first that fits names the text."""
