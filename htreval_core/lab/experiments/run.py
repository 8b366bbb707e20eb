"""Experiments run: pages in, points out one by one as they are done."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from htreval_core.errors import ConfigError
from htreval_core.lab.experiments.spec import Experiment
from htreval_core.lab.experiments.work import (
    TRUTH,
    Batch,
    Prepared,
    Sums,
    Task,
    add_sums,
    run_batch,
    time_metrics,
)
from htreval_core.lab.simulate import Alphabet, with_lines
from htreval_core.metrics.catalog import METRICS
from htreval_core.model import Page
from htreval_core.scoring.stream import each, in_order
from htreval_core.scoring.workers import Workers
from htreval_core.settings import Settings
from htreval_core.text import page_words

_BATCH_COST = 1_000_000
"""Work of a batch in words squared: about a tenth of a second, so that cancelling is prompt."""


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
        experiment: the name of the experiment, or of the part, that made it.
        x: the value of what is varied, rates as fractions.
        repeat: from 0.
        n_pages: pages with a reference.
        counts: errors and length of each metric, summed over pages; nan where not applicable.
        values: each metric over all pages as a fraction; nan where it is undefined.
        theory: the expected value of some metrics, given the faults that found room.
        truth: what was done: faults "wanted" and "made", character "edits" out of "characters".
        room: the pages that had room for every fault; None where no faults of lines are made.
        seconds: for the experiment on time, how long each metric took.
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
    seconds: Mapping[str, float] = field(default_factory=dict)


def prepare_pages(pages: Iterable[Page], settings: Settings) -> tuple[Prepared, ...]:
    """The references of the pages, line by line; pages without words are left out.

    Raises:
        ConfigError: no page has words.
    """
    prepared = []
    for number, page in enumerate(pages):
        reference = with_lines(page.reference)
        words = page_words(reference, settings.policy)
        if words.words:
            prepared.append(Prepared(number, reference, words))
    if not prepared:
        raise ConfigError("an experiment needs a page whose reference has words")
    return tuple(prepared)


def run_experiment(
    experiment: Experiment,
    pages: Iterable[Page],
    settings: Settings | None = None,
    *,
    repeats: int | None = None,
    seed: int = 0,
    workers: Workers | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Generator[Point, None, None]:
    """Run an experiment on the references of the pages and yield its points as they are done.

    All values are gone through once before the next repeat starts, so a curve is there early and
    gets surer. The points do not depend on the workers, those on time excepted.

    Args:
        experiment: one of ``EXPERIMENTS``, or a variation of it.
        pages: whose references are taken.
        settings: text policy, solver and γ (unless that is varied); the paper's by default.
        repeats: instead of the experiment's own.
        seed: of the faults, from 0 up.
        workers: where to run; in this process by default. Time is always measured here.
        cancelled: asked between batches of pages; once it is true, no further point comes.

    Raises:
        ConfigError: no page has words, or all words are of one and the same character.
    """
    settings = settings or Settings()
    if seed < 0:
        raise ConfigError(f"seed={seed}: must not be negative; use 0 or any other")
    prepared = prepare_pages(pages, settings)
    alphabet = Alphabet.of(page.reference for page in prepared)
    tasks = [
        Task(part, xs, repeat, seed)
        for repeat in range(repeats or experiment.repeats)
        for part in experiment.parts or (experiment,)
        for xs in _at_once(part, prepared)
    ]
    batches = _batches(prepared, max(len(task.xs) for task in tasks))
    if experiment.varies == "words":
        yield from _timed(tasks, prepared, alphabet, settings, cancelled)
        return
    for task, sums in _run(tasks, batches, alphabet, settings, workers, cancelled):
        for x, of_x in zip(task.xs, sums, strict=True):
            yield _point(task, x, of_x, len(prepared), alphabet)


def _at_once(part: Experiment, pages: Sequence[Prepared]) -> list[tuple[float, ...]]:
    """Which values share their hypotheses: those of γ, unless pages are so long that one page at
    all of them would hold up cancelling."""
    longest = max(len(page.words.words) for page in pages)
    together = part.varies == "gamma" and len(part.values) * longest**2 <= _BATCH_COST
    return [part.values] if together else [(x,) for x in part.values]


def _batches(pages: Sequence[Prepared], n_values: int) -> list[tuple[Prepared, ...]]:
    batches: list[list[Prepared]] = []
    cost = math.inf
    for page in pages:
        of_page = n_values * len(page.words.words) ** 2
        if cost + of_page > _BATCH_COST:
            batches.append([])
            cost = 0
        batches[-1].append(page)
        cost += of_page
    return [tuple(batch) for batch in batches]


def _run(
    tasks: Sequence[Task],
    batches: Sequence[tuple[Prepared, ...]],
    alphabet: Alphabet,
    settings: Settings,
    workers: Workers | None,
    cancelled: Callable[[], bool],
) -> Iterator[tuple[Task, list[Sums]]]:
    """Each task with what its batches add up to. Batches are added in order whoever ran them."""
    work = (Batch(task, pages, alphabet, settings) for task in tasks for pages in batches)
    single = ((batch,) for batch in work)
    done = in_order(each(run_batch), single, workers, cancelled=cancelled)
    for task in tasks:
        of_task: list[list[Sums]] = []
        for _ in batches:
            sums = next(done, None)
            if sums is None:
                return
            of_task.append(sums)
        yield task, [reduce(add_sums, of_x) for of_x in zip(*of_task, strict=True)]


def _point(task: Task, x: float, sums: Sums, n_pages: int, alphabet: Alphabet) -> Point:
    counts = {
        name: (float(e), float(n))
        for name, e, n in zip(METRICS, sums.errors, sums.lengths, strict=True)
    }
    values = {
        name: math.nan if math.isnan(e) else METRICS[name].value(e, n)
        for name, (e, n) in counts.items()
    }
    theory = task.experiment.theory_at(x, alphabet)
    if task.experiment.varies in ("swaps", "splits"):
        theory["nsfd"] = sums.nsfd_theory / counts["nsfd"][1]
        theory["bwer"] = sums.bwer_theory / counts["bwer"][1]
    room = None
    if sums.room_words:
        room = Room(
            sums.room_pages, sums.room_nsfd / sums.room_words, sums.room_theory / sums.room_words
        )
    truth = {name: getattr(sums, name) for name in TRUTH}
    return Point(task.experiment.name, x, task.repeat, n_pages, counts, values, theory, truth, room)


def _timed(
    tasks: Sequence[Task],
    pages: Sequence[Prepared],
    alphabet: Alphabet,
    settings: Settings,
    cancelled: Callable[[], bool],
) -> Iterator[Point]:
    stream = [word for page in pages for word in page.reference.text.split()]
    # The first call also pays for what is loaded when it is first needed.
    time_metrics(replace(tasks[0], xs=(20,)), stream, alphabet, settings)
    for task in tasks:
        if cancelled():
            return
        sums, seconds = time_metrics(task, stream, alphabet, settings)
        yield replace(_point(task, task.xs[0], sums, 1, alphabet), seconds=seconds)
