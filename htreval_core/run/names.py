"""What the files of a bundle are called. The command line reads it: it loads nothing heavy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from htreval_core.model import PageScores

SUFFIX = ".htreval"
"""What the name of a run bundle ends in."""
MANIFEST, PAGES, TEXTS, THUMBNAILS = (
    "manifest.json", "pages.parquet", "texts.parquet", "thumbnails.parquet",
)  # fmt: skip
WORK = "work"
"""The folder of a run that has not ended."""

Known: TypeAlias = "Callable[[str, str, bytes], PageScores | None]"
"""The scores of a page id and system with texts of this digest, where they are known already."""
