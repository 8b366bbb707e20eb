"""A whole corpus: what kind of bad each system is, and which pages are bad."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from htreval_core.metrics.kinds import WordKind
from htreval_core.metrics.values import page_value
from htreval_core.model import EditCounts, PageScores, Parts
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


@dataclass(frozen=True, slots=True)
class Dot:
    """A page as one system read it.

    Args:
        nsfd: how far its words stand from their place, as a fraction.
        delta_wer: what that costs, as a fraction of its reference words.
        n_words: of the reference.
    """

    page_id: str
    system: str
    nsfd: float
    delta_wer: float
    n_words: int


def picture_pages(scores: Mapping[str, Sequence[PageScores]]) -> dict[str, list[Dot]]:
    """A dot for each page, by system; pages on which a value is undefined have none."""
    found = {
        system: [
            Dot(page.page_id, page.system, page_value(page, "nsfd"), page_value(page, "delta_wer"),
                page.n_ref_words)
            for page in pages
        ]
        for system, pages in scores.items()
    }  # fmt: skip
    return {
        system: [dot for dot in dots if not math.isnan(dot.nsfd + dot.delta_wer)]
        for system, dots in found.items()
    }
