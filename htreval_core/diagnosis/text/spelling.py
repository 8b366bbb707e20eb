"""Spelling that was changed by rule, as when a text is modernised, told from misreading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rapidfuzz.distance import Levenshtein

from htreval_core.diagnosis.limits import SPELLING
from htreval_core.diagnosis.model import EventKind, Respelling, RuleUse
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.text.trace import Gap, Trace

_CAPITAL = ("A", "a")
"""The rule that a capital becomes a small letter, whichever it is."""

Rule = tuple[str, str]


_Change = tuple[Rule, ...]
"""Letters of a word that became others, as the rules that they may have followed: for all places,
for beginnings, for ends."""


def _change(old: str, new: str, *, first: bool, last: bool) -> _Change:
    """The change of some letters.

    Args:
        first: whether they begin the word.
        last: whether they end it.
    """
    begins = ((f"{old}-", f"{new}-"),) if first else ()
    ends = ((f"-{old}", f"-{new}"),) if last else ()
    return ((old, new), *begins, *ends)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A word of the reference, the output's word for it, and what was changed in it."""

    place: int
    ref: str
    hyp: str
    changes: tuple[_Change, ...]

    def rules(self, known: Mapping[Rule, int]) -> list[Rule] | None:
        """The known rules that the word followed; None where they do not explain all of it."""
        if (self.ref, self.hyp) in known:
            return [(self.ref, self.hyp)]
        found = [next((rule for rule in one if rule in known), None) for one in self.changes]
        followed = [rule for rule in found if rule is not None]
        return followed if len(followed) == len(found) > 0 else None


def find_spelling(ground: Ground, trace: Trace) -> Gap | None:
    """The words whose spelling was changed by rule over the page; None where there is no rule."""
    if int((trace.anchored & trace.wrong).sum()) < SPELLING.LEAST_WORDS:
        return None
    rows = _pairs(trace)
    misread = [pair for row in rows if trace.wrong[row] for pair in _pair(row, trace, ground)]
    least = max(SPELLING.LEAST_WORDS, SPELLING.LEAST_SHARE * len(misread))
    if _may_follow(misread) < least:
        return None
    rules = _rules(misread, [_core(ground.reference.words[place]) for place in trace.ref[rows]])
    by_rule = [pair for pair in misread if pair.rules(rules) is not None]
    if len(by_rule) < least:
        return None
    n_ref = len(ground.reference.words)
    if len({4 * pair.place // n_ref for pair in by_rule}) < SPELLING.QUARTERS:
        return None
    places = [pair.place for pair in by_rule]
    return Gap(
        EventKind.SPELLING, (min(places), max(places) + 1), (), len(by_rule), len(by_rule),
        share=len(by_rule) / n_ref, detail=_respelling(by_rule, rules, len(misread)),
    )  # fmt: skip


def _pair(row: int, trace: Trace, ground: Ground) -> list[_Pair]:
    """The two words of a row; none where they differ in the signs around them alone."""
    place = int(trace.ref[row])
    ref = _core(ground.reference.words[place])
    hyp = _core(ground.hypothesis.words[int(trace.hyp[row])])
    if ref == hyp:
        return []
    return [_Pair(place, ref, hyp, _changes(ref, hyp))]


def _may_follow(misread: Sequence[_Pair]) -> int:
    """The words that share a change with others: no more than these can follow a rule."""
    letters = Counter(rule for pair in misread for one in pair.changes for rule in one)
    words = Counter((pair.ref, pair.hyp) for pair in misread)
    return sum(
        words[pair.ref, pair.hyp] >= SPELLING.LEAST_SAME
        or any(letters[rule] >= SPELLING.LEAST_LETTERS for one in pair.changes for rule in one)
        for pair in misread
    )


def _pairs(trace: Trace) -> list[int]:
    """Rows of two words that are alike, or that stand for each other between such words."""
    both = (trace.ref >= 0) & (trace.hyp >= 0)
    rows: list[int] = []
    for alike, of_run in groupby(range(len(both)), trace.anchored.__getitem__):
        run = list(of_run)
        if alike or (len(run) <= SPELLING.MOST_UNLIKE and both[run].all()):
            rows += run
    return rows


def _core(word: str) -> str:
    """A word without the signs around it, if it is more than signs: punctuation is no spelling."""
    start, end = 0, len(word)
    while start < end and not word[start].isalnum():
        start += 1
    while end > start and not word[end - 1].isalnum():
        end -= 1
    return word[start:end] or word


def _changes(ref: str, hyp: str) -> tuple[_Change, ...]:
    """What became of which letters; letters left out or put in with the one before them."""
    found: list[_Change] = []
    if ref[:1].isupper() and hyp[:1] == ref[:1].lower():
        found.append((_CAPITAL,))
    # Lower case only: folding case would take ſ for s.
    a, b = ref.lower(), hyp.lower()
    for start, end, new_start, new_end in _changed(a, b):
        if start == end or new_start == new_end:
            if start and new_start:
                start, new_start = start - 1, new_start - 1
            else:
                end, new_end = end + 1, new_end + 1
        # Neighbouring letters were changed each for itself.
        each = end - start == new_end - new_start
        cuts = [(n, n + 1) for n in range(end - start)] if each else [(0, end - start)]
        for at, to in cuts:
            new = b[new_start + at : new_start + to] if each else b[new_start:new_end]
            old = a[start + at : start + to]
            found.append(_change(old, new, first=start + at == 0, last=start + to == len(a)))
    return tuple(found)


def _changed(a: str, b: str) -> list[tuple[int, int, int, int]]:
    """Where two words differ: start and end in both.

    Letters left out and letters changed beside each other are one change.
    """
    found: list[tuple[int, int, int, int]] = []
    goes_on = False
    for block in Levenshtein.opcodes(a, b):
        if block.tag == "equal":
            goes_on = False
        elif goes_on:
            found[-1] = found[-1][0], block.src_end, found[-1][2], block.dest_end
        else:
            found.append((block.src_start, block.src_end, block.dest_start, block.dest_end))
            goes_on = True
    return found


def _rules(misread: Sequence[_Pair], every: Sequence[str]) -> dict[Rule, int]:
    """The rules that were followed, with how often: of letters, then of whole words."""
    letters = Counter(rule for pair in misread for one in pair.changes for rule in one)
    text = "\n" + "\n".join(every).lower() + "\n"
    capitals = sum(word[:1].isupper() for word in every)
    kept: dict[Rule, int] = {}
    for rule, n in letters.items():
        if n < SPELLING.LEAST_LETTERS:
            continue
        if rule == _CAPITAL:
            occasions = capitals
        elif rule[0][-1:] == "-":
            occasions = text.count("\n" + rule[0][:-1])
        elif rule[0][:1] == "-":
            occasions = text.count(rule[0][1:] + "\n")
        else:
            occasions = text.count(rule[0])
        if n >= SPELLING.STRICT * occasions:
            kept[rule] = n
    words = Counter(every)
    rest = Counter((pair.ref, pair.hyp) for pair in misread if pair.rules(kept) is None)
    for rule, n in rest.items():
        if n >= SPELLING.LEAST_SAME and n >= SPELLING.STRICT * words[rule[0]]:
            kept[rule] = n
    return kept


def _respelling(by_rule: Sequence[_Pair], rules: dict[Rule, int], n_misread: int) -> Respelling:
    """The rules with how often they were followed, and how many words that explains."""
    used = Counter(rule for pair in by_rule for rule in pair.rules(rules) or ())
    most = tuple(RuleUse(old, new, n) for (old, new), n in used.most_common(SPELLING.MOST_TOLD))
    return Respelling(most, len(used), len(by_rule), n_misread)
