"""Settings by the name of the tool whose counting they repeat."""

import tomllib
from collections.abc import Sequence
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


def _preset(why: str, metrics: Sequence[str] = (), **said: Any) -> Preset:
    text: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one
            for name, one in said.pop("text", {}).items()}  # fmt: skip
    reading = ReadPolicy.of_text(said.pop("reading", {}))
    settings = Settings(policy=TextPolicy(**text), reading=reading, **said)
    return Preset(settings, why, tuple(metrics))


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
PRESETS = MappingProxyType({name: _preset(**said) for name, said in _TABLE.items()})
"""Settings by the name of the tool whose counting they repeat."""
