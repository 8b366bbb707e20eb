"""What the pages that a person checked show about all pages.

**The bound.** Of n pages drawn at random k are bad. The upper bound of the share of bad pages is
the largest share at which k or fewer are still seen with more than a chance of 1 − confidence.
Where the number of pages is known, k has the hypergeometric distribution, and the bound is exact
for it; else the binomial one (Clopper and Pearson 1934, Biometrika 26, 404–413). ``sample_size``
asks the same the other way round: 59 pages without a bad one show that at most 5 % are bad, with a
confidence of 95 %.

**Strata** make the number of bad pages a sum of independent hypergeometric numbers, which is one of
independent trials of unequal chances (Vatutin and Mikhailov 1982, Theory of Probability and its
Applications 27, 734–743). Such a sum falls to k, if k is at least 1 below its mean, no more often
than a binomial number of the same mean does (Hoeffding 1956, Annals of Mathematical Statistics 27,
713–721). So the binomial bound holds for a sample in strata. Where strata are small the shares
drawn are not quite the same; the bound is then divided by the least of them over their mean.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import bdtr, betaincinv, gammaln, logsumexp

from htreval_core.audit.sampling import FORM, Stratum, ToCheck, by_stratum, digest_of, drawn_from
from htreval_core.errors import ConfigError

_ROUNDING = 1e-9
"""How far a chance may be off by rounding: one of exactly 1 − confidence counts as no more."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Whether a claim about all pages holds by those that were checked.

    Args:
        bad: when a page is bad, in words, such as "bWER above 20 %".
        limit_share: the claim is that at most this share of all pages is bad.
        bound: the upper bound of that share.
        n_pages: how many pages there are; None where that is not known.
    """

    bad: str
    limit_share: float
    confidence: float
    n_checked: int
    n_bad: int
    n_pages: int | None
    bound: float

    @property
    def holds(self) -> bool:
        return self.bound <= self.limit_share


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim with all that is needed to verify it.

    Args:
        archive: the SHA-256 of all pages and their strata.
        strata: with the pages that were drawn and checked.
        bad_page_ids: the bad ones of them, upward.
        signature: ``sign`` of all of this, so that a changed figure is noticed. It holds no secret:
            who changes a certificate on purpose can sign it anew, but the seed draws no other
            sample.
    """

    seed: int
    archive: str
    strata: tuple[Stratum, ...]
    bad_page_ids: tuple[str, ...]
    claim: Claim
    signature: str

    @property
    def page_ids(self) -> tuple[str, ...]:
        """The pages that were checked."""
        return tuple(one for stratum in self.strata for one in stratum.page_ids)

    def as_data(self) -> dict[str, Any]:
        """All of it as JSON has it; ``read_certificate`` reads it back."""
        data: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return data


def sample_size(
    limit_share: float, confidence: float, expected_bad: int = 0, n_pages: int | None = None
) -> int:
    """How many pages to check, so that the claim holds if no more than expected are bad.

    >>> sample_size(0.05, 0.95)
    59

    Args:
        limit_share: the claim is that at most this share of all pages is bad.
        expected_bad: how many bad pages the sample may have.
        n_pages: how many pages there are, which are drawn from without putting one back; None
            where they are many or not known.
    """
    _check_claim(limit_share, confidence)
    if expected_bad < 0:
        raise ConfigError(f"{expected_bad} bad pages are expected; give 0 or more")
    _check_archive(n_pages)
    alpha = _alpha(confidence)
    if n_pages is None:
        return _first(lambda n: _binomial(expected_bad, n, limit_share) <= alpha, expected_bad + 1)
    # The fewest bad pages with which the claim is wrong.
    wrong = math.floor(Fraction(str(limit_share)) * n_pages) + 1
    if expected_bad >= wrong:
        raise ConfigError(
            f"of {n_pages} pages {wrong - 1} may be bad, and {expected_bad} are expected among "
            "those that are checked; expect fewer, or raise the limit"
        )
    # Whoever checks all pages knows, so this ends.
    return _first(
        lambda n: _hypergeometric(expected_bad, n, wrong, n_pages) <= alpha, expected_bad + 1
    )


def bound(n_checked: int, n_bad: int, confidence: float, n_pages: int | None = None) -> float:
    """The exact one-sided upper bound of the share of bad pages.

    Args:
        n_checked: pages drawn at random and checked.
        n_bad: how many of them are bad.
        n_pages: how many pages there are; None where they are many or not known.
    """
    _check_confidence(confidence)
    _check_archive(n_pages)
    if n_checked < 1:
        raise ConfigError("no page was checked, so nothing is known; check 1 page or more")
    if not 0 <= n_bad <= n_checked:
        raise ConfigError(f"{n_bad} of {n_checked} checked pages are bad; give 0 to {n_checked}")
    if n_pages is None:
        if n_bad == n_checked:
            return 1.0
        return float(betaincinv(n_bad + 1, n_checked - n_bad, confidence))
    if n_checked > n_pages:
        raise ConfigError(
            f"{n_checked} pages were checked of {n_pages}; give the number of all pages"
        )
    alpha = _alpha(confidence)
    # The more pages are bad, the less likely it is to see so few.
    refused = _first(
        lambda bad: _hypergeometric(n_bad, n_checked, bad, n_pages) <= alpha,
        n_bad + 1,
    )
    return (refused - 1) / n_pages


def claim(
    drawn: ToCheck, bad: Mapping[str, bool], what: str, limit_share: float, confidence: float
) -> Claim:
    """Whether at most a share of all pages is bad, by the random sample.

    Args:
        bad: of every page of the sample whether it is bad. What is said of other pages, the
            riskiest ones among them, does not count.
        what: when a page is bad, in words, such as "bWER above 20 %".
    """
    unseen = [one for one in drawn.page_ids if one not in bad]
    if unseen:
        raise ConfigError(
            f"page {unseen[0]} of the sample was not checked"
            + (f", nor were {len(unseen) - 1} others" if len(unseen) > 1 else "")
            + "; check every page of it, because pages that are passed over are not random"
        )
    n_bad = sum(bad[one] for one in drawn.page_ids)
    return _claimed(drawn.strata, n_bad, what, limit_share, confidence)


def certify(
    drawn: ToCheck, bad: Mapping[str, bool], what: str, limit_share: float, confidence: float
) -> Certificate:
    """The claim of a sample as data that can be verified again. Arguments as of ``claim``."""
    claimed = claim(drawn, bad, what, limit_share, confidence)
    found = tuple(sorted(one for one in drawn.page_ids if bad[one]))
    unsigned = Certificate(drawn.seed, drawn.archive, drawn.strata, found, claimed, "")
    return replace(unsigned, signature=sign(unsigned))


def sign(certificate: Certificate) -> str:
    """The signature of all that a certificate holds beside it."""
    data = {key: value for key, value in certificate.as_data().items() if key != "signature"}
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"{FORM} sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def verify(
    certificate: Certificate,
    page_ids: Iterable[str] | None = None,
    strata: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """What is wrong with a certificate; empty where nothing is.

    Args:
        page_ids: of the whole archive. With them the sample is drawn anew; without, only what the
            certificate says by itself is held against each other.
        strata: of every page, where the sample was drawn in strata.
    """
    told = []
    if certificate.signature != sign(certificate):
        told.append("The signature does not fit: something was changed after it was signed.")
    checked = certificate.page_ids
    if len(set(checked)) < len(checked):
        told.append("A page stands in the sample twice.")
    outside = set(certificate.bad_page_ids) - set(checked)
    if outside:
        told.append(f"Page {min(outside)} is said to be bad, but it is not in the sample.")
    if not _follows(certificate):
        told.append("The bound and the counts do not follow from the pages that were checked.")
    if page_ids is not None:
        told += _redrawn(certificate, page_ids, strata)
    return tuple(told)


def read_certificate(data: Mapping[str, Any]) -> Certificate:
    """A certificate from what ``as_data`` gave."""
    try:
        return Certificate(
            int(data["seed"]),
            str(data["archive"]),
            tuple(
                Stratum(str(one["name"]), int(one["n_pages"]), tuple(map(str, one["page_ids"])))
                for one in data["strata"]
            ),
            tuple(map(str, data["bad_page_ids"])),
            Claim(**data["claim"]),
            str(data["signature"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(
            f"this is no certificate of checked pages ({error!r}); give one as it was written"
        ) from error


def _claimed(
    strata: Collection[Stratum], n_bad: int, what: str, limit_share: float, confidence: float
) -> Claim:
    _check_claim(limit_share, confidence)
    n_pages = sum(one.n_pages for one in strata)
    n_checked = sum(len(one.page_ids) for one in strata)
    if len(strata) == 1 or n_checked == n_pages:
        reached = bound(n_checked, n_bad, confidence, n_pages)
    else:
        reached = _in_strata(strata, n_checked, n_bad, n_pages, confidence)
    return Claim(what, limit_share, confidence, n_checked, n_bad, n_pages, reached)


def _follows(certificate: Certificate) -> bool:
    """Whether the claim is what its pages give; the last digits of the bound may differ."""
    of = certificate.claim
    n_bad = len(set(certificate.bad_page_ids))
    try:
        again = _claimed(certificate.strata, n_bad, of.bad, of.limit_share, of.confidence)
    except ConfigError:
        return False
    return math.isclose(again.bound, of.bound, rel_tol=1e-6) and of == replace(
        again, bound=of.bound
    )


def _in_strata(
    strata: Collection[Stratum], n_checked: int, n_bad: int, n_pages: int, confidence: float
) -> float:
    """The bound of a sample in strata, see above; 1 where Hoeffding's condition is not met."""
    share = bound(n_checked, n_bad, confidence)
    if n_bad > n_checked * share - 1:
        return 1.0
    least = min(one.inclusion for one in strata) / (n_checked / n_pages)
    return min(share / least, 1.0)


def _redrawn(
    certificate: Certificate, page_ids: Iterable[str], strata: Mapping[str, str] | None
) -> list[str]:
    seen = set(page_ids)
    by_name = by_stratum(seen, strata)
    if digest_of(by_name) != certificate.archive:
        return ["The pages are not those that the sample was drawn from."]
    n = len(certificate.page_ids)
    if not len(by_name) <= n <= len(seen) or drawn_from(by_name, certificate.seed, n) != (
        certificate.strata
    ):
        return ["The sample is not the one that this seed draws."]
    return []


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


def _binomial(k: int, n: int, share: float) -> float:
    """How likely k bad pages or fewer are among n, where each is bad with this chance."""
    return float(bdtr(k, n, share))


def _hypergeometric(k: int, n: int, bad: int, n_pages: int) -> float:
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


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ConfigError(f"confidence {confidence}: give a share between 0 and 1, such as 0.95")


def _check_claim(limit_share: float, confidence: float) -> None:
    _check_confidence(confidence)
    if not 0 < limit_share < 1:
        raise ConfigError(f"limit {limit_share}: give a share between 0 and 1, such as 0.05")


def _check_archive(n_pages: int | None) -> None:
    if n_pages is not None and n_pages < 1:
        raise ConfigError(f"{n_pages} pages in all; give 1 or more, or None where it is not known")
