"""Marks on data: in a folder beside them, or held by the session.

Only the local app writes on its disk. Where others reach the server, and on samples and uploads,
marks stay with the session until they are saved.
"""

import getpass
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from htreval_core import ReadError, WriteError
from htreval_core.model import DataWarning
from htreval_core.run.mark_files import append_marks, beside, read_folder
from htreval_core.run.marks import LONGEST_NAME, Mark, merge_marks, standing
from htreval_ui.studies import data
from htreval_ui.web.security import is_local

_HELD, _PERSON, _NOT_WRITTEN = "marks_held", "marks_person", "marks_not_written"
MOST_HELD = 50_000


def folder(key: str) -> Path | None:
    """Where marks on a data set are read, and written where ``writes``."""
    place = data.place_of(key)
    return beside(place) if place else None


def writes(key: str) -> bool:
    """Whether marks on a data set outlast the session."""
    return folder(key) is not None and is_local() and _NOT_WRITTEN not in st.session_state


def why_not_written() -> str:
    """Why the folder could not be written; empty where it could."""
    return str(st.session_state.get(_NOT_WRITTEN, ""))


def person() -> str:
    """Whose marks are made here."""
    if _PERSON not in st.session_state:
        try:
            name = getpass.getuser() if is_local() else ""
        except (OSError, KeyError, ImportError):
            name = ""
        be(name)
    return str(st.session_state[_PERSON])


def be(name: str) -> None:
    """Make marks under this name from now on."""
    st.session_state[_PERSON] = name.strip()[:LONGEST_NAME] or "somebody"


def _held(key: str) -> list[Mark]:
    held: dict[str, list[Mark]] = st.session_state.setdefault(_HELD, {})
    return held.setdefault(key, [])


def every(key: str) -> tuple[list[Mark], tuple[DataWarning, ...]]:
    """The last state of every mark, withdrawn ones too, and lines that could not be read."""
    place = folder(key)
    if place is None:
        return merge_marks(_held(key)), ()
    files = ((path.name, path.stat()) for path in sorted(place.glob("*.jsonl")) if path.is_file())
    stamp = tuple((name, told.st_mtime_ns, told.st_size) for name, told in files)
    found, warnings = _read(place, stamp)
    return merge_marks([*found, *_held(key)]), warnings


@st.cache_resource(max_entries=8, show_spinner=False)
def _read(place: Path, stamp: object) -> tuple[list[Mark], tuple[DataWarning, ...]]:
    return read_folder(place)


def chosen(key: str) -> list[Mark]:
    """The marks on a data set that stand."""
    return standing(every(key)[0])


def keep(key: str, marks: Sequence[Mark]) -> None:
    """Add marks to those of a data set."""
    place = folder(key)
    if place and writes(key):
        try:
            append_marks(place, marks)
        except WriteError as error:
            st.session_state[_NOT_WRITTEN] = str(error)
        else:
            return
    if len(_held(key)) + len(marks) > MOST_HELD:
        raise ReadError(f"a session holds {MOST_HELD:,} marks at the most; save them first")
    _held(key).extend(marks)
