"""Two studies of the same references as one, so that their systems can be compared."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from htreval_core.errors import ConfigError
from htreval_core.metrics.page import PageReference
from htreval_core.model import DataWarning, Page, WarningKind
from htreval_core.scoring.study import Study
from htreval_core.sources.dataset import Dataset, StoredPages


def beside(system: str, name: str) -> str:
    """What a system of one of two studies is called when they are put together."""
    return f"{system} [{name}]"


def join_studies(
    old: Study, new: Study, pairs: Sequence[tuple[str, str]], names: tuple[str, str]
) -> Study:
    """The systems of two studies beside each other on the pages that both have.

    Pages whose reference differs in what counts are left out: their values say nothing about the
    systems. What is left out, and what else to know before believing the values, is among
    the warnings.

    Args:
        pairs: a system of ``old`` and one of ``new`` each; ``beside`` says what they are called.
        names: what the two studies are called, different.

    Raises:
        ConfigError: they were scored with different settings, or no page is in both.
    """
    if replace(old.settings, reading=new.settings.reading) != new.settings:
        raise ConfigError(
            "the two were scored with different settings, so their values cannot be compared; "
            f"score one of them again:\n{names[0]}: {old.signature}\n{names[1]}: {new.signature}"
        )
    found = [*old.warnings, *new.warnings]
    if old.signature != new.signature:
        found += [
            DataWarning(name, WarningKind.OTHER_SIGNATURE, (study.signature,))
            for name, study in zip(names, (old, new), strict=True)
        ]
    common = [page_id for page_id in old.page_ids if page_id in new.dataset]
    same = frozenset(
        page_id for page_id in common if _counted(old, page_id) == _counted(new, page_id)
    )
    if not same:
        raise ConfigError(f"{names[0]} and {names[1]} have no page with the same reference")
    between = " and ".join(names)
    other = tuple(page_id for page_id in common if page_id not in same)
    if other:
        found.append(DataWarning(between, WarningKind.OTHER_REFERENCE, other, len(other)))
    alone = len(old.page_ids) + len(new.page_ids) - 2 * len(common)
    if alone:
        found.append(DataWarning(between, WarningKind.NOT_IN_BOTH, count=alone))
    labels = [
        (side, system, beside(system, names[side]))
        for pair in pairs
        for side, system in enumerate(pair)
    ]
    scores = {}
    for side, system, label in labels:
        scores[label] = replace((old, new)[side].table(system).on(same), system=label)
    page_ids = [page_id for page_id in common if page_id in same]
    pages = _JoinedPages((old.dataset, new.dataset), page_ids, labels)
    dataset = Dataset(between, pages, tuple(scores), warnings=tuple(dict.fromkeys(found)))
    return Study(dataset, new.settings, scores, made_with=new.made_with, clusters=new.clusters)


def _counted(study: Study, page_id: str) -> tuple[object, ...]:
    """All of a reference that a value depends on, what is left out included."""
    page = PageReference.of(page_id, study.page(page_id).reference, study.settings)
    sides = [
        (one.words, one.text, one.before, one.after,
         np.unique(one.line_of, return_inverse=True)[1].tolist())
        for one in (page.words, page.written)
    ]  # fmt: skip
    return *sides, [block.words for block in page.tree.blocks], page.tree.root


class _JoinedPages(StoredPages):
    """Pages of two data sets, each with the outputs of both, put together when asked for.

    Labels: of each output the number of its data set, its system there, and its name here."""

    def __init__(
        self, both: tuple[Dataset, Dataset], page_ids: Sequence[str],
        labels: Sequence[tuple[int, str, str]],
    ) -> None:  # fmt: skip
        self.page_ids = page_ids
        self._both, self._labels = both, labels

    def page_at(self, place: int) -> Page:
        page_id = self.page_ids[place]
        sides = [one.page(page_id) for one in self._both]
        outputs = {
            label: sides[side].hypotheses[system]
            for side, system, label in self._labels
            if system in sides[side].hypotheses
        }
        return Page(page_id, sides[0].reference, outputs)
