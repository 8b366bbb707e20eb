"""Which pages a person checks next.

**The sample.** Every page has a lot: the SHA-256 of seed and page id. The pages with the lowest
lots are the sample, within each stratum by itself. Of a seed that was fixed beforehand every page
is as likely as any other of its stratum, whatever the order of the pages, and anybody can draw the
same again, in any language (lots that stay with their unit: Ohlsson 1995, in Business Survey
Methods, ch. 9). Strata get pages in proportion to their size, at least one each.

**The riskiest pages** are a list of its own. They are where faults are found soonest, and for that
very reason they say nothing of the others: no claim is made from them.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from htreval_core.errors import ConfigError

FORM = "htreval sample 1"
"""How samples are drawn and certificates are written; another number where that changes."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """Pages that are drawn from by themselves.

    Args:
        n_pages: how many there are.
        page_ids: those drawn, by their lots.
    """

    name: str
    n_pages: int
    page_ids: tuple[str, ...]

    @property
    def inclusion(self) -> float:
        """How likely each of its pages is to be drawn."""
        return len(self.page_ids) / self.n_pages


@dataclass(frozen=True, slots=True)
class ToCheck:
    """The pages that a person should look at.

    Args:
        strata: by name, each with the random sample of its pages. Claims are made from these.
        riskiest: pages beside the sample, worst first. They enter no claim.
        archive: the SHA-256 of all pages and their strata, as they were when this was drawn.
    """

    seed: int
    strata: tuple[Stratum, ...]
    riskiest: tuple[str, ...]
    archive: str

    @property
    def page_ids(self) -> tuple[str, ...]:
        """The random sample."""
        return tuple(one for stratum in self.strata for one in stratum.page_ids)

    @property
    def n_pages(self) -> int:
        """How many pages there are in all."""
        return sum(stratum.n_pages for stratum in self.strata)


def pages_to_check(
    risk: Mapping[str, float],
    n: int,
    seed: int,
    strata: Mapping[str, str] | None = None,
    *,
    riskiest: int = 0,
) -> ToCheck:
    """A random sample of n pages, and apart from it the riskiest ones.

    Args:
        risk: of every page of the archive, the more the worse. It decides about the riskiest pages
            alone; one with nan comes last.
        strata: of every page, such as its hand or century; without, all pages are one stratum.
        riskiest: how many of the riskiest pages that are not in the sample.
    """
    if not risk:
        raise ConfigError("there are no pages to draw from; name at least one")
    if not 1 <= n <= len(risk):
        raise ConfigError(
            f"{n} pages are to be drawn from {len(risk)}; ask for 1 to {len(risk)} of them"
        )
    if riskiest < 0:
        raise ConfigError(f"{riskiest} of the riskiest pages; ask for 0 or more")
    by_name = by_stratum(risk, strata)
    if n < len(by_name):
        raise ConfigError(
            f"{n} pages cannot be drawn from {len(by_name)} strata; ask for a page from each, "
            f"{len(by_name)} or more, or put strata together"
        )
    drawn = drawn_from(by_name, seed, n)
    inside = {one for stratum in drawn for one in stratum.page_ids}
    worst = sorted((one for one in risk if one not in inside), key=lambda one: _worst(risk, one))
    return ToCheck(seed, drawn, tuple(worst[:riskiest]), digest_of(by_name))


def by_stratum(page_ids: Collection[str], strata: Mapping[str, str] | None) -> dict[str, list[str]]:
    """The pages of each stratum, by name; pages upward."""
    found: dict[str, list[str]] = {}
    for one in sorted(page_ids):
        if strata is not None and one not in strata:
            raise ConfigError(f"page {one} is in no stratum; give one to every page")
        found.setdefault("" if strata is None else strata[one], []).append(one)
    return dict(sorted(found.items()))


def drawn_from(by_name: Mapping[str, list[str]], seed: int, n: int) -> tuple[Stratum, ...]:
    parts = _parts({name: len(ids) for name, ids in by_name.items()}, n)
    return tuple(
        Stratum(name, len(ids), _lowest(ids, seed, parts[name])) for name, ids in by_name.items()
    )


def _parts(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    """How many of n pages each stratum gets: one, then by largest remainders of its fair part.

    A stratum never gets more than it has: where n is at most the number of pages, a fair part,
    rounded up, is at most the size.
    """
    total = sum(sizes.values())
    fair = {name: Fraction(n * size, total) for name, size in sizes.items()}
    parts = {name: max(1, math.floor(part)) for name, part in fair.items()}
    # Strata that got one though less is fair may have taken it from others.
    while sum(parts.values()) > n:
        most = max((one for one in parts if parts[one] > 1), key=lambda one: parts[one] - fair[one])
        parts[most] -= 1
    while sum(parts.values()) < n:
        least = max(parts, key=lambda one: fair[one] - parts[one])
        parts[least] += 1
    return parts


def _lowest(page_ids: Iterable[str], seed: int, n: int) -> tuple[str, ...]:
    """The n pages with the lowest lots."""
    return tuple(sorted(page_ids, key=lambda one: (_lot(seed, one), one))[:n])


def _lot(seed: int, page_id: str) -> bytes:
    return hashlib.sha256(f"{seed}\n{page_id}".encode()).digest()


def _worst(risk: Mapping[str, float], page_id: str) -> tuple[float, str]:
    """What puts the riskiest page first, and one of unknown risk last."""
    value = risk[page_id]
    return (math.inf if math.isnan(value) else -value), page_id


def digest_of(by_name: Mapping[str, list[str]]) -> str:
    text = json.dumps(by_name, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
