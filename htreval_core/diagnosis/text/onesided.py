"""Text that only one side has, or has otherwise, by what became of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from htreval_core.diagnosis.limits import ONESIDED, TRACE
from htreval_core.diagnosis.model import EventKind, Extent, RunningHead
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.page.places import Places
from htreval_core.diagnosis.text.extras import Extras, with_extras, with_sources
from htreval_core.diagnosis.text.gaps import find_gaps
from htreval_core.diagnosis.text.parallels import find_translation
from htreval_core.diagnosis.text.rewritten import find_rewritten
from htreval_core.diagnosis.text.trace import Gap, Trace
from htreval_core.model import BoolArray


@dataclass(frozen=True, slots=True)
class OneSided:
    """What only one side has.

    Args:
        gaps: the stretches.
        edges: what might be running heads, at the head and at the foot of the output.
    """

    gaps: Sequence[Gap]
    edges: Sequence[Gap]


def find_one_sided(
    ground: Ground, order: Sequence[int], places: Places | None, extras: Extras
) -> OneSided:
    """Every stretch of text that is missing, added, replaced or changed.

    Args:
        order: the output's words with all displaced text put back.
        places: where they stand on the page, where that is known.
    """
    dropped = extras.dropped(len(ground.hypothesis.words))
    trace = Trace.of(ground, [k for k in order if not dropped[k]])
    gaps = find_gaps(ground, trace, places, dropped)
    gaps = with_sources(with_extras(gaps, extras, trace, ground, order, places), ground)
    gaps = _missing_together(gaps)
    gaps = [_as_cut(gap, gaps, trace, ground) for gap in gaps]
    lost = {gap.reference[0] for gap in gaps if gap.kind is EventKind.TRUNCATED}
    gaps = [_as_whole(gap, lost, ground) for gap in gaps]
    gaps = _as_translations(gaps, ground)
    return OneSided([*gaps, *find_rewritten(ground, trace, gaps)], _edges(trace, dropped, ground))


def _missing_together(gaps: Sequence[Gap]) -> list[Gap]:
    """The gaps; missing text with a word or two between that both sides have by chance is one."""
    missing = sorted(
        (gap for gap in gaps if gap.kind is EventKind.MISSING and gap.detail is None),
        key=lambda gap: gap.reference,
    )
    found = [gap for gap in gaps if gap not in missing]
    for gap in missing:
        last = found[-1] if found else gap
        start, end = last.reference
        is_one = last.kind is EventKind.MISSING and last.detail is None
        if is_one and 0 <= gap.reference[0] - end <= ONESIDED.BY_CHANCE:
            words, errors = last.words + gap.words, last.errors + gap.errors
            whole = start, gap.reference[1]
            found[-1] = replace(last, reference=whole, words=words, errors=errors)
        else:
            found.append(gap)
    return found


def _as_cut(gap: Gap, gaps: Sequence[Gap], trace: Trace, ground: Ground) -> Gap:
    """Missing text as an output cut short, if all text behind some place is missing.

    The output must end where the text before it ends: one that goes on elsewhere left it out."""
    n_ref = len(ground.reference.words)
    if gap.kind is not EventKind.MISSING or gap.reference[1] != n_ref:
        return gap
    lines = ground.lines_of([gap.reference])
    enough = len(lines) >= ONESIDED.LEAST_CUT_LINES or gap.words >= ONESIDED.LEAST_CUT_SHARE * n_ref
    are_beside = ground.most(lines, [ground.tag(line) is not None for line in lines])
    # Who leaves out a note beside the text reads the text to its end, if not its signature.
    if ground.line_span(gap.reference[0])[0] == gap.reference[0] and ground.tag(lines[0]) is None:
        are_beside = are_beside and "sign" in ground.kinds(lines[:1])[0]
    if gap.words < ONESIDED.LEAST_CUT or not enough or are_beside:
        return gap
    known = np.flatnonzero(trace.anchored)
    if not len(known):
        return gap
    last = int(known[trace.hyp[known].argmax()])
    # An output that reads on where the reference has no text does not end there.
    if any(one.kind is EventKind.UNTRANSCRIBED and one.hypothesis[-1][1] > trace.hyp[last]
           for one in gaps):  # fmt: skip
        return gap
    ends_there = gap.reference[0] - TRACE.LEAST_RUN <= int(trace.ref[last]) < gap.reference[0]
    return replace(gap, kind=EventKind.TRUNCATED, share=gap.words / n_ref) if ends_there else gap


_UNLIKE = (EventKind.REPLACED, EventKind.MISSING, EventKind.INVENTED)


def _as_translations(gaps: Sequence[Gap], ground: Ground) -> list[Gap]:
    """The gaps with what was translated; names that were kept may have cut it in pieces.

    What is missing or added right beside it is part of it: lines of a translation are not as long.
    """
    if not any(gap.kind is EventKind.REPLACED and gap.hypothesis for gap in gaps):
        return list(gaps)
    clusters: list[list[Gap]] = []
    for gap in sorted(gaps, key=lambda gap: gap.reference):
        if gap.kind not in _UNLIKE:
            continue
        end = max((one.reference[1] for one in clusters[-1]), default=0) if clusters else 0
        if clusters and gap.reference[0] - end <= 2 * TRACE.LEAST_RUN:
            clusters[-1].append(gap)
        else:
            clusters.append([gap])
    clusters = [of for of in clusters if any(one.kind is EventKind.REPLACED for one in of)]
    whole = as_translation(_joined([gap for of in clusters for gap in of]), ground)
    found = list(gaps)
    for parts in clusters:
        one = _joined(parts)
        if whole.kind is EventKind.TRANSLATED:
            one = replace(one, kind=whole.kind, detail=whole.detail)
        one = as_translation(one, ground)
        if one.kind is EventKind.TRANSLATED:
            found = [*(gap for gap in found if gap not in parts), one]
    return found


def _joined(parts: Sequence[Gap]) -> Gap:
    """Replaced text with all that belongs to it."""
    return replace(
        next(gap for gap in parts if gap.kind is EventKind.REPLACED),
        reference=(min(one.reference[0] for one in parts), max(one.reference[1] for one in parts)),
        hypothesis=tuple(sorted({span for one in parts for span in one.hypothesis})),
        words=sum(one.words for one in parts if one.kind is not EventKind.INVENTED),
        errors=sum(one.errors for one in parts),
    )


def as_translation(gap: Gap, ground: Ground) -> Gap:
    """Replaced text as a translation, where that can be shown."""
    if gap.kind is not EventKind.REPLACED or not gap.hypothesis:
        return gap
    span = gap.hypothesis[0][0], gap.hypothesis[-1][1]
    translation = find_translation(ground, gap.reference, span)
    if translation is None:
        return gap
    return replace(gap, kind=EventKind.TRANSLATED, detail=translation)


def _as_whole(gap: Gap, lost: Iterable[int], ground: Ground) -> Gap:
    """Repeated text as the whole page, or as the half of it that stands instead of a lost one."""
    if gap.kind is not EventKind.REPEATED or gap.extent:
        return gap
    n_ref = len(ground.reference.words)
    start, end = gap.source or (n_ref, n_ref)
    if gap.words >= ONESIDED.TWICE * n_ref:
        return replace(gap, extent=Extent.WHOLE_TEXT)
    near = ONESIDED.NEAR * n_ref
    is_half = start <= near and n_ref <= (2 + 1) * end <= 2 * n_ref
    if is_half and any(abs(at - end) <= near for at in lost):
        return replace(gap, extent=Extent.FIRST_HALF)
    return gap


def _edges(trace: Trace, dropped: BoolArray, ground: Ground) -> list[Gap]:
    """What stands before the first and after the last word of the output that is the page's.

    Not what stands instead of words of the reference."""
    known = np.flatnonzero(trace.anchored)
    n_ref, n_hyp = len(ground.reference.words), len(ground.hypothesis.words)
    if not len(known):
        return []
    first, last = int(trace.hyp[known].min()), int(trace.hyp[known].max())
    found = []
    for start, end, place in ((0, first, 0), (last + 1, n_hyp, n_ref)):
        rows = trace.ref[known[-1] + 1 :] if place else trace.ref[: known[0]]
        n = end - start
        if (
            0 < n <= ONESIDED.MOST_OF_EDGE
            and 2 * (rows >= 0).sum() <= n
            and not dropped[start:end].any()
        ):
            head = RunningHead(foot=bool(place))
            found.append(Gap(EventKind.HEAD, (place, place), ((start, end),), n, n, detail=head))
    return found
