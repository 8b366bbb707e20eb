"""All settings of a scoring in one frozen object that signs itself."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from htreval_core.errors import ConfigError
from htreval_core.settings.orders import OrderRules
from htreval_core.settings.reading import ReadPolicy
from htreval_core.settings.version import __version__
from htreval_core.text import TextPolicy

Solver: TypeAlias = Literal["exact", "authors"]
Trace: TypeAlias = Literal["refined", "as-found", "sclite"]
_GAMMA_STEP = Fraction(1, 1_000_000)
"""The finest γ and the fineness of every γ: the matching counts in whole units of 1/(2M·q)."""
_LARGEST_GAMMA = 1_000_000
TIE_RULES: Mapping[Solver, str] = MappingProxyType(
    {"exact": "equal-then-near", "authors": "as-solver-returns"}
)
"""How the matching breaks ties. "exact": among optimal matchings the most pairs of equal words,
then the least Σ d(d−1) with d = k − j, then the first (``metrics/matching/settle``). "authors":
whatever the float solver happens to return."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the values: the text policy, γ, the solver, and the resampling.

    Args:
        gamma: weight of the distance between positions in the matching; the paper uses 1. Kept as
            an exact fraction however it is written: 0.1, "0.1" and Fraction(1, 10) are one γ.
        policy: what is done to the texts before they are compared.
        reading: what was taken from the files; pages that are read hold it already.
        orders: which other orders than that of the reference are admissible, and what of a page
            counts.
        solver: "exact" is the whole-number solver with a tie rule; "authors" builds the float
            matrix of the authors' program and takes the matching that scipy returns for it.
        resamples: how many bootstrap samples of pages an interval is taken from; of 100 pages or
            fewer, five times as many.
        seed: the seed of the resampling.
        trace: which of the cheapest sequential traces is drawn. "refined" pairs like words;
            "as-found" is the one that rapidfuzz finds, and jiwer with it. Errors are the same,
            hits and the figures that need them (wMER) may differ. "sclite" is that program's, of
            least cost where a word replaced costs 4, left out or added 3: it may have more errors.
    """

    gamma: Fraction | float | str = Fraction(1)
    policy: TextPolicy = field(default_factory=TextPolicy)
    reading: ReadPolicy = field(default_factory=ReadPolicy)
    orders: OrderRules = field(default_factory=OrderRules)
    solver: Solver = "exact"
    resamples: int = 2000
    seed: int = 0
    trace: Trace = "refined"

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", exact_gamma(self.gamma))
        if self.solver not in get_args(Solver):
            raise ConfigError(f"solver={self.solver!r}; use {', '.join(get_args(Solver))}")
        if self.trace not in get_args(Trace):
            raise ConfigError(f"trace={self.trace!r}; use {', '.join(get_args(Trace))}")
        if self.orders and self.policy.words == "space":
            raise ConfigError(
                "rules of reading order go by lines, and words=space (as in jiwer) reads a "
                "page as one; count words otherwise, or leave the rules out"
            )
        if self.resamples < 1:
            raise ConfigError(f"resamples={self.resamples}: must be at least 1")
        if self.seed < 0:
            raise ConfigError(f"seed={self.seed}: must not be negative; use 0 or any other")

    def signature(self) -> str:
        """One line that pins everything the values depend on."""
        return "|".join(
            (
                f"htreval:{__version__}", self.reading.sign(), self.policy.sign(),
                f"orders:{self.orders.sign()}", f"unicode:{unicodedata.unidata_version}",
                f"gamma:{gamma_text(self.gamma)}", f"ties:{TIE_RULES[self.solver]}",
                f"trace:{self.trace}", f"bootstrap:{self.resamples}/{self.seed}",
            )
        )  # fmt: skip


def exact_gamma(gamma: float | str | Fraction) -> Fraction:
    """γ as an exact fraction of the decimal that the user wrote.

    A decimal with more digits than a denominator of a million can hold is taken for the nearest
    fraction that has one: 0.30000000000000004 is 3/10, 0.3333333333333333 is 1/3.

    Raises:
        ConfigError: γ is negative, not finite, or no number, or out of any useful range.
    """
    if (
        isinstance(gamma, Fraction)
        and 0 <= gamma.numerator <= _LARGEST_GAMMA * gamma.denominator
        and gamma.denominator <= _GAMMA_STEP.denominator
    ):
        # Every page asks again of the settings' own, and text is slow to read.
        return gamma
    text = str(gamma)
    try:
        # A power of ten could be of any size: it has to be looked at before it is worked out.
        size = float(text) if "/" not in text else 1.0
        written_as_zero = not any(digit in text.lower().partition("e")[0] for digit in "123456789")
        in_range = abs(size) <= _LARGEST_GAMMA and (size != 0.0 or written_as_zero)
        value = Fraction(text) if in_range else None
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ConfigError(
            f"gamma={gamma!r}: not a number; give a decimal such as 1 or 0.5"
        ) from None
    if value is not None and value < 0:
        raise ConfigError(f"gamma={gamma!r}: must not be negative; the paper uses 1")
    if value is None or value > _LARGEST_GAMMA or 0 < value < _GAMMA_STEP:
        raise ConfigError(
            f"gamma={gamma!r}: out of range; use 0, or a number from 0.000001 to 1000000"
        )
    return value.limit_denominator(_GAMMA_STEP.denominator)


def gamma_text(gamma: Fraction | float | str) -> str:
    """γ as people write it: a decimal where that is exact, else a fraction."""
    exact = exact_gamma(gamma)
    decimal = f"{float(exact):g}"
    return decimal if Fraction(decimal) == exact else str(exact)
