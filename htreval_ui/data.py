"""Data sets and evaluations, each computed once and shared by all pages."""

from __future__ import annotations

import hashlib
import os
import time
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import streamlit as st

from htreval_core import (
    Dataset,
    Evaluation,
    Page,
    ScoredPage,
    Settings,
    pair_path,
    pair_uploads,
    score,
    score_page,
)
from htreval_core.cli import OPEN_VARIABLE
from htreval_ui import places

_UPLOADS = "uploaded_datasets"
_SLOW = 500
"""Pages from which on the scoring shows its progress."""

SAMPLES = {
    "letterbook": "Letter-book of Kelderwick (sample)",
    "seite0418": "Page Seite0418 (from the paper)",
    "examples": "Worked examples (from the paper)",
}


def sources() -> dict[str, str]:
    """The data sets that can be chosen: key and title. The first is what the app opens with."""
    started_with = {f"path-{n}": path.name for n, path in enumerate(_paths(), start=1)}
    uploaded = {key: dataset.name for key, dataset in _uploads().items()}
    return {**started_with, **uploaded, **SAMPLES}


def _paths() -> list[Path]:
    """The paths that the server was started with; nothing else on its disk can be reached."""
    return [Path(path) for path in os.environ.get(OPEN_VARIABLE, "").split(os.pathsep) if path]


def _uploads() -> dict[str, Dataset]:
    uploads: dict[str, Dataset] = st.session_state.setdefault(_UPLOADS, {})
    return uploads


def add_upload(files: Sequence[tuple[str, bytes]]) -> str:
    """Pair uploaded files for this session alone, and return their key.

    Raises:
        HtrEvalError: no page could be made of them.
    """
    digest = hashlib.sha256()
    for name, content in files:
        digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
        digest.update(hashlib.sha256(content).digest())
    key = f"upload-{digest.hexdigest()[:16]}"
    if key not in _uploads():
        name = files[0][0] if len(files) == 1 else f"Upload of {len(files)} files"
        _uploads()[key] = pair_uploads(name, files)
    return key


def dataset(key: str) -> Dataset:
    """The data set of a key.

    Raises:
        HtrEvalError: its files cannot be paired or read.
        KeyError: there is no such data set in this session.
    """
    if key in _uploads():
        return _uploads()[key]
    if key in SAMPLES:
        return _on_disk(places.root() / "sample_data" / key)
    return _on_disk(dict(zip((f"path-{n}" for n in range(1, 1000)), _paths(), strict=False))[key])


@st.cache_resource(max_entries=8, show_spinner=False)
def _on_disk(path: Path) -> Dataset:
    return pair_path(path)


class _Store:
    """The latest evaluations, shared by all sessions; the oldest makes room for a new one."""

    def __init__(self, size: int) -> None:
        self._kept: OrderedDict[tuple[str, str], Evaluation] = OrderedDict()
        self._size = size
        self._lock = Lock()

    def get(self, key: tuple[str, str]) -> Evaluation | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: tuple[str, str], evaluated: Evaluation) -> None:
        with self._lock:
            self._kept[key] = evaluated
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)


@st.cache_resource(max_entries=1, show_spinner=False)
def _store() -> _Store:
    return _Store(size=16)


def evaluation(key: str, settings: Settings) -> Evaluation:
    """The scores of a data set under the given settings, with progress where it takes long.

    Raises:
        HtrEvalError: the data set cannot be read.
        KeyError: there is no such data set in this session.
    """
    found = dataset(key)
    store_key = (key, settings.signature())
    evaluated = _store().get(store_key)
    if evaluated is None:
        evaluated = _score(found, settings)
        _ = evaluated.corpora
        _store().put(store_key, evaluated)
    return evaluated


def _score(found: Dataset, settings: Settings) -> Evaluation:
    if len(found.pages) < _SLOW:
        return score(found.pages, settings)
    bar = st.progress(0.0, f"Scoring {len(found.pages):,} pages")
    start = time.monotonic()

    def show(done: int, total: int) -> None:
        if done % 50 == 0 or done == total:
            speed = done / max(time.monotonic() - start, 1e-9)
            left = (total - done) / speed
            text = f"Scored {done:,} of {total:,} pages, {speed:,.0f} pages/s, {left:.0f} s left"
            bar.progress(done / total, text)

    evaluated = score(found.pages, settings, progress=show)
    bar.empty()
    return evaluated


def scored_page(key: str, settings: Settings, page_id: str, system: str) -> ScoredPage:
    """One page with its alignments, under settings that may differ from the evaluation's (γ)."""
    page = next(page for page in dataset(key).pages if page.page_id == page_id)
    return _scored_page(key, settings.signature(), page_id, system, page, settings)


@st.cache_resource(max_entries=64, show_spinner=False)
def _scored_page(
    key: str, signature: str, page_id: str, system: str, _page: Page, _settings: Settings
) -> ScoredPage:
    return score_page(
        _page.reference, _page.hypotheses[system], _settings, page_id=page_id, system=system
    )
