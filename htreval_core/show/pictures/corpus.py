"""A whole corpus: what kind of bad each system is."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from htreval_core.metrics.kinds import WordKind
from htreval_core.model import EditCounts, Parts
from htreval_core.scoring.pool import Corpus
from htreval_core.show.pictures.page import part_errors

EDIT_PARTS: Mapping[str, WordKind] = MappingProxyType(
    {"misread": WordKind.SUBSTITUTED, "left out": WordKind.DELETED, "added": WordKind.INSERTED}
)
"""The parts of WER that single words tell, by the names of ``palette.KIND_NAMES``."""


def wer_parts(bwer: EditCounts, wer: int, parts: Parts | None) -> dict[str, int]:
    """The errors of WER by what they come from: words misread, left out or added, and the rest.

    Returns:
        By name, first those of ``EDIT_PARTS``, then those of ``palette.PARTS`` that are no bWER.
    """
    rest = part_errors(bwer.errors, wer, parts)
    del rest["misread"]
    edits = bwer.substitutions, bwer.deletions, bwer.insertions
    if parts is not None:
        edits = parts.substituted, parts.left_out, parts.added
    return {**dict(zip(EDIT_PARTS, edits, strict=True)), **rest}


@dataclass(frozen=True, slots=True)
class Bar:
    """A system's WER by what its errors come from.

    All are fractions of the reference words, nan without reference words.

    Args:
        parts: by name (``wer_parts``), one behind the other; they end at ``end``.
        end: WER.
        interval: 95 % of WER; None where too few pages allow none.
    """

    system: str
    parts: Mapping[str, float]
    end: float
    interval: tuple[float, float] | None


def picture_systems(corpora: Mapping[str, Corpus]) -> list[Bar]:
    """A bar for each system; unless all were diagnosed, all show edits and ΔWER."""
    known = all(corpus.parts is not None for corpus in corpora.values())
    bars = []
    for system, corpus in corpora.items():
        end = corpus.estimates["wer"]
        interval = None if math.isnan(end.low) else (end.low, end.high)
        errors = wer_parts(corpus.bwer, corpus.wer.errors, corpus.parts if known else None)
        n = corpus.n_ref_words
        parts = {name: count / n if n else math.nan for name, count in errors.items()}
        bars.append(Bar(system, parts, end.value, interval))
    return bars
