"""What the rules of markup take off a file, shown for one page and side."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import streamlit as st

from htreval_core import HtrEvalError
from htreval_core.model import SourceFile
from htreval_core.settings import ReadPolicy
from htreval_core.settings.written import MARKUP_RULES, sign_markup
from htreval_core.sources.readers.pieces import Piece
from htreval_core.sources.transcripts import read_marked
from htreval_ui import html
from htreval_ui.studies import data
from htreval_ui.studies.opened import Opened
from htreval_ui.studies.opening import chosen_data
from htreval_ui.web import state

_REFERENCE = "the reference"
_LOOKED_AT = 40
"""Files that are looked through for one that holds markup."""


def show_marked(opened: Opened) -> None:
    """A page's file as it is written, with what is taken off; nothing where no file has markup."""
    policy = opened.study.settings.reading
    try:
        pages = data.given(chosen_data()).reading(policy).pairing.pages
    except HtrEvalError:
        # A bundle holds texts as they were read.
        return
    files = {
        page.page_id: {_REFERENCE: page.reference, **page.hypotheses}
        for page in pages
        if page.page_id in opened.study.dataset
    }
    first = _first_marked(files, policy)
    if first is None:
        return
    st.subheader("What is taken off the files", anchor=False)
    st.caption(
        f"Rules of markup {sign_markup(policy.markup)}. What is struck through is not text of the "
        "page; what is underlined is read in its place. The rules stand among the switches of the "
        "text."
    )
    left, right = st.columns(2)
    ids = list(files)
    page_id = left.selectbox(
        "Page", ids, index=ids.index(first[0]), format_func=html.shown, key="marked_page"
    )
    sides = list(files[page_id])
    usual = sides.index(first[1]) if first[1] in sides else 0
    side = right.selectbox("Side", sides, index=usual, format_func=html.shown, key="marked_side")
    pieces = _pieces(files[page_id][side], policy)
    st.html(html.taken_off(pieces))
    counts = Counter(piece.rule for piece in pieces if piece.rule)
    if counts:
        st.dataframe(
            pd.DataFrame(
                [(rule, counts[rule], what) for rule, what in MARKUP_RULES.items() if counts[rule]],
                columns=["rule", "pieces", "what it takes off"],
            ),
            hide_index=True,
            key="marked_counts",
        )
    else:
        st.caption("Nothing is taken off this file.")


def _first_marked(
    files: dict[str, dict[str, SourceFile]], policy: ReadPolicy
) -> tuple[str, str] | None:
    """The page and the side of the first file of which something is taken off."""
    chosen = state.current().page
    looked = 0
    for page_id in sorted(files, key=lambda one: one != chosen):
        for side, file in files[page_id].items():
            looked += 1
            if looked > _LOOKED_AT:
                return None
            if any(piece.rule for piece in _pieces(file, policy)):
                return page_id, side
    return None


def _pieces(file: SourceFile, policy: ReadPolicy) -> list[Piece]:
    try:
        return list(read_marked(file, policy).told(policy.markup))
    except HtrEvalError:
        return []
