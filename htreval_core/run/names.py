"""What the files of a bundle are called. Nothing here takes time to import."""

from __future__ import annotations

SUFFIX = ".htreval"
"""What the name of a bundle ends in."""
MANIFEST = "manifest.json"
PAGES = "pages.parquet"
TEXTS = "texts.parquet"
THUMBNAILS = "thumbnails.parquet"
DIAGNOSES = "diagnoses.parquet"
WORK = "work"
"""The folder of a run that has not ended."""
