"""Experiments run: pages in, points out one by one as they are done."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from benchmarks.lab.characters import Alphabet, add_noise
from benchmarks.lab.lines import split_lines, swap_line_pairs, with_lines
from benchmarks.lab.spec import REPEATS, Experiment, Faults
from benchmarks.lab.theory import bwer_errors_of_splits, nsfd_of_splits, nsfd_of_swaps
from htreval_core.errors import ConfigError
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.page import score_words
from htreval_core.metrics.values import count_tables, page_value
from htreval_core.model import Page, PageScores, Transcript
from htreval_core.scoring.stream import each, in_order
from htreval_core.scoring.workers import Processes
from htreval_core.settings import Settings
from htreval_core.text import PageWords, page_words

TRUTH = ("wanted", "made", "edits", "characters")
"""What is told of the faults that were made."""
_AT_ONCE = 16
"""Pages that are sent together."""


@dataclass(frozen=True, slots=True)
class Room:
    """The pages that had room for every fault that was wanted.

    Args:
        n_pages: how many they are.
        nsfd: their NSFD, weighted by words as the corpus value is.
        theory: the NSFD to be expected of them.
    """

    n_pages: int
    nsfd: float
    theory: float


@dataclass(frozen=True, slots=True)
class Point:
    """All metrics at one value of what is varied, in one repeat, over all pages.

    Args:
        experiment: the name of the experiment that made it.
        x: the value of what is varied, rates as fractions.
        repeat: from 0.
        n_pages: pages with a reference.
        counts: errors and length of each metric, summed over pages; nan where not applicable.
        values: each metric over all pages as a fraction; nan where it is undefined.
        theory: the expected value of some metrics, given the faults that found room.
        truth: what was done: faults "wanted" and "made", character "edits" out of "characters".
        room: the pages that had room for every fault; None where no faults of lines are made.
    """

    experiment: str
    x: float
    repeat: int
    n_pages: int
    counts: Mapping[str, tuple[float, float]]
    values: Mapping[str, float]
    theory: Mapping[str, float] = field(default_factory=dict)
    truth: Mapping[str, int] = field(default_factory=dict)
    room: Room | None = None


@dataclass(frozen=True, slots=True)
class _Task:
    """A page with the faults of one value, or of all γ, in one repeat."""

    experiment: Experiment
    xs: tuple[float, ...]
    seed: tuple[int, ...]
    reference: Transcript
    words: PageWords
    alphabet: Alphabet
    settings: Settings


@dataclass(frozen=True, slots=True)
class _Made:
    """What was done to a page, and what it is expected to cost: NSFD, and errors of bWER."""

    wanted: int = 0
    made: int = 0
    edits: int = 0
    characters: int = 0
    nsfd: float = 0.0
    bwer: float = 0.0


_Done = tuple[tuple[PageScores, ...], _Made]


def run_experiment(
    experiment: Experiment, pages: Iterable[Page], settings: Settings | None = None, *,
    repeats: int = REPEATS, seed: int = 0, workers: Processes | None = None,
) -> Iterator[Point]:  # fmt: skip
    """Run an experiment on the references of the pages and yield its points as they are done.

    All values are gone through once before the next repeat starts, so a curve is there early and
    gets surer. The points do not depend on the workers.

    Args:
        experiment: one of ``EXPERIMENTS``.
        pages: whose references are taken, those without words left out.
        settings: text policy, solver and γ (unless that is varied); the paper's by default.
        repeats: how often every value is tried.
        seed: of the faults, from 0 up.
        workers: where to run; in this process by default.

    Raises:
        ConfigError: no page has words, or all words are of one and the same character.
    """
    settings = settings or Settings()
    if seed < 0:
        raise ConfigError(f"seed={seed}: must not be negative; use 0 or any other")
    references = [with_lines(page.reference) for page in pages]
    words = [page_words(reference, settings.policy) for reference in references]
    numbers = [number for number, of_page in enumerate(words) if of_page.words]
    if not numbers:
        raise ConfigError("an experiment needs a page whose reference has words")
    alphabet = Alphabet.of(references[number] for number in numbers)
    # All values of γ share their hypotheses.
    by_value = [(x,) for x in experiment.values]
    together = [experiment.values] if experiment.varies == "gamma" else by_value
    curves = [(xs, repeat) for repeat in range(repeats) for xs in together]
    batches = (
        [
            _Task(experiment, xs, (seed, repeat, n), references[n], words[n], alphabet, settings)
            for n in numbers[start : start + _AT_ONCE]
        ]
        for xs, repeat in curves
        for start in range(0, len(numbers), _AT_ONCE)
    )
    done = in_order(each(_score_task), batches, workers, lost=_died)
    for xs, repeat in curves:
        of_pages = list(islice(done, len(numbers)))
        for at, x in enumerate(xs):
            scores = [(of_x[at], made) for of_x, made in of_pages]
            yield _point(experiment, x, repeat, scores, alphabet)


def make_hypothesis(
    reference: Transcript, faults: Faults, alphabet: Alphabet, seed: tuple[int, ...]
) -> tuple[Transcript, _Made]:
    """A page with its faults.

    Lines and characters have generators of their own, so that neither changes the other.
    """
    of_lines, of_characters = (np.random.default_rng([*seed, number]) for number in range(2))
    n_lines, n_words = len(reference.lines), len(reference.text.split())
    page, made = reference, _Made(wanted=faults.swaps + faults.splits)
    if faults.swaps:
        page, swapped = swap_line_pairs(page, faults.swaps, of_lines)
        made = replace(made, made=swapped.made, nsfd=nsfd_of_swaps(swapped.made, n_lines))
    if faults.splits:
        page, split = split_lines(page, faults.splits, of_lines)
        made = replace(
            made,
            made=made.made + split.made,
            nsfd=made.nsfd + nsfd_of_splits(split.made, n_words, n_lines),
            bwer=bwer_errors_of_splits(split.made),
        )
    if faults.rate:
        white_space = alphabet.share_of_spaces if faults.white_space else 0.0
        page, noisy = add_noise(page, faults.rate, white_space, alphabet, of_characters)
        made = replace(made, edits=noisy.edits, characters=noisy.characters)
    return page, made


def _died(task: _Task) -> _Done:
    """A curve without a page would be another curve."""
    raise ConfigError(f"{task.experiment.name}: a process died; perhaps it needs more memory")


def _score_task(task: _Task) -> _Done:
    """The scores of a page at each of the task's values, and what was done to it."""
    faults = task.experiment.faults_at(task.xs[0])
    hypothesis, made = make_hypothesis(task.reference, faults, task.alphabet, task.seed)
    settings = [task.settings]
    if task.experiment.varies == "gamma":
        settings = [replace(task.settings, gamma=gamma) for gamma in task.xs]
    words = page_words(hypothesis, task.settings.policy)
    page_id = str(task.seed[-1])
    scored = [score_words(page_id, "made", task.words, words, one).scores for one in settings]
    return tuple(scored), made


def _point(
    experiment: Experiment, x: float, repeat: int, scored: Sequence[tuple[PageScores, _Made]],
    alphabet: Alphabet,
) -> Point:  # fmt: skip
    errors, lengths = (table.sum(axis=0) for table in count_tables([one for one, _ in scored]))
    counts = {
        name: (float(e), float(n)) for name, e, n in zip(METRICS, errors, lengths, strict=True)
    }
    values = {
        name: math.nan if math.isnan(e) else METRICS[name].value(e, n)
        for name, (e, n) in counts.items()
    }
    theory = experiment.theory_at(x, alphabet)
    if experiment.varies in ("swaps", "splits"):
        # Weighted by reference words, as the corpus value is.
        nsfd = sum(one.n_ref_words * made.nsfd for one, made in scored)
        theory["nsfd"] = nsfd / counts["nsfd"][1]
        theory["bwer"] = sum(made.bwer for _, made in scored) / counts["bwer"][1]
    truth = {name: sum(getattr(made, name) for _, made in scored) for name in TRUTH}
    return Point(
        experiment.name, x, repeat, len(scored), counts, values, theory, truth, _room(scored)
    )


def _room(scored: Sequence[tuple[PageScores, _Made]]) -> Room | None:
    full = [
        (one.n_ref_words, page_value(one, "nsfd"), made.nsfd)
        for one, made in scored
        if made.made == made.wanted and made.wanted
    ]
    n_words = sum(n for n, _, _ in full)
    if not n_words:
        return None
    nsfd, theory = (sum(one[0] * one[at] for one in full) / n_words for at in (1, 2))
    return Room(len(full), nsfd, theory)


@dataclass(frozen=True, slots=True)
class Spread:
    """One quantity at one value of what is varied, over the repeats: its mean and their number."""

    x: float
    mean: float
    n: int


def spread_points(points: Iterable[Point], metric: str, of: str = "values") -> tuple[Spread, ...]:
    """A metric over the repeats, by value of what is varied.

    Args:
        of: "values" or "theory"; points without it are passed over.
    """
    by_x: dict[float, list[float]] = defaultdict(list)
    for point in points:
        value = getattr(point, of).get(metric, math.nan)
        if not math.isnan(value):
            by_x[point.x].append(value)
    return tuple(
        Spread(x, sum(found) / len(found), len(found)) for x, found in sorted(by_x.items())
    )
