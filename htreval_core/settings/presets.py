"""Settings by the name of the tool whose counting they repeat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from htreval_core.settings.scoring import Settings
from htreval_core.text import TextPolicy


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings that count as another tool does, and why its values differ from ours."""

    settings: Settings
    why: str


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "default": Preset(Settings(), "The paper's definitions with an exact matching."),
        "authors": Preset(
            Settings(solver="authors"),
            "The paper's program fills a float matrix and takes whichever optimal matching its "
            "solver returns, so NSFD and hCER move where a page has several.",
        ),
        "jiwer": Preset(
            Settings(policy=TextPolicy(form="none", words="space")),
            "jiwer's default transforms split words at the space character alone and normalise "
            "nothing: where a text has line breaks, two words around one count as a single word.",
        ),
        "dinglehopper": Preset(
            Settings(policy=TextPolicy(words="unicode", characters="grapheme")),
            "dinglehopper takes the words of Unicode's annex 29 without punctuation, so a wrong "
            "comma is no word error, and counts grapheme clusters as characters.",
        ),
        "sclite": Preset(
            Settings(policy=TextPolicy(ignore_case=True)),
            "sclite compares caseless unless told otherwise, so a capital misread is no error.",
        ),
        "hipe": Preset(
            Settings(
                policy=TextPolicy(
                    form="none",
                    lower_case=True,
                    old_letters=True,
                    signs_to_space=True,
                    join_hyphens=("not-sign",),
                ),
                trace="as-found",
            ),
            "The scorer of HIPE-OCRepair 2026 lower-cases, unfolds old letters, reads every sign "
            "but letters and digits as a space, joins words divided by ¬, and takes the alignment "
            "that jiwer finds; its figures are cmer, wmer and preference.",
        ),
    }
)
"""Settings by the name of the tool whose counting they repeat."""
