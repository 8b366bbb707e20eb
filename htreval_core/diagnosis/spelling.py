"""Spelling that was changed by rule, as when a text is modernised, told from misreading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from htreval_core.diagnosis.ground import Ground
from htreval_core.diagnosis.model import EventKind
from htreval_core.diagnosis.trace import Gap, Trace

_LEAST_WORDS = 12
"""The fewest words that must have been changed by rule."""
_LEAST_SHARE = 0.5
"""The share of the misread words that must have been."""
_LEAST_LETTERS, _LEAST_SAME = 3, 2
"""How often a rule for letters, and one for a whole word, must have been followed."""
_STRICT = 0.5
"""The share of its occasions on which a rule must have been followed; a slip of reading is not."""
_QUARTERS = 3
"""In how many quarters of the page there must be such words."""
_MOST_TOLD = 4
_CAPITAL = ("capital", "small letter")

Rule = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Pair:
    """A word of the reference, the output's word for it, and what was changed in it."""

    place: int
    ref: str
    hyp: str
    changes: tuple[Rule, ...]


def find_spelling(ground: Ground, trace: Trace) -> Gap | None:
    """The words whose spelling was changed by rule over the page; None where there is no rule."""
    if int((trace.anchored & trace.wrong).sum()) < _LEAST_WORDS:
        return None
    every: list[str] = []
    misread: list[_Pair] = []
    for row in trace.anchored.nonzero()[0].tolist():
        place = int(trace.ref[row])
        ref = _core(ground.reference.words[place])
        every.append(ref)
        if trace.wrong[row]:
            hyp = _core(ground.hypothesis.words[int(trace.hyp[row])])
            if ref and hyp and ref != hyp:
                misread.append(_Pair(place, ref, hyp, _changes(ref, hyp)))
    rules = _rules(misread, every)
    by_rule = [pair for pair in misread if _follows(pair, rules)]
    if len(by_rule) < max(_LEAST_WORDS, _LEAST_SHARE * len(misread)):
        return None
    n_ref = len(ground.reference.words)
    if len({4 * pair.place // n_ref for pair in by_rule}) < _QUARTERS:
        return None
    places = [pair.place for pair in by_rule]
    return Gap(
        EventKind.SPELLING, (min(places), max(places) + 1), (), len(by_rule), len(by_rule),
        share=len(by_rule) / n_ref, told=_told(by_rule, rules, len(misread)),
    )  # fmt: skip


def _core(word: str) -> str:
    """A word without the signs around it: punctuation is no spelling."""
    start, end = 0, len(word)
    while start < end and not word[start].isalnum():
        start += 1
    while end > start and not word[end - 1].isalnum():
        end -= 1
    return word[start:end]


def _changes(ref: str, hyp: str) -> tuple[Rule, ...]:
    """What became of which letters; letters left out or put in with the one before them."""
    found: list[Rule] = []
    if ref[:1].isupper() and hyp[:1] == ref[:1].lower():
        found.append(_CAPITAL)
    # Lower case only: folding case would take ſ for s.
    a, b = ref.lower(), hyp.lower()
    for block in Levenshtein.opcodes(a, b):
        if block.tag == "equal":
            continue
        ref_start, ref_end = block.src_start, block.src_end
        hyp_start, hyp_end = block.dest_start, block.dest_end
        if block.tag != "replace":
            if ref_start and hyp_start:
                ref_start, hyp_start = ref_start - 1, hyp_start - 1
            else:
                ref_end, hyp_end = ref_end + 1, hyp_end + 1
        rule = a[ref_start:ref_end], b[hyp_start:hyp_end]
        found += _apart(*rule)
    return tuple(found)


def _apart(old: str, new: str) -> list[Rule]:
    """Neighbouring letters that were changed each for itself."""
    if len(old) == len(new) > 1:
        return list(zip(old, new, strict=True))
    return [(old, new)]


def _rules(misread: Sequence[_Pair], every: Sequence[str]) -> dict[Rule, int]:
    """The rules that were followed, with how often: of letters, then of whole words."""
    letters = Counter(change for pair in misread for change in pair.changes)
    text = "\n".join(every).lower()
    capitals = sum(word[:1].isupper() for word in every)
    kept: dict[Rule, int] = {}
    for change, n in letters.items():
        occasions = capitals if change == _CAPITAL else text.count(change[0])
        if n >= _LEAST_LETTERS and n >= _STRICT * occasions:
            kept[change] = n
    words = Counter(every)
    rest = Counter(
        (pair.ref, pair.hyp) for pair in misread if not set(pair.changes) <= kept.keys()
    )
    for rule, n in rest.items():
        if n >= _LEAST_SAME and n >= _STRICT * words[rule[0]]:
            kept[rule] = n
    return kept


def _follows(pair: _Pair, rules: dict[Rule, int]) -> bool:
    return (pair.ref, pair.hyp) in rules or set(pair.changes) <= rules.keys()


def _told(by_rule: Sequence[_Pair], rules: dict[Rule, int], n_misread: int) -> str:
    """The rules with how often they were followed, and how many words that explains."""
    used = Counter[Rule]()
    for pair in by_rule:
        whole = (pair.ref, pair.hyp)
        used.update([whole] if whole in rules else pair.changes)
    most = used.most_common(_MOST_TOLD)
    told = [f"{old}→{new} {n}{' times' if not at else ''}" for at, ((old, new), n) in enumerate(most)]
    more = " and others" if len(used) > len(most) else ""
    follow = f"follow {len(used)} rules" if len(used) > 1 else "follow one rule"
    return f"{', '.join(told)}{more}: {len(by_rule)} of {n_misread} misread words {follow}"
