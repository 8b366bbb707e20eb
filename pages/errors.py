"""Errors: what does it misread, or what do two of them?"""

from collections import Counter

import numpy as np
import pandas as pd
import streamlit as st

from htreval_core import HtrEvalError
from htreval_core.show.plotly import figure_agreement, figure_buckets
from htreval_core.words.buckets import bucket_of
from htreval_core.words.confusions import (
    WrongWord,
    confusion_examples,
    group_rows,
    letter_rows,
    wrong_word_examples,
    wrong_words,
)
from htreval_core.words.outcomes import Agreement
from htreval_ui import html
from htreval_ui.studies.opening import (
    ask_first,
    chosen_data,
    chosen_system,
    found_outcomes,
    open_study,
    show_warnings,
)
from htreval_ui.views.charts import chart
from htreval_ui.views.choosing import (
    head_of_examples,
    pick_one,
    pick_row,
    show_examples,
    two_systems,
)
from htreval_ui.views.styles import style_of
from htreval_ui.views.tables import confusion_frame, letters_frame
from htreval_ui.views.take import offer
from htreval_ui.web import state

RIGHT = st.column_config.ProgressColumn(format="%.1f", min_value=0.0, max_value=100.0)

opened = open_study()
study = opened.study
several = len(study.systems) > 1
both = several and state.current().both == "yes"
title, which = st.columns([2, 3], vertical_alignment="center")
title.title("What do both misread?" if both else "What does it misread?")
with which.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
    pair = two_systems(study) if both else None
    if several:
        st.toggle("Beside another system", value=both, **state.bound("both", both))
systems = pair or (chosen_system(study),)
state.settle(data=chosen_data(), system=systems[0], **({"other": pair[1]} if pair else {}))
ask_first(study, "Errors")
outcomes = found_outcomes(opened, systems)
show_warnings(one.warning for one in outcomes.failures)
styles = [style_of(study, system) for system in systems]
wrong = np.any([outcomes.wrong(system) for system in systems], axis=0)


def kind_of(error: WrongWord) -> str:
    """What happened to a word of the reference."""
    return "left out" if error.read_as is None else "misread"


def show_words(system: str) -> None:
    """Every different error of a system, to be searched, and its words in their lines."""
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
            [
                (one.reference, one.read_as or "", one.count, one.pages, kind_of(one))
                for one in found[:2000]
            ],
            columns=["reference", "read as", "times", "pages", "what"],
        )
        row = pick_row(errors, f"wrong_{wanted}_{len(found)}", height=460)
        offer("htreval-errors", table=errors, signature=study.signature)
    with examples:
        if found:
            one = found[row or 0]
            numbers = wrong_word_examples(outcomes, system, one.reference, one.read_as)
            head_of_examples(one.reference, one.read_as, is_chosen=row is not None)
            show_examples(outcomes, numbers.tolist(), "wrong_examples")


def show_agreement(a: str, b: str) -> None:
    """Which words only one of two systems reads."""
    chart(
        figure_agreement(outcomes.counts(a, b), (a, b), html.plotly, styles=styles),
        "agreement",
        "Words by who reads them right",
    )
    titles = {
        Agreement.ONLY_A: f"only {html.name(a)} right",
        Agreement.ONLY_B: f"only {html.name(b)} right",
        Agreement.BOTH_WRONG: "both wrong",
    }
    wanted = pick_one(list(titles), "Words", key="agreement_kind", format_func=titles.__getitem__)
    numbers = np.flatnonzero(outcomes.agreement(a, b) == wanted).tolist()
    show_examples(outcomes, numbers, "agreement_examples")


def show_characters() -> None:
    """Which characters are taken for others, and how well each is read."""
    table, examples = st.columns([2, 3], gap="large")
    with table:
        st.caption("Characters taken for others, from matched pairs of unequal words")
        frame = confusion_frame({one: opened.confusions(systems, one) for one in systems})
        row = pick_row(frame, "errors_confusions", height=460)
    with examples:
        if len(frame):
            one = frame.iloc[row or 0]
            numbers = [
                confusion_examples(outcomes, system, one["reference"], one["read as"])
                for system in systems
            ]
            head_of_examples(one["reference"], one["read as"], is_chosen=row is not None)
            show_examples(
                outcomes, np.unique(np.concatenate(numbers)).tolist(), "errors_confusion_examples"
            )
    wanted = st.text_input(
        "Only these characters", key="errors_letters", placeholder="all, the most frequent first"
    )
    chosen = [letter for letter in dict.fromkeys(wanted) if not letter.isspace()] or None
    rows = {system: letter_rows(outcomes, system, chosen) for system in systems}
    letters, blocks = st.columns([3, 2], gap="large")
    letters.dataframe(
        letters_frame(rows), hide_index=True, key="errors_letters_table",
        column_config={f"right in {system}": RIGHT for system in systems},
    )  # fmt: skip
    groups = {system: group_rows(of) for system, of in rows.items()}
    first = groups[systems[0]]
    blocks.dataframe(
        pd.DataFrame(
            {"Unicode block": [group.group for group in first],
             "times": [group.total for group in first]}
            | {
                f"right in {system}": [100 * g.right / g.total if g.total else None for g in of]
                for system, of in groups.items()
            }
        ),
        hide_index=True, key="errors_blocks",
        column_config={f"right in {system}": RIGHT for system in systems},
    )  # fmt: skip


def show_kinds() -> None:
    """What kinds of words are lost."""
    rows = opened.buckets(systems)
    present = list(dict.fromkeys(row.dimension for row in rows))
    dimension = pick_one(present, "By", key="errors_dimension")
    own = [row for row in rows if row.dimension == dimension]
    picture, examples = st.columns([1, 1], gap="large")
    with picture:
        chart(
            figure_buckets(own, systems, html.plotly, styles=styles),
            "errors_buckets",
            "Words wrong by kind of word",
        )
    with examples:
        bucket = st.selectbox("Examples of", [row.bucket for row in own], key="errors_bucket")
        names, of_word = bucket_of(outcomes, dimension)
        inside = (of_word == names.index(bucket)) & wrong
        show_examples(outcomes, np.flatnonzero(inside).tolist(), "errors_bucket_examples")


told = (
    f"**{html.name(system)}** misreads or misses {int(outcomes.wrong(system).sum()):,}"
    for system in systems
)
st.markdown(
    f"{' and '.join(told)} of {len(outcomes):,} words. Words are compared with what they were "
    "matched with, so nothing here is an error of order."
)
if not wrong.any():
    st.success("Every word is right.", icon=":material/check:")
else:
    words, characters, kinds = st.tabs(["Words", "Characters", "Kinds of word"])
    with words:
        (show_agreement if pair else show_words)(*systems)
    with characters:
        show_characters()
    with kinds:
        show_kinds()
