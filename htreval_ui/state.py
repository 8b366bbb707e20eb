"""The one selection that all pages share, kept in the session and in the URL.

Nothing else touches ``st.session_state`` keys of the selection or ``st.query_params``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, get_args

import streamlit as st

from htreval_core import ConfigError, Settings, TextPolicy
from htreval_core.kinds import View
from htreval_core.text import UnicodeForm

_SELECTION = "selection"
_WRITTEN = "selection_in_url"


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user looks at.

    Empty ``data``, ``system`` or ``page`` mean the first there is.
    """

    data: str = ""
    system: str = ""
    page: str = ""
    view: str = "trace"
    gamma: str = "1"
    form: str = "NFC"
    case: bool = True
    punctuation: bool = True
    word: str = ""
    """The word picked on the page: "ref:12" or "hyp:7", counted from 0."""

    @property
    def picked(self) -> tuple[str, int] | None:
        side, _, number = self.word.partition(":")
        return (side, int(number)) if side in ("ref", "hyp") and number.isdecimal() else None

    def settings(self) -> Settings:
        """The settings of the scoring; what is impossible in a URL falls back to the defaults."""
        try:
            policy = TextPolicy(
                form=self.form if self.form in get_args(UnicodeForm) else "NFC",  # type: ignore[arg-type]
                ignore_case=not self.case,
                ignore_punctuation=not self.punctuation,
            )
            return Settings(gamma=self.gamma, policy=policy)
        except ConfigError:
            return Settings(policy=policy)


_DEFAULT = Selection()


def current() -> Selection:
    """The selection of this session."""
    return st.session_state.get(_SELECTION, _DEFAULT)


def select(**changes: Any) -> None:
    """Change the selection. Other data means another first page; another page means no word."""
    before = current()
    if changes.get("data", before.data) != before.data:
        changes = {"page": "", "system": "", **changes}
    if changes.get("page", before.page) != before.page:
        changes = {"word": "", **changes}
    st.session_state[_SELECTION] = replace(before, **changes)


def read_url() -> None:
    """Take the selection from the URL where it names anything new.

    Moving between pages empties the URL; that is no wish to forget the selection.
    """
    given = st.query_params.to_dict()
    if given == st.session_state.get(_WRITTEN):
        return
    changes: dict[str, Any] = {}
    for field in fields(Selection):
        if field.name in given:
            default = getattr(_DEFAULT, field.name)
            text = given[field.name]
            changes[field.name] = text != "no" if isinstance(default, bool) else text
    if changes.get("view", "trace") not in get_args(View):
        changes.pop("view")
    if changes:
        before = current()
        same_data = changes.get("data", before.data) == before.data
        st.session_state[_SELECTION] = replace(before if same_data else _DEFAULT, **changes)


def write_url() -> None:
    """Put what differs from the defaults into the URL, so that it can be shared."""
    selection = current()
    wanted = {}
    for field in fields(Selection):
        value = getattr(selection, field.name)
        if value != getattr(_DEFAULT, field.name):
            wanted[field.name] = ("yes" if value else "no") if isinstance(value, bool) else value
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)
    st.session_state[_WRITTEN] = wanted


def widget(name: str, value: Any) -> str:
    """The key of the widget that edits ``name``, set to show ``value`` in this run."""
    key = f"edit_{name}"
    if st.session_state.get(key) != value:
        st.session_state[key] = value
    return key


def edited(name: str) -> Any:
    """What the user put into the widget that edits ``name``."""
    return st.session_state[f"edit_{name}"]
