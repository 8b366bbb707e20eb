"""Which pages two systems share, how they compare there, and the ranking of several."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from htreval_core.compare.correction import holm
from htreval_core.compare.model import LEVEL, Comparison, PageDifference, Pairwise
from htreval_core.compare.paired import PairedTests
from htreval_core.errors import ConfigError
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.columns import ScoreTable
from htreval_core.metrics.values import page_values
from htreval_core.scoring.score import Evaluation

COMPARED: tuple[str, ...] = ("wer", "bwer", "delta_wer", "cer", "hcer", "nsfd")
"""The metrics that are tested unless told otherwise."""
FEWEST: int = 8
"""With fewer pages no result is believable: of seven pages the smallest p possible is 2/2^7, which
Holm's correction over the six metrics takes beyond 5 %; of eight it stays within."""
_NAMED = 5
"""How many pages a warning names."""


def compare_systems(
    evaluation: Evaluation,
    a: str,
    b: str,
    *,
    metrics: Sequence[str] = COMPARED,
    resamples: int = 10_000,
    seed: int | None = None,
) -> Comparison:
    """How system B differs from system A on the pages that both have read, and if it is real.

    Works on the counts of pages alone. Pages, not words, are resampled, because the words of a
    page share its hand, its layout and its image. See docs/statistics.md.

    Args:
        evaluation: pages scored under both systems.
        a: the system that is compared with.
        b: the system that is compared; differences are B − A.
        metrics: names from the catalogue; Holm's correction runs over them.
        resamples: bootstrap samples, and sign flips: all 2^pages where these are no more.
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
    check_names(evaluation, (a, b), metrics, resamples)
    seed = evaluation.settings.seed if seed is None else seed
    common = evaluation.pages_of(a) & evaluation.pages_of(b)
    if not common:
        raise ConfigError(
            f"{a!r} and {b!r} have not read a single page in common: give the output of both "
            "for the same pages"
        )
    scores = [_scores_on(evaluation, system, common) for system in (a, b)]
    tests = PairedTests(scores, metrics, resamples=resamples, seed=seed)
    return _comparison(evaluation, tests, (0, 1), (a, b), common, seed, resamples)


def page_differences(
    evaluation: Evaluation, a: str, b: str, metric: str, *, at_most: int | None = None
) -> tuple[PageDifference, ...]:
    """One metric of each page that both have read, the largest difference either way first.

    Pages on which the metric is undefined come last; ties keep the order of the evaluation.

    Args:
        at_most: only so many pages; all by default.

    Raises:
        ConfigError: no such system or metric.
    """
    check_names(evaluation, (a, b), (metric,))
    values_a, values_b = (
        dict(zip(table.page_ids, page_values(table, metric).tolist(), strict=True))
        for table in (evaluation.table(a), evaluation.table(b))
    )
    both, _, _ = _sides(evaluation, a, b)
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
    evaluation: Evaluation,
    systems: Sequence[str] | None = None,
    *,
    metrics: Sequence[str] = COMPARED,
    resamples: int = 10_000,
    seed: int | None = None,
) -> Pairwise:
    """Every two systems, and a ranking per metric in which only real differences count.

    The figures of a pair are those of ``compare_systems`` for it. Pairs that share the same pages
    share one set of resamples.

    Args:
        systems: two or more; all by default.

    Raises:
        ConfigError: fewer than two systems, no such system or metric, or no page in common.
    """
    systems = evaluation.systems if systems is None else tuple(systems)
    metrics = tuple(dict.fromkeys(metrics))
    check_names(evaluation, systems, metrics, resamples)
    if len(set(systems)) < max(2, len(systems)):
        raise ConfigError(
            f"{len(set(systems))} different systems among {len(systems)} named: name two or more, "
            "each once"
        )
    seed = evaluation.settings.seed if seed is None else seed
    by_pages: dict[frozenset[str], list[tuple[str, str]]] = defaultdict(list)
    for a, b in combinations(systems, 2):
        common = evaluation.pages_of(a) & evaluation.pages_of(b)
        if common:
            by_pages[common].append((a, b))
    found: dict[tuple[str, str], Comparison] = {}
    for common, pairs in by_pages.items():
        members = list(dict.fromkeys(name for pair in pairs for name in pair))
        scores = [_scores_on(evaluation, system, common) for system in members]
        tests = PairedTests(scores, metrics, resamples=resamples, seed=seed)
        for a, b in pairs:
            at = (members.index(a), members.index(b))
            found[a, b] = _comparison(evaluation, tests, at, (a, b), common, seed, resamples)
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
        f"{a!r} and {b!r} have no page in common and were not compared"
        for a, b in combinations(systems, 2)
        if (a, b) not in found
    ]
    warnings += [text for comparison in ordered.values() for text in comparison.warnings]
    return Pairwise(
        systems,
        ordered,
        p_pairs,
        {name: _ranks(systems, name, ordered, p_pairs[name]) for name in metrics},
        tuple(dict.fromkeys(warnings)),
        evaluation.signature,
        seed,
        resamples,
    )


def check_names(
    evaluation: Evaluation, systems: Sequence[str], metrics: Sequence[str], resamples: int = 1
) -> None:
    """Refuse what cannot be compared.

    Raises:
        ConfigError: no such system or metric, no metric at all, or no resamples.
    """
    for system in systems:
        if system not in evaluation.systems:
            known = ", ".join(map(repr, evaluation.systems)) or "none"
            raise ConfigError(f"{system!r}: not among the systems, {known}")
    unknown = [name for name in metrics if name not in METRICS]
    if unknown or not metrics:
        raise ConfigError(f"metrics: {unknown or 'none given'}; use any of {', '.join(METRICS)}")
    if resamples < 1:
        raise ConfigError(f"resamples={resamples}: must be at least 1")


def _scores_on(evaluation: Evaluation, system: str, pages: frozenset[str]) -> ScoreTable:
    """The scores on these pages, sorted by page id so that the order of pages moves no figure."""
    table = evaluation.table(system)
    if len(pages) < len(table):
        wanted = [page_id in pages for page_id in table.page_ids]
        table = table.take(np.array(wanted, dtype=bool))
    return table.sorted_by_page()


def _sides(
    evaluation: Evaluation, a: str, b: str
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Pages that both have read, that only A has, that only B has, in the evaluation's order."""
    of_a, of_b = evaluation.pages_of(a), evaluation.pages_of(b)

    def ordered(wanted: frozenset[str]) -> tuple[str, ...]:
        return tuple(page_id for page_id in evaluation.pages if page_id in wanted)

    return ordered(of_a & of_b), ordered(of_a - of_b), ordered(of_b - of_a)


def _comparison(
    evaluation: Evaluation,
    tests: PairedTests,
    at: tuple[int, int],
    systems: tuple[str, str],
    common: frozenset[str],
    seed: int,
    resamples: int,
) -> Comparison:
    both, only_a, only_b = _sides(evaluation, *systems)
    flips = {flip.page_id: flip for flip in tests.rank_flips(*at)}
    return Comparison(
        systems,
        both,
        only_a,
        only_b,
        tests.differences(*at),
        tuple(flips[page_id] for page_id in both if page_id in flips),
        _warnings(systems, both, only_a, only_b),
        evaluation.signature,
        seed,
        resamples,
    )


def _warnings(
    systems: tuple[str, str],
    both: tuple[str, ...],
    only_a: tuple[str, ...],
    only_b: tuple[str, ...],
) -> tuple[str, ...]:
    a, b = systems
    found = []
    if len(both) < FEWEST:
        pages = "1 page was" if len(both) == 1 else f"{len(both)} pages were"
        found.append(
            f"only {pages} read by both {a!r} and {b!r}: even if one were better on every page, "
            f"p could not be below {min(1.0, 2 / 2 ** len(both)):.2g}, and the interval is a rough "
            f"guess; compare on {FEWEST} pages or more"
        )
    for has, lacks, pages_of in ((a, b, only_a), (b, a, only_b)):
        if pages_of:
            named = ", ".join(pages_of[:_NAMED]) + (", …" if len(pages_of) > _NAMED else "")
            n = "1 page" if len(pages_of) == 1 else f"{len(pages_of)} pages"
            found.append(
                f"{n} read by {has!r} but not by {lacks!r} left out ({named}): add the output of "
                f"{lacks!r} for them, or the comparison says nothing about them"
            )
    return tuple(found)


def _ranks(
    systems: Sequence[str],
    metric: str,
    pairs: Mapping[tuple[str, str], Comparison],
    p_pairs: Mapping[tuple[str, str], float],
) -> dict[str, int]:
    """1 + the number of systems that are significantly better, by Holm over the pairs."""
    better: dict[str, int] = {name: 1 for name in systems if any(name in pair for pair in pairs)}
    for (a, b), comparison in pairs.items():
        favours_b = comparison.metrics[metric].b_is_better
        p = p_pairs[a, b]
        if favours_b is None or math.isnan(p) or p >= LEVEL:
            continue
        better[a if favours_b else b] += 1
    return better
