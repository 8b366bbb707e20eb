"""What came of the files of a page, as JSON, and back."""

from __future__ import annotations

from typing import Any

from htreval_core.model import DataWarning, WarningKind
from htreval_core.sources.dataset import FileRead, Receipt


def as_json(receipt: Receipt) -> list[Any]:
    """A receipt as lists of texts and numbers."""
    return [
        receipt.page_id,
        list(receipt.systems),
        [[one.file, one.kind.value, list(one.detail), one.count] for one in receipt.warnings],
        receipt.image,
        [[file.system, file.name, file.size, file.sha256] for file in receipt.files],
    ]


def from_json(told: list[Any]) -> Receipt:
    """The receipt that was written so."""
    page_id, systems, warnings, image, files = told
    return Receipt(
        page_id,
        tuple(systems),
        tuple(
            DataWarning(file, WarningKind(kind), tuple(detail), count)
            for file, kind, detail, count in warnings
        ),
        image,
        tuple(FileRead(*file) for file in files),
    )
