"""Two evaluations of the same references as one, so that their systems can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from htreval_core.errors import ConfigError
from htreval_core.model import Page
from htreval_core.scoring.score import Evaluation
from htreval_core.text import page_words


@dataclass(frozen=True, slots=True)
class Joined:
    """Two evaluations put together.

    Args:
        evaluation: their common pages under the systems of both, with new names.
        pairs: the systems to compare, the old one first.
        warnings: what a reader should know before believing the figures, in sentences.
    """

    evaluation: Evaluation
    pairs: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]


def join_evaluations(
    old: Evaluation, new: Evaluation, pairs: Sequence[tuple[str, str]], names: tuple[str, str]
) -> Joined:
    """Put the systems of two evaluations beside each other on the pages that both have.

    Pages whose reference has other words in the two are left out: their figures say nothing about
    the systems.

    Args:
        pairs: a system of ``old`` and one of ``new`` each.
        names: what the two evaluations are called, different.

    Raises:
        ConfigError: they were scored with different settings, or no page is in both.
    """
    if replace(old.settings, reading=new.settings.reading) != new.settings:
        raise ConfigError(
            "the two were scored with different settings, so their figures do not compare; score "
            f"one of them again:\n{names[0]}: {old.signature}\n{names[1]}: {new.signature}"
        )
    warnings = []
    if old.signature != new.signature:
        warnings.append(
            f"the signatures differ: {names[0]} {old.signature}, {names[1]} {new.signature}"
        )
    policy = new.settings.policy
    common = [page_id for page_id in old.pages if page_id in new.pages]
    same: dict[str, Page] = {}
    for page_id in common:
        a, b = old.pages[page_id], new.pages[page_id]
        if page_words(a.reference, policy).words == page_words(b.reference, policy).words:
            same[page_id] = a
    if not same:
        raise ConfigError(f"{names[0]} and {names[1]} have no page with the same reference")
    if len(same) < len(common):
        named = ", ".join([page_id for page_id in common if page_id not in same][:5])
        warnings.append(
            f"{len(common) - len(same)} pages have another reference in the two and are left out: "
            f"{named}"
        )
    alone = len(old.pages) + len(new.pages) - 2 * len(common)
    if alone:
        warnings.append(f"{alone} pages are in one of the two only and are left out")
    scores = {}
    renamed: list[tuple[str, str]] = []
    for pair in pairs:
        labels = tuple(f"{system} [{name}]" for system, name in zip(pair, names, strict=True))
        renamed.append((labels[0], labels[1]))
        for evaluation, system, label in zip((old, new), pair, labels, strict=True):
            scores[label] = tuple(
                replace(one, system=label)
                for one in evaluation.scores[system]
                if one.page_id in same
            )
    evaluation = Evaluation(same, tuple(scores), scores, new.settings, new.made_with)
    return Joined(evaluation, tuple(renamed), tuple(warnings))
