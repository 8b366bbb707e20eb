"""Pieces that several pages show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, get_args

import streamlit as st

from htreval_core import METRICS, Dataset, Evaluation, HtrEvalError, PageScores
from htreval_core.metrics.pool import Corpus, page_value
from htreval_core.report import percent
from htreval_core.settings import exact_gamma
from htreval_core.text import UnicodeForm
from htreval_ui import data, html, places, state

CHART_CONFIG = {"displaylogo": False, "displayModeBar": False, "scrollZoom": False}
GAMMAS = ("0", "0.1", "0.5", "1", "2", "5", "10", "20", "50", "100")


def page_file(name: str) -> str:
    """The path of a page script, as navigation wants it."""
    return str(places.root() / "pages" / name)


def style() -> None:
    """The few rules of our own that Streamlit's theme has no setting for."""
    st.html(places.ASSETS / "app.css")


def chosen_data() -> str:
    """The key of the data set to show."""
    return state.current().data or next(iter(data.sources()))


def sidebar() -> None:
    """Data, system, γ and text policy, and at the foot the signature of what is shown."""
    selection = state.current()
    titles = data.sources()
    key = chosen_data()
    with st.sidebar:
        if key in titles:
            st.selectbox(
                "Data",
                list(titles),
                format_func=titles.__getitem__,
                key=state.widget("data", key),
                on_change=lambda: state.select(data=state.edited("data")),
                help="What is scored. Bring your own on the Data page.",
            )
        evaluation = _evaluation(key)
        if evaluation:
            st.selectbox(
                "System",
                evaluation.systems,
                key=state.widget("system", chosen_system(evaluation)),
                on_change=lambda: state.select(system=state.edited("system")),
                help="Whose output the Page view shows.",
            )
        st.select_slider(
            "γ, pull towards the same place",
            gammas(str(selection.settings().gamma)),
            key=state.widget("gamma", str(selection.settings().gamma)),
            on_change=lambda: state.select(gamma=state.edited("gamma")),
            help="How much it costs to match words that stand far apart. The paper uses 1. "
            "It touches hWER, hCER and NSFD only.",
        )
        st.markdown("**What counts as different**")
        for name, text, help_text in (
            ("case", "Upper and lower case", "Off: ‘The’ and ‘the’ are the same word."),
            ("punctuation", "Punctuation", "Off: ‘end.’ and ‘end’ are the same word."),
        ):
            st.toggle(
                text,
                key=state.widget(name, getattr(selection, name)),
                on_change=_take,
                args=(name,),
                help=help_text,
            )
        st.selectbox(
            "Unicode form",
            get_args(UnicodeForm),
            key=state.widget("form", selection.form),
            on_change=lambda: state.select(form=state.edited("form")),
            help="NFC makes é one character however it was typed; NFKC also unfolds ligatures.",
        )
        st.caption("Signature: quote it with every figure")
        st.code(selection.settings().signature().replace("|", "\n"), language=None)


def _take(name: str) -> None:
    state.select(**{name: state.edited(name)})


def gammas(chosen: str) -> list[str]:
    """Values of γ to choose from, the chosen one among them even if a link brought another."""
    return sorted({*GAMMAS, chosen}, key=lambda gamma: exact_gamma(gamma))


def _evaluation(key: str) -> Evaluation | None:
    try:
        return data.evaluation(key, state.current().settings())
    except (HtrEvalError, KeyError):
        return None


def chosen_system(evaluation: Evaluation) -> str:
    """The selected system, or the one with most words lost to order: there is most to see."""
    wanted = state.current().system
    if wanted in evaluation.systems:
        return wanted
    corpora = evaluation.corpora
    return max(corpora, key=lambda system: corpora[system].estimates["delta_wer"].errors)


def open_data() -> tuple[str, Dataset, Evaluation]:
    """The chosen data with its scores; otherwise say what is wrong, offer a way on, and stop."""
    key = chosen_data()
    problem = ""
    try:
        return key, data.dataset(key), data.evaluation(key, state.current().settings())
    except HtrEvalError as error:
        problem = html.label(str(error))
    except KeyError:
        problem = (
            "This address names data that is not open here. Uploaded data stays with the "
            "session that uploaded it."
        )
    st.error(problem, icon=":material/error:")
    st.page_link(page_file("data.py"), label="Choose or bring data", icon=":material/folder_open:")
    return st.stop()


def show_warnings(warnings: Sequence[str]) -> None:
    """What was left out or decided, folded away under one amber line."""
    if not warnings:
        return
    count = f"{len(warnings)} file{'s' if len(warnings) > 1 else ''} need attention"
    with st.expander(f":orange[:material/warning:] {count}; the rest is scored"):
        for warning in warnings[:200]:
            st.markdown(f"- {html.label(warning)}")
        if len(warnings) > 200:
            st.markdown(f"… and {len(warnings) - 200} more; the shell lists them all.")


def figure_with_interval(corpus: Corpus, name: str) -> str:
    """A corpus value with its bootstrap interval, in percent."""
    estimate = corpus.estimates[name]
    if METRICS[name].scale == "correlation":
        return "–" if math.isnan(estimate.value) else f"{estimate.value:.3f}"
    if math.isnan(estimate.low):
        return percent(estimate.value)
    return f"{percent(estimate.value)}  ({percent(estimate.low)} – {percent(estimate.high)})"


def page_figures(scores: PageScores) -> None:
    """The page's other figures, in a small grid with their meaning on hover."""
    for names in (("nsfd", "cer", "hwer"), ("hcer", "kendall_tau", "bow_f1")):
        for column, name in zip(st.columns(3), names, strict=True):
            with column:
                figure_of_page(scores, name)


def figure_of_page(scores: PageScores, name: str) -> None:
    """One figure of a page with its meaning on hover."""
    metric = METRICS[name]
    value = page_value(scores, name)
    text = f"{percent(value)} %" if metric.scale == "error rate" else f"{value:.3f}"
    st.metric(
        metric.label,
        "–" if math.isnan(value) else text,
        help=f"{metric.plain}  \n{html.label(metric.formula)}",
    )


def glossary(names: Sequence[str]) -> None:
    """A button that opens plain words and formulas of the given metrics."""
    with st.popover("What do these mean?", icon=":material/help:"):
        for name in names:
            metric = METRICS[name]
            st.markdown(f"**{metric.label}**  {metric.plain}")
            st.code(metric.formula, language=None, wrap_lines=True)
        st.caption(
            "X is the reference, Y the output, N = |X| in words. From Vidal, Toselli, Ríos-Vila "
            "and Calvo-Zaragoza, Pattern Recognition 142 (2023) 109695."
        )


def chart(figure: Any, key: str, alt: str, **more: Any) -> Any:
    """A Plotly figure in the app's theme."""
    return st.plotly_chart(figure, key=key, alt=alt, config=CHART_CONFIG, **more)


def picked_point(event: Any) -> list[Any] | None:
    """The custom data of the point that was just clicked in a chart."""
    points = event["selection"]["points"] if event else []
    return list(points[0]["customdata"]) if points and points[0].get("customdata") else None


def open_page(page_id: str, system: str) -> None:
    """Go to the Page view of a page."""
    state.select(page=page_id, system=system)
    st.switch_page(page_file("page.py"))
