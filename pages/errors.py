"""Errors: what does it misread?"""

from collections import Counter

import numpy as np
import pandas as pd
import streamlit as st

from htreval_core import HtrEvalError
from htreval_core.show.plotly import figure_buckets
from htreval_core.words.buckets import bucket_of
from htreval_core.words.confusions import (
    WrongWord,
    confusion_examples,
    group_rows,
    letter_rows,
    wrong_word_examples,
    wrong_words,
)
from htreval_ui import html
from htreval_ui.studies.opening import (
    ask_first,
    chosen_system,
    found_outcomes,
    open_study,
    show_warnings,
)
from htreval_ui.views.charts import chart, chosen_row
from htreval_ui.views.choosing import head_of_examples, show_examples
from htreval_ui.views.styles import style_of
from htreval_ui.views.tables import confusion_frame, letters_frame
from htreval_ui.views.take import offer

opened = open_study()
study = opened.study
settings = study.settings
system = chosen_system(study)
st.title("What does it misread?")
ask_first(study, "Errors")
outcomes = found_outcomes(opened, (system,))
show_warnings(one.warning for one in outcomes.failures)
n_wrong = int(outcomes.wrong(system).sum())

st.markdown(
    f"**{html.name(system)}** misreads or misses {n_wrong:,} of {len(outcomes):,} words. Words "
    "are compared with what they were matched with, so nothing here is an error of order."
)
if not n_wrong:
    st.success("Every word is right.", icon=":material/check:")
    st.stop()


def kind_of(error: WrongWord) -> str:
    """What happened to a word of the reference."""
    return "left out" if error.read_as is None else "misread"


words, letters, kinds = st.tabs(["Words", "Characters", "Kinds of word"])
with words:
    pattern = st.text_input(
        "Find, as a regular expression",
        key="errors_pattern",
        placeholder="for example ^[A-Z] or \\d",
        help="Looked for in the reference word and in its reading",
    )
    every = ()
    try:
        every = wrong_words(outcomes, system, pattern)
    except HtrEvalError as error:
        st.error(html.label(str(error)), icon=":material/error:")
    times = Counter[str]()
    for one in every:
        times[kind_of(one)] += one.count
    wanted = st.segmented_control(
        "What happened",
        list(times),
        format_func=lambda kind: f"{kind} {times[kind]:,}",
        key="errors_kind",
        label_visibility="collapsed",
    )
    found = [one for one in every if wanted in (None, kind_of(one))]
    table, examples = st.columns([2, 3], gap="large")
    with table:
        st.caption(f"{len(found):,} different errors, the most frequent first")
        errors = pd.DataFrame(
            {
                "reference": [one.reference for one in found[:2000]],
                "read as": [one.read_as or "" for one in found[:2000]],
                "times": [one.count for one in found[:2000]],
                "pages": [one.pages for one in found[:2000]],
                "what": [kind_of(one) for one in found[:2000]],
            }
        )
        row = chosen_row(
            st.dataframe(
                errors,
                hide_index=True,
                key=f"wrong_{wanted}_{len(found)}",
                height=460,
                on_select="rerun",
                selection_mode=["single-row", "single-cell"],
            )
        )
        offer("htreval-errors", table=errors, signature=study.signature)
    with examples:
        if found:
            one = found[row or 0]
            numbers = wrong_word_examples(outcomes, system, one.reference, one.read_as)
            head_of_examples(one.reference, one.read_as, is_chosen=row is not None)
            show_examples(outcomes, numbers.tolist(), "wrong_examples")
with letters:
    confusions = opened.confusions((system,), system)
    table, examples = st.columns([2, 3], gap="large")
    with table:
        st.caption("Characters taken for others, from matched pairs of unequal words")
        frame = confusion_frame({system: confusions})
        row = chosen_row(
            st.dataframe(
                frame, hide_index=True, key="errors_confusions", height=460, on_select="rerun",
                selection_mode=["single-row", "single-cell"],
            )
        )  # fmt: skip
    with examples:
        if len(frame):
            one = frame.iloc[row or 0]
            numbers = confusion_examples(outcomes, system, one["reference"], one["read as"])
            head_of_examples(one["reference"], one["read as"], is_chosen=row is not None)
            show_examples(outcomes, numbers.tolist(), "errors_confusion_examples")
    wanted = st.text_input(
        "Only these characters", key="errors_letters", placeholder="all, the most frequent first"
    )
    chosen = [letter for letter in dict.fromkeys(wanted) if not letter.isspace()] or None
    rows = letter_rows(outcomes, system, chosen)
    every, blocks = st.columns([3, 2], gap="large")
    right = {
        f"right in {system}": st.column_config.ProgressColumn(
            "read right, %", format="%.1f", min_value=0.0, max_value=100.0
        ),
        f"else in {system}": st.column_config.TextColumn("else read as"),
    }
    every.dataframe(
        letters_frame({system: rows}), hide_index=True, key="errors_letters_table",
        column_config=right,
    )  # fmt: skip
    groups = group_rows(rows)
    blocks.dataframe(
        pd.DataFrame(
            {
                "Unicode block": [group.group for group in groups],
                "times": [group.total for group in groups],
                "read right, %": [100 * g.right / g.total if g.total else None for g in groups],
            }
        ),
        hide_index=True,
        key="errors_blocks",
        column_config={
            "read right, %": st.column_config.ProgressColumn(
                format="%.1f", min_value=0.0, max_value=100.0
            )
        },
    )
with kinds:
    rows = opened.buckets((system,))
    present = list(dict.fromkeys(row.dimension for row in rows))
    dimension = st.segmented_control(
        "By", present, default=present[0], required=True, key="errors_dimension",
        label_visibility="collapsed",
    )  # fmt: skip
    own = [row for row in rows if row.dimension == dimension]
    picture, examples = st.columns([1, 1], gap="large")
    with picture:
        chart(
            figure_buckets(own, (system,), html.plotly, styles=[style_of(study, system)]),
            "errors_buckets",
            "Words wrong",
        )
    with examples:
        bucket = st.selectbox("Examples of", [row.bucket for row in own], key="errors_bucket")
        names, of_word = bucket_of(outcomes, dimension)
        wrong = (of_word == names.index(bucket)) & outcomes.wrong(system)
        show_examples(outcomes, np.flatnonzero(wrong).tolist(), "errors_bucket_examples")
