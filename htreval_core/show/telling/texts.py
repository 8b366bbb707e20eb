"""How a text is compared, in which orders, and how many words are read wrong, in words."""

import math
from collections.abc import Callable, Mapping

from htreval_core.model import PageScores
from htreval_core.scoring.pool import Corpus
from htreval_core.show.telling.counting import listed_in_words
from htreval_core.text import SWITCHES, TextPolicy
from htreval_core.words.outcomes import WordOutcomes


def tell_as_written(policy: TextPolicy, wer: Mapping[str, float]) -> str:
    """What is done to both texts, and what WER would be without it; empty where nothing is."""
    usual = TextPolicy()
    changed = [
        f"“{one.label}”" for one in SWITCHES
        if getattr(policy, one.name) != getattr(usual, one.name)
    ]  # fmt: skip
    if not changed or not wer:
        return ""
    values = listed_in_words([f"{100 * value:.1f} % for {name}" for name, value in wer.items()])
    return f"Switched on: {listed_in_words(changed)}. Without them, WER would be {values}."


def tell_wrong(outcomes: WordOutcomes, show: Callable[[str], str]) -> str:
    """How many words each system reads wrong, and how words are compared."""
    wrong = [(one, int(outcomes.wrong(one).sum())) for one in outcomes.systems]
    told = listed_in_words([f"{show(one)} gets {n:,}" for one, n in wrong])
    return (
        f"{told} of {len(outcomes):,} words wrong. Each word is compared with the one it was "
        "matched with, wherever that stands, so nothing here is an error of order."
    )


def tell_admissible(scores: PageScores) -> str:
    """ΔWER as the reference has it and at least, of a page; empty where these are the same.

    Rates in points, as ΔWER is: differences of percentages.
    """
    best, n_words = scores.admissible_errors, scores.n_ref_words
    if best is None or best == scores.wer.errors or not n_words:
        return ""
    bag = scores.bwer.errors
    rates = [100 * (errors - bag) / n_words for errors in (scores.wer.errors, best)]
    spared = 100 * (scores.wer.errors - best) / n_words
    bound = best if scores.admissible_bound is None else scores.admissible_bound
    is_open = bound < best
    said = (
        f"ΔWER is {rates[0]:.1f} in the reference’s order and {rates[1]:.1f} in the best order "
        f"{'found among those ' * is_open}that the page allows; the difference, {spared:.1f}, is a "
        "matter of convention."
    )
    if is_open:
        said += f" The best of all may be as low as {100 * (bound - bag) / n_words:.1f}."
    return said


def tell_admissible_corpus(corpus: Corpus) -> str:
    """The same of a system on all pages."""
    strict, best = (corpus.estimates[name].value for name in ("delta_wer", "delta_wer_admissible"))
    if math.isnan(strict) or math.isnan(best) or best >= strict:
        return ""
    return (
        f"ΔWER is {100 * strict:.1f} in the order of the reference and {100 * best:.1f} in the "
        f"best orders that the pages allow: {100 * (strict - best):.1f} are a matter of convention."
    )
