"""Settings by the name of the tool whose counting they repeat."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from htreval_core.settings.reading import ReadPolicy
from htreval_core.settings.scoring import Settings
from htreval_core.text import TextPolicy


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings that count as another tool does; files are to be read with their ``reading``.

    Args:
        why: what makes its values differ from ours.
        metrics: what it publishes beside the measures of the paper.
    """

    settings: Settings
    why: str
    metrics: tuple[str, ...] = ()

    def counts_as(self, settings: Settings) -> bool:
        """Whether settings count text as this preset does, however files are read."""
        own = self.settings
        return (own.policy, own.solver, own.trace) == (
            settings.policy, settings.solver, settings.trace
        )  # fmt: skip


_WHY = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _preset(name: str, metrics: tuple[str, ...] = (), **settings: Any) -> Preset:
    return Preset(Settings(**settings), _WHY[name], metrics)


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "default": _preset("default"),
        "authors": _preset(
            "authors", solver="authors", reading=ReadPolicy.of_text({"markup": "4-bom"})
        ),
        "jiwer": _preset(
            "jiwer", policy=TextPolicy(form="none", words="space"), trace="as-found"
        ),
        "dinglehopper": _preset(
            "dinglehopper",
            policy=TextPolicy(words="dinglehopper", characters="grapheme", equivalents=True),
            trace="as-found",
        ),
        "sclite": _preset(
            "sclite", policy=TextPolicy(form="none", lower_case=True), trace="sclite"
        ),
        "hipe": _preset(
            "hipe",
            ("wmer", "cmer"),
            policy=TextPolicy(
                form="none", lower_case=True, old_letters=True, signs_to_space=True,
                join_hyphens=("not-sign",),
            ),
            trace="as-found",
        ),
    }
)  # fmt: skip
"""Settings by the name of the tool whose counting they repeat."""
