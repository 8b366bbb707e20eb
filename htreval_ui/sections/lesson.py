"""One lesson on the screen: texts to edit, the pictures, the formula with their numbers in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from htreval_core import METRICS, Alignment, HtrEvalError, ScoredPage, Settings
from htreval_core.lab.teach import bag_rows, edit_grid, matched_words, read_across, renumber
from htreval_core.metrics.page import match_again
from htreval_core.metrics.values import page_value
from htreval_core.show.html.document import picture_file
from htreval_core.show.html.page_pictures import draw_bands
from htreval_core.show.palette import PARTS
from htreval_core.show.pictures.page import part_errors
from htreval_core.show.plotly import figure_bags, figure_grid, figure_matching
from htreval_core.show.telling.counting import percent
from htreval_ui import html
from htreval_ui.sections.charts import chart
from htreval_ui.sections.lessons import Lesson, columns_told, look_at
from htreval_ui.sections.story import show_event
from htreval_ui.sections.values import GAMMAS, show_value

_MOST_WORDS = 400
_DRAWN = 60
"""Words up to which single words are drawn."""


def show_lesson(lesson: Lesson) -> None:
    """The lesson from its idea to its formula."""
    with st.container(key="lesson"):
        given, found = st.columns([5, 7], gap="medium")
    with given:
        gamma = "1"
        if lesson.gamma:
            gamma = st.select_slider(
                "γ: from ‘anywhere’ to ‘stay in place’", GAMMAS, "1", key=f"{lesson.name}_gamma"
            )
        reference, hypothesis = _texts(lesson)
    n_words = max(len(reference.split()), len(hypothesis.split()))
    if n_words > _MOST_WORDS:
        st.info(f"Lessons are for short texts, up to {_MOST_WORDS} words. Cut these down.")
        return
    page = lesson.score(reference, hypothesis, gamma)
    with found:
        is_own = (reference, hypothesis) == (lesson.reference, lesson.hypothesis)
        if not _asked(lesson, is_own=is_own):
            return
        _figures(page)
        _pictures(lesson, page, gamma)
    with given.expander("The idea"):
        st.markdown(lesson.told)
    if lesson.given and (reference, hypothesis) == (lesson.reference, lesson.hypothesis):
        with st.expander("The same with the alignment that the paper’s authors made by hand"):
            ref, hyp = np.array(lesson.given).T - 1
            by_hand = Alignment(ref, hyp, tuple(reference.split()), tuple(hypothesis.split()))
            _show_renumbering(by_hand, "by_hand")
    _formula(page)


def _pictures(lesson: Lesson, page: ScoredPage, gamma: str) -> None:
    """One picture at a time: on a projector there is room for no more."""
    names = lesson.pictures
    chosen = names[0]
    if len(names) > 1:
        chosen = st.segmented_control(
            "Picture", names, format_func=lambda name: _PICTURES[name][0], default=names[0],
            required=True, key=f"{lesson.name}_picture", label_visibility="collapsed",
        )  # fmt: skip
    _PICTURES[chosen][1](lesson, page, gamma)


def _texts(lesson: Lesson) -> tuple[str, str]:
    """Both texts, to be edited, and what can be done to the output with a button."""
    keys = f"{lesson.name}_reference", f"{lesson.name}_hypothesis"
    for key, text in zip(keys, (lesson.reference, lesson.hypothesis), strict=True):
        st.session_state.setdefault(key, text)
    many = "\n" in lesson.reference
    height = 190 if many else 68
    left, right = st.columns(2) if many else (st.container(), st.container())
    left.text_area("Reference", key=keys[0], height=height)
    right.text_area("Output", key=keys[1], height=height)

    def put(text: str) -> None:
        st.session_state[keys[1]] = text

    def again() -> None:
        st.session_state[keys[0]] = lesson.reference
        put(lesson.hypothesis)

    acts: list[tuple[str, str, str, Callable[[], None]]] = [
        ("Read right", "right", "check", lambda: put(st.session_state[keys[0]])),
        ("Start again", "again", "undo", again),
    ]
    if many:
        across = read_across(st.session_state[keys[0]])
        acts.insert(1, ("Read across", "across", "view_column", lambda: put(across)))
    with st.container(horizontal=True, gap="xxsmall", key="lesson_acts"):
        for name, text in lesson.systems:
            st.button(
                html.label(name), key=f"{lesson.name}_{name}", on_click=put, args=(text,),
                icon=":material/description:",
            )  # fmt: skip
        for label, key, icon, act in acts:
            st.button(
                label, key=f"{lesson.name}_{key}", icon=f":material/{icon}:", on_click=act
            )  # fmt: skip
    return st.session_state[keys[0]], st.session_state[keys[1]]


def _asked(lesson: Lesson, *, is_own: bool) -> bool:
    """The question; what follows is hidden until it is answered or waived.

    Args:
        is_own: whether the texts are the lesson's: the answer speaks of no others.
    """
    key, answer = f"{lesson.name}_revealed", f"{lesson.name}_answer"
    question = lesson.question

    def reveal() -> None:
        st.session_state[key] = True
        st.session_state[answer] = st.session_state.get(f"{lesson.name}_guess")

    if not st.session_state.get(key):
        st.markdown(lesson.told)
        with st.container(border=True):
            st.markdown(f"**First guess.** {question.prompt}")
            st.radio(
                "Your guess", range(len(question.options)), index=None, horizontal=True,
                format_func=question.options.__getitem__, key=f"{lesson.name}_guess",
                label_visibility="collapsed", on_change=reveal,
            )  # fmt: skip
            st.button("Just show me", key=f"{lesson.name}_show", on_click=reveal)
        return False
    if not is_own:
        st.caption("These are your own texts. *Start again* brings back those of the lesson.")
        return True
    own = lesson.score(lesson.reference, lesson.hypothesis, question.gamma)
    right = question.answer(own)
    guess = st.session_state[answer]
    told = f"{question.prompt} It is **{question.options[right]}**. {question.why}"
    if guess is None:
        st.info(told)
    elif guess == right:
        st.success(f"Yes. {told}", icon=":material/check:")
    else:
        st.warning(f"Not {question.options[guess]}. {told}", icon=":material/lightbulb:")
    return True


def _figures(page: ScoredPage) -> None:
    with st.container(horizontal=True, gap="xsmall", key="lesson_figures"):
        free = ("delta_wer_admissible",) if page.tree.is_free else ("hwer", "cer")
        for name in ("wer", "bwer", "delta_wer", "nsfd", *free):
            show_value(page.scores, name)


_HEIGHT = 270
"""Pixels: with the answer and the figures above it a picture fits on a projector."""


def _draw(figure: Any, key: str, alt: str) -> None:
    figure.update_layout(height=min(figure.layout.height or _HEIGHT, _HEIGHT))
    chart(figure, key, alt)


def _too_long(page: ScoredPage) -> bool:
    longest = max(page.scores.n_ref_words, page.scores.n_hyp_words)
    if longest > _DRAWN:
        st.caption(f"Single words are drawn up to {_DRAWN} words; these texts have {longest}.")
    return longest > _DRAWN


def _grid(_lesson: Lesson, page: ScoredPage, _gamma: str) -> None:
    if not _too_long(page):
        try:
            _draw(figure_grid(edit_grid(page.trace), html.plotly), "grid", "Edit distance grid")
        except HtrEvalError as error:
            st.caption(html.label(str(error)))


def _bags(_lesson: Lesson, page: ScoredPage, _gamma: str) -> None:
    if not _too_long(page):
        rows = bag_rows(page.reference.words, page.hypothesis.words)
        _draw(figure_bags(rows, html.plotly), "bags", "How often each word stands in each text")


def _matching(_lesson: Lesson, page: ScoredPage, gamma: str) -> None:
    if not _too_long(page):
        rows = matched_words(page.matching, gamma)
        _draw(figure_matching(rows, html.plotly), "matching", "Words and their mates")
        total = sum(row.cost for row in rows)
        characters = sum(row.characters for row in rows)
        st.caption(
            f"The matching costs {float(total):.2f}: {float(characters):g} for characters and "
            f"{float(total - characters):.2f} for distance."
        )


def _renumbering(_lesson: Lesson, page: ScoredPage, _gamma: str) -> None:
    _show_renumbering(page.matching, "renumbering")


def _show_renumbering(alignment: Alignment, key: str) -> None:
    steps = renumber(alignment)
    rows = [
        {
            "reference": pair.ref_word,
            "read as": pair.hyp_word,
            "place in the reference": pair.ref_position,
            "renumbered": pair.ref_number,
            "place in the output": pair.hyp_position,
            "renumbered ": pair.hyp_number,
            "|j − k|": pair.apart,
        }
        for pair in steps.pairs
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key=key, height=_HEIGHT - 40)
    apart = sum(pair.apart for pair in steps.pairs)
    alone = len(steps.ref_unmatched) + len(steps.hyp_unmatched)
    st.markdown(
        f"Distances {apart} + words without a mate {alone} = {steps.total}; "
        f"divided by ⌊M²/2⌋ = {steps.denominator}: NSFD = {steps.total}/{steps.denominator}."
    )


def _bands(lesson: Lesson, page: ScoredPage, _gamma: str) -> None:
    look = look_at(page)
    # What was made of the reference since need not have the columns of the lesson.
    is_own = page.reference.words == tuple(lesson.reference.split())
    columns = lesson.columns if is_own else ()
    for number, event in enumerate(look.diagnosis.events[:4]):
        show_event(number, event, columns_told(columns))
    st.image(picture_file(draw_bands(look.bands, look.diagnosis, page.scores.n_hyp_words)))


def _waterfall(_lesson: Lesson, page: ScoredPage, _gamma: str) -> None:
    scores, wer = page.scores, page.scores.wer.errors
    n_words = max(scores.n_ref_words, 1)
    parts = part_errors(scores.bwer.errors, wer, look_at(page).diagnosis.parts)
    # Some are rare; the others are what a reader looks for.
    rare = ("spaces", "doubt")
    told = [(PARTS[name].name, n) for name, n in parts.items() if n or name not in rare]
    percents = "for every 100 words"
    rows = [
        {"part": name, "errors": n, percents: 100 * n / n_words}
        for name, n in (*told, ("together (WER)", wer))
    ]
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, key="waterfall",
        column_config={
            percents: st.column_config.ProgressColumn(
                format="%.1f", min_value=0.0, max_value=max(100.0 * wer / n_words, 1.0)
            )
        },
    )  # fmt: skip


def _sweep(_lesson: Lesson, page: ScoredPage, _gamma: str) -> None:
    """hWER and NSFD at every γ, between bWER and WER."""
    swept = match_again(page, [Settings(gamma=gamma) for gamma in GAMMAS])
    rows = [
        {"γ": gamma}
        | {
            METRICS[name].label: f"{percent(page_value(matched.scores, name))} %"
            for name in ("bwer", "hwer", "wer", "nsfd")
        }
        for gamma, matched in zip(GAMMAS, swept, strict=True)
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="sweep")


_PICTURES: dict[str, tuple[str, Callable[[Lesson, ScoredPage, str], None]]] = {
    "grid": ("Edit distance", _grid),
    "bags": ("Both bags", _bags),
    "matching": ("Who goes with whom", _matching),
    "renumbering": ("How far apart", _renumbering),
    "bands": ("What was read where", _bands),
    "waterfall": ("What WER is made of", _waterfall),
    "gamma": ("At every γ", _sweep),
}
"""Title and drawing of each picture."""


def _formula(page: ScoredPage) -> None:
    s = page.scores
    n, m = s.n_ref_words, s.n_hyp_words
    with st.expander("The formulas with these numbers in them"):
        st.code(
            f"WER   = (S + I + D) / N        = ({s.wer.substitutions} + {s.wer.insertions} + "
            f"{s.wer.deletions}) / {n} = {s.wer.errors}/{n}\n"
            f"bWER  = (| |X|−|Y| | + B) / 2N = ({abs(n - m)} + {s.beta_wer_errors}) / (2·{n}) = "
            f"{s.bwer.errors}/{n}\n"
            f"ΔWER  = WER − bWER             = {s.wer.errors}/{n} − {s.bwer.errors}/{n} = "
            f"{s.wer.errors - s.bwer.errors}/{n}\n"
            f"hWER  = (max(|X|,|Y|) − equal pairs) / N = ({max(n, m)} − "
            f"{max(n, m) - s.hwer_errors}) / {n} = {s.hwer_errors}/{n}\n"
            f"NSFD  = Σ|j−k| / ⌊M²/2⌋        = {s.nsfd_errors}/{s.nsfd_length}\n"
            f"CER   = character edits / N    = {s.cer_errors}/{s.n_ref_chars}",
            language=None,
        )
