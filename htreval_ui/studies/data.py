"""Data sets: which there are, paired and read once, and shared by all pages."""

import json
import os
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import streamlit as st

from htreval_core import HtrEvalError, Settings
from htreval_core.run.read import is_run, open_run
from htreval_core.settings import read_settings_file
from htreval_core.settings.started import OPEN_VARIABLE, SIDES_VARIABLE, paths_read
from htreval_core.show.views.opened import Opened
from htreval_core.sources.outputs import pair_outputs
from htreval_core.sources.readers.files import find_files
from htreval_core.sources.recognise import find_pairs, find_source_pairs
from htreval_ui import places
from htreval_ui.studies import uploads
from htreval_ui.studies.given import Given
from htreval_ui.web import state
from htreval_ui.web.security import waiting

_SIDES = "sides"
"""The key of the sides that the server was started with."""

_TOLD = tomllib.loads(Path(__file__).with_name("samples.toml").read_text("utf-8"))
HOW_FILES_PAIR = Path(__file__).with_name("pairing.md").read_text("utf-8")
SAMPLES, ABOUT = ({name: str(one[what]) for name, one in _TOLD.items()}
                  for what in ("title", "about"))  # fmt: skip


def sources() -> dict[str, str]:
    """The data sets that can be chosen: key and title. The first is what the app opens with."""
    started_with = {key: given.name for key, given in _started_with().items()}
    chosen = state.current().data
    if chosen.endswith(_ALONE) and chosen.removesuffix(_ALONE) in started_with:
        started_with[chosen] = started_with[chosen.removesuffix(_ALONE)]
    uploaded = {key: one.name for key, one in uploads.held().items() if one.is_offered}
    return {**started_with, **uploaded, **SAMPLES}


def settings_of(key: str) -> Settings | None:
    """The settings that come with a data set: of a bundle's scoring, or a folder's study.toml."""
    opened = bundle(key)
    if opened is not None:
        return opened.study.settings
    folder = places.root() / "sample_data" / key if key in SAMPLES else _path(key)
    file = folder / "study.toml" if isinstance(folder, Path) else None
    return read_settings_file(file) if file is not None and file.is_file() else None


def stand_in(key: str) -> str:
    """The system that stands in for references that these data lack; empty where they have some."""
    try:
        return given(key).stand_in
    except (HtrEvalError, KeyError):
        return ""


_ALONE = "-outputs"
"""The key of a path whose folders are read as systems alone ends so."""


def without_truth(key: str) -> str:
    """The key of the same files as data without references; empty without two systems' folders."""
    alone = f"{key}{_ALONE}"
    return alone if _path(key) is not None and stand_in(alone) else ""


def _path(key: str) -> Path | None:
    return {f"path-{n}": path for n, path in enumerate(_paths(), start=1)}.get(key)


def _paths() -> list[Path]:
    """The paths that the server was started with; nothing else on its disk can be reached."""
    return paths_read(os.environ.get(OPEN_VARIABLE, ""))


def place_of(key: str) -> Path | None:
    """Where data stand that the server was started with; of several sides the first.

    None for uploads and for samples, which are no place to write beside.
    """
    told = os.environ.get(SIDES_VARIABLE, "") if key == _SIDES else ""
    sides = json.loads(told) if told else {"reference": None, "systems": {}}
    first = sides["reference"] or next(iter(sides["systems"].values()), None)
    return Path(first) if first else _path(key.removesuffix(_ALONE))


def _started_with() -> dict[str, Given]:
    told = os.environ.get(SIDES_VARIABLE, "")
    sides = {_SIDES: _sides_on_disk(told)} if told else {}
    return {**sides, **{f"path-{n}": _on_disk(path) for n, path in enumerate(_paths(), start=1)}}


@st.cache_resource(max_entries=16, show_spinner=False)
def _on_disk(path: Path) -> Given:
    return Given(
        path.name, lambda policy: find_pairs(path, reading=policy), lambda: _sizes_below([path])
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def _outputs_on_disk(path: Path) -> Given:
    return Given(
        path.name, lambda policy: pair_outputs(path.name, find_files(path, policy.limits)[0])[1],
        lambda: _sizes_below([path]), pair_outputs(path.name, find_files(path)[0])[0],
    )  # fmt: skip


@st.cache_resource(max_entries=1, show_spinner=False)
def _sides_on_disk(told: str) -> Given:
    sides = json.loads(told)
    systems = {name: Path(path) for name, path in sides["systems"].items()}
    title, stand_in = ", ".join(systems), ""
    if sides["reference"] is None:
        stand_in = next(iter(systems))
        reference = systems.pop(stand_in)
    else:
        reference = Path(sides["reference"])
        title = f"{reference.name}: {title}"
    return Given(
        title, lambda policy: find_source_pairs(reference, systems, reading=policy),
        lambda: _sizes_below([reference, *systems.values()]), stand_in,
    )  # fmt: skip


def _sizes_below(paths: Sequence[Path]) -> Iterator[tuple[str, int]]:
    for path in paths:
        if path.is_dir():
            for place, _, names in os.walk(path):
                for name in names:
                    with suppress(OSError):
                        yield name, os.stat(os.path.join(place, name)).st_size
        elif path.exists():
            yield path.name, path.stat().st_size


def bundle(key: str) -> Opened | None:
    """The run bundle that a key stands for; None where it stands for files."""
    if key in uploads.held():
        return uploads.held()[key].bundle
    path = _path(key)
    return _bundle_on_disk(path) if path is not None and is_run(path) else None


@st.cache_resource(max_entries=4, show_spinner=False)
def _bundle_on_disk(path: Path) -> Opened:
    return Opened(open_run(path), waiting)


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
    found = uploads.held().get(key) or _started_with().get(key)
    alone = _path(key.removesuffix(_ALONE)) if key.endswith(_ALONE) else None
    if alone is not None:
        found = _outputs_on_disk(alone)
    elif key in SAMPLES:
        found = _on_disk(places.root() / "sample_data" / key)
    if found is None:
        raise KeyError(key)
    opened = bundle(key)
    if opened is not None:
        # The texts of a bundle are there as they were read.
        found.keep(opened.study.settings.reading, opened.study.dataset)
    return found
