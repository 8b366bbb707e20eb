"""How long each metric takes on a page of a given number of words."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice

import numpy as np

from htreval_core.lab.experiments.work import Sums, Task, make_hypothesis, sum_pages
from htreval_core.lab.simulate import Alphabet, with_lines
from htreval_core.metrics.bag import bag_of_words
from htreval_core.metrics.edit import word_trace
from htreval_core.metrics.matching.match import match_words
from htreval_core.metrics.page import score_words
from htreval_core.metrics.words import WordPair
from htreval_core.model import Transcript
from htreval_core.settings import Settings
from htreval_core.text import page_words


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
