"""The evaluation bundle on disk: a folder NAME.htreval. See docs/run-format.md."""

from htreval_core.run.manifest import Manifest, Source
from htreval_core.run.origin import read_origin
from htreval_core.run.read import (
    Run,
    is_run,
    is_zipped_run,
    open_run,
    open_run_files,
)
from htreval_core.run.stored import StoredPages
from htreval_core.run.write import MANIFEST, SUFFIX, Origin, save_run, score_run

__all__ = [
    "MANIFEST",
    "SUFFIX",
    "Manifest",
    "Origin",
    "Run",
    "Source",
    "StoredPages",
    "is_run",
    "is_zipped_run",
    "open_run",
    "open_run_files",
    "read_origin",
    "save_run",
    "score_run",
]
