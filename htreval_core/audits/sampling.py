"""Pages drawn at random for a person to check, and what they show of all pages.

**The sample.** Every page has a lot: the SHA-256 of seed and page id. The pages with the lowest
lots are the sample. Of a seed that was fixed beforehand every page is as likely as any other,
whatever the order of the pages, and anybody can draw the same again, in any language (lots that
stay with their unit: Ohlsson 1995, in Business Survey Methods, ch. 9).

**The bound.** Of n pages drawn from N, k are bad. The upper bound of the share of bad pages is the
largest share at which k or fewer are still seen with more than a chance of 1 − confidence. As k
has the hypergeometric distribution, the bound is exact.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import gammaln, logsumexp

from htreval_core.audits.audit import Audit
from htreval_core.audits.model import ABOVE, AT_MOST, CONFIDENCE
from htreval_core.errors import ConfigError

_ROUNDING = 1e-9
"""How far a chance may be off by rounding: one of exactly 1 − confidence counts as no more."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the checked pages show of one system.

    Args:
        bad_page_ids: those of the drawn pages that are bad, upward.
        bound: the upper bound of the share of bad pages among all.
    """

    bad_page_ids: tuple[str, ...]
    bound: float


@dataclass(frozen=True, slots=True)
class Plan:
    """The pages that a person should check, and what they show once they are checked.

    Args:
        page_ids: the random sample.
        n_pages: how many pages it was drawn from.
        needed: how many pages, all of them good, the claim takes.
        claims: of each system, where all drawn pages have a reference.
        above: from which bWER on a page is bad.
        at_most: the share of bad pages that is claimed.
    """

    seed: int
    page_ids: tuple[str, ...]
    n_pages: int
    needed: int
    claims: Mapping[str, Claim]
    above: float
    at_most: float
    confidence: float

    def holds(self, system: str) -> bool:
        """Whether the claim holds for a system."""
        return self.claims[system].bound <= self.at_most


def plan(
    found: Audit,
    *,
    n_pages: int | None = None,
    seed: int = 0,
    above: float = ABOVE,
    at_most: float = AT_MOST,
    confidence: float = CONFIDENCE,
) -> Plan:
    """Which pages to check for the claim that few pages are bad, and whether it holds.

    Args:
        n_pages: how many to draw; as many as the claim takes by default, all of them good.
        above: from which bWER on a page is bad.
        at_most: the share of bad pages that is claimed.
    """
    total = len(found.pages)
    needed = sample_size(at_most, confidence, total)
    drawn = draw((page.page_id for page in found.pages), min(n_pages or needed, total), seed)
    claims: dict[str, Claim] = {}
    for system in found.systems:
        true = {page.page_id: page.true[system] for page in found.pages if system in page.true}
        if drawn and all(page_id in true for page_id in drawn):
            bad = tuple(sorted(page_id for page_id in drawn if true[page_id] > above))
            claims[system] = Claim(bad, bound(len(drawn), len(bad), confidence, total))
    return Plan(seed, drawn, total, needed, claims, above, at_most, confidence)


def draw(page_ids: Iterable[str], n: int, seed: int) -> tuple[str, ...]:
    """The n pages with the lowest lots."""
    return tuple(sorted(page_ids, key=lambda one: (_lot(seed, one), one))[:n])


def _lot(seed: int, page_id: str) -> bytes:
    return hashlib.sha256(f"{seed}\n{page_id}".encode("utf-8", "surrogatepass")).digest()


def sample_size(at_most: float, confidence: float, n_pages: int) -> int:
    """How many pages to check, all of them good, so that the claim holds.

    >>> sample_size(0.05, 0.95, 100_000)
    59
    """
    for name, share in (("at most", at_most), ("confidence", confidence)):
        if not 0 < share < 1:
            raise ConfigError(f"{name} {share}: give a share between 0 and 1, such as 0.95")
    # The fewest bad pages with which the claim is wrong; an inexact share would be one off.
    wrong = math.floor(Fraction(str(at_most)) * n_pages) + 1
    return _first(lambda n: _chance(0, n, wrong, n_pages) <= _alpha(confidence), 1)


def bound(n_checked: int, n_bad: int, confidence: float, n_pages: int) -> float:
    """The exact one-sided upper bound of the share of bad pages.

    Args:
        n_checked: pages drawn at random and checked.
        n_bad: how many of them are bad.
        n_pages: how many pages there are in all.
    """
    if not 0 <= n_bad <= n_checked or not 1 <= n_checked <= n_pages:
        raise ConfigError(
            f"{n_bad} bad pages of {n_checked} checked of {n_pages}: give numbers that rise"
        )
    # The more pages are bad, the less likely it is to see so few.
    alpha = _alpha(confidence)
    refused = _first(lambda bad: _chance(n_bad, n_checked, bad, n_pages) <= alpha, n_bad + 1)
    return (refused - 1) / n_pages


def _first(holds: Callable[[int], bool], start: int) -> int:
    """The first number from a start on of which something holds that holds of all after it."""
    low, high = start - 1, start
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def _chance(k: int, n: int, bad: int, n_pages: int) -> float:
    """How likely k bad pages or fewer are among n that are drawn from all pages."""
    if n >= n_pages:
        return float(bad <= k)
    least, most = max(0, n - (n_pages - bad)), min(k, n, bad)
    if least > most:
        return 0.0
    seen = np.arange(least, most + 1)
    ways = _log_ways(bad, seen) + _log_ways(n_pages - bad, n - seen) - _log_ways(n_pages, n)
    return float(np.exp(logsumexp(ways)))


def _log_ways(of: Any, n: Any) -> Any:
    return gammaln(of + 1) - gammaln(n + 1) - gammaln(of - n + 1)


def _alpha(confidence: float) -> float:
    return (1 - confidence) * (1 + _ROUNDING)
