"""What to send back: pages to tick, and the letter about them."""

import math
from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from htreval_core import Study
from htreval_core.diagnosis import Diagnosis
from htreval_core.run.marks import REFERENCE_WRONG, Mark, remarks_on
from htreval_core.run.marks import SEND_BACK as TO_SEND_BACK
from htreval_core.scoring.send_back import ABOVE, Returned, pages_to_send_back
from htreval_core.show.tables.marks import letter_csv, letter_docx, letter_text
from htreval_core.show.telling.letter import letter, tell_reason
from htreval_ui import html
from htreval_ui.web import state

_MOST = 300
"""Pages that are listed: nobody ticks more by hand."""
_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


SEND_BACK = "send"
"""What the address calls it."""


@st.dialog("What to send back", width="large", on_dismiss=lambda: state.select(more=""))
def send_back_dialog(
    study: Study, system: str, faults: Mapping[str, Sequence[Diagnosis]], marks: Sequence[Mark]
) -> None:
    """The list of pages, ticked where they are the vendor's to mend, and the letter in three forms.

    Args:
        study: with all pages.
        system: the one that is chosen at first.
        faults: the diagnoses of every page; may be empty.
    """
    title, whose, limit = st.columns([4, 2, 1], vertical_alignment="bottom")
    title.markdown("Pages to be done again, and why. Tick those that go into the letter.")
    system = whose.selectbox(
        "Output of", study.systems, index=study.systems.index(system), format_func=html.shown,
        key="send_back_system",
    )  # fmt: skip
    above = limit.number_input(
        "CER above, %", 0.0, 100.0, 100 * ABOVE, step=1.0, key="send_back_above",
        help="Text with more than 10 errors per 100 characters is quicker to retype.",
    )  # fmt: skip
    found = pages_to_send_back(
        study, system, faults, above=above / 100, marked=remarks_on(marks, TO_SEND_BACK, system),
        wrong=remarks_on(marks, REFERENCE_WRONG, system),
    )  # fmt: skip
    if not found:
        st.success(f"No page has more than {above:g} % character errors, and none is missing.")
        return
    shown = found[:_MOST]
    key = f"send_back_{system}_{above}_{len(found)}"
    rows = st.data_editor(
        pd.DataFrame(
            {
                "send": [one.is_theirs for one in shown], "page": [one.page_id for one in shown],
                "reason": [one.reason.value for one in shown],
                "CER": [None if math.isnan(one.cer) else 100 * one.cer for one in shown],
                "why": [tell_reason(one) for one in shown],
            }
        ),
        hide_index=True, disabled=["page", "reason", "CER", "why"], key=key,
        height=min(36 * len(shown) + 40, 420),
        column_config={
            "send": st.column_config.CheckboxColumn("send", width=60),
            "page": st.column_config.TextColumn(width=130),
            "reason": st.column_config.TextColumn(width=110),
            "CER": st.column_config.NumberColumn(format="%.1f", width=50),
            "why": st.column_config.TextColumn(width=810),
        },
    )  # fmt: skip
    if len(found) > len(shown):
        st.caption(f"The {len(shown)} worst of {len(found):,}. Raise the limit for fewer.")
    chosen = [one for one, ticked in zip(shown, rows["send"], strict=True) if ticked]
    _offer(study, system, chosen, above / 100)


def _offer(study: Study, system: str, chosen: Sequence[Returned], above: float) -> None:
    name = study.dataset.name
    n_pages = len(study.page_ids) + len(study.dataset.unpaired.reference)
    told = letter(name, system, chosen, len(study.table(system)), n_pages, above)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{len(chosen)}** ticked")
        st.download_button(
            "Letter (DOCX)", lambda: letter_docx(told), "send-back.docx", _DOCX,
            key="letter_docx", type="primary", icon=":material/mail:", on_click="ignore",
        )  # fmt: skip
        st.download_button(
            "Letter (text)", lambda: letter_text(told), "send-back.txt", "text/plain",
            key="letter_text", on_click="ignore",
        )  # fmt: skip
        st.download_button(
            "List (CSV)", lambda: letter_csv(chosen), "send-back.csv", "text/csv",
            key="letter_csv", on_click="ignore",
        )  # fmt: skip
