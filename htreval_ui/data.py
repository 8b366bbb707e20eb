"""Data sets: which there are, opened and read once, and shared by all pages."""

from __future__ import annotations

import hashlib
import os
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any

import streamlit as st

from htreval_core import (
    Dataset,
    HtrEvalError,
    ReadError,
    ReadPolicy,
    Study,
    pair_path,
)
from htreval_core.cli.app import OPEN_VARIABLE
from htreval_core.run.names import MANIFEST
from htreval_core.run.read import is_run, open_run, open_run_files
from htreval_core.sources.pairing import Pairing
from htreval_core.sources.readers import files_from_uploads
from htreval_core.sources.reading import read_pairing
from htreval_core.sources.recognise import pair_files
from htreval_ui import places
from htreval_ui.opened import Opened
from htreval_ui.store import Store

_UPLOADS = "uploaded_datasets"
SESSION_BYTES = 500_000_000
"""What one session may have uploaded."""
SERVER_BYTES = 2_000_000_000
"""What all sessions together may have uploaded."""

SAMPLES = {
    "letterbook": "Sample: Letter-book",
    "seite0418": "Paper: page Seite0418",
    "examples": "Paper: worked examples",
}
ABOUT = {
    "letterbook": "24 made pages with images and three made systems: one misreads, one reads "
    "across columns, one skips the margins.",
    "seite0418": "A real page with a note in its margin, as two systems read it. The "
    "paper prints it as its example.",
    "examples": "The short texts by which the paper explains its measures, to check by hand.",
}


def sources() -> dict[str, str]:
    """The data sets that can be chosen: key and title. The first is what the app opens with."""
    started_with = {f"path-{n}": path.name for n, path in enumerate(_paths(), start=1)}
    uploaded = {key: upload.pairing.name for key, upload in _uploads().items()}
    return {**started_with, **uploaded, **SAMPLES}


def _paths() -> list[Path]:
    """The paths that the server was started with; nothing else on its disk can be reached."""
    return [Path(path) for path in os.environ.get(OPEN_VARIABLE, "").split(os.pathsep) if path]


@dataclass
class Upload:
    """Uploaded files as they were paired, and their texts once they are read."""

    pairing: Pairing
    texts: dict[ReadPolicy, Dataset] = field(default_factory=dict)
    bundle: Opened | None = None
    size: int = 0
    """Bytes that were uploaded."""
    results: Store[Any] = field(default_factory=lambda: Store(4))
    """What was computed of them. It goes when the session goes."""

    def read(self, reading: ReadPolicy) -> Dataset:
        if self.bundle is not None:
            return self.bundle.study.dataset
        if reading not in self.texts:
            self.texts[reading] = read_pairing(self.pairing, reading)
        return self.texts[reading]


def _uploads() -> dict[str, Upload]:
    uploads: dict[str, Upload] = st.session_state.setdefault(_UPLOADS, {})
    return uploads


def results_of(key: str) -> Store[Any] | None:
    """Where results of an upload of this session are kept; None for data that all share."""
    return _uploads()[key].results if key in _uploads() else None


class Ledger:
    """How many bytes all sessions have uploaded; what nobody holds any more is given back."""

    def __init__(self) -> None:
        self.total = 0
        # Giving back may happen wherever Python collects garbage, also while this is held.
        self._lock = RLock()

    def enter(self, upload: Upload) -> None:
        self._add(upload.size)
        weakref.finalize(upload, self._add, -upload.size)

    def _add(self, size: int) -> None:
        with self._lock:
            self.total += size


@st.cache_resource(max_entries=1, show_spinner=False)
def ledger() -> Ledger:
    return Ledger()


def _check_room(size: int) -> None:
    of_session = sum(upload.size for upload in _uploads().values())
    if of_session + size > SESSION_BYTES:
        raise ReadError(
            f"this session has uploaded {of_session:,} bytes and may upload {SESSION_BYTES:,}, and "
            f"these are {size:,} more; open a new window, or start htreval on the folder itself"
        )
    if ledger().total + size > SERVER_BYTES:
        raise ReadError(
            f"all who use this server have uploaded {ledger().total:,} bytes, and together they "
            f"may upload {SERVER_BYTES:,}; try again when somebody has left, or start htreval on "
            "the folder itself"
        )


def add_upload(
    files: Sequence[tuple[str, bytes]],
    reference_suffix: str | None = None,
    hypothesis_suffix: str | None = None,
) -> tuple[str, Pairing]:
    """Pair uploaded files for this session alone, and return their key and the pairing.

    Raises:
        HtrEvalError: the files cannot be paired, or are more than may be uploaded.
    """
    digest = hashlib.sha256(repr((reference_suffix, hypothesis_suffix)).encode())
    for name, content in files:
        digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
        digest.update(hashlib.sha256(content).digest())
    key = f"upload-{digest.hexdigest()[:16]}"
    if key not in _uploads():
        size = sum(len(content) for _, content in files)
        _check_room(size)
        name = files[0][0] if len(files) == 1 else f"Upload of {len(files)} files"
        found = files_from_uploads(files)
        if any(file.name == MANIFEST for file in found):
            upload = _uploaded_bundle(open_run_files(name, found))
        else:
            upload = Upload(
                pair_files(
                    name,
                    found,
                    reference_suffix=reference_suffix,
                    hypothesis_suffix=hypothesis_suffix,
                )
            )
        upload.size = size
        ledger().enter(upload)
        _uploads()[key] = upload
    return key, _uploads()[key].pairing


def _uploaded_bundle(study: Study) -> Upload:
    told = study.dataset
    pairing = Pairing(told.name, told.rule, told.systems, (), told.unpaired, study.warnings)
    return Upload(pairing, bundle=Opened(study))


def bundle(key: str) -> Opened | None:
    """The run bundle that a key stands for; None where it stands for files.

    Raises:
        HtrEvalError: the bundle cannot be read.
    """
    if key in _uploads():
        return _uploads()[key].bundle
    path = {f"path-{n}": path for n, path in enumerate(_paths(), start=1)}.get(key)
    return _bundle_on_disk(path) if path is not None and is_run(path) else None


@st.cache_resource(max_entries=4, show_spinner=False)
def _bundle_on_disk(path: Path) -> Opened:
    return Opened(open_run(path))


def warm() -> None:
    """Open the runs that the server was started with, before anybody has come."""
    for path in _paths():
        with suppress(HtrEvalError):
            if is_run(path):
                _ = _bundle_on_disk(path).study.corpora


def dataset(key: str, reading: ReadPolicy) -> Dataset:
    """The data set of a key, its files read under the given policy.

    Raises:
        HtrEvalError: its files cannot be paired or read.
        KeyError: there is no such data set in this session.
    """
    if key in _uploads():
        return _uploads()[key].read(reading)
    if key in SAMPLES:
        return _on_disk(places.root() / "sample_data" / key, reading)
    opened = bundle(key)
    if opened is not None:
        return opened.study.dataset
    started_with = {f"path-{n}": path for n, path in enumerate(_paths(), start=1)}
    return _on_disk(started_with[key], reading)


@st.cache_resource(max_entries=8, show_spinner=False)
def _on_disk(path: Path, reading: ReadPolicy) -> Dataset:
    return pair_path(path, reading=reading)
