"""Whether not the system but the reference is out of order, by one page alone."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from htreval_core.diagnosis.limits import DOUBT, NAMING
from htreval_core.diagnosis.model import DoubtReason
from htreval_core.diagnosis.order.displaced import Displaced
from htreval_core.diagnosis.page.ground import Ground, share
from htreval_core.diagnosis.page.shapes import BOTTOM, LEFT, RIGHT, TOP
from htreval_core.model import Transcript


def doubt(found: Displaced) -> DoubtReason | None:
    """Why the reference may be at fault for displaced text; None if nothing says so.

    Either its region stands nowhere in the declared order, or its lines run up the page in the
    reference where the output reads them downward. A reference that keeps articles together runs
    up the page, too (``keeps_articles``).
    """
    unlisted = set(found.ground.ref_transcript.unlisted)
    lines = found.ground.ref_transcript.lines
    left_out = [lines[line].region in unlisted for line in found.lines]
    if unlisted and np.mean(left_out) > 0.5:
        return DoubtReason.UNLISTED
    return DoubtReason.UPWARD if _runs_upward(found) and not _is_meant(found) else None


def keeps_articles(found: Displaced) -> bool:
    """Whether the reference keeps articles together where the output reads column by column.

    An article that goes on at the foot of the next column stands there below another one. Whoever
    put its regions into that order by hand, or let running text go on there, meant it.
    """
    return _runs_upward(found) and _is_meant(found)


def _is_meant(found: Displaced) -> bool:
    """Whether a reference that runs up the page goes on there in another column.

    Either with whole regions, which somebody put into this order, or with running text."""
    if len(found.lines) < DOUBT.LEAST_LINES or _is_enclosed(found):
        return False
    transcript, own = found.ground.ref_transcript, set(found.lines)
    regions = {transcript.lines[line].region for line in own} - {None}
    of_regions = {at for at, line in enumerate(transcript.lines) if line.region in regions}
    whole = len(own & of_regions) >= DOUBT.WHOLE * max(len(of_regions), 1)
    seams = _seams(found.ground, own | of_regions if whole else own)
    declared = whole and transcript.order_source.startswith("ReadingOrder")
    # Whether the reference goes to another column where displaced text begins or ends.
    befores, afters = (found.ground.boxes(list(lines)) for lines in zip(*seams, strict=True))
    changes = any(share(*both) < NAMING.ASIDE for both in zip(befores, afters, strict=True))
    return changes and (declared or _go_on(transcript, seams))


def _is_enclosed(found: Displaced) -> bool:
    """Whether most of it stands between lines of a column that the reference reads in a row."""
    ground, own = found.ground, found.lines
    others = sorted(set(np.flatnonzero(ground.n_words).tolist()) - set(own))
    if not others:
        return False
    a, b = ground.boxes(own)[:, None], ground.boxes(others)[None]
    down = (b[..., TOP] + b[..., BOTTOM] - a[..., TOP] - a[..., BOTTOM]) / 2
    down[~_one_column(a, b)] = np.nan
    above, below = np.where(down < 0, down, -np.inf), np.where(down > 0, down, np.inf)
    is_between = np.isfinite(above.max(axis=1)) & np.isfinite(below.min(axis=1))
    steps = below.argmin(axis=1) - above.argmax(axis=1)
    in_a_row = is_between & (steps > 0) & (steps <= DOUBT.IN_A_ROW)
    weights = [found.pairs_of_line[line] for line in own]
    return bool(np.average(in_a_row, weights=weights) >= DOUBT.MOST_LINES)


def _one_column(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Whether boxes stand above one another, from arrays of boxes that broadcast."""
    width = np.minimum(a[..., RIGHT] - a[..., LEFT], b[..., RIGHT] - b[..., LEFT])
    shared = np.minimum(a[..., RIGHT], b[..., RIGHT]) - np.maximum(a[..., LEFT], b[..., LEFT])
    return shared >= DOUBT.LEAST_SHARE * width


def _seams(ground: Ground, own: set[int]) -> list[tuple[int, int]]:
    """The pairs of neighbouring lines with words of which one is displaced."""
    lines = np.flatnonzero(ground.n_words).tolist()
    return [pair for pair in pairwise(lines) if (pair[0] in own) != (pair[1] in own)]


_HYPHENS = "-¬⸗=\u00ad\u2010"


def _go_on(transcript: Transcript, seams: Sequence[tuple[int, int]]) -> bool:
    """Whether running text, or a single word, goes on where displaced text begins or ends."""
    text = [line.text.strip() for line in transcript.lines]
    return any(
        text[after][0].islower() and (text[before][-1] in _HYPHENS or text[before][-1].isalpha())
        for before, after in seams
    )


def _runs_upward(found: Displaced) -> bool:
    """Whether most displaced lines follow, in the reference alone, text that stands below them.

    Or precede text above them. Only the text counts that they jumped over and that kept its place.
    """
    ground = found.ground
    if ground.shapes is None:
        return False
    own = found.lines
    out = found.layout.out_of_order
    stays = [chunk for chunk in (*found.jumped, *found.between) if chunk not in out]
    others = [line for line in found.lines_of(stays) if line not in set(own)]
    others = [line for line in others if ground.tag(line) is None]
    if not others:
        return False
    a, b = ground.boxes(own)[:, None], ground.boxes(others)[None]
    one_column = _one_column(a, b)
    middle = [(box[..., TOP] + box[..., BOTTOM]) / 2 for box in (a, b)]
    height = np.minimum(a[..., BOTTOM] - a[..., TOP], b[..., BOTTOM] - b[..., TOP])
    lower = one_column & (middle[0] - middle[1] > DOUBT.FURTHER * height + height / 2)
    upper = one_column & (middle[1] - middle[0] > DOUBT.FURTHER * height + height / 2)
    own_at, other_at = np.array(own)[:, None], np.array(others)[None]
    in_ref = own_at > other_at
    read_at = _read_at(found)
    in_hyp = read_at[np.array(own)][:, None] > read_at[np.array(others)][None]
    up_ref = (lower & ~in_ref) | (upper & in_ref)
    up_hyp = (lower & ~in_hyp) | (upper & in_hyp)
    # A heading over several columns stands above one line or another of each of them.
    weights = [found.pairs_of_line[line] for line in own]
    often = up_ref.sum(axis=1) >= np.maximum(1, DOUBT.OFTEN * one_column.sum(axis=1))
    return bool(
        float(np.average(often & up_ref.any(axis=1), weights=weights)) >= DOUBT.MOST_LINES
        and up_ref.sum() > DOUBT.STRONGER * up_hyp.sum()
    )


def _read_at(found: Displaced) -> np.ndarray:
    """When the output came to each reference line, shape (lines,)."""
    layout, ground = found.layout, found.ground
    read_at = np.full(len(ground.ref_transcript.lines), np.inf)
    ref, hyp = layout.pairs
    np.minimum.at(read_at, np.array(ground.reference.line_of, dtype=np.int64)[ref], hyp)
    return read_at
