"""All metrics of one page in one pass: words in, counts and alignments out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypedDict

import numpy as np

from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.edit import (
    char_counts,
    char_errors,
    line_errors,
    trace_characters,
    trace_counts,
    word_trace,
)
from htreval_core.metrics.matching.match import as_alignment, match_like_authors, match_words
from htreval_core.metrics.order import Paired, Pairs, discordant_pairs, footrule
from htreval_core.metrics.orders.left_out import counted_output, counted_reference, written_words
from htreval_core.metrics.orders.search import Admissible, best_order
from htreval_core.metrics.orders.tree import OrderTree, order_tree
from htreval_core.metrics.values import page_value
from htreval_core.metrics.words import WordPair, bag_of_words, distance
from htreval_core.model import Alignment, PageScores, Transcript
from htreval_core.settings import Settings, exact_gamma
from htreval_core.text import PageWords, TextPolicy, characters, page_words

_PAPER = Settings()
"""The paper's settings, checked once and not for every page."""


@dataclass(frozen=True, eq=False)
class ScoredPage:
    """One page and one system: its counts, and the two alignments they were read from.

    Args:
        scores: the counts of every metric.
        trace: the sequential alignment behind WER.
        matching: the regularised Hungarian matching behind hWER, hCER and NSFD.
        reference: the reference words with their lines.
        hypothesis: the hypothesis words with their lines.
        tree: the orders that the page allows.
        strict: the word errors in the order of the reference.
    """

    scores: PageScores
    trace: Alignment
    matching: Alignment
    reference: PageWords
    hypothesis: PageWords
    tree: OrderTree
    strict: int

    @cached_property
    def admissible(self) -> Admissible:
        """The best order that the page allows, looked for when somebody asks."""
        words = WordPair.of(self.reference.words, self.hypothesis.words)
        bag = self.scores.bwer.errors
        return best_order(self.tree, *words.common, strict=self.strict, bag=bag)

    def with_admissible(self) -> "ScoredPage":
        """The same with what the best order that the page allows counts."""
        if self.scores.admissible_errors is not None:
            return self
        best, errors = self.admissible, self.scores.wer.errors
        counts = replace(
            self.scores, admissible_errors=errors - best.spared,
            admissible_bound=errors - (self.strict - best.bound),
        )  # fmt: skip
        page = replace(self, scores=counts)
        page.__dict__["admissible"] = best
        return page

    def __repr__(self) -> str:
        one = self.scores
        return (
            f"<ScoredPage {one.page_id!r}, {one.system!r}: {one.wer.errors:,} errors of WER and "
            f"{one.bwer.errors:,} of bWER on {one.n_ref_words:,} words>"
        )

    @property
    def rates(self) -> dict[str, float]:
        """Every metric of the page by name, as a fraction; nan where it is undefined."""
        return {name: page_value(self.scores, name) for name in METRICS}


def order_again(matching: Paired) -> list[int]:
    """The hypothesis words in the order of the reference, as hCER compares them, by position.

    Matched words come in reference order. Unmatched hypothesis words follow at the end in their
    own order, which is why hCER can exceed CER.
    """
    ref, hyp = matching.pairs
    alone = matching.unmatched[1]
    in_order = hyp[ref.argsort(kind="stable")]
    return [*in_order.tolist(), *alone.tolist()]


def hcer_errors(
    reference: Sequence[str], reordered: str, policy: TextPolicy, *, at_most: int | None = None
) -> int:
    """Character errors against the hypothesis in the reference's order; a bound makes it faster."""
    return char_errors(reference, characters(reordered, policy), at_most=at_most)


def score_page(
    reference: str | Transcript, hypothesis: str | Transcript, settings: Settings | None = None, *,
    page_id: str = "page", system: str = "system",
) -> ScoredPage:  # fmt: skip
    """All metrics of one page, with its sequential trace and its matching.

    Args:
        reference: the true text, lines in reading order.
        hypothesis: what a system made of the page.
        settings: text policy, γ and solver; the paper's by default.

    Returns:
        Counts in ``.scores``, alignments in ``.trace`` and ``.matching``.

    >>> page = score_page("to be or not to be", "not to be or to be")
    >>> page.scores.wer.errors, page.scores.bwer.errors
    (2, 0)
    """
    settings = settings or _PAPER
    page = PageReference.of(page_id, reference, settings).score(system, hypothesis, settings)
    return page.with_admissible()


@dataclass(frozen=True, slots=True, eq=False)
class PageReference:
    """The reference of a page with all that its outputs are scored against.

    Args:
        transcript: as it was read.
        written: all of its words.
        words: those that count.
        tree: the orders in which they may come.
    """

    page_id: str
    transcript: Transcript
    written: PageWords
    words: PageWords
    tree: OrderTree

    @classmethod
    def of(cls, page_id: str, given: str | Transcript, settings: Settings) -> "PageReference":
        """The reference under the settings.

        Raises:
            ConfigError: a rule for this page does not fit it.
        """
        transcript = _as_transcript(given)
        if settings.orders:
            written = written_words(transcript, settings, page_id)
        else:
            written = page_words(given, settings.policy)
        words = counted_reference(transcript, written, settings, page_id)
        tree = order_tree(transcript, words.line_of, settings.orders, page_id)
        return cls(page_id, transcript, written, words, tree)

    def score(self, system: str, output: str | Transcript, settings: Settings) -> ScoredPage:
        """The output of a system on this page, scored under the same settings."""
        words = self.counted(output, settings)
        return score_words(self.page_id, system, self.words, words, settings, self.tree)

    def counted(self, output: str | Transcript, settings: Settings) -> PageWords:
        """The words of an output that count on this page."""
        if not settings.orders:
            return page_words(output, settings.policy)
        side = _as_transcript(output)
        words = written_words(side, settings, self.page_id, self.transcript)
        if not settings.orders.leaves_out:
            return words
        return counted_output(self.transcript, self.written, side, words, settings, self.page_id)


def _as_transcript(side: str | Transcript) -> Transcript:
    return side if isinstance(side, Transcript) else Transcript.from_text(side)


def score_words(
    page_id: str, system: str, reference: PageWords, hypothesis: PageWords, settings: Settings,
    tree: OrderTree | None = None,
) -> ScoredPage:  # fmt: skip
    """Every count of one page and one system, with the trace and the matching kept.

    Args:
        tree: the orders that the page allows; by default that of the reference alone.
    """
    tree = tree or OrderTree.strict(len(reference.words))
    words = WordPair.of(reference.words, hypothesis.words)
    trace = word_trace(words, settings.trace)
    bag = bag_of_words(words)
    if settings.solver == "authors":
        found = match_like_authors(words, float(exact_gamma(settings.gamma)))
        matching = as_alignment(words, *found)
    else:
        matching = as_alignment(words, match_words(words, settings.gamma))
    ref_chars = characters(reference.text, settings.policy)
    hyp_chars = characters(hypothesis.text, settings.policy)
    traced = Pairs.of(trace)
    most = trace_characters(words, traced)
    cer_errors, cer_hits = char_counts(ref_chars, hyp_chars, at_most=most)
    edits = trace_counts(words, traced)
    counts = bag.edit_counts()
    # sclite's trace may have more errors than there need be, which are no matter of order.
    strict = distance(*words.common) if settings.trace == "sclite" else edits.errors
    scores = PageScores(
        page_id=page_id, system=system, n_ref_words=len(words.ref), n_hyp_words=len(words.hyp),
        n_ref_chars=len(ref_chars), n_hyp_chars=len(hyp_chars), wer=edits, bwer=counts,
        n_word_types=len(words.ref_types) + len(words.hyp_types) - len(words.shared[0]),
        beta_wer_errors=bag.beta_wer_errors, cer_errors=cer_errors, cer_hits=cer_hits,
        line_wer_errors=_line_errors(reference, hypothesis, settings),
        # Of pages that allow other orders these are found when somebody asks: it takes long.
        admissible_errors=None if tree.is_free else edits.errors,
        admissible_bound=None if tree.is_free else edits.errors,
        **_matched_counts(words, matching, hypothesis, ref_chars, cer_errors, settings),
    )  # fmt: skip
    return ScoredPage(scores, trace, matching, reference, hypothesis, tree, strict)


def _line_errors(reference: PageWords, hypothesis: PageWords, settings: Settings) -> int | None:
    leaves_out = settings.orders.leaves_out
    if not leaves_out and reference.n_lines != hypothesis.n_lines:
        return None
    ref, hyp = reference.by_line(), hypothesis.by_line()
    if leaves_out:
        # What is left out need not stand at the same place of both.
        ref, hyp = [line for line in ref if line], [line for line in hyp if line]
    return line_errors(ref, hyp, settings.trace)


class _MatchedCounts(TypedDict):
    hwer_errors: int
    hcer_errors: int
    nsfd_errors: int
    nsfd_length: int
    kendall_tau_errors: int
    matched_words: int


def _matched_counts(
    words: WordPair, matching: Alignment, hypothesis: PageWords, ref_chars: Sequence[str],
    cer_errors: int, settings: Settings,
) -> _MatchedCounts:  # fmt: skip
    policy = settings.policy
    matched = Pairs.of(matching)
    ref_ids, hyp_ids = words.common
    ref, hyp = matched.pairs
    nsfd_errors, nsfd_length = footrule(matched)
    # Word for word the matching edits no fewer characters than its order needs.
    most = trace_characters(words, matched)
    # That order is often the output's own, whose errors are known.
    in_order = hypothesis.joined(order_again(matched))
    hcer = cer_errors
    if in_order != hypothesis.text:
        hcer = hcer_errors(ref_chars, in_order, policy, at_most=most)
    return {
        # Pairs of unequal words count 1, unmatched words 1 each, less the (D − b)/2 pairs that
        # they could have formed: what remains is the longer side less the exact pairs.
        "hwer_errors": words.longer - int(np.count_nonzero(ref_ids[ref] == hyp_ids[hyp])),
        "hcer_errors": hcer,
        "nsfd_errors": nsfd_errors,
        "nsfd_length": nsfd_length,
        "kendall_tau_errors": discordant_pairs(matched),
        "matched_words": len(ref),
    }
