"""What intervals and tests are over: pages, clusters of them, or blocks of pages that are alike."""

import math

from htreval_core.compare import Comparison, Pairwise
from htreval_core.compare.model import LEVEL, PRIMARY
from htreval_core.compare.paired import times_as_many
from htreval_core.scoring.study import Study
from htreval_core.show.telling.counting import counted, listed_in_words, p_text

_FEW = 5
"""With fewer clusters an interval rests on a guess of how clusters differ."""
_RARE = 0.1
"""How often a fault is that a few pages may lack altogether; docs/statistics.md has what it does to
the coverage of an interval."""
_TOO_MANY = 100
"""So many times the pages nobody has: the difference is too small to be settled."""


def of_pages(n_pages: int, n_clusters: int) -> str:
    """How many pages, and of how many clusters where that is known."""
    pages = counted(n_pages, "page")
    return f"{pages} of {counted(n_clusters, 'cluster')}" if n_clusters else pages


def drawn_by(study: Study) -> str:
    """What intervals and tests are over, for a caption."""
    return "pages" if study.clusters is None else "clusters of pages"


def exchanges(found: Comparison | Pairwise) -> str:
    """How often the tests exchanged what they are over between two systems."""
    of = found.pairs.values() if isinstance(found, Pairwise) else (found,)
    blocks = [one.neighbours.n_blocks if one.neighbours else one.n_clusters for one in of]
    n = max((b or one.n_pages for b, one in zip(blocks, of, strict=True)), default=0)
    # Of n things 2^n exchanges can be made.
    if n < found.resamples.bit_length():
        return f"all exchanges of {compared_over(found)} between two systems"
    return f"{found.resamples:,} resamples with seed {found.seed}"


def compared_over(found: Comparison | Pairwise) -> str:
    """What the tests exchange between two systems."""
    of = found.pairs.values() if isinstance(found, Pairwise) else (found,)
    names = {
        "clusters of pages" if one.n_clusters
        else "blocks of consecutive pages" if one.neighbours else "pages"
        for one in of
    }  # fmt: skip
    return listed_in_words(sorted(names), "or")


def tell_tests(pairwise: Pairwise) -> str:
    """Which tests decide that a system is better than every other one."""
    for_pairs = " for the pairs and" if len(pairwise.pairs) > 1 else ""
    return (
        f"paired permutation tests over {compared_over(pairwise)}, corrected after Holm{for_pairs} "
        f"for the metrics other than WER, at {100 * LEVEL:g} %"
    )


def tell_clusters(study: Study) -> str:
    """What intervals are over, where clusters are known; else empty."""
    if study.clusters is None:
        return ""
    n = max((corpus.n_clusters for corpus in study.corpora.values()), default=0)
    said = f"Intervals and tests are over {counted(n, 'cluster')} of pages ({study.clusters.name})"
    if n < 2:
        return f"{said}: one says nothing about others."
    if n < _FEW:
        return f"{said}: with so few an interval is rough, and no test can show a difference."
    return f"{said}."


def tell_few(study: Study) -> str:
    """What pages as few as these cannot tell; empty where they are enough, or in clusters."""
    n = min((corpus.n_pages for corpus in study.corpora.values()), default=0)
    missed = (1 - _RARE) ** n
    if study.clusters is not None or not n or missed < LEVEL:
        return ""
    pages = counted(n, "page")
    return (
        f"A fault that ruins one page in {round(1 / _RARE)} is absent from {pages} with a chance "
        f"of {100 * missed:.0f} %; no interval can show what the sample lacks."
    )


def tell_neighbours(comparison: Comparison) -> str:
    """That neighbouring pages are alike, and what was done about it; empty where they are not."""
    found = comparison.neighbours
    if found is None:
        return ""
    return (
        f"Neighbouring pages are correlated (correlation {found.correlation:.2f}, "
        f"{p_text(found.p)}), so systems are compared over {found.n_blocks} blocks of "
        f"consecutive pages: the {comparison.n_pages:,} pages are worth about "
        f"{found.effective:.0f} independent ones. If all were independent, "
        f"{p_text(found.p_pages)}."
    )


def tell_alike(pairwise: Pairwise | None) -> str:
    """The same of the first of several pairs of which it is so."""
    pairs = pairwise.pairs.values() if pairwise else ()
    return next(filter(None, map(tell_neighbours, pairs)), "")


def tell_settling(comparison: Comparison) -> str:
    """What would show a difference that is not shown; empty where it is, or where it is 0."""
    one = comparison.metrics.get(PRIMARY)
    if one is None or not one.difference or not one.p >= LEVEL or math.isnan(one.smallest):
        return ""
    blocks = comparison.neighbours.n_blocks if comparison.neighbours else 0
    times = times_as_many(one, comparison.n_clusters or blocks or comparison.n_pages)
    if times > _TOO_MANY:
        return (
            "A difference this small cannot be settled: it would take over "
            f"{_TOO_MANY} times as many pages."
        )
    more = max(math.ceil(comparison.n_pages * (times - 1)), 1)
    would = "a difference of this size would be shown four times in five"
    if not comparison.n_clusters:
        return f"With about {counted(more, 'more page')}, {would}."
    clusters = max(math.ceil(comparison.n_clusters * (times - 1)), 1)
    return (
        f"With about {counted(more, 'more page')} of {counted(clusters, 'more cluster')}, {would}; "
        "more pages of these clusters would change little."
    )
