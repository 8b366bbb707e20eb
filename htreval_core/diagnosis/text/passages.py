"""What is known of text that only one side has, as facts."""

from htreval_core.diagnosis.model import (
    Detail,
    EventKind,
    Loop,
    Passage,
    Place,
    Repetition,
    Replacement,
    Span,
)
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.text.trace import Gap


def passage_facts(gap: Gap, ground: Ground) -> Passage:
    """The facts of a stretch without counterpart."""
    has_place = gap.reference[1] > gap.reference[0]
    return Passage(
        ground.place([gap.reference]) if has_place else None,
        has_place and ground.is_marginal([gap.reference]), ground.has_hyp_lines, gap.share,
        _detail(gap, ground),
    )  # fmt: skip


def _detail(gap: Gap, ground: Ground) -> Detail | None:
    if gap.kind is EventKind.LOOP:
        n_words = sum(end - start for start, end in gap.hypothesis)
        period = round(n_words / gap.copies) if gap.copies else 0
        return Loop(gap.copies, period, _place(gap.source, ground), gap.foreign)
    if gap.kind is EventKind.REPEATED:
        return Repetition(_place(gap.source, ground), gap.extent)
    if gap.kind is EventKind.REPLACED or (gap.kind is EventKind.READ_BADLY and gap.extent):
        return Replacement(gap.extent)
    return gap.detail


def _place(span: Span | None, ground: Ground) -> Place | None:
    return None if span is None else ground.place([span])
