"""The last rule: of all matchings that are still equal, the one that comes first.

Cost, equal pairs and Σ d(d−1) leave some pages with several matchings, which may differ in NSFD
and hCER. Write a matching as the list of the mates of the reference words, in their order, where
being left out comes before any mate, and an earlier mate before a later one. Two different
matchings are two different lists, so exactly one of any set of matchings has the first list, in
the order of a dictionary. It is the same whichever solver found which of them.

Prices prove which matchings those are: the ones that take only tight pairs and leave out no needed
word, one of a positive price (``certificate``). Where two of them differ, their pairs alternate
along circles: each word on a circle takes the mate of the next. Circles pass, at most once, a hub
that stands for being left out. So reference word j can take another mate k, or none, while all
words before it keep theirs, if and only if a circle that passes none of these leads from j over k,
or over the hub, back to j. Turned by one, such a circle gives such a matching; and where there is
such a matching, one of the circles by which it differs is of that kind. Asking this for one word
after another, from the first to the last, gives the first list.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

import numpy as np

from htreval_core.metrics.matching.savings import Matching
from htreval_core.model import BoolArray, IntArray

_HUB = -1
"""Stands for no word, among the reference words and among their mates."""


def first_of_equals(
    matching: Matching, tight: tuple[IntArray, IntArray], needed_ref: BoolArray,
    needed_hyp: BoolArray,
) -> Matching:  # fmt: skip
    """The first of the matchings that take only tight pairs and leave out no needed word.

    Args:
        matching: one of them.
        tight: reference and hypothesis positions of the tight pairs that save something; those of
            the matching may be among them or not.
        needed_ref: which reference words no matching may leave out, shape (reference words,).
        needed_hyp: the same of hypothesis words.
    """
    tight = _leading_on(matching, tight, needed_ref, needed_hyp)
    if not len(tight[0]):
        return matching
    mates = dict(zip(matching.ref_index.tolist(), matching.hyp_index.tolist(), strict=True))
    pairs = list(zip(tight[0].tolist(), tight[1].tolist(), strict=True))
    spare_ref = set((~needed_ref).nonzero()[0].tolist())
    spare_hyp = set((~needed_hyp).nonzero()[0].tolist())
    choices = _on_circles(mates, pairs, spare_ref, spare_hyp)
    if not choices:
        return matching
    settled = _Settling(mates, choices, spare_ref, spare_hyp).settle()
    ref = sorted(settled)
    hyp = [settled[j] for j in ref]
    return Matching(np.array(ref, dtype=np.int64), np.array(hyp, dtype=np.int64))


def _leading_on(
    matching: Matching, tight: tuple[IntArray, IntArray], needed_ref: BoolArray,
    needed_hyp: BoolArray,
) -> tuple[IntArray, IntArray]:  # fmt: skip
    """The tight pairs without those from which no step can lead on: most pages have no others."""
    ref, hyp = tight
    if not len(ref):
        return tight
    # By hypothesis word: whether the reference word whose mate it is can take another, or none.
    leads = np.ones(len(needed_hyp), dtype=bool)
    may = ~needed_ref
    may[ref] = True
    leads[matching.hyp_index] = may[matching.ref_index]
    on = leads[hyp]
    return ref[on], hyp[on]


def _on_circles(
    mates: Mapping[int, int], pairs: Iterable[tuple[int, int]], spare_ref: AbstractSet[int],
    spare_hyp: AbstractSet[int],
) -> list[tuple[int, int]]:  # fmt: skip
    """The pairs that may lie on circles, beside those of the matching; none if there is no circle.

    Each pair is a step to the word whose mate it takes. Steps from words to which no step leads,
    and to words from which none does, are taken away until there are no more of them."""
    owner = {k: j for j, k in mates.items()}
    taken: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for j, k in pairs:
        if mates.get(j) != k:
            taken.setdefault((j, owner.get(k, _HUB)), []).append((j, k))
    steps = set(taken)
    steps.update((j, _HUB) for j in spare_ref if j in mates)
    steps.update((_HUB, j) for j in spare_ref if j not in mates)
    steps.update((_HUB, owner[k]) for k in spare_hyp if k in owner)
    while True:
        starts, ends = {start for start, _ in steps}, {end for _, end in steps}
        kept = {step for step in steps if step[0] in ends and step[1] in starts}
        if len(kept) == len(steps):
            break
        steps = kept
    return sorted(pair for step, of in taken.items() if step in steps for pair in of)


class _Settling:
    """A matching whose words take the first mates that they can have, one word after another."""

    def __init__(
        self, mates: Mapping[int, int], choices: Iterable[tuple[int, int]],
        spare_ref: AbstractSet[int], spare_hyp: AbstractSet[int],
    ) -> None:  # fmt: skip
        self._mate = dict(mates)
        self._owner = {k: j for j, k in mates.items()}
        self._spare_ref, self._spare_hyp = spare_ref, spare_hyp
        self._by_ref: dict[int, set[int]] = {}
        self._by_hyp: dict[int, set[int]] = {}
        for j, k in (*choices, *mates.items()):
            self._by_ref.setdefault(j, set()).add(k)
            self._by_hyp.setdefault(k, set()).add(j)
        self._several = sorted({j for j, _ in choices} | (spare_ref & mates.keys()))

    def settle(self) -> dict[int, int]:
        """The mate of each reference word that has one."""
        for j in self._several:
            if j not in self._mate:
                continue
            sooner: list[int | None] = [None] if j in self._spare_ref else []
            sooner += sorted(k for k in self._by_ref[j] if k < self._mate[j])
            towards = self._towards(j) if sooner else {}
            for k in sooner:
                if (_HUB if k is None else self._owner.get(k, _HUB)) in towards:
                    self._turn(j, k, towards)
                    break
        return self._mate

    def _towards(self, goal: int) -> dict[int, tuple[int, int | None]]:
        """For each later word from which steps lead here, the next word and the mate it takes.

        The mate is None where the word is left out, and of the hub. Words before this one keep
        theirs."""
        towards: dict[int, tuple[int, int | None]] = {}
        waiting = deque([goal])
        while waiting:
            at = waiting.popleft()
            for before, takes in self._steps_to(at):
                if before not in towards and (before > goal or before == _HUB):
                    towards[before] = at, takes
                    waiting.append(before)
        return towards

    def _steps_to(self, at: int) -> Iterator[tuple[int, int | None]]:
        if at == _HUB:
            for j in self._spare_ref:
                if j in self._mate:
                    yield j, None
            for k in self._by_hyp:
                if k not in self._owner:
                    for j in self._by_hyp[k]:
                        yield j, k
            return
        own = self._mate.get(at)
        if own is None or own in self._spare_hyp:
            yield _HUB, None
        if own is not None:
            for j in self._by_hyp[own]:
                yield j, own

    def _turn(self, j: int, k: int | None, towards: Mapping[int, tuple[int, int | None]]) -> None:
        """Give word j the mate k, or none, and each word on the way back the mate of the next."""
        takes: dict[int, int | None] = {j: k}
        at = _HUB if k is None else self._owner.get(k, _HUB)
        while at != j:
            following, mate = towards[at]
            if at != _HUB:
                takes[at] = mate
            at = following
        for word in takes:
            if word in self._mate:
                self._owner.pop(self._mate.pop(word))
        for word, mate in takes.items():
            if mate is not None:
                self._mate[word] = mate
                self._owner[mate] = word
