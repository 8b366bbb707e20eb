"""What pairs with what, what is left over, and what cannot be read, in words and as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import pandas as pd

from htreval_core import DataWarning
from htreval_core.markup import shorten
from htreval_core.model import WarningKind
from htreval_core.show.telling.counting import counted
from htreval_core.show.telling.warnings import tell_warning
from htreval_core.show.views.names import own_columns
from htreval_core.sources.formats import names
from htreval_core.sources.pairing import Pairing
from htreval_core.sources.reading import unreadable_sides
from htreval_core.sources.suggest import Suggestion
from htreval_ui.studies.uploads import Files, names_inside

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

_KINDS_NAMED = 6
"""Kinds of files that are named where nothing can be read."""
_SYSTEMS_NAMED = 3


@dataclass(frozen=True)
class Place:
    """What was put into one of the labelled places.

    Args:
        label: what stands above it.
        name: of the system; empty for the references.
        files: what the browser sent.
    """

    label: str
    name: str = ""
    files: Sequence[UploadedFile] = field(default=())

    @property
    def identity(self) -> tuple[str, ...]:
        """What tells these files from others without looking into them."""
        return (self.name, *(file.file_id for file in self.files))

    @property
    def content(self) -> Files:
        return [(file.name, file.getvalue()) for file in self.files]


def tell_pages(pairing: Pairing, n_read: int, suggestions: Sequence[Suggestion] = ()) -> str:
    """How many pages of the ground truth have an output, how they came by it, and what is missing.

    Args:
        n_read: how many pages can be read, or may be as far as is known.
        suggestions: for what is left over.
    """
    n = len(pairing.pages) or n_read
    lone = set(pairing.unpaired.reference)
    n_truth = max(n, len(pairing.given.references))
    if pairing.by_hand:
        n_outputs = sum(len(page.hypotheses) for page in pairing.pages)
        ways = {"their names": n_outputs - len(pairing.by_hand), "hand": len(pairing.by_hand)}
        outputs = f", {n_outputs:,} outputs" if len(pairing.systems) > 1 else ""
        said = f"{n:,} of {counted(n_truth, 'page')}{outputs}: " + ", ".join(
            f"{count:,} by {way}" for way, count in ways.items() if count
        )
    elif n == n_truth:
        said = f"{counted(n, 'page')}, paired by {pairing.rule}"
    else:
        have = "has" if n == 1 else "have"
        said = f"{n:,} of {counted(n_truth, 'page')} of the ground truth {have} an output"
        said += f", paired by {pairing.rule}" if pairing.rule != "same names" else ""
    n_lone = len(lone - {one.pair.page_id for one in suggestions})
    n_several = n_truth - n - len(lone)
    rest = [
        f"{n - n_read:,} of them cannot be read" if n > n_read else "",
        f"{counted(len(suggestions), 'suggestion')} below" if suggestions else "",
        f"{counted(n_lone, 'page')} {'has' if n_lone == 1 else 'have'} no output" if n_lone else "",
        f"{counted(n_several, 'page')} with several files" if n_several > 0 else "",
        *_tell_fewer(pairing),
    ]
    return "; ".join(filter(None, (said, ", ".join(filter(None, rest)))))


def _tell_fewer(pairing: Pairing) -> list[str]:
    """If there are several systems, those that lack pages which another has."""
    counts = Counter(system for page in pairing.pages for system in page.hypotheses)
    fewer = [system for system in pairing.systems if counts[system] < len(pairing.pages)]
    told = [f"‘{shorten(name, 80)}’ has {counts[name]:,} of them" for name in fewer]
    more = len(told) - _SYSTEMS_NAMED
    return told[:_SYSTEMS_NAMED] + (
        [f"{counted(more, 'more system')} with fewer"] if more > 0 else []
    )


def empty_sides(pairing: Pairing, places: Sequence[Place]) -> list[str]:
    """Of each place that was given something and holds no transcript at all a sentence."""
    sides = [pairing.given.references, *pairing.given.systems.values()]
    told = []
    for place, side in zip(places, sides, strict=False):
        if place.files and not side:
            what = f"{place.label} ({place.name})" if place.name else place.label
            told.append(
                f"{what} holds no transcript: {_tell_inside(names_inside(place.content))}. "
                f"Give {names()}, or a table."
            )
    return told


def _tell_inside(names: Sequence[str]) -> str:
    kinds = Counter(PurePosixPath(name).suffix.lower() or "without an ending" for name in names)
    told = [f"{n:,} {ending}" for ending, n in kinds.most_common(_KINDS_NAMED)]
    return f"{', '.join(told)} and nothing readable" if told else "no file at all"


def tell_unreadable(pairing: Pairing, warnings: Iterable[DataWarning]) -> list[str]:
    """Of each side of which not one file can be read a sentence."""
    counts: Mapping[str, int] = {
        "": len(pairing.pages),
        **{
            system: sum(system in page.hypotheses for page in pairing.pages)
            for system in pairing.systems
        },
    }
    told = []
    for side, first in unreadable_sides(pairing, warnings).items():
        what = f"the system ‘{shorten(side, 80)}’" if side else "the ground truth"
        n = counts[side]
        files = "its one file" if n == 1 else f"none of its {n:,} files"
        can = "cannot" if n == 1 else "can"
        told.append(f"Nothing of {what} is read: {files} {can} be read. {tell_warning(first)}")
    return told


def pairing_frame(pairing: Pairing, warnings: Iterable[DataWarning] = ()) -> pd.DataFrame:
    """One row for each page: the ground truth, the file of each system, and what becomes of it.

    What is not scored stands first.
    """
    of = own_columns(pairing.systems, ("page", "truth", "state"))
    failed = {one.file for one in warnings if one.kind is WarningKind.UNREADABLE}
    by_hand = {(pair.system, pair.page_id) for pair in pairing.by_hand}
    rows: list[dict[str, str]] = []
    for page in pairing.unpaired.reference:
        name = pairing.given.references[page][0].name if pairing.given.references else "yes"
        rows.append({"page": page, "truth": name, "state": "no output: not scored"})
    for system, outputs in pairing.unpaired.hypothesis.items():
        files = pairing.given.systems.get(system, {})
        rows += [
            {
                "page": page, of[system]: files[page][0].name if page in files else "yes",
                "state": "no ground truth: not scored",
            }
            for page in outputs
        ]  # fmt: skip
    paired = []
    for one in pairing.pages:
        unread = [system for system, file in one.hypotheses.items() if file.name in failed]
        missing = [system for system in pairing.systems if system not in one.hypotheses]
        told = [f"{system} cannot be read" for system in unread]
        told += [f"no output of {system}" for system in missing]
        told += [
            f"{system} by hand" for system in one.hypotheses if (system, one.page_id) in by_hand
        ]
        if one.reference.name in failed:
            told = ["the ground truth cannot be read: not scored"]
        elif len(unread) == len(one.hypotheses):
            told = ["the output cannot be read: not scored"]
        row = {
            "page": one.page_id, "truth": one.reference.name,
            **{of[system]: file.name for system, file in one.hypotheses.items()},
            "state": "; ".join(told) or "paired",
        }  # fmt: skip
        paired.append(row)
    # What has something to be said of it, before the rest.
    rows += sorted(paired, key=lambda row: row["state"] == "paired")
    return pd.DataFrame(rows, columns=["page", "truth", *of.values(), "state"]).fillna("")
