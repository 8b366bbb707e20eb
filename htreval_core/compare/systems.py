"""Which pages two systems share, how they compare there, and the ranking of several."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from htreval_core.compare.model import LEVEL, Comparison, Neighbours, PageDifference, Pairwise
from htreval_core.compare.paired import PairedTests, holm
from htreval_core.errors import ConfigError
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.columns import Names, ScoreTable
from htreval_core.metrics.values import page_values
from htreval_core.model import DataWarning, FloatArray, IntArray, WarningKind
from htreval_core.scoring.clusters import suggest_clusters
from htreval_core.scoring.study import Study
from htreval_core.sources.sides import natural_order

COMPARED: tuple[str, ...] = ("wer", "bwer", "delta_wer", "cer", "hcer", "nsfd")
"""The metrics that are tested by default."""
FEWEST: int = 8
"""With fewer pages next to nothing can be shown: of seven pages the smallest p possible is 2/2^7,
which Holm's correction over the six metrics takes beyond 5 %; of eight it stays within."""


def compare_systems(
    study: Study, a: str, b: str, *, metrics: Sequence[str] = COMPARED, resamples: int = 10_000,
    seed: int | None = None,
) -> Comparison:  # fmt: skip
    """How system B differs from system A on the pages that both have read, and if it is real.

    Works on the counts of pages alone. Pages, not words, are resampled, because the words of a
    page share its hand, its layout and its image. See docs/statistics.md.

    Args:
        study: pages scored under both systems.
        a: the system that is compared with.
        b: the system that is compared; differences are B − A.
        metrics: names from the catalogue; Holm's correction runs over them.
        resamples: sign flips, of which all 2^pages are taken where these are no more.
        seed: that of the settings by default.

    Raises:
        ConfigError: no such system or metric, or no page that both have read.

    >>> import htreval_core as hv
    >>> texts = ["one two three", "four five six", "seven eight nine"]
    >>> pages = [
    ...     hv.Page.from_text(str(n), text, {"A": text, "B": text[1:]})
    ...     for n, text in enumerate(texts)
    ... ]
    >>> found = hv.compare_systems(hv.score(pages), "A", "B").metrics["wer"]
    >>> round(found.difference, 3), found.losses, found.p
    (0.333, 3, 0.25)
    """
    metrics = tuple(dict.fromkeys(metrics))
    check_names(study, (a, b), metrics, resamples)
    seed = study.settings.seed if seed is None else seed
    common = study.pages_of(a) & study.pages_of(b)
    if not common:
        raise ConfigError(
            f"{a!r} and {b!r} have not read a single page in common: give the output of both "
            "for the same pages"
        )
    scores = [_scores_on(study, system, common) for system in (a, b)]
    tests = PairedTests(scores, metrics, resamples=resamples, seed=seed)
    return _comparison(study, tests, (0, 1), (a, b), seed, resamples)


def page_differences(
    study: Study, a: str, b: str, metric: str, *, at_most: int | None = None
) -> tuple[PageDifference, ...]:
    """One metric of each page that both have read, the largest difference either way first.

    Pages on which the metric is undefined come last; ties keep the order of the study.

    Raises:
        ConfigError: no such system or metric.
    """
    check_names(study, (a, b), (metric,))
    values_a, values_b = (
        dict(zip(table.page_ids, page_values(table, metric).tolist(), strict=True))
        for table in (study.table(a), study.table(b))
    )
    both, _, _ = _sides(study, a, b)
    of_a, of_b = (
        np.array([values[page_id] for page_id in both]) for values in (values_a, values_b)
    )
    size = np.abs(of_b - of_a)
    order = np.argsort(-np.where(np.isnan(size), -1.0, size), kind="stable")[:at_most]
    return tuple(
        PageDifference(both[at], float(of_a[at]), float(of_b[at]), float(of_b[at] - of_a[at]))
        for at in order.tolist()
    )


def compare_all(
    study: Study, systems: Sequence[str] | None = None, *, metrics: Sequence[str] = COMPARED,
    resamples: int = 10_000, seed: int | None = None,
) -> Pairwise:  # fmt: skip
    """Every two systems, and a ranking per metric in which only real differences count.

    The values of a pair are those of ``compare_systems`` for it. Pairs that share the same pages
    share one set of resamples.

    Raises:
        ConfigError: fewer than two systems, no such system or metric, or no page in common.
    """
    systems = study.systems if systems is None else tuple(systems)
    metrics = tuple(dict.fromkeys(metrics))
    check_names(study, systems, metrics, resamples)
    if len(set(systems)) < max(2, len(systems)):
        raise ConfigError(
            f"{len(set(systems))} different systems among {len(systems)} named: name two or more, "
            "each once"
        )
    seed = study.settings.seed if seed is None else seed
    by_pages: dict[frozenset[str], list[tuple[str, str]]] = defaultdict(list)
    for a, b in combinations(systems, 2):
        common = study.pages_of(a) & study.pages_of(b)
        if common:
            by_pages[common].append((a, b))
    found: dict[tuple[str, str], Comparison] = {}
    for common, pairs in by_pages.items():
        members = list(dict.fromkeys(name for pair in pairs for name in pair))
        scores = [_scores_on(study, system, common) for system in members]
        tests = PairedTests(scores, metrics, resamples=resamples, seed=seed)
        for a, b in pairs:
            at = (members.index(a), members.index(b))
            found[a, b] = _comparison(study, tests, at, (a, b), seed, resamples)
    if not found:
        raise ConfigError(
            "no two systems have read a page in common: give the output of all of them for the "
            "same pages"
        )
    ordered = {pair: found[pair] for pair in combinations(systems, 2) if pair in found}
    p_pairs = {
        name: dict(zip(ordered, holm([c.metrics[name].p for c in ordered.values()]), strict=True))
        for name in metrics
    }
    warnings = [
        DataWarning(_two(a, b), WarningKind.NOTHING_SHARED)
        for a, b in combinations(systems, 2)
        if (a, b) not in found
    ]
    warnings += [one for comparison in ordered.values() for one in comparison.warnings]
    return Pairwise(
        systems, ordered, p_pairs,
        {name: _ranks(systems, name, ordered, p_pairs[name]) for name in metrics},
        tuple(dict.fromkeys(warnings)), study.signature, seed, resamples,
    )  # fmt: skip


def check_names(
    study: Study, systems: Sequence[str], metrics: Sequence[str], resamples: int = 1
) -> None:
    """Refuse what cannot be compared.

    Raises:
        ConfigError: no such system or metric, no metric at all, or no resamples.
    """
    for system in systems:
        if system not in study.systems:
            known = ", ".join(map(repr, study.systems)) or "none"
            raise ConfigError(f"{system!r}: not among the systems, {known}")
    unknown = [name for name in metrics if name not in METRICS]
    if unknown or not metrics:
        raise ConfigError(f"metrics: {unknown or 'none given'}; use any of {', '.join(METRICS)}")
    if resamples < 1:
        raise ConfigError(f"resamples={resamples}: must be at least 1")


def _scores_on(study: Study, system: str, pages: frozenset[str]) -> ScoreTable:
    """The scores on these pages, sorted by page id so that the order of pages moves no value."""
    table = study.table(system)
    return (table.on(pages) if len(pages) < len(table) else table).sorted_by_page()


def _sides(
    study: Study, a: str, b: str
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Pages that both have read, that only A has, that only B has, in the study's order."""
    of_a, of_b = study.pages_of(a), study.pages_of(b)

    def ordered(wanted: frozenset[str]) -> tuple[str, ...]:
        return tuple(page_id for page_id in study.page_ids if page_id in wanted)

    return ordered(of_a & of_b), ordered(of_a - of_b), ordered(of_b - of_a)


def _comparison(
    study: Study, tests: PairedTests, at: tuple[int, int], systems: tuple[str, str], seed: int,
    resamples: int,
) -> Comparison:  # fmt: skip
    both, only_a, only_b = _sides(study, *systems)
    tables = [tests.tables[place] for place in at]
    differences, neighbours = tests.differences(*at), None
    if study.clusters is None and (alike := find_alike(*tables, seed=seed)):
        first = next(iter(differences.values()))
        differences = PairedTests(
            tables, tuple(differences), resamples=resamples, seed=seed, clusters=alike.blocks
        ).differences(0, 1)
        wider = 1.0
        if first.smallest > 0:
            wider = max(next(iter(differences.values())).smallest / first.smallest, 1.0)
        neighbours = Neighbours(
            alike.correlation, alike.p, alike.n_blocks, len(both) / wider**2, first.p, alike.pattern
        )
    flips = tests.rank_flips(*at)
    of_a, of_b = (table.parts for table in tables)
    picked = (one for one in study.dataset.warnings if one.kind is WarningKind.BY_RESULT)
    warnings = *_warnings(systems, both, only_a, only_b, tables[0].n_clusters), *picked
    return Comparison(
        systems, both, only_a, only_b, differences,
        tuple(page_id for page_id in both if page_id in flips), warnings, study.signature, seed,
        resamples, None if of_a is None or of_b is None else (of_a, of_b), tables[0].n_clusters,
        neighbours,
    )  # fmt: skip


def _warnings(
    systems: tuple[str, str], both: tuple[str, ...], only_a: tuple[str, ...],
    only_b: tuple[str, ...], n_clusters: int,
) -> tuple[DataWarning, ...]:  # fmt: skip
    a, b = systems
    found = []
    kind, n = WarningKind.FEW_PAGES, len(both)
    if n_clusters and n >= FEWEST:
        kind, n = WarningKind.FEW_CLUSTERS, n_clusters
    if n < FEWEST:
        least = f"{min(1.0, 2 / 2**n):.2g}"
        found.append(DataWarning(_two(a, b), kind, (least, str(FEWEST)), n))
    for has, lacks, pages in ((a, b, only_a), (b, a, only_b)):
        if pages:
            found.append(
                DataWarning(_two(a, b), WarningKind.READ_BY_ONE, (has, lacks, *pages), len(pages))
            )
    return tuple(found)


def _two(a: str, b: str) -> str:
    return f"{a} and {b}"


def _ranks(
    systems: Sequence[str], metric: str, pairs: Mapping[tuple[str, str], Comparison],
    p_pairs: Mapping[tuple[str, str], float],
) -> dict[str, int]:  # fmt: skip
    """1 + the number of systems that are better, shown so over the metrics and over the pairs."""
    better: dict[str, int] = {name: 1 for name in systems if any(name in pair for pair in pairs)}
    for (a, b), comparison in pairs.items():
        found = comparison.metrics[metric]
        if found.b_is_better is not None and found.shown and p_pairs[a, b] < LEVEL:
            better[a if found.b_is_better else b] += 1
    return better


FEWEST_PAGES = 20
"""Pages from which on neighbours are looked at: of fewer nothing can be told."""
_LAGS = 7
"""Neighbours on one side that a page is held against, the nearest with the most weight: books have
five pages or forty, and the next page alone misses many (``benchmarks.clusters`` has figures)."""
_DRAWS, _DRAWS_AT_ONCE = 1_000, 100
_MOST_PAGES = 5_000
"""Of more pages the first ones are taken: they have as many neighbours as anybody needs."""
_FEWEST_BLOCKS = 8
"""Blocks at least: of seven no test can show much (``systems.FEWEST``)."""


@dataclass(frozen=True, slots=True, eq=False)
class Alike:
    """Neighbours found to be alike, and the block of each page, shape (pages,)."""

    correlation: float
    p: float
    blocks: Names
    n_blocks: int
    pattern: str | None


def find_alike(a: ScoreTable, b: ScoreTable, *, seed: int) -> Alike | None:
    """Whether the difference in WER is alike on neighbouring pages; None where it is not.

    Args:
        a: the scores of one system.
        b: those of the other on the same pages in the same order.
    """
    page_ids = [str(page_id) for page_id in a.page_ids]
    if len(page_ids) < FEWEST_PAGES:
        return None
    order = np.array(sorted(range(len(page_ids)), key=lambda at: natural_order(page_ids[at])))
    words = np.maximum(a.counts["n_ref_words"][order], 1)
    difference = (b.errors("wer")[order] - a.errors("wer")[order]) / words
    correlation, p = neighbour_test(difference[:_MOST_PAGES], seed=seed)
    if not p < LEVEL:
        return None
    number = blocks_of(len(page_ids))
    blocks = np.empty(len(page_ids), dtype=object)
    blocks[order] = [f"{block:09}" for block in number]
    return Alike(correlation, p, blocks, int(number[-1]) + 1, suggest_clusters(page_ids))


def neighbour_test(values: FloatArray, *, seed: int) -> tuple[float, float]:
    """The correlation of neighbours, and p of a one-sided permutation test that there is one.

    Ranks are correlated, so that a single ruined page does not decide.

    Args:
        values: shape (pages,), in the order of the pages.
    """
    ranks = _tied_ranks(values)
    if not ranks.any():
        return 0.0, 1.0
    observed = _alikeness(ranks[None])[0]
    rng = np.random.default_rng([seed, 3])
    rows = np.tile(ranks, (_DRAWS_AT_ONCE, 1))
    as_alike = n_drawn = 0
    # Once p cannot fall below the level, further draws decide nothing.
    while n_drawn < _DRAWS and as_alike < LEVEL * (1 + _DRAWS):
        as_alike += int((_alikeness(rng.permuted(rows, axis=1)) >= observed).sum())
        n_drawn += _DRAWS_AT_ONCE
    p = (1 + as_alike) / (1 + n_drawn)
    return float((ranks[1:] * ranks[:-1]).sum() / (ranks**2).sum()), p


def _tied_ranks(values: FloatArray) -> FloatArray:
    """Ranks about their mean, ties sharing theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle: FloatArray = (counts.cumsum() - (counts - 1) / 2)[place]
    return middle - middle.mean()


def _alikeness(rows: FloatArray) -> FloatArray:
    """How alike values are to the next ones, shape (rows,)."""
    found = np.zeros(len(rows))
    for lag in range(1, _LAGS + 1):
        found += (1 - lag / (_LAGS + 1)) * (rows[:, lag:] * rows[:, :-lag]).sum(axis=1)
    return found


def blocks_of(n_pages: int) -> IntArray:
    """The block of each page: about √n blocks of equal length, eight at least, shape (pages,)."""
    length = max(2, int(n_pages // max(_FEWEST_BLOCKS, round(n_pages**0.5))))
    return np.arange(n_pages, dtype=np.int64) * (n_pages // length) // n_pages
