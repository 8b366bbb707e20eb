"""What makes an output suspicious by itself: no reference is needed to see it."""

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from htreval_core.audits.between import Read
from htreval_core.audits.model import Mark, Sign
from htreval_core.diagnosis.page.loops import find_loops
from htreval_core.diagnosis.text.phrases import Says
from htreval_core.diagnosis.text.talk import find_talk
from htreval_core.metrics.texts import SCRIPTS, script_of

_SHORT, _LONG = 0.5, 2.0
"""Of the lower median of the others, and of the longest of them."""
_LEAST_WORDS = 8
"""Shorter texts differ in length by chance."""
_LOOPED = 0.03
"""The least share of an output in repetitions that no other system has."""
_FOREIGN, _NOBODY = 0.2, 0.02
"""The share of its letters that makes a script another one, and the most that others have of it."""
_LEAST_LETTERS = 20


def find_marks(read: Sequence[Read], boxes: Mapping[str, int]) -> list[Mark]:
    """The signs on each output of a page.

    Args:
        read: the outputs.
        boxes: how many lines systems found that say where lines are; a page on which they found
            some is no blank page.
    """
    marks: list[Mark] = []
    scripts = {one.system: _scripts(one) for one in read}
    for one in read:
        others = [other for other in read if other is not one]
        # A loop makes a text long, and a refusal short: that needs no second sign.
        marks += list(_by_text(one, others)) or _by_length(one, others, boxes)
        marks += _by_script(one, scripts)
    return marks


def _by_length(one: Read, others: Sequence[Read], boxes: Mapping[str, int]) -> Iterator[Mark]:
    """By the lengths of the others: of several the one in the middle that accuses less."""
    n_words = len(one.words.words)
    lengths = [len(other.words.words) for other in others]
    n_lines = max((n for system, n in boxes.items() if system != one.system), default=0)
    if not lengths:
        return
    low, high = statistics.median_low(lengths), max(lengths)
    if not n_words:
        if low >= 2 or n_lines:
            yield Mark(Sign.EMPTY, one.system, max([*lengths, n_lines]),
                       "The output is empty; others have text here.")  # fmt: skip
    elif len(lengths) > 1 and max(lengths) <= 2 and n_words >= _LEAST_WORDS and not boxes:
        yield Mark(Sign.BLANK, one.system, n_words,
                   f"{n_words:,} words where the others have none.")  # fmt: skip
    elif max(low, n_words) >= _LEAST_WORDS and n_words < _SHORT * low:
        yield Mark(Sign.SHORT, one.system, low - n_words,
                   f"{n_words:,} words, where the others have {low:,}.")  # fmt: skip
    elif len(lengths) > 1 and n_words >= _LEAST_WORDS and n_words > _LONG * high > 0:
        yield Mark(Sign.LONG, one.system, n_words - high,
                   f"{n_words:,} words, where the others have {high:,}.")  # fmt: skip


def _by_text(one: Read, others: Sequence[Read]) -> Iterator[Mark]:
    words = one.words.words
    # What another system has read, too, is text of the page.
    longest = max((other.words.words for other in others), key=len, default=())
    elsewhere = [word for other in others for word in other.words.words]
    loops = find_loops(longest, words)
    looped = sum(loop.length for loop in loops)
    if loops and looped >= _LOOPED * len(words):
        first = loops[0]
        unit = " ".join(words[first.start : first.start + first.period])[:80]
        yield Mark(Sign.LOOP, one.system, looped,
                   f"{looped:,} words are “{unit}” over and over.",
                   (first.start, first.end))  # fmt: skip
    for talk in find_talk(elsewhere, words, one.words.line_of):
        start, end = talk.span
        if Says.REFUSES in talk.says and not others and 2 * (end - start) < len(words):
            continue  # Nothing tells a sentence of the page from one about it.
        sign = Sign.REFUSAL if Says.REFUSES in talk.says else Sign.TALK
        text = " ".join(words[start:end])[:160]
        yield Mark(sign, one.system, end - start, f"The output says “{text}”.", talk.span)


def _by_script(one: Read, scripts: Mapping[str, Counter[str]]) -> Iterator[Mark]:
    own = scripts[one.system]
    total = own.total()
    if total < _LEAST_LETTERS:
        return
    others = sum((of for system, of in scripts.items() if system != one.system), Counter())
    n_others = others.total()
    if n_others < _LEAST_LETTERS:
        return
    for name, count in own.items():
        if count >= _FOREIGN * total and others[name] <= _NOBODY * n_others:
            usual = others.most_common(1)[0][0]
            words = round(len(one.words.words) * count / total)
            yield Mark(Sign.SCRIPT, one.system, words,
                       f"{count / total:.0%} of its letters are {name}, those of the others "
                       f"{usual}.")  # fmt: skip


def _scripts(one: Read) -> Counter[str]:
    found: Counter[str] = Counter()
    for letter, count in Counter(one.words.text).items():
        script = script_of(letter)
        if script in SCRIPTS:
            found[script] += count
    return found
