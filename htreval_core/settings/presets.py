"""Settings by the name of the tool whose counting they repeat."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

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


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "default": Preset(Settings(), "The paper's definitions with an exact matching."),
        "authors": Preset(
            Settings(solver="authors", reading=ReadPolicy.of_text({"markup": "2-bom"})),
            "The paper's program fills a float matrix and takes whichever optimal matching its "
            "solver returns, so NSFD and hCER move where a page has several. To it the byte-order "
            "mark of a text file is a character of the first word.",
        ),
        "jiwer": Preset(
            Settings(policy=TextPolicy(form="none", words="space"), trace="as-found"),
            "jiwer's default transforms split words at the space character alone and normalise "
            "nothing: where a text has line breaks, two words around one count as a single word.",
        ),
        "dinglehopper": Preset(
            Settings(
                policy=TextPolicy(words="dinglehopper", characters="grapheme", equivalents=True),
                trace="as-found",
            ),
            "dinglehopper takes the words of Unicode's annex 29 without punctuation, so a wrong "
            "comma is not a word error; its characters are grapheme clusters, with punctuation and "
            "the ends of lines. It reads some signs as one: dashes, apostrophes, ligatures.",
        ),
        "sclite": Preset(
            Settings(policy=TextPolicy(form="none", lower_case=True), trace="sclite"),
            "sclite compares lower-cased text by default, so a misread capital is not an "
            "error. It aligns at a cost of 4 for a word replaced and 3 for one left out or added, "
            "so where text moved it may count more errors than the edit distance has.",
        ),
        "hipe": Preset(
            Settings(
                policy=TextPolicy(
                    form="none", lower_case=True, old_letters=True, signs_to_space=True,
                    join_hyphens=("not-sign",),
                ),
                trace="as-found",
            ),
            "The scorer of HIPE-OCRepair 2026 lower-cases, unfolds old letters, reads every sign "
            "but letters and digits as a space, joins words divided by ¬, and takes the alignment "
            "that jiwer finds; its figures are cmer and wmer.",
            ("wmer", "cmer"),
        ),
    }
)  # fmt: skip
"""Settings by the name of the tool whose counting they repeat."""
