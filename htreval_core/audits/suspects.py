"""Runs of words that one system alone has, or alone lacks."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

import numpy as np

from htreval_core.audits.between import Pair, Read
from htreval_core.audits.model import Kind, Span, Suspect
from htreval_core.metrics.words import WordPair
from htreval_core.model import BoolArray, IntArray

LEAST_RUN = 5
"""Words of a run: fewer may be a matter of reading."""
_AGAINST = 2
"""What a word that another system has takes from a run, in words that none has."""
_ALIKE = 0.5
"""Words are readings of one word if at most this share of the longer one differs."""
_NEIGHBOURS, _SLACK = 4, 3
"""Within how many places words are neighbours, and by how many their mates may be off."""
_LONG_WORD, _SCATTERED = 4, 0.6
"""Words of this many letters hardly find an equal by chance; where this share of their letters
does, a run is there, in pieces."""
_CONVERGE = 0.5
"""Readers that agree on fewer of the words of the shorter do not converge on a text."""
_SHARED = 0.5
"""The share of an omission that all others must have."""
_SAME_PLACE = 0.5
"""The share of unmatched words, beside another unmatched run, that makes it another reading."""
_AGAIN = 0.5
"""The share of its pairs of words that text read twice has in both places: runs of 20 words have
32 % of theirs elsewhere on their page at most, on 99 of 100 forms of the IAM data base."""
_MOST_SHOWN = 60


class Support:
    """Which words of each system have a counterpart in which other system.

    A word counts if the word that the matching pairs it with is like it, and if another word near
    it has its mate as near there: common words find an equal somewhere on any page.
    """

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self.mates: dict[tuple[str, str], IntArray] = {}
        self._anywhere: dict[tuple[str, str], IntArray] = {}
        self._lengths: dict[str, IntArray] = {}
        for pair in pairs:
            a, b = pair.a.system, pair.b.system
            words = WordPair.of(pair.a.words.words, pair.b.words.words)
            ref, hyp = pair.there.matching.pairs
            longer = np.maximum(
                words.ref_lengths[words.ref[ref]], words.hyp_lengths[words.hyp[hyp]]
            )
            alike = words.distances_of(words.ref[ref], words.hyp[hyp]) <= _ALIKE * longer
            of_a = np.full(len(words.ref), -1, dtype=np.int64)
            of_b = np.full(len(words.hyp), -1, dtype=np.int64)
            of_a[ref[alike]], of_b[hyp[alike]] = hyp[alike], ref[alike]
            self.mates[a, b], self.mates[b, a] = _in_company(of_a), _in_company(of_b)
            self._anywhere[a, b], self._anywhere[b, a] = of_a, of_b
            self._lengths[a] = words.ref_lengths[words.ref]
            self._lengths[b] = words.hyp_lengths[words.hyp]

    def has(self, system: str, other: str) -> BoolArray:
        """Which words of a system the other has, too."""
        found: BoolArray = self.mates[system, other] >= 0
        return found

    def converge(self, system: str, other: str) -> bool:
        """Whether two readers agree on most of what the shorter of them has."""
        n_words = min(len(self.mates[system, other]), len(self.mates[other, system]))
        return n_words > 0 and int(self.has(system, other).sum()) >= _CONVERGE * n_words

    def is_scattered(self, system: str, other: str, span: Span) -> bool:
        """Whether most letters of a run stand somewhere in the other, in longer words too."""
        run = slice(*span)
        lengths = self._lengths[system][run]
        long = lengths >= _LONG_WORD
        there = self._anywhere[system, other][run] >= 0
        return bool(lengths[long & there].sum() > _SCATTERED * lengths[long].sum())


def _in_company(mates: IntArray) -> IntArray:
    """The mates of those words that have a neighbour with a mate as far off as they stand apart."""
    kept = np.zeros(len(mates), dtype=bool)
    for step in range(1, min(_NEIGHBOURS, len(mates) - 1) + 1):
        first, second = mates[:-step], mates[step:]
        near = (first >= 0) & (second >= 0) & (np.abs(second - first - step) <= _SLACK)
        kept[:-step] |= near
        kept[step:] |= near
    return np.where(kept, mates, -1)


def find_suspects(
    read: Sequence[Read], pairs: Sequence[Pair], families: Mapping[str, str]
) -> tuple[list[Suspect], bool]:
    """Runs that are suspected to be invented or omitted, and whether the readers do not converge.

    A run is five words or more that a system has and no system of another family, but for words
    here and there; and where it stands the others have no text of their own, which would make it
    another reading. Of three systems or more that is a suspected invention. What all others have in
    that way and one lacks is a suspected omission. With two, nobody can tell which.

    Args:
        families: of systems that err alike, the name of their family; a system that is not named
            stands for itself.
    """
    read = [one for one in read if one.words.words]
    by_name = {one.system: one for one in read}
    groups: dict[str, list[str]] = {}
    for system in by_name:
        groups.setdefault(families.get(system, f"\0{system}"), []).append(system)
    if len(groups) < 2:
        return [], False
    support = Support([pair for pair in pairs if min(pair.between.n_words)])
    found: list[Suspect] = []
    abstained = False
    for family, own in groups.items():
        others = [system for name, of in groups.items() if name != family for system in of]
        other_families = [of for name, of in groups.items() if name != family]
        # Whether some two systems of different families converge on a text.
        agreed = any(
            support.converge(a, b)
            for n, of in enumerate(other_families) for others in other_families[:n]
            for a in of for b in others
        )  # fmt: skip
        for system in own:
            near = any(support.converge(system, other) for other in others)
            if not (agreed if len(other_families) > 1 else near):
                abstained = True
                continue
            alone = ~np.any([support.has(system, other) for other in others], axis=0)
            theirs = [set(pairwise(by_name[other].words.words)) for other in others]
            for span in _runs(alone):
                if any(_is_there(support, system, other, span) for other in others):
                    continue
                kind = Kind.INVENTION if len(other_families) > 1 else Kind.ONE_OF_TWO
                if _is_again(by_name[system].words.words, span, theirs):
                    kind = Kind.REPETITION
                found.append(_suspect(kind, by_name[system], system, span, others))
        if len(other_families) > 1 and agreed:
            found += _omitted(family, groups, support, by_name)
    return found, abstained and not found


def _is_again(
    words: Sequence[str], span: Span, theirs: Sequence[Collection[tuple[str, str]]]
) -> bool:
    """Whether a run is text that the output has elsewhere, and another output, too."""
    start, end = span
    own = list(pairwise(words[start:end]))
    elsewhere = {*pairwise(words[:start]), *pairwise(words[end:])}
    first, *rest = (
        sum(pair in of for pair in own) >= _AGAIN * len(own) for of in (elsewhere, *theirs)
    )
    return first and any(rest)


def _omitted(
    family: str, groups: Mapping[str, Sequence[str]], support: Support, by_name: Mapping[str, Read]
) -> list[Suspect]:
    """Runs of the other systems that each of their families has, and that this family lacks.

    They are looked for in each of the others: one that reads lines by turns breaks them up. The
    one in which the most words stand in runs tells."""
    own = groups[family]
    others = [of for name, of in groups.items() if name != family]
    rest = tuple(one for of in others for one in of)
    found: list[Suspect] = []
    for system in own:
        by_holder: list[list[Suspect]] = []
        for holder in rest:
            lacking = ~np.any([support.has(holder, one) for one in own], axis=0)
            shared = np.ones(len(lacking), dtype=bool)
            for of in others:
                if holder not in of:
                    shared &= np.any([support.has(holder, one) for one in of], axis=0)
            by_holder.append(
                [
                    _suspect(Kind.OMISSION, by_name[holder], system, span, rest)
                    for span in _runs(lacking, shared)
                    if shared[slice(*span)].mean() >= _SHARED
                    if not _is_there(support, holder, system, span)
                ]
            )
        found += max(by_holder, key=lambda runs: sum(one.words for one in runs))
    return found


def _suspect(kind: Kind, holder: Read, system: str, span: Span, others: Sequence[str]) -> Suspect:
    start, end = span
    shown = holder.words.words[start : min(end, start + _MOST_SHOWN)]
    text = " ".join(shown) + (" …" if end - start > _MOST_SHOWN else "")
    lines = tuple(sorted({line + 1 for line in holder.words.line_of[start:end]}))
    return Suspect(kind, system, holder.system, span, lines, text, tuple(others))


def _runs(lacking: BoolArray, told: BoolArray | None = None) -> list[Span]:
    """Stretches in which words that a system alone has, or lacks, outweigh the others.

    Those that are not among ``told`` are passed over."""
    gains = np.where(lacking, 1 if told is None else told, -_AGAINST)
    found: list[Span] = []
    start = end = total = best = 0
    for at, gain in enumerate(gains.tolist()):
        if not total:
            start, best = at, 0
        total = max(total + gain, 0)
        if total > best:
            best, end = total, at + 1
        if not total and best >= LEAST_RUN:
            found.append((start, end))
    if total and best >= LEAST_RUN:
        found.append((start, end))
    return found


def _is_there(support: Support, system: str, other: str, span: Span) -> bool:
    """Whether the other has the run all the same: in pieces, or read otherwise."""
    return support.is_scattered(system, other, span) or _other_reading(support, system, other, span)


def _other_reading(support: Support, system: str, other: str, span: Span) -> bool:
    """Whether another system has as much text of its own where a run stands."""
    mates, back = support.mates[system, other], support.mates[other, system]
    start, end = span
    before = mates[:start][mates[:start] >= 0]
    after = mates[end:][mates[end:] >= 0]
    first = int(before[-1]) + 1 if len(before) else 0
    last = int(after[0]) if len(after) else len(back)
    if first > last:
        return False
    return int((back[first:last] < 0).sum()) >= _SAME_PLACE * (end - start)
