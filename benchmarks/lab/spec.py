"""What each experiment asks, what it varies, and what it does to the pages."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from benchmarks.lab.characters import Alphabet
from htreval_core.settings import Settings

Varies: TypeAlias = Literal["rate", "swaps", "splits", "gamma"]


@dataclass(frozen=True, slots=True)
class Faults:
    """What is done to a page: lines change places or are split, then characters go wrong.

    Args:
        rate: of character edits, tCER as a fraction.
        white_space: white space is edited too, as much of it as there is in the data.
        swaps: pairs of lines that change places on each page.
        splits: lines of each page that are split.
    """

    rate: float = 0.0
    white_space: bool = False
    swaps: int = 0
    splits: int = 0

    def sign(self) -> str:
        """All of it as ``name:value`` joined by ``,``."""
        white_space = "natural" if self.white_space else "0"
        return (
            f"rate:{self.rate:g},white-space:{white_space},swaps:{self.swaps},splits:{self.splits}"
        )


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment: a question, what is varied, and what else is done to the pages.

    Args:
        name: in addresses and tables.
        title: for people.
        question: what it finds out, in plain words.
        x_label: what is varied, in plain words.
        varies: which of the faults or settings that is.
        values: of what is varied, rates as fractions.
        metrics: what its picture shows.
        faults: what is done to every page besides.
        percent: show what is varied in percent.
    """

    name: str
    title: str
    question: str
    x_label: str
    varies: Varies
    values: tuple[float, ...]
    metrics: tuple[str, ...]
    faults: Faults = Faults()
    percent: bool = False

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


def _noise(name: str, title: str, question: str, *, white_space: bool) -> Experiment:
    return Experiment(
        name, title, question, "Characters misread on purpose (tCER)", "rate",
        tuple(round(0.0325 * n, 4) for n in range(7)), ("wer", "bwer", "hwer", "cer"),
        faults=Faults(white_space=white_space), percent=True,
    )  # fmt: skip


_WORDS = _noise(
    "noise-words",
    "Misread characters, words kept apart",
    "Do WER, bWER and hWER agree as long as the order is right?",
    white_space=False,
)
_LINES = _noise(
    "noise-lines",
    "Misread characters, white space too",
    "What changes when words are also broken and run together?",
    white_space=True,
)
_SWAPS = Experiment(
    "swaps", "Lines that change places",
    "Which metrics see that lines are read in the wrong order?",
    "Pairs of lines swapped on each page", "swaps", (0, 1, 2, 4, 8, 12, 20),
    ("wer", "bwer", "hwer", "nsfd"),
)  # fmt: skip
_SPLITS = Experiment(
    "splits", "Lines that are split",
    "What do lines cost that are cut in two and read in the wrong order?",
    "Lines split on each page", "splits", (0, 1, 2, 3, 4, 6, 8), ("wer", "bwer", "hwer", "nsfd"),
)  # fmt: skip
_ALL = (
    _WORDS,
    _LINES,
    _SWAPS,
    _SPLITS,
    Experiment(
        "gamma", "The weight γ of the distance",
        "How much may the matching care for position before it pairs the wrong words?",
        "γ, the weight of the distance between positions", "gamma",
        (0, 0.0001, 0.1, 1, 2, 5, 10, 20, 50, 100), ("wer", "bwer", "hwer", "nsfd"),
        faults=Faults(rate=0.065, splits=2),
    ),
)  # fmt: skip

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType({one.name: one for one in _ALL})
"""The experiments by name. The numbers of line splits and the faults under γ are ours."""

REPEATS = 10
"""How often every value is tried."""


def experiment_signature(
    experiment: Experiment, settings: Settings, *, repeats: int = REPEATS, seed: int = 0
) -> str:
    """One line that pins everything a table of an experiment depends on, but the pages."""
    values = ",".join(f"{x:g}" for x in experiment.values)
    run = f"{experiment.name}({values};{experiment.faults.sign()})"
    return f"{settings.signature()}|experiment:{run}|repeats:{repeats}|seed:{seed}"
