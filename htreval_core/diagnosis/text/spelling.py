"""Spelling that was changed by rule, as when a text is modernised, told from misreading."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rapidfuzz.distance import Levenshtein

from htreval_core.diagnosis.limits import SPELLING
from htreval_core.diagnosis.model import EventKind, Respelling, RuleUse
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.text.trace import Gap, Trace
from htreval_core.model import BoolArray

_CAPITAL = ("A", "a")
"""The rule that a capital becomes a small letter, whichever it is."""

PRIVATE = re.compile("[\ue000-\uf8ff]")
"""Signs of which nobody knows which letters they stand for."""
_OF_OLD = re.compile("[ſ\u0363-\u036f]")
"""Letters that no edition of today has."""

_LONG_S = str.maketrans("sſ", "ff")
"""Letters that look alike in old prints."""

Rule = tuple[str, str]


_Change = tuple[Rule, ...]
"""Letters of a word that became others, as the rules that they may have followed: for all places,
behind the letter before them or for beginnings, before the letter behind them or for ends."""


def _change(old: str, new: str, before: str, after: str) -> _Change:
    """The change of some letters between those beside them, none at an end of the word."""
    left = (f"{before}{old}", f"{before}{new}") if before else (f"{old}-", f"{new}-")
    right = (f"{old}{after}", f"{new}{after}") if after else (f"-{old}", f"-{new}")
    return (old, new), left, right


@dataclass(frozen=True, slots=True)
class _Pair:
    """A word of the reference, the output's word for it, and what was changed in it."""

    place: int
    ref: str
    hyp: str
    changes: tuple[_Change, ...]

    def rules(self, known: Mapping[Rule, int]) -> list[Rule] | None:
        """The known rules that the word followed; None where they do not explain all of it."""
        found = [next((rule for rule in one if rule in known), None) for one in self.changes]
        followed = [rule for rule in found if rule is not None]
        if len(followed) == len(found) > 0:
            return followed
        return [(self.ref, self.hyp)] if (self.ref, self.hyp) in known else None


def find_spelling(ground: Ground, trace: Trace, taken: BoolArray) -> Gap | None:
    """The words whose spelling was changed by rule over the page; None where there is no rule."""
    wrong = trace.wrong & ~taken
    if int((trace.anchored & wrong).sum()) < SPELLING.LEAST_WORDS:
        return None
    rows = _pairs(trace)
    misread = [pair for row in rows if wrong[row] for pair in _pair(row, trace, ground)]
    if _may_follow(misread) < max(SPELLING.LEAST_WORDS, SPELLING.LEAST_SHARE * len(misread)):
        return None
    every = [_core(ground.reference.words[place]) for place in trace.ref[rows]]
    letters = _of_letters(misread, every)
    for strict, share, clear in SPELLING.BY_SHARE:
        rules = {rule: n for rule, (n, of) in letters.items() if n >= strict * of}
        if clear:
            rules |= _of_words(misread, every, rules)
        else:
            rules = {rule: n for rule, n in rules.items() if not _is_misread(rule)}
        by_rule = [pair for pair in misread if pair.rules(rules) is not None]
        if len(by_rule) >= max(SPELLING.LEAST_WORDS, share * len(misread)):
            break
    else:
        return None
    n_ref = len(ground.reference.words)
    if len({4 * pair.place // n_ref for pair in by_rule}) < SPELLING.QUARTERS:
        return None
    places = [pair.place for pair in by_rule]
    return Gap(
        EventKind.SPELLING, (min(places), max(places) + 1), (), len(by_rule), len(by_rule),
        share=len(by_rule) / n_ref, detail=_respelling(by_rule, rules, len(misread)),
    )  # fmt: skip


def _is_misread(rule: Rule) -> bool:
    """Whether a rule leads to letters that no edition has, or confuses ſ and f."""
    old, new = rule
    is_long_s = old.translate(_LONG_S) == new.translate(_LONG_S)
    return bool(_OF_OLD.search(new)) or (is_long_s and old.count("f") != new.count("f"))


def _pair(row: int, trace: Trace, ground: Ground) -> list[_Pair]:
    """The two words of a row; none where they differ in the signs around them alone.

    What is read for private characters is a matter of the text policy's mapping."""
    place = int(trace.ref[row])
    ref = _core(ground.reference.words[place])
    hyp = _core(ground.hypothesis.words[int(trace.hyp[row])])
    if ref == hyp:
        return []
    return [_Pair(place, ref, hyp, () if PRIVATE.search(ref) else _changes(ref, hyp))]


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
            before, after = a[: start + at][-1:], a[start + to :][:1]
            found.append(_change(old, new, before, after))
    return tuple(found)


def _changed(a: str, b: str) -> list[tuple[int, int, int, int]]:
    """Where two words differ: start and end in both.

    Letters left out and letters changed beside each other are one change."""
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


def _of_letters(misread: Sequence[_Pair], every: Sequence[str]) -> dict[Rule, tuple[int, int]]:
    """The rules for letters, how often they were followed and might have been in every word."""
    letters = Counter(rule for pair in misread for one in pair.changes for rule in one)
    text = "\n" + "\n".join(every).lower() + "\n"
    kept: dict[Rule, tuple[int, int]] = {}
    for rule, n in letters.items():
        if n < SPELLING.LEAST_LETTERS:
            continue
        if rule == _CAPITAL:
            occasions = sum(word[:1].isupper() for word in every)
        elif rule[0][-1:] == "-":
            occasions = text.count("\n" + rule[0][:-1])
        elif rule[0][:1] == "-":
            occasions = text.count(rule[0][1:] + "\n")
        else:
            occasions = text.count(rule[0])
        kept[rule] = n, occasions
    return kept


def _of_words(
    misread: Sequence[_Pair], every: Sequence[str], known: Mapping[Rule, int]
) -> dict[Rule, int]:
    """The rules for whole words that no rule for letters explains, and how often they were."""
    words = Counter(every)
    rest = Counter((pair.ref, pair.hyp) for pair in misread if pair.rules(known) is None)
    return {
        rule: n for rule, n in rest.items()
        if n >= max(SPELLING.LEAST_SAME, SPELLING.STRICT_WORDS * words[rule[0]])
    }  # fmt: skip


def _respelling(by_rule: Sequence[_Pair], rules: dict[Rule, int], n_misread: int) -> Respelling:
    """The rules with how often they were followed, and how many words that explains."""
    used = Counter(rule for pair in by_rule for rule in pair.rules(rules) or ())
    most = tuple(RuleUse(old, new, n) for (old, new), n in used.most_common(SPELLING.MOST_TOLD))
    return Respelling(most, len(used), len(by_rule), n_misread)
