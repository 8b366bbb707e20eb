"""Errors: what does it misread, or what do two of them?"""

from collections import Counter

import numpy as np
import pandas as pd
import streamlit as st

from htreval_core.metrics.kinds import WordKind
from htreval_core.show.palette import KIND_NAMES
from htreval_core.words.buckets import bucket_of
from htreval_core.words.confusions import (
    WrongWord,
    confusion_examples,
    letter_rows,
    wrong_word_examples,
    wrong_words,
)
from htreval_core.words.outcomes import Agreement
from htreval_ui import html
from htreval_ui.studies import scoring
from htreval_ui.studies.opening import (
    ask_first,
    chosen_data,
    chosen_system,
    found_outcomes,
    open_study,
    show_warnings,
)
from htreval_ui.views.choosing import (
    head_of_examples,
    pick_one,
    pick_row,
    show_examples,
    two_systems,
)
from htreval_ui.views.tables import buckets_frame, confusion_frame, letters_frame, lines_frame
from htreval_ui.views.take import offer
from htreval_ui.web import state
from htreval_ui.web.links import go_to

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
wrong = np.any([outcomes.wrong(system) for system in systems], axis=0)


def kind_of(error: WrongWord) -> str:
    """What happened to a word of the reference."""
    if error.divided:
        return KIND_NAMES[WordKind.DIVIDED]
    return "left out" if error.read_as is None else "misread"


def show_words(system: str) -> None:
    """Every different error of a system, and its words in their lines."""
    every = wrong_words(outcomes, system)
    times = Counter[str]()
    for one in every:
        times[kind_of(one)] += one.count
    wanted = st.segmented_control(
        "What happened", list(times), format_func=lambda kind: f"{kind} {times[kind]:,}",
        key="errors_kind", label_visibility="collapsed",
    )  # fmt: skip
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
    counts = outcomes.counts(a, b)
    titles = {
        Agreement.BOTH_RIGHT: "both right",
        Agreement.ONLY_A: f"only {html.name(a)} right",
        Agreement.ONLY_B: f"only {html.name(b)} right",
        Agreement.BOTH_WRONG: "both wrong",
    }
    told = (
        f"{title}: {counts[kind]:,} ({100 * counts[kind] / max(len(outcomes), 1):.1f} %)"
        for kind, title in titles.items()
    )
    st.markdown("; ".join(told))
    del titles[Agreement.BOTH_RIGHT]
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
    rows = {system: letter_rows(outcomes, system) for system in systems}
    st.dataframe(
        letters_frame(rows), hide_index=True, key="errors_letters_table",
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
        table = buckets_frame(own, systems)
        st.dataframe(table, hide_index=True, key="errors_buckets")
        offer("htreval-kinds", table=table, signature=study.signature)
        st.caption("Words misread or missing, in percent; in brackets 95 % intervals over pages.")
    with examples:
        bucket = st.selectbox("Examples of", [row.bucket for row in own], key="errors_bucket")
        names, of_word = bucket_of(outcomes, dimension)
        inside = (of_word == names.index(bucket)) & wrong
        show_examples(outcomes, np.flatnonzero(inside).tolist(), "errors_bucket_examples")


def show_lines() -> None:
    """The lines with most errors; choosing one opens its page there."""
    known = opened.knows(("worst lines", systems)) or scoring.is_quick(study)
    if not known and not st.button("Find the lines with most errors", key="find_lines"):
        return
    lines = opened.worst_lines(systems)
    table = lines_frame(lines, systems)
    st.caption(
        "Words misread, left out or added on a line; text that stands elsewhere is no error here. "
        "Choose a row to see the line on its page."
    )
    row = pick_row(table, f"worst_lines_{len(lines)}_{'_'.join(systems)}", height=460)
    offer("htreval-lines", table=table, signature=study.signature)
    if row is not None:
        one = lines[row]
        worst = max(one.reads, key=lambda read: read.errors)
        state.select(page=one.page_id, system=worst.system)
        state.select(word=f"ref:{one.word_index}", view="trace")
        go_to("page.py")


told = (
    f"**{html.name(system)}** gets wrong {int(outcomes.wrong(system).sum()):,}"
    for system in systems
)
st.markdown(
    f"{' and '.join(told)} of {len(outcomes):,} words. Words are compared with what they were "
    "matched with, so nothing here is an error of order."
)
if not wrong.any():
    st.success("Every word is right.", icon=":material/check:")
else:
    words, characters, kinds, lines = st.tabs(["Words", "Characters", "Kinds of word", "Lines"])
    with words:
        (show_agreement if pair else show_words)(*systems)
    with characters:
        show_characters()
    with kinds:
        show_kinds()
    with lines:
        show_lines()
