"""Data sets: which there are, paired and read once, and shared by all pages."""

from __future__ import annotations

import hashlib
import json
import os
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path, PurePosixPath
from threading import Lock, RLock
from typing import Any

import streamlit as st

from htreval_core import Dataset, HtrEvalError, ReadError, ReadPolicy, Study
from htreval_core.run.names import MANIFEST
from htreval_core.run.read import is_run, open_run, open_run_files
from htreval_core.scoring.facets import Facets, read_facets
from htreval_core.scoring.score import Gathered
from htreval_core.settings.started import OPEN_VARIABLE, SIDES_VARIABLE, paths_read
from htreval_core.sources.columns import Columns
from htreval_core.sources.pairing import ChosenPair, Pairing
from htreval_core.sources.readers import as_path, files_from_uploads
from htreval_core.sources.readers.files import files_and_folder, is_archive
from htreval_core.sources.reading import Reading, read_pairing
from htreval_core.sources.recognise import (
    GivenSide,
    find_pairs,
    find_source_pairs,
    pair_files,
    pair_given_sides,
)
from htreval_core.sources.sides import IMAGE_SUFFIXES
from htreval_ui import places
from htreval_ui.studies.opened import Opened
from htreval_ui.studies.store import Store

_UPLOADS = "uploaded_datasets"
_SIDES = "sides"
"""The key of the sides that the server was started with."""
SESSION_BYTES = 500_000_000
"""What one session may have uploaded."""
SERVER_BYTES = 2_000_000_000
"""What all sessions together may have uploaded."""
_SMALL_FILES = 1_000
_SMALL_BYTES = 4_000_000
"""Up to so much, images left out, is read while the browser waits: well under a second."""

SAMPLES = {
    "letterbook": "Sample: Letter-book",
    "models": "Sample: Language models",
    "seite0418": "Paper: page Seite0418",
    "examples": "Paper: worked examples",
}
ABOUT = {
    "letterbook": "24 made pages with images and three made systems: one misreads, one reads "
    "across columns, one skips the margins.",
    "models": "Ten of these pages as made language models write them: one in Markdown, one as "
    "layout JSON, one after a preface. They loop, skip, make things up, modernise and refuse.",
    "seite0418": "A real page with a note in its margin, as two systems read it. The "
    "paper prints it as its example.",
    "examples": "The short texts by which the paper explains its measures, to check by hand.",
}

Files = Sequence[tuple[str, bytes]]
"""Uploaded files: name and content."""


class Given:
    """Files that make one data set: paired when that is first asked for, and read.

    What was found is kept as long as the files are, for every session that may see them.

    Args:
        name: what it is called.
        pair: which files belong together; may raise ``HtrEvalError``.
        sizes: a name and the bytes of each file, as far as they are known without reading.
    """

    def __init__(
        self,
        name: str,
        pair: Callable[[ReadPolicy], Pairing],
        sizes: Callable[[], Iterator[tuple[str, int]]],
    ) -> None:
        self.name = name
        self._pair, self._sizes = pair, sizes
        self._texts: Store[Dataset] = Store(4)
        self._facets: Store[Facets] = Store(1)
        self._begun: Store[Gathered] = Store(8)
        self._lock = Lock()

    def reading(self, policy: ReadPolicy) -> Reading:
        """The files paired and ready to be read.

        Raises:
            HtrEvalError: they cannot be paired.
        """
        return Reading(self._pair(policy), policy)

    def texts(self, policy: ReadPolicy) -> Dataset | None:
        """The texts as they were read under the policy; None where they have yet to be."""
        return self._texts.get(policy)

    def keep(self, policy: ReadPolicy, found: Dataset) -> None:
        """Take over texts that somebody else has read."""
        self._texts.put(policy, found)

    def read_if_small(self, policy: ReadPolicy) -> Dataset | None:
        """The texts, read now where that takes no time; else None.

        Raises:
            HtrEvalError: the files cannot be paired or read.
        """
        found = self.texts(policy)
        if found is None and self._is_small():
            found = self._texts.once(policy, lambda: read_pairing(self._pair(policy), policy))
        return found

    def reread(self, policy: ReadPolicy) -> Dataset | None:
        """The texts of the same files by other rules of markup; None where they hold none."""
        try:
            reading = self.reading(policy)
            has_markup = reading.pairing.may_hold_markup or policy.text_as == "markdown"
            return reading.read() if has_markup else None
        except HtrEvalError:
            return None

    def facets(self, page_ids: Sequence[str]) -> Facets:
        """What a table beside the pages says of them; no facets where there is none.

        Raises:
            ReadError: there is one that cannot be read.
        """

        def read() -> Facets:
            try:
                beside = self._pair(ReadPolicy()).facets
            except HtrEvalError:
                return Facets()
            return read_facets(beside.name, beside.read(), page_ids) if beside else Facets()

        return self._facets.once(tuple(page_ids), read)

    def begun(self, signature: str) -> Gathered:
        """What a scoring under these settings that was broken off has done, to go on with."""
        before = self._begun.get(signature)
        gathered = before.copy() if before is not None else Gathered()
        self._begun.put(signature, gathered)
        return gathered

    def is_scored(self, signature: str) -> None:
        """Hold no longer what a scoring has done: it is in a study by now."""
        self._begun.drop(signature)

    def _is_small(self) -> bool:
        size = 0
        for number, (name, more) in enumerate(self._sizes(), start=1):
            size += 0 if name.lower().endswith(IMAGE_SUFFIXES) else more
            if number > _SMALL_FILES or size > _SMALL_BYTES:
                return False
        return True


class Upload(Given):
    """Uploaded files as they were paired.

    Args:
        pairing: the pages of the files.
        uploads: what was uploaded.
        size: bytes by which it makes the session's uploads more.
        bundle: the study of a run bundle, where it is one.
        first: the key of the upload that this one amends.
        folders: the folder that all files of a side stood in, by system, that of the references
            under an empty name; nothing where all came together.
    """

    def __init__(
        self,
        pairing: Pairing,
        uploads: Files,
        size: int,
        bundle: Opened | None = None,
        first: str = "",
        folders: Mapping[str, str] | None = None,
    ) -> None:
        sizes = [(name, len(content)) for name, content in uploads]
        super().__init__(pairing.name, lambda _: pairing, lambda: iter(sizes))
        self.pairing = pairing
        self.uploads = uploads
        self.size = size
        self.bundle = bundle
        self.first = first
        self.folders = folders or {}
        self.results: Store[Any] = Store(4)
        """What was computed of them. It goes when the session goes."""
        self.is_offered = False
        """Whether it stands among the data sets that can be chosen."""

    @cached_property
    def names_as_given(self) -> Mapping[str, str]:
        """The names in the archive or folder that was given, of files that are called otherwise."""
        given = self.pairing.given
        sides = {"": given.references, **given.systems}
        names = {}
        for side, folder in self.folders.items():
            for file in (file for files in sides[side].values() for file in files):
                name = folder + file.name.removeprefix(f"{side}/" if side else "")
                if name != file.name:
                    names[file.name] = name
        return names


def sources() -> dict[str, str]:
    """The data sets that can be chosen: key and title. The first is what the app opens with."""
    started_with = {key: given.name for key, given in _started_with().items()}
    uploaded = {key: upload.name for key, upload in _uploads().items() if upload.is_offered}
    return {**started_with, **uploaded, **SAMPLES}


def _paths() -> list[Path]:
    """The paths that the server was started with; nothing else on its disk can be reached."""
    return paths_read(os.environ.get(OPEN_VARIABLE, ""))


def _started_with() -> dict[str, Given]:
    """What the server was started with: first the sides, then the paths."""
    told = os.environ.get(SIDES_VARIABLE, "")
    sides = {_SIDES: _sides_on_disk(told)} if told else {}
    return {**sides, **{f"path-{n}": _on_disk(path) for n, path in enumerate(_paths(), start=1)}}


@st.cache_resource(max_entries=16, show_spinner=False)
def _on_disk(path: Path) -> Given:
    return Given(
        path.name, lambda policy: find_pairs(path, reading=policy), lambda: _sizes_below([path])
    )


@st.cache_resource(max_entries=1, show_spinner=False)
def _sides_on_disk(told: str) -> Given:
    sides = json.loads(told)
    reference = as_path(sides["reference"])
    systems = {name: as_path(path) for name, path in sides["systems"].items()}
    return Given(
        f"{reference.name}: {', '.join(systems)}",
        lambda policy: find_source_pairs(reference, systems, reading=policy),
        lambda: _sizes_below([reference, *systems.values()]),
    )


def _sizes_below(paths: Sequence[Path]) -> Iterator[tuple[str, int]]:
    """Name and size of the files at paths of this machine; those elsewhere count as large."""
    for path in paths:
        if not isinstance(path, Path):
            yield str(path), _SMALL_BYTES + 1
        elif path.is_dir():
            for place, _, names in os.walk(path):
                for name in names:
                    with suppress(OSError):
                        yield name, os.stat(os.path.join(place, name)).st_size
        elif path.exists():
            yield path.name, path.stat().st_size


def _uploads() -> dict[str, Upload]:
    uploads: dict[str, Upload] = st.session_state.setdefault(_UPLOADS, {})
    return uploads


def upload(key: str) -> Upload:
    """An upload of this session.

    Raises:
        KeyError: there is none of this key.
    """
    return _uploads()[key]


def offer(key: str) -> None:
    """Let an upload be chosen wherever data can be chosen."""
    _uploads()[key].is_offered = True


def is_here(key: str) -> bool:
    """Whether this session has an upload of this key."""
    return key in _uploads()


def forget_drafts(keep: Collection[str]) -> None:
    """Hold no upload that was not offered and is none of these, nor one of them amended."""
    for key, one in list(_uploads().items()):
        if not (one.is_offered or key in keep or one.first in keep):
            del _uploads()[key]


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


def _enter(key: str, upload: Upload) -> None:
    ledger().enter(upload)
    _uploads()[key] = upload


def _key(about: object, *uploads: Files) -> str:
    digest = hashlib.sha256(repr(about).encode("utf-8", "surrogatepass"))
    for files in uploads:
        for name, content in files:
            digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
            digest.update(hashlib.sha256(content).digest())
    return f"upload-{digest.hexdigest()[:16]}"


def add_upload(
    files: Files,
    reference_suffix: str | None = None,
    hypothesis_suffix: str | None = None,
    columns: Columns | None = None,
) -> str:
    """Pair uploaded files that hold both sides for this session alone, and return their key.

    Args:
        columns: those of a table that are not to be found by their names.

    Raises:
        HtrEvalError: the files cannot be paired, or are more than may be uploaded.
    """
    key = _key((reference_suffix, hypothesis_suffix, columns), files)
    if key in _uploads():
        return key
    size = sum(len(content) for _, content in files)
    _check_room(size)
    name = files[0][0] if len(files) == 1 else f"Upload of {len(files)} files"
    found = files_from_uploads(files)
    if any(file.name == MANIFEST for file in found):
        _enter(key, _uploaded_bundle(open_run_files(name, found), files, size))
        return key
    pairing = pair_files(
        name,
        found,
        reference_suffix=reference_suffix,
        hypothesis_suffix=hypothesis_suffix,
        columns=columns,
    )
    _enter(key, Upload(pairing, files, size))
    return key


def add_sides(truth: Files, systems: Mapping[str, Files]) -> str:
    """Pair the references and the output of systems for this session alone, and return their key.

    It may be that nothing pairs: then the pairing has no pages, and pairs can be chosen by hand.
    A side may be missing yet.

    Raises:
        HtrEvalError: an archive or a table cannot be read, or it is more than may be uploaded.
    """
    key = _key(tuple(systems), truth, *systems.values())
    if key in _uploads():
        return key
    uploads = [file for files in (truth, *systems.values()) for file in files]
    size = sum(len(content) for _, content in uploads)
    _check_room(size)
    names = [name for name, _ in truth]
    reference, folder = _side(truth, "")
    sides = {system: _side(files, f"{system}/") for system, files in systems.items()}
    pairing = pair_given_sides(
        f"{default_name(names, 'The truth')}: {', '.join(systems)}",
        reference,
        {system: side for system, (side, _) in sides.items()},
    )
    folders = {"": folder, **{system: of for system, (_, of) in sides.items()}}
    _enter(key, Upload(pairing, uploads, size, folders=folders))
    return key


def with_pairs(key: str, pairs: Sequence[ChosenPair]) -> str:
    """The key of the same upload with pairs that were chosen by hand.

    Raises:
        KeyError: there is no such upload in this session.
        PairingError: a pair is impossible.
    """
    if not pairs:
        return key
    before = _uploads()[key]
    amended = _key((key, tuple(pairs)))
    if amended not in _uploads():
        # The bytes are those of the upload that it changes.
        paired = before.pairing.with_pairs(pairs)
        _enter(amended, Upload(paired, before.uploads, 0, first=key, folders=before.folders))
    return amended


def _side(files: Files, prefix: str) -> tuple[GivenSide, str]:
    """The files of one side, and the folder that all of them stood in."""
    is_one = len(files) == 1 and not is_archive(files[0][1])
    found, folder = files_and_folder(files)
    return GivenSide(found, prefix, is_one), folder


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


def _uploaded_bundle(study: Study, files: Files, size: int) -> Upload:
    told = study.dataset
    pairing = Pairing(told.name, told.rule, told.systems, (), told.unpaired, study.warnings)
    return Upload(pairing, files, size, bundle=Opened(study))


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


def given(key: str) -> Given:
    """The files that a key stands for.

    Raises:
        HtrEvalError: it is a run bundle that cannot be read.
        KeyError: there is no such data set in this session.
    """
    found = _uploads().get(key) or _started_with().get(key)
    if key in SAMPLES:
        found = _on_disk(places.root() / "sample_data" / key)
    if found is None:
        raise KeyError(key)
    opened = bundle(key)
    if opened is not None:
        # The texts of a bundle are there as they were read.
        found.keep(opened.study.settings.reading, opened.study.dataset)
    return found
