"""What each experiment asks, what it varies, and what it does to the pages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from htreval_core.errors import ConfigError
from htreval_core.lab.simulate import Alphabet, Noise
from htreval_core.settings import Settings, exact_gamma

Varies: TypeAlias = Literal["rate", "swaps", "splits", "gamma", "words", "all"]


@dataclass(frozen=True, slots=True)
class Faults:
    """What is done to a page: lines change places or are split, then characters go wrong.

    Args:
        rate: of character edits, tCER as a fraction.
        substitutions, insertions, deletions: their weights among the edits.
        white_space: share of the edits that insert or delete white space; None for as much as
            there is in the data.
        swaps: pairs of lines that change places on each page.
        nearest, farthest: how many lines they stand apart.
        splits: lines of each page that are split.
        within_words: share of the splits that fall within a word.
    """

    rate: float = 0.0
    substitutions: float = 1.0
    insertions: float = 1.0
    deletions: float = 1.0
    white_space: float | None = 0.0
    swaps: int = 0
    nearest: int = 4
    farthest: int = 7
    splits: int = 0
    within_words: float = 0.2

    def __post_init__(self) -> None:
        self.noise(0.0)
        if not 1 <= self.nearest <= self.farthest:
            raise ConfigError(f"swaps: distances {self.nearest} to {self.farthest}; use 1 or more")
        if min(self.swaps, self.splits) < 0 or not 0 <= self.within_words <= 1:
            raise ConfigError("swaps and splits must not be negative, shares from 0 to 1")

    def noise(self, natural: float) -> Noise:
        """The character noise, given the share of white space in the data."""
        white_space = natural if self.white_space is None else self.white_space
        return Noise(self.rate, self.substitutions, self.insertions, self.deletions, white_space)

    def sign(self) -> str:
        """All of it as ``name:value`` joined by ``,``."""
        named = ((entry.name, getattr(self, entry.name)) for entry in fields(self))
        return ",".join(
            f"{name.replace('_', '-')}:{'natural' if value is None else f'{value:g}'}"
            for name, value in named
        )


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment: a question, what is varied, and what else is done to the pages.

    ``dataclasses.replace`` makes another range, other faults or fewer repeats of it.

    Args:
        name: as on the command line.
        title: for people.
        question: what it finds out, in plain words.
        x_label: what is varied, in plain words.
        varies: which of the faults or settings that is; "all" runs the parts.
        values: of what is varied, rates as fractions.
        metrics: what its picture shows.
        repeats: how often every value is tried.
        faults: what is done to every page besides.
        percent: show what is varied in percent.
        parts: the experiments that are run together.
    """

    name: str
    title: str
    question: str
    x_label: str
    varies: Varies
    values: tuple[float, ...]
    metrics: tuple[str, ...]
    repeats: int = 10
    faults: Faults = Faults()
    percent: bool = False
    parts: tuple[Experiment, ...] = ()

    def __post_init__(self) -> None:
        if not self.parts and not self.values:
            raise ConfigError(f"experiment {self.name}: give at least one value")
        if self.repeats < 1:
            raise ConfigError(f"experiment {self.name}: at least one repeat")
        for value in self.values:
            if not math.isfinite(value) or value < 0:
                raise ConfigError(f"experiment {self.name}: {value!r} is no value to try")
            if self.varies in ("swaps", "splits", "words") and value != int(value):
                raise ConfigError(f"experiment {self.name}: {value!r}: give whole numbers")
            if self.varies == "gamma":
                exact_gamma(value)
            elif self.varies == "words" and value < 1:
                raise ConfigError(f"experiment {self.name}: a page needs words")
            else:
                self.faults_at(value)

    def faults_at(self, x: float) -> Faults:
        """What is done to every page at one value of what is varied."""
        if self.varies == "rate":
            return replace(self.faults, rate=x)
        if self.varies == "swaps":
            return replace(self.faults, swaps=int(x))
        if self.varies == "splits":
            return replace(self.faults, splits=int(x))
        return self.faults

    def theory_at(self, x: float, alphabet: Alphabet) -> dict[str, float]:
        """The expected values of metrics that do not depend on the page: tCER and tWER.

        tWER is the mean word length times tCER, as the paper draws it: every edit in a word of
        its own. Where the noise grows, edits meet in the same word and WER stays below.
        """
        if self.varies != "rate":
            return {}
        return {"cer": x, "wer": alphabet.mean_word_length * x}


def _noise(name: str, title: str, question: str, white_space: float | None) -> Experiment:
    return Experiment(
        name,
        title,
        question,
        "Characters misread on purpose (tCER)",
        "rate",
        tuple(round(0.0325 * n, 4) for n in range(7)),
        ("wer", "bwer", "hwer", "cer"),
        faults=Faults(white_space=white_space),
        percent=True,
    )


_WORDS = _noise(
    "noise-words",
    "Misread characters, words kept apart",
    "Do WER, bWER and hWER agree as long as the order is right?",
    0.0,
)
_LINES = _noise(
    "noise-lines",
    "Misread characters, white space too",
    "What changes when words are also broken and run together?",
    None,
)
_SWAPS = Experiment(
    "swaps",
    "Lines that change places",
    "Which metrics see that lines are read in the wrong order?",
    "Pairs of lines swapped on each page",
    "swaps",
    (0, 1, 2, 4, 8, 12, 20),
    ("wer", "bwer", "hwer", "nsfd"),
)
_SPLITS = Experiment(
    "splits",
    "Lines that are split",
    "What do lines cost that are cut in two and read in the wrong order?",
    "Lines split on each page",
    "splits",
    (0, 1, 2, 3, 4, 6, 8),
    ("wer", "bwer", "hwer", "nsfd"),
)
_ALL = (
    _WORDS,
    _LINES,
    _SWAPS,
    _SPLITS,
    Experiment(
        "gamma",
        "The weight γ of the distance",
        "How much may the matching care for position before it pairs the wrong words?",
        "γ, the weight of the distance between positions",
        "gamma",
        (0, 0.0001, 0.1, 1, 2, 5, 10, 20, 50, 100),
        ("wer", "bwer", "hwer", "nsfd"),
        faults=Faults(rate=0.065, splits=2),
    ),
    Experiment(
        "time",
        "Time against the length of a page",
        "How long does each metric take on longer pages?",
        "Words on the page",
        "words",
        (50, 100, 200, 400, 800, 1600, 3200),
        ("bwer", "wer", "hwer"),
        repeats=3,
        faults=Faults(rate=0.065, swaps=2),
    ),
    Experiment(
        "correlation",
        "ΔWER and NSFD say the same",
        "Does the difference between WER and bWER measure the reading order?",
        "NSFD: how far words stand from their place",
        "all",
        (),
        ("delta_wer", "nsfd"),
        percent=True,
        parts=(_WORDS, _LINES, _SWAPS, _SPLITS),
    ),
)

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType({one.name: one for one in _ALL})
"""The experiments by name. The numbers of line splits and the faults under γ are ours."""


def experiment_signature(
    experiment: Experiment, settings: Settings, *, repeats: int | None = None, seed: int = 0
) -> str:
    """One line that pins everything a table of an experiment depends on, but the pages."""
    times = repeats or experiment.repeats
    parts = [
        f"{part.name}({','.join(f'{x:g}' for x in part.values)};{part.faults.sign()})"
        for part in experiment.parts or (experiment,)
    ]
    return f"{settings.signature()}|experiment:{'+'.join(parts)}|repeats:{times}|seed:{seed}"
