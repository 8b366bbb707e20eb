"""Pages that have no failure here and there but one as a whole: nothing, talk, or other text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from htreval_core.diagnosis.limits import WHOLE
from htreval_core.diagnosis.model import EventKind, Extent, Talking, TalkPlace
from htreval_core.diagnosis.order.groups import Layout
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.text.extras import Extras
from htreval_core.diagnosis.text.gaps import is_alike
from htreval_core.diagnosis.text.phrases import Says
from htreval_core.diagnosis.text.talk import Talk
from htreval_core.diagnosis.text.trace import Gap, Trace


def whole_page(ground: Ground, extras: Extras, layout: Layout, wer: int, bwer: int) -> Gap | None:
    """What became of the page as a whole, if that is all there is to say of it.

    Args:
        extras: what the output has too many.
        wer: the word errors of the page.
        bwer: those of bWER.
    """
    talks = extras.talks
    n_ref, n_hyp = len(ground.reference.words), len(ground.hypothesis.words)
    page, output = (0, n_ref), ((0, n_hyp),)
    if not n_ref and not n_hyp:
        return None
    if not n_hyp:
        return Gap(EventKind.EMPTY, page, (), n_ref, wer, share=1.0)
    if not n_ref:
        kind = EventKind.TALK if _is_all(talks, n_hyp) else EventKind.BLANK
        talking = Talking(TalkPlace.BLANK) if kind is EventKind.TALK else None
        return Gap(kind, page, output, n_hyp, wer, share=1.0, detail=talking)
    if talks and _nothing_else(ground, talks):
        says = {one for talk in talks for one in talk.says}
        kind = EventKind.REFUSAL if Says.REFUSES in says else EventKind.TALK
        instead = Talking(TalkPlace.INSTEAD)
        return Gap(kind, page, output, n_ref, wer, share=1.0, detail=instead)
    if not extras and bwer >= WHOLE.LEAST_BADLY * n_ref and _is_other_text(ground, layout):
        kind, extent = EventKind.REPLACED, Extent.WHOLE_PAGE
        return Gap(kind, page, output, n_ref, wer, share=1.0, extent=extent)
    return None


def _is_all(talks: Sequence[Talk], n_hyp: int) -> bool:
    return sum(talk.span[1] - talk.span[0] for talk in talks) >= (1 - WHOLE.HARDLY) * n_hyp


def _nothing_else(ground: Ground, talks: Sequence[Talk]) -> bool:
    """Whether besides the talk there is nothing of the page, and little else."""
    of_talk = {k for talk in talks for k in range(*talk.span)}
    others = [k for k in range(len(ground.hypothesis.words)) if k not in of_talk]
    n_ref = len(ground.reference.words)
    presents = all(talk.says == {Says.PRESENTS} for talk in talks)
    if len(others) > (WHOLE.HARDLY if presents else WHOLE.SHORT) * n_ref:
        return False
    trace = Trace.of(ground, others)
    return bool(trace.anchored.sum() <= WHOLE.HARDLY * n_ref)


def _is_other_text(ground: Ground, layout: Layout) -> bool:
    """Whether the output is other text than that of the page, from beginning to end."""
    ref_words, hyp_words = ground.reference.words, ground.hypothesis.words
    if min(len(ref_words), len(hyp_words)) < WHOLE.LEAST_WORDS or layout.places is not None:
        return False
    evidence = ground.evidence
    of_chunks = evidence.of_chunks([chunk.pairs for chunk in layout.chunks])
    said = sum(max(bits, 0.0) for bits in of_chunks)
    # Of an output that was cut short only so much can be said.
    could = float(np.sum(evidence.of_words)) * min(1.0, len(hyp_words) / len(ref_words))
    return said < WHOLE.SAID * could and not is_alike(ref_words, hyp_words)
