"""Where a reference and its systems put headers, notes and the like: their conventions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import numpy as np

from htreval_core.metrics.orders.tree import Block
from htreval_core.metrics.page import PageReference
from htreval_core.model import IntArray, Page
from htreval_core.scoring.score import Progress, over_pages, read_page, sendable
from htreval_core.scoring.stream import each
from htreval_core.scoring.study import Study
from htreval_core.scoring.workers import Processes
from htreval_core.settings import OrderRules, RegionRule, Settings
from htreval_core.sources.dataset import PageItem

LEAST_PAGES = 10
"""Pages with text of a kind from which on a convention is reported."""
_MOST_OF_PAGE = 0.25
"""Kinds with more of all words than this are the body of the pages."""
_BODY = frozenset({"", "paragraph", "textregion", "text", "heading", "tableregion", "tablecell"})
_USUAL = 0.8
"""What so many of the pages do is a convention."""
_EDGE = 0.02
_NEAR = 0.1
"""Shares of the body: what stands so near its end stands outside it, and so near is no other place.
"""
_FOUND = 0.5
"""The least words of a block that must have been read for its place in the output to be known."""


class Place(StrEnum):
    """Where text stands among the words of the body."""

    BEFORE = "before the body"
    WITHIN = "within the body"
    AFTER = "after the body"


@dataclass(frozen=True, slots=True)
class KindPlaces:
    """Where blocks of one kind stand.

    Args:
        kind: as the files call it.
        blocks: how many there are; on pages with a body.
        pages: on how many pages.
        reference: how many of the blocks the reference has at each place.
        systems: of each system the same of those that it has read.
        elsewhere: of each system how many stand at another place than in the reference.
    """

    kind: str
    blocks: int
    pages: int
    reference: Mapping[Place, int]
    systems: Mapping[str, Mapping[Place, int]]
    elsewhere: Mapping[str, int]

    def convention(self, system: str | None = None) -> Place | None:
        """Where most of them stand, in the reference or as a system has it; None for no rule."""
        places = self.reference if system is None else self.systems.get(system, {})
        total = sum(places.values())
        if total < LEAST_PAGES:
            return None
        place, count = max(places.items(), key=lambda pair: pair[1])
        return place if count >= _USUAL * total else None

    @property
    def is_convention(self) -> bool:
        """Whether the reference has no rule for it, or a system follows another."""
        if self.pages < LEAST_PAGES:
            return False
        of_reference = self.convention()
        return of_reference is None or any(
            self.elsewhere[system] >= (1 - _USUAL) * sum(places.values())
            for system, places in self.systems.items()
            if sum(places.values()) >= LEAST_PAGES
        )


@dataclass(frozen=True, slots=True)
class Conventions:
    """What a data set says of the conventions that its reference and its systems follow."""

    kinds: tuple[KindPlaces, ...]
    n_pages: int

    @property
    def proposed(self) -> OrderRules:
        """Rules by which the kinds float whose place is a matter of convention here."""
        kinds = tuple(one.kind for one in self.kinds if one.is_convention)
        return OrderRules(floats=RegionRule(kinds=kinds))


@dataclass(frozen=True, slots=True)
class _Seen:
    """A block: its kind, and how much of the body stands before it on each side, as a share."""

    kind: str
    reference: float
    systems: Mapping[str, float]


def learn_conventions(
    study: Study, *, workers: Processes | None = None, progress: Progress | None = None
) -> Conventions:
    """Where the reference and each system put the text of each kind of region.

    The place of a block is the share of the body's words that stand before it: in the reference as
    it is written, in an output by the words that the matching pairs. A kind whose place in the
    reference follows no rule, or that a system puts elsewhere on a fifth of the pages or more, is
    proposed as floating; nothing is applied.

    Args:
        workers: where to run; in this process by default.
        progress: told how many pages are done.
    """
    items = (sendable(study.dataset.item(one, bare=True), workers) for one in study.page_ids)
    n_pages = len(study.page_ids)
    work = each(partial(_look_at, settings=study.settings))
    seen: list[_Seen] = []
    with_kind: Counter[str] = Counter()
    n_words: Counter[str] = Counter()
    done = 0
    for of_page in over_pages(work, items, workers, lost=lambda _: None):
        done += 1
        if progress:
            progress(done, n_pages)
        if of_page is None:
            continue
        blocks, words = of_page
        seen += blocks
        with_kind.update({block.kind for block in blocks})
        n_words.update(words)
    total = n_words.total() or 1
    kinds = sorted(
        (kind for kind in with_kind if n_words[kind] <= _MOST_OF_PAGE * total),
        key=lambda kind: (-with_kind[kind], kind),
    )
    found = tuple(_counted(kind, with_kind[kind], seen, study.systems) for kind in kinds)
    return Conventions(found, done)


def _counted(kind: str, n_pages: int, seen: Sequence[_Seen], systems: Sequence[str]) -> KindPlaces:
    of_kind = [one for one in seen if one.kind == kind]
    reference = _places([one.reference for one in of_kind])
    elsewhere, places = {}, {}
    for system in systems:
        both = [(one.systems[system], one.reference) for one in of_kind if system in one.systems]
        elsewhere[system] = sum(abs(own - other) > _NEAR for own, other in both)
        places[system] = _places([own for own, _ in both])
    return KindPlaces(kind, len(of_kind), n_pages, reference, places, elsewhere)


def _places(shares: Sequence[float]) -> Mapping[Place, int]:
    places = dict.fromkeys(Place, 0)
    for share in shares:
        if share <= _EDGE:
            places[Place.BEFORE] += 1
        elif share >= 1 - _EDGE:
            places[Place.AFTER] += 1
        else:
            places[Place.WITHIN] += 1
    return places


def _look_at(item: PageItem, settings: Settings) -> tuple[list[_Seen], Mapping[str, int]] | None:
    try:
        return _of_page(read_page(item), settings)
    except Exception:  # whatever it is, the other pages are looked at
        return None


def _of_page(page: Page, settings: Settings) -> tuple[list[_Seen], Mapping[str, int]]:
    reference = PageReference.of(page.page_id, page.reference, settings)
    blocks = reference.tree.blocks
    words: Counter[str] = Counter()
    for block in blocks:
        words[_kind(block)] += len(block.words)
    apart = [block for block in blocks if _kind(block) not in _BODY]
    body = np.ones(len(reference.words.words), dtype=bool)
    for block in apart:
        body[block.words.start : block.words.stop] = False
    if not apart or not body.any():
        return [], words
    mates: dict[str, IntArray] = {}
    for system, output in page.hypotheses.items():
        ref, hyp = reference.match(output, settings).pairs
        mate = np.full(len(body), -1, dtype=np.int64)
        mate[ref] = hyp
        mates[system] = mate
    return [
        _Seen(
            _kind(block),
            float(body[: block.words.start].sum() / body.sum()),
            {
                system: share
                for system, mate in mates.items()
                if (share := _share_before(block, body, mate)) is not None
            },
        )
        for block in apart
    ], words


def _share_before(block: Block, body: np.ndarray, mate: IntArray) -> float | None:
    """The share of the body's words that an output has before a block; None where it lacks it."""
    own = mate[block.words.start : block.words.stop]
    own = own[own >= 0]
    others = mate[body]
    others = others[others >= 0]
    if len(own) < _FOUND * len(block.words) or not len(others):
        return None
    return float((others < np.median(own)).mean())


def _kind(block: Block) -> str:
    return (block.kind or "").lower()
