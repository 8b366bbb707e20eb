"""What a session has uploaded: paired, counted against what it may bring, and amended by hand."""

import hashlib
import weakref
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePosixPath
from threading import RLock
from typing import Any

import streamlit as st

from htreval_core import ReadError
from htreval_core.run.names import MANIFEST
from htreval_core.run.read import open_run_files
from htreval_core.show.views.opened import Opened
from htreval_core.show.views.store import Store
from htreval_core.sources.outputs import pair_outputs
from htreval_core.sources.pairing import ChosenPair, Pairing
from htreval_core.sources.readers.files import files_from_uploads, is_archive
from htreval_core.sources.recognise import GivenSide, pair_files, pair_given_sides
from htreval_ui.studies.given import Given
from htreval_ui.web.security import waiting

_UPLOADS = "uploaded_datasets"
SESSION_BYTES = 500_000_000
"""What one session may have uploaded."""
SERVER_BYTES = 2_000_000_000
"""What all sessions together may have uploaded."""

Files = Sequence[tuple[str, bytes]]
"""Uploaded files: name and content."""


class Upload(Given):
    """Uploaded files as they were paired.

    Args:
        pairing: the pages of the files.
        uploads: what was uploaded.
        size: bytes by which it makes the session's uploads more.
        bundle: the study of a run bundle, where it is one.
        first: the key of the upload that this one amends.
    """

    def __init__(
        self, pairing: Pairing, uploads: Files, size: int, bundle: Opened | None = None,
        first: str = "",
    ) -> None:  # fmt: skip
        sizes = [(name, len(content)) for name, content in uploads]
        super().__init__(pairing.name, lambda _: pairing, lambda: iter(sizes))
        self.pairing = pairing
        self.uploads = uploads
        self.size = size
        self.bundle = bundle
        self.first = first
        self.results: Store[Any] = Store(4)
        """What was computed of them. It goes when the session goes."""
        self.is_offered = False
        """Whether it stands among the data sets that can be chosen."""


def held() -> dict[str, Upload]:
    """The uploads of this session by key."""
    uploads: dict[str, Upload] = st.session_state.setdefault(_UPLOADS, {})
    return uploads


def upload(key: str) -> Upload:
    """An upload of this session.

    Raises:
        KeyError: no upload has this key.
    """
    return held()[key]


def offer(key: str, stand_in: str = "") -> None:
    """Let an upload be chosen wherever data can be chosen; ``stand_in`` as ``Given`` has it."""
    held()[key].is_offered = True
    held()[key].stand_in = stand_in


def forget_drafts(keep: Collection[str]) -> None:
    """Let go of uploads not yet offered, except these and what was made by amending them."""
    for key, one in list(held().items()):
        if not (one.is_offered or key in keep or one.first in keep):
            del held()[key]


def results_of(key: str) -> Store[Any] | None:
    """Where results of an upload of this session are kept; None for data that all share."""
    return held()[key].results if key in held() else None


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
    of_session = sum(upload.size for upload in held().values())
    if of_session + size > SESSION_BYTES:
        raise ReadError(
            f"this session has uploaded {of_session:,} bytes, may upload {SESSION_BYTES:,} in all, "
            f"and these files have {size:,} more; open a new window, or start htreval on the folder"
        )
    if ledger().total + size > SERVER_BYTES:
        raise ReadError(
            f"all who use this server have uploaded {ledger().total:,} bytes, and together they "
            f"may upload {SERVER_BYTES:,}; try again when somebody has left, or start htreval on "
            "the folder itself"
        )


def _enter(key: str, upload: Upload) -> None:
    ledger().enter(upload)
    held()[key] = upload


def _key(about: object, *uploads: Files) -> str:
    digest = hashlib.sha256(repr(about).encode("utf-8", "surrogatepass"))
    for files in uploads:
        for name, content in files:
            digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
            digest.update(hashlib.sha256(content).digest())
    return f"upload-{digest.hexdigest()[:16]}"


def add_upload(files: Files) -> str:
    """Pair uploaded files that hold both sides for this session alone, and return their key."""
    key = _key("", files)
    if key in held():
        return key
    size = sum(len(content) for _, content in files)
    _check_room(size)
    name = files[0][0] if len(files) == 1 else f"Upload of {len(files)} files"
    found = files_from_uploads(files)
    if any(file.name == MANIFEST for file in found):
        study = open_run_files(name, found)
        told = study.dataset
        pairing = Pairing(told.name, told.rule, told.systems, (), told.unpaired, study.warnings)
        _enter(key, Upload(pairing, files, size, bundle=Opened(study, waiting)))
        return key
    _enter(key, Upload(pair_files(name, found), files, size))
    return key


def add_sides(truth: Files, systems: Mapping[str, Files]) -> str:
    """Pair the references and the output of systems for this session alone, and return their key.

    It may be that nothing pairs: then the pairing has no pages, and pairs can be chosen by hand.
    A side may be missing yet.
    """
    key = _key(tuple(systems), truth, *systems.values())
    if key in held():
        return key
    uploads = [file for files in (truth, *systems.values()) for file in files]
    size = sum(len(content) for _, content in uploads)
    _check_room(size)
    names = [name for name, _ in truth]
    pairing = pair_given_sides(
        f"{default_name(names, 'Ground truth')}: {', '.join(systems)}", _side(truth, ""),
        {system: _side(files, f"{system}/") for system, files in systems.items()},
    )  # fmt: skip
    _enter(key, Upload(pairing, uploads, size))
    return key


def add_outputs(files: Files) -> tuple[str, str]:
    """Pair uploaded folders of systems without references, for this session alone.

    Returns:
        The key, and the system that stands in for the references.
    """
    name = default_name([name for name, _ in files], f"Upload of {len(files)} files")
    first, pairing = pair_outputs(name, files_from_uploads(files))
    key = _key("outputs", files)
    if key not in held():
        size = sum(len(content) for _, content in files)
        _check_room(size)
        _enter(key, Upload(pairing, files, size))
    return key, first


def with_pairs(key: str, pairs: Sequence[ChosenPair]) -> str:
    """The key of the same upload with pairs that were chosen by hand.

    Raises:
        KeyError: there is no such upload in this session.
        PairingError: a pair is impossible.
    """
    if not pairs:
        return key
    before = held()[key]
    amended = _key((key, tuple(pairs)))
    if amended not in held():
        # The bytes are those of the upload that it changes.
        paired = before.pairing.with_pairs(pairs)
        _enter(amended, Upload(paired, before.uploads, 0, first=key))
    return amended


def _side(files: Files, prefix: str) -> GivenSide:
    is_one = len(files) == 1 and not is_archive(files[0][1])
    return GivenSide(files_from_uploads(files), prefix, is_one)


def names_inside(files: Files) -> list[str]:
    """What the files are called, those in archives included."""
    return [file.name for file in files_from_uploads(files)]


def default_name(names: Sequence[str], otherwise: str) -> str:
    """What uploaded files are called together: after their folder, or the one file they are."""
    parts = [PurePosixPath(name.replace("\\", "/")).parts for name in names]
    folders = {of[0] for of in parts if len(of) > 1}
    if len(folders) == 1 and all(len(of) > 1 for of in parts):
        return folders.pop()
    if len(parts) == 1 and parts[0]:
        return parts[0][-1].partition(".")[0] or otherwise
    return otherwise
