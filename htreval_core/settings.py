"""All settings of a scoring in one frozen object that signs itself."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from htreval_core.errors import ConfigError
from htreval_core.text import TextPolicy

Solver: TypeAlias = Literal["exact", "authors"]
TIE_RULES: Mapping[Solver, str] = MappingProxyType(
    {"exact": "equal-then-near", "authors": "as-solver-returns"}
)
"""How the matching breaks ties. "exact": among optimal matchings the most pairs of equal words,
then the least Σ d(d−1) with d = k − j. "authors": whatever the float solver happens to return."""


def tool_version() -> str:
    """The installed version of htreval."""
    try:
        return version("htreval")
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the figures: the text policy, γ, the solver, and the resampling.

    Args:
        gamma: weight of the distance between positions in the matching; the paper uses 1.
        policy: what is done to the texts before they are compared.
        solver: "exact" is the whole-number solver with a tie rule; "authors" builds the float
            matrix of the authors' program and takes the matching that scipy returns for it.
        resamples: how many bootstrap samples of pages an interval is taken from.
        seed: the seed of the resampling.
    """

    gamma: float | str | Fraction = 1
    policy: TextPolicy = field(default_factory=TextPolicy)
    solver: Solver = "exact"
    resamples: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        exact_gamma(self.gamma)
        if self.solver not in get_args(Solver):
            raise ConfigError(f"solver={self.solver!r}; use {', '.join(get_args(Solver))}")
        if self.resamples < 1:
            raise ConfigError(f"resamples={self.resamples}: must be at least 1")

    def signature(self) -> str:
        """One line that pins everything the figures depend on."""
        gamma = exact_gamma(self.gamma)
        decimal = f"{float(gamma):g}"
        return "|".join(
            (
                f"htreval:{tool_version()}",
                self.policy.sign(),
                f"unicode:{unicodedata.unidata_version}",
                f"gamma:{decimal if Fraction(decimal) == gamma else gamma}",
                f"ties:{TIE_RULES[self.solver]}",
                f"bootstrap:{self.resamples}/{self.seed}",
            )
        )


def exact_gamma(gamma: float | str | Fraction) -> Fraction:
    """γ as an exact fraction of the decimal that the user wrote.

    Raises:
        ConfigError: γ is negative, not finite, or no number.
    """
    try:
        value = Fraction(str(gamma))
    except (ValueError, ZeroDivisionError):
        raise ConfigError(
            f"gamma={gamma!r}: not a number; give a decimal such as 1 or 0.5"
        ) from None
    if value < 0:
        raise ConfigError(f"gamma={gamma!r}: must not be negative; the paper uses 1")
    return value


PRESETS: Mapping[str, Settings] = MappingProxyType(
    {
        "default": Settings(),
        "authors": Settings(solver="authors"),
    }
)
"""Settings by name. "authors" repeats the figures of the paper's program to the digit."""
