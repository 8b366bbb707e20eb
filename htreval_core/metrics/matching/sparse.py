"""The regularised matching over few of the pairs, with a proof that holds for all of them.

A page of n words has n² pairs, but hardly any of them can be part of an optimal matching. So
the matching is solved over a short list of likely pairs. Its prices show which pairs that are
not on the list would improve it; these are added, until no pair would improve it. What is left
is an optimum with its proof (column generation; see ``certificate``). The first rounds only
round off: their prices tell which pairs to add, and prove nothing.
"""

import numpy as np

from htreval_core.metrics.matching.certificate import (
    CertificateError,
    Duals,
    Level,
    Prices,
    objective_terms,
)
from htreval_core.metrics.matching.edges import Edges, Kernel, scipy_kernel
from htreval_core.metrics.matching.pricing import Pricing
from htreval_core.metrics.matching.savings import Matching, Savings
from htreval_core.metrics.matching.start import likely_pairs
from htreval_core.metrics.matching.ties import TieBreaker

_ROUGHLY = (8, 16)
"""Into how many parts of what a letter saves weights are rounded at first, round by round. The
kernel is quick where few pairs differ by little; prices so found are good enough to find most of
the pairs that are missing."""
_NEARLY = 4
"""By how many such parts a pair may weigh less than its rough prices and be taken all the same."""


def solve_sparse(savings: Savings, kernel: Kernel = scipy_kernel) -> tuple[Matching, Duals]:
    """The optimal matching under the tie rule, and the proof of it.

    Raises:
        ConfigError: γ has too many digits for so long a page.
    """
    words = savings.words
    n_ref, n_hyp = len(words.ref), len(words.hyp)
    terms, *tie_terms = objective_terms(savings)
    nothing_ref, nothing_hyp = np.zeros(n_ref, dtype=bool), np.zeros(n_hyp, dtype=bool)
    if not n_ref or not n_hyp:
        free = Prices(np.zeros(n_ref, dtype=np.int64), np.zeros(n_hyp, dtype=np.int64))
        empty = np.zeros(0, dtype=np.int64)
        return Matching(empty, empty), tuple(
            Level(level, 0, nothing_ref, nothing_hyp, free) for level in (terms, *tie_terms)
        )

    pricing = Pricing(savings, terms)
    ref, hyp = likely_pairs(words, pricing.ref, pricing.hyp)
    edges = Edges.of(n_ref, n_hyp, ref, hyp, terms.weigh(savings, ref, hyp))
    for parts in _ROUGHLY:
        unit = max(1, terms.saving * savings.per_letter // parts)
        _, rough = edges.rounded(unit).solve(kernel, None)
        prices = Prices(unit * rough.ref, unit * rough.hyp)
        known = len(edges)
        edges = edges.plus(*pricing.outweighing(prices, at_least=-_NEARLY * unit))
        if len(edges) < known + n_ref:  # hardly any were missing
            break
    matching, prices = edges.solve(kernel, prices)
    while True:
        offers = pricing.offers(prices, at_least=0)
        ref, hyp, weight = pricing.chosen(offers, prices)
        if not len(ref):
            break
        known = len(edges)
        edges = edges.plus(ref, hyp, weight)
        if len(edges) == known:
            raise CertificateError("prices do not hold for the pairs that they were made from")
        matching, prices = edges.solve(kernel, prices, edges.that_matter(prices))

    first = Level(terms, 0, nothing_ref, nothing_hyp, prices)
    ties = TieBreaker(savings, pricing, kernel, first, edges, offers)
    for level in tie_terms:
        matching = ties.add(level)
    return ties.first_of_equals(matching), ties.duals
