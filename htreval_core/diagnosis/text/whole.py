"""Pages that have no fault here and there but one as a whole: nothing, talk, or other text."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np
from rapidfuzz.distance import Indel, LCSseq
from rapidfuzz.process import cdist

from htreval_core.diagnosis.limits import DISPLACED, WHOLE
from htreval_core.diagnosis.model import EventKind, Extent, Respelling, RuleUse, Talking, TalkPlace
from htreval_core.diagnosis.order.groups import Layout
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.text.extras import Extras
from htreval_core.diagnosis.text.gaps import is_alike
from htreval_core.diagnosis.text.onesided import as_translation
from htreval_core.diagnosis.text.phrases import Says
from htreval_core.diagnosis.text.talk import Talk
from htreval_core.diagnosis.text.trace import Gap, Trace
from htreval_core.text import PageWords


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
    if not n_hyp:
        return Gap(EventKind.EMPTY, page, (), n_ref, wer, share=1.0) if n_ref else None
    if not n_ref:
        spoken = sum(talk.span[1] - talk.span[0] for talk in talks)
        kind = EventKind.TALK if spoken >= (1 - WHOLE.HARDLY) * n_hyp else EventKind.BLANK
        talking = Talking(TalkPlace.BLANK) if kind is EventKind.TALK else None
        return Gap(kind, page, output, n_hyp, wer, share=1.0, detail=talking)
    if talks and _nothing_else(ground, talks):
        says = {one for talk in talks for one in talk.says}
        kind = EventKind.REFUSAL if Says.REFUSES in says else EventKind.TALK
        instead = Talking(TalkPlace.INSTEAD)
        return Gap(kind, page, output, n_ref, wer, share=1.0, detail=instead)
    if extras or bwer < WHOLE.LEAST_BADLY * n_ref:
        return None
    both = ground.reference.words, ground.hypothesis.words
    same = LCSseq.similarity(*([word.lower() for word in words] for words in both))
    n = same - LCSseq.similarity(*both)
    if n >= WHOLE.CASE * max(n_ref, n_hyp):
        rule = Respelling((RuleUse("a", "A", n),), 1, n, max(n, bwer))
        return Gap(EventKind.SPELLING, page, output, n, n, share=n / n_ref, detail=rule)
    if _says_nothing(ground, layout):
        kind, extent = EventKind.REPLACED, Extent.WHOLE_PAGE
        gap = as_translation(Gap(kind, page, output, n_ref, wer, share=1.0, extent=extent), ground)
        # Of words, not of signs as of a script that is not known.
        bare = [word.strip(_SIGNS) for word in ground.hypothesis.words]
        n_text = sum(len(word) >= 3 and word.isalpha() for word in bare)
        is_other = n_text >= WHOLE.TEXT * len(bare) and not _has_its_lines(ground)
        if gap.kind is EventKind.TRANSLATED or is_other:
            return gap
        return replace(gap, kind=EventKind.READ_BADLY, share=max(0.0, 1 - bwer / n_ref))
    return None


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


def _says_nothing(ground: Ground, layout: Layout) -> bool:
    """Whether no word of the output, from beginning to end, speaks for its being this page."""
    ref_words, hyp_words = ground.reference.words, ground.hypothesis.words
    if min(len(ref_words), len(hyp_words)) < WHOLE.LEAST_WORDS or layout.places is not None:
        return False
    evidence = ground.evidence
    of_chunks = evidence.of_chunks([chunk.pairs for chunk in layout.chunks])
    said = sum(max(bits, 0.0) for bits in of_chunks)
    # Of an output that was cut short only so much can be said.
    could = float(np.sum(evidence.of_words)) * min(1.0, len(hyp_words) / len(ref_words))
    return said < WHOLE.SAID * could and not is_alike(ref_words, hyp_words)


_SIGNS = ".,;:!?()[]\"'„“”‚‘’»«—–-"


def _has_its_lines(ground: Ground) -> bool:
    """Whether lines of the page stand in the output, letter by letter, better than by chance.

    Chance are the same words of the output on other lines. A page of Fraktur that is read as
    gibberish keeps about half of its letters, line by line; other text has no line of the page."""
    ref = _lines_of(ground.reference)
    hyp = _lines_of(ground.hypothesis)
    words = [word for line in hyp for word in line.split()]
    mixed = iter(np.random.default_rng(len(words)).permutation(np.array(words)).tolist())
    chance = [" ".join(next(mixed) for _ in line.split()) for line in hyp]
    best = [
        cdist(ref, of, scorer=Indel.normalized_similarity, dtype=np.float32).max(axis=1)
        for of in (hyp, chance)
    ]
    weights = [len(line) for line in ref]
    gain = np.average(best[0], weights=weights) - np.average(best[1], weights=weights)
    return bool(gain >= WHOLE.LINES)


def _lines_of(side: PageWords) -> list[str]:
    """The lines of a side, as far as there are any; else groups of words as long as lines."""
    words = side.words
    places = range(len(words))
    lines = [" ".join(words[k] for k in of) for _, of in groupby(places, side.line_of.__getitem__)]
    if len(lines) < WHOLE.FEW_LINES:
        n = int(DISPLACED.USUAL_LINE)
        lines = [" ".join(words[at : at + n]) for at in places[::n]]
    return lines
