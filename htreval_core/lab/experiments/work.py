"""One batch of pages at one value and repeat: faults made, pages scored, counts added up.

Everything here can be sent to another process, but for what measures time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import cycle, islice

import numpy as np

from htreval_core.lab.experiments.spec import Experiment, Faults
from htreval_core.lab.experiments.theory import (
    bwer_errors_of_splits,
    nsfd_of_splits,
    nsfd_of_swaps,
)
from htreval_core.lab.simulate import (
    Alphabet,
    add_noise,
    split_lines,
    swap_line_pairs,
    with_lines,
)
from htreval_core.metrics.bag import bag_of_words
from htreval_core.metrics.edit import word_trace
from htreval_core.metrics.matching.match import match_words
from htreval_core.metrics.page import match_again, score_words
from htreval_core.metrics.values import count_tables, page_value
from htreval_core.metrics.words import WordPair
from htreval_core.model import FloatArray, PageScores, Transcript
from htreval_core.settings import Settings
from htreval_core.text import PageWords, page_words

TRUTH = ("wanted", "made", "edits", "characters")
"""What is told of the faults that were made."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A reference page: its number among all pages, its lines, and its words as scored."""

    number: int
    reference: Transcript
    words: PageWords


@dataclass(frozen=True, slots=True)
class Task:
    """Values of what is varied that share their hypotheses, in one repeat."""

    experiment: Experiment
    xs: tuple[float, ...]
    repeat: int
    seed: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Some pages of a task."""

    task: Task
    pages: tuple[Prepared, ...]
    alphabet: Alphabet
    settings: Settings


@dataclass(frozen=True, slots=True)
class Made:
    """What was done to a page, and what it is expected to cost."""

    wanted: int = 0
    made: int = 0
    edits: int = 0
    characters: int = 0
    nsfd_theory: float = 0.0
    """A fraction."""
    bwer_theory: float = 0.0
    """Errors."""


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """What pages add up to at one value.

    ``errors`` and ``lengths`` have shape (metrics,). Expected values of NSFD are weighted by
    reference words, as the corpus value is. ``room_…`` takes in only the pages that had room for
    every fault.
    """

    errors: FloatArray
    lengths: FloatArray
    wanted: int = 0
    made: int = 0
    edits: int = 0
    characters: int = 0
    nsfd_theory: float = 0.0
    bwer_theory: float = 0.0
    room_pages: int = 0
    room_words: int = 0
    room_nsfd: float = 0.0
    room_theory: float = 0.0


def add_sums(one: Sums, other: Sums) -> Sums:
    """Both together."""
    return Sums(*(getattr(one, f.name) + getattr(other, f.name) for f in fields(Sums)))


def make_hypothesis(
    reference: Transcript, faults: Faults, alphabet: Alphabet, seed: tuple[int, ...]
) -> tuple[Transcript, Made]:
    """A page with its faults.

    Lines and characters have generators of their own, so that neither changes the other.
    """
    of_lines, of_characters = (np.random.default_rng([*seed, number]) for number in range(2))
    n_lines, n_words = len(reference.lines), len(reference.text.split())
    page, made = reference, Made()
    if faults.swaps:
        page, swapped = swap_line_pairs(
            page, faults.swaps, of_lines, nearest=faults.nearest, farthest=faults.farthest
        )
        theory = nsfd_of_swaps(swapped.made, n_lines, faults.nearest, faults.farthest)
        made = replace(made, wanted=faults.swaps, made=swapped.made, nsfd_theory=theory)
    if faults.splits:
        page, split = split_lines(page, faults.splits, of_lines, within_words=faults.within_words)
        made = replace(
            made,
            wanted=made.wanted + faults.splits,
            made=made.made + split.made,
            nsfd_theory=made.nsfd_theory + nsfd_of_splits(split.made, n_words, n_lines),
            bwer_theory=bwer_errors_of_splits(split.made, faults.within_words),
        )
    if faults.rate:
        noise = faults.noise(alphabet.share_of_spaces)
        page, noisy = add_noise(page, noise, alphabet, of_characters)
        made = replace(made, edits=noisy.edits, characters=noisy.characters)
    return page, made


def run_batch(batch: Batch) -> list[Sums]:
    """The sums of the batch's pages at each of the task's values."""
    task = batch.task
    scores: list[list[PageScores]] = [[] for _ in task.xs]
    done: list[Made] = []
    for page in batch.pages:
        # All values of γ share the faults of the first.
        faults = task.experiment.faults_at(task.xs[0])
        seed = (task.seed, task.repeat, page.number)
        hypothesis, made = make_hypothesis(page.reference, faults, batch.alphabet, seed)
        done.append(made)
        for at, score in enumerate(_scores(batch, page, hypothesis)):
            scores[at].append(score)
    return [sum_pages(of_x, done) for of_x in scores]


def _scores(batch: Batch, page: Prepared, hypothesis: Transcript) -> Iterator[PageScores]:
    task = batch.task
    words = page_words(hypothesis, batch.settings.policy)
    settings = [batch.settings] * len(task.xs)
    if task.experiment.varies == "gamma":
        settings = [replace(batch.settings, gamma=gamma) for gamma in task.xs]
    first = score_words(str(page.number), "made", page.words, words, settings[0])
    yield first.scores
    if settings[1:]:
        for again in match_again(first, settings[1:]):
            yield again.scores


def sum_pages(scores: list[PageScores], done: list[Made]) -> Sums:
    """The counts of pages and what was done to them, added up."""
    errors, lengths = count_tables(scores)
    words = [score.n_ref_words for score in scores]
    full = [
        (n, page_value(score, "nsfd"), made.nsfd_theory)
        for n, score, made in zip(words, scores, done, strict=True)
        if made.made == made.wanted and made.wanted
    ]
    return Sums(
        errors.sum(axis=0),
        lengths.sum(axis=0),
        sum(made.wanted for made in done),
        sum(made.made for made in done),
        sum(made.edits for made in done),
        sum(made.characters for made in done),
        sum(n * made.nsfd_theory for n, made in zip(words, done, strict=True)),
        sum(made.bwer_theory for made in done),
        len(full),
        sum(n for n, _, _ in full),
        sum(n * value for n, value, _ in full),
        sum(n * theory for n, _, theory in full),
    )


def time_metrics(
    task: Task, stream: Sequence[str], alphabet: Alphabet, settings: Settings
) -> tuple[Sums, dict[str, float]]:
    """A page of as many words as the task's value says, scored once, each metric by the clock.

    Args:
        stream: the words of the data, from which the page takes a stretch; where it is longer
            than the data they start over.

    Returns:
        The counts of the page; and seconds by metric, each from words as text to its counts.
    """
    n_words = int(task.xs[0])
    seed = (task.seed, task.repeat, n_words)
    start = int(np.random.default_rng(seed).integers(len(stream)))
    text = " ".join(islice(cycle(stream), start, start + n_words))
    reference = with_lines(Transcript.from_text(text))
    faults = task.experiment.faults_at(n_words)
    hypothesis, made = make_hypothesis(reference, faults, alphabet, seed)
    ref, hyp = page_words(reference, settings.policy), page_words(hypothesis, settings.policy)
    seconds = {
        "bwer": _clock(lambda: bag_of_words(WordPair.of(ref.words, hyp.words))),
        "wer": _clock(lambda: word_trace(WordPair.of(ref.words, hyp.words))),
        "hwer": _clock(lambda: match_words(WordPair.of(ref.words, hyp.words), settings.gamma)),
    }
    scored = score_words("page", "made", ref, hyp, settings)
    return sum_pages([scored.scores], [made]), seconds


def _clock(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
