"""What a comparison of systems says."""

from collections.abc import Mapping
from dataclasses import dataclass

from htreval_core.markup import listed
from htreval_core.metrics.catalog import METRICS
from htreval_core.model import DataWarning, Parts

LEVEL = 0.05
"""The level of significance of every test."""
PRIMARY = "wer"
"""The metric that answers the question itself, which system makes fewer errors. It is one test, so
its own p decides; other metrics explain or explore, and theirs are corrected for their number."""


def favours_b(metric: str, difference: float) -> bool | None:
    """Whether a difference B − A of a metric favours B; None where it favours neither."""
    better = difference if METRICS[metric].higher_is_better else -difference
    return None if not better or better != better else better > 0


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """One metric of two systems A and B, pooled over the pages that both have read.

    All values are fractions. ``difference`` is B − A, so of an error rate a negative one says
    that B is better.

    Args:
        metric: its name in the catalogue.
        a: the value of A; nan where it is undefined or does not apply to every page.
        b: the value of B.
        difference: b − a.
        low: lower end of the 95 % interval: the differences that the test behind ``p`` does not
            reject at 5 %, so it leaves out 0 where, and only where, p is smaller than that; nan
            where pages are too few to reject any, fewer than six.
        high: upper end of it.
        p: of a two-sided paired sign-flip permutation test of the pooled difference, as if this
            metric were the only question.
        p_holm: p after Holm's correction over the metrics of the comparison.
        wins: pages on which B is better.
        ties: pages on which the two are equal.
        losses: pages on which B is worse.
        smallest: the smallest true difference that as many pages would show four times in five at
            the 5 % level, (t.975 + t.80) · standard error over pages; nan for five or fewer.
    """

    metric: str
    a: float
    b: float
    difference: float
    low: float
    high: float
    p: float
    p_holm: float
    wins: int
    ties: int
    losses: int
    smallest: float

    @property
    def significant(self) -> bool:
        """Whether the test, asked of this metric alone, rejects that there is no difference.

        Then, and only then, the interval leaves out 0. Never where p is undefined.
        """
        return self.p < LEVEL

    @property
    def shown(self) -> bool:
        """Whether the difference counts as shown: WER by its own p, others by the corrected one."""
        return (self.p if self.metric == PRIMARY else self.p_holm) < LEVEL

    @property
    def b_is_better(self) -> bool | None:
        """Whether the values favour B, believable or not; None where neither system."""
        return favours_b(self.metric, self.difference)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """That neighbouring pages differ alike, so that blocks of pages were exchanged, not pages.

    Args:
        correlation: of the difference on a page with that on the next one, in the order of ids.
        p: of a one-sided permutation test that pages near each other are alike.
        n_blocks: blocks of consecutive pages that the intervals and tests took instead of pages.
        effective: how many independent pages would leave the difference as uncertain.
        p_pages: p of the primary metric if pages were independent, which they are not.
        pattern: of page ids, by which they may tell what the pages belong to; None for none.
    """

    correlation: float
    p: float
    n_blocks: int
    effective: float
    p_pages: float
    pattern: str | None


@dataclass(frozen=True, slots=True)
class PageDifference:
    """One metric of one page under both systems, as fractions; nan where undefined.

    ``difference`` is b − a.
    """

    page_id: str
    a: float
    b: float
    difference: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the pages that both have read.

    Args:
        systems: A and B.
        page_ids: the pages compared, in the order of the study.
        only_a: pages that A has read and B has not; they are left out.
        only_b: pages that B has read and A has not; they are left out.
        metrics: the paired difference of each metric.
        rank_flips: pages on which WER and bWER prefer different systems.
        warnings: what a reader should know before believing the values.
        signature: pins the settings of the study; the resampling is pinned by the next two.
        seed: of the resampling.
        resamples: sign flips that were drawn; all of them where these are fewer.
        parts: of A and B, the errors of WER by what they come from, where pages were diagnosed.
        n_clusters: clusters of pages that intervals and tests are over; 0 where pages are.
        neighbours: what is to be said of pages that are alike without being known to belong
            together; None where they are not, or clusters are known.
    """

    systems: tuple[str, str]
    page_ids: tuple[str, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    metrics: Mapping[str, PairedDifference]
    rank_flips: tuple[str, ...]
    warnings: tuple[DataWarning, ...]
    signature: str
    seed: int
    resamples: int
    parts: tuple[Parts, Parts] | None = None
    n_clusters: int = 0
    neighbours: Neighbours | None = None

    def __repr__(self) -> str:
        a, b = self.systems
        return f"<Comparison of {b!r} with {a!r} on {self.n_pages:,} pages>"

    @property
    def n_pages(self) -> int:
        """How many pages were compared."""
        return len(self.page_ids)


@dataclass(frozen=True, slots=True)
class Pairwise:
    """Every two of several systems, and the ranking that the tests allow.

    Args:
        systems: in the order of the study.
        pairs: the comparison of each pair that has a page in common; the earlier system is A.
        p_pairs: per metric, the p of each pair after Holm's correction over the pairs.
        ranks: per metric, 1 + the number of systems that are significantly better, by ``p_pairs``
            and as ``PairedDifference.shown``; systems that the test cannot tell apart may share a
            rank. A system without any pair has none.
        warnings: all warnings of the pairs, each once.
    """

    systems: tuple[str, ...]
    pairs: Mapping[tuple[str, str], Comparison]
    p_pairs: Mapping[str, Mapping[tuple[str, str], float]]
    ranks: Mapping[str, Mapping[str, int]]
    warnings: tuple[DataWarning, ...]
    signature: str
    seed: int
    resamples: int

    def __repr__(self) -> str:
        return f"<Pairwise of {listed(self.systems)}: {len(self.pairs):,} pairs>"

    def difference(self, metric: str, a: str, b: str) -> PairedDifference | None:
        """The paired difference B − A whichever of the two comes first; None without one."""
        if (a, b) in self.pairs:
            return self.pairs[a, b].metrics[metric]
        if (b, a) not in self.pairs:
            return None
        d = self.pairs[b, a].metrics[metric]
        return PairedDifference(
            metric, d.b, d.a, 0 - d.difference, 0 - d.high, 0 - d.low, d.p, d.p_holm, d.losses,
            d.ties, d.wins, d.smallest,
        )  # fmt: skip

    def p(self, metric: str, a: str, b: str) -> float:
        """p of a pair after Holm's correction over the pairs, in either order; nan without one."""
        of_metric = self.p_pairs[metric]
        return of_metric.get((a, b), of_metric.get((b, a), float("nan")))

    def best(self, metric: str) -> str | None:
        """The system that is significantly better than each of the others; None where none is."""
        for system in self.systems:
            others = [other for other in self.systems if other != system]
            if all(self._beats(metric, system, other) for other in others):
                return system
        return None

    def _beats(self, metric: str, system: str, other: str) -> bool:
        found = self.difference(metric, other, system)
        p = self.p(metric, other, system)
        return bool(found and found.b_is_better and found.shown and p < LEVEL)
