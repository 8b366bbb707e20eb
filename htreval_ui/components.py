"""Pieces that several pages show."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, NoReturn, get_args

import pandas as pd
import streamlit as st

from htreval_core import METRICS, Dataset, HtrEvalError, PageScores, Settings, Study
from htreval_core.diagnosis import Diagnosis, Event
from htreval_core.metrics.values import page_value
from htreval_core.scoring.resampling import MANY
from htreval_core.settings import (
    PRESETS,
    Level,
    Order,
    Solver,
    exact_gamma,
    mapping_pairs,
    read_signature,
)
from htreval_core.show.palette import event_colour
from htreval_core.show.tables import percent
from htreval_core.text import HYPHENS, Characters, UnicodeForm, Words
from htreval_core.words.outcomes import WordOutcomes
from htreval_ui import data, html, places, results, scoring, state
from htreval_ui.html import event_line
from htreval_ui.tables import examples_frame, frame_csv
from htreval_ui.wording import besides, page_verdict

CHART_CONFIG = {"displaylogo": False, "displayModeBar": False, "scrollZoom": False}
_QUICK = 1500
"""So many pages, times systems, are diagnosed without asking."""
_EXAMPLES = 200
_EVENTS = 4
"""So many events, the costliest, are told in full; the others on demand."""
GAMMAS = ("0", "0.1", "0.5", "1", "2", "5", "10", "20", "50", "100")


def page_file(name: str) -> str:
    """The path of a page script, as navigation wants it."""
    return str(places.root() / "pages" / name)


def go_to(name: str) -> NoReturn:
    """Show another page with the selection in its address, so that Back leads to this one."""
    st.switch_page(page_file(name), query_params=state.in_url())


def style() -> None:
    """The few rules of our own that Streamlit's theme has no setting for."""
    st.html(places.ASSETS / "app.css")


def chosen_data() -> str:
    """The key of the data set to show."""
    return state.current().data or next(iter(data.sources()))


def adopt_run() -> None:
    """A run that is opened for the first time brings its settings, unless others were chosen."""
    key = chosen_data()
    adopted: set[str] = st.session_state.setdefault("adopted_runs", set())
    if key in adopted:
        return
    adopted.add(key)
    try:
        run = data.run_of(key)
    except HtrEvalError:
        return
    if run and state.current().settings().signature() == Settings().signature():
        state.use_mapping(run.manifest.settings.policy.mapping)
        state.adopt(run.manifest.settings)


def n_rows(study: Study) -> int:
    """Pages times systems."""
    return sum(len(scores) for scores in study.scores.values())


def is_big(study: Study) -> bool:
    """Whether tables and pictures are made here and only what is seen goes to the browser."""
    return n_rows(study) > MANY


def ask_first(key: str, study: Study, what: str) -> None:
    """Of very many pages, what takes all their texts waits until it is asked for."""
    if is_big(study) and not st.session_state.get(f"asked_{what}_{key}"):
        st.button(
            f"{what} of {n_rows(study):,} page scores: this reads every text",
            key=f"ask_{what}_{key}",
            icon=":material/hourglass_top:",
            on_click=st.session_state.__setitem__,
            args=(f"asked_{what}_{key}", True),
        )
        st.stop()


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
                index=list(titles).index(key),
                key=state.widget("data", key),
                on_change=lambda: state.select(data=state.edited("data")),
                help="What is scored. Bring your own on the Data page.",
            )
        study = _study(key)
        if study:
            st.selectbox(
                "System",
                study.systems,
                index=study.systems.index(chosen_system(study)),
                key=state.widget("system", chosen_system(study)),
                on_change=lambda: state.select(system=state.edited("system")),
                help="Whose output the Page view shows.",
            )
        else:
            st.selectbox("System", (), placeholder="not scored yet", disabled=True, key="no_system")
        st.select_slider(
            "γ, pull towards the same place",
            gammas(str(selection.settings().gamma)),
            value=str(selection.settings().gamma),
            key=state.widget("gamma", str(selection.settings().gamma)),
            on_change=lambda: state.select(gamma=state.edited("gamma")),
            help="How much it costs to match words that stand far apart. The paper uses 1. "
            "It touches hWER, hCER and NSFD only.",
        )
        st.markdown("**What counts as the same**")
        _toggles(
            ("ignore_case", "Ignore upper and lower case", "‘The’ and ‘the’ are the same word."),
            ("ignore_punctuation", "Ignore punctuation", "‘end.’ and ‘end’ are the same word."),
        )
        with st.expander("More switches"):
            _more_switches(selection)
        with st.expander("Signature: cite it with every figure"):
            st.code(selection.settings().signature().replace("|", "\n"), language=None)


def _toggles(*switches: tuple[str, str, str]) -> None:
    for name, text, help_text in switches:
        st.toggle(
            text,
            value=getattr(state.current(), name),
            key=state.widget(name, getattr(state.current(), name)),
            on_change=_take,
            args=(name,),
            help=help_text,
        )


def _choice(name: str, text: str, options: Sequence[str], help_text: str) -> None:
    chosen = getattr(state.current(), name)
    chosen = chosen if chosen in options else options[0]
    st.selectbox(
        text,
        options,
        index=options.index(chosen),
        key=state.widget(name, chosen),
        on_change=_take,
        args=(name,),
        help=help_text,
    )


def _more_switches(selection: state.Selection) -> None:
    """Every other setting: of the text, of the files, and whole sets of them."""
    hyphens = [name for name in selection.hyphens.split("+") if name in HYPHENS.values()]
    st.multiselect(
        "Signs that join a word divided at a line’s end",
        list(HYPHENS.values()),
        default=hyphens,
        key=state.widget("hyphens", hyphens),
        on_change=lambda: state.select(hyphens="+".join(state.edited("hyphens"))),
        help="- hyphen-minus, ¬ not-sign, ⸗ double-oblique, and the soft hyphen",
    )
    _toggles(
        ("soft", "Drop soft hyphens", "U+00AD within a word vanishes."),
        ("longs", "Read long s (ſ) as s", "The long s of old prints and hands."),
        ("ligatures", "Unfold ligatures", "ﬁ becomes fi."),
    )
    for choice in (
        ("form", "Unicode form", get_args(UnicodeForm), "NFC makes é one character however typed."),
        ("words", "A word is", get_args(Words), "What white space delimits, or Unicode’s words."),
        ("characters", "A character is", get_args(Characters), "What CER counts."),
        ("level", "Text of PAGE files", get_args(Level), "Lines, words or regions."),
        ("order", "Order of files", get_args(Order), "As files declare it, or as written down."),
        ("solver", "Matching", get_args(Solver), "‘authors’: as the paper’s program finds it."),
    ):
        _choice(*choice)
    mapping = st.file_uploader(
        "Characters to read as others",
        key="mapping",
        help="A text file: a character (or U+F1AC), a tab, its replacement; one pair a line.",
    )
    try:
        pairs = mapping_pairs(mapping.name, mapping.getvalue()) if mapping else ()
        if state.use_mapping(pairs):
            st.rerun()
    except HtrEvalError as error:
        st.error(html.label(str(error)))
    preset = st.selectbox(
        "Count as another tool does", list(PRESETS), index=None, key="preset", placeholder="choose"
    )
    if preset:
        st.caption(PRESETS[preset].why)
        st.button("Count so", on_click=state.adopt, args=(PRESETS[preset].settings,), key="adopt")
    text = st.text_input("Or as the figures with this signature", key="signature")
    if text:
        try:
            settings, notes = read_signature(text.replace("\n", "|"))
        except HtrEvalError as error:
            st.error(html.label(str(error)))
        else:
            for note in notes:
                st.warning(html.label(note))
            st.button("Count so", on_click=state.adopt, args=(settings,), key="adopt_signature")


def _take(name: str) -> None:
    state.select(**{name: state.edited(name)})


def gammas(chosen: str) -> list[str]:
    """Values of γ to choose from, the chosen one among them even if a link brought another."""
    return sorted({*GAMMAS, chosen}, key=lambda gamma: exact_gamma(gamma))


def _study(key: str) -> Study | None:
    try:
        return scoring.study(key, state.current().settings())
    except (HtrEvalError, KeyError, scoring.Waiting):
        return None


def chosen_system(study: Study) -> str:
    """The selected system, or the one with most words lost to order: there is most to see."""
    wanted = state.current().system
    if wanted in study.systems:
        return wanted

    def lost(system: str) -> int:
        edits = study.table(system)
        return edits.edit_sums("wer").errors - edits.edit_sums("bwer").errors

    return max(study.systems, key=lost)


def open_data() -> tuple[str, Dataset, Study]:
    """The chosen data with its scores; otherwise say what is wrong, offer a way on, and stop."""
    key = chosen_data()
    problem = ""
    try:
        settings = state.current().settings()
        scored = scoring.scored(key, settings)
        found = data.dataset(key, settings.reading)
        return key, replace(found, warnings=found.warnings + scored.failures), scored.study
    except scoring.Waiting as waiting:
        _show_waiting(waiting.waiter)
        return st.stop()
    except HtrEvalError as error:
        problem = html.label(str(error))
    except KeyError:
        problem = (
            "This address names data that is not open here. Uploaded data stays with the "
            "session that uploaded it."
        )
    st.error(problem, icon=":material/error:")
    _link_to_data()
    return st.stop()


def _show_waiting(waiter: scoring.Waiter) -> None:
    """How far the scoring is, or why it ended, and in any case a way on."""
    job = waiter.job
    if not (waiter.has_left or job.is_over):
        st.title(f"Scoring {job.total:,} pages")
        _watch(waiter)
        st.caption("You may go on elsewhere; this goes on as long as the window is open.")
        return
    if job.problem:
        st.error(html.label(job.problem), icon=":material/error:")
    else:
        st.info(f"Scoring was stopped after {job.done:,} of {job.total:,} pages.")
    st.button("Score these pages", icon=":material/play_arrow:", on_click=scoring.score_again)
    _link_to_data()


@st.fragment(run_every=0.5)
def _watch(waiter: scoring.Waiter) -> None:
    job = waiter.job
    if job.is_over or waiter.has_left:
        st.rerun()
    bar, stop = st.columns([5, 1], vertical_alignment="center")
    bar.progress(job.done / job.total if job.total else 0.0, _progress(job))
    stop.button("Cancel", key="cancel_scoring", on_click=waiter.leave, width="stretch")


def _progress(job: scoring.ScoringJob) -> str:
    if job.state == "waiting":
        return f"Waiting: {scoring.desk().n_before(job)} other scorings came first"
    if not job.done:
        return "Starting"
    speed = job.done / job.seconds
    left = (job.total - job.done) / speed
    return f"{job.done:,} of {job.total:,} pages, {speed:,.0f} pages/s, about {left:.0f} s left"


def _link_to_data() -> None:
    st.page_link(page_file("data.py"), label="Choose or bring data", icon=":material/folder_open:")


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


def found_failures(key: str, study: Study) -> dict[str, tuple[Diagnosis, ...]]:
    """The layout failures of all pages: at once where that is quick, else when asked for."""
    n_scores = n_rows(study)
    if n_scores > _QUICK and not st.session_state.get(f"look_{key}"):
        st.button(
            f"Look for layout failures on {n_scores:,} pages",
            key=f"look_button_{key}",
            icon=":material/search:",
            on_click=st.session_state.__setitem__,
            args=(f"look_{key}", True),
        )
        return {}
    return results.diagnoses(key, study.settings)


def place_in_ranking(system: str, place: int, n_pages: int, scores: PageScores) -> str:
    """Whose page this is, where it stands, and what kind of bad it is, as Markdown."""
    return (
        f"**{html.name(system)}**, number {place + 1} of {n_pages} by ΔWER. {page_verdict(scores)}"
    )


def as_if_put_right(system: str, was: PageScores, now: PageScores) -> str:
    """What a repair would save, as Markdown."""
    old, new = (percent(page_value(scores, "wer")) for scores in (was, now))
    return (
        f"**{html.name(system)}**, as if put right: WER {old} % → **{new} %**. {page_verdict(now)}"
    )


def show_story(told: results.Story, put_right: frozenset[int]) -> None:
    """What went wrong on a page, an event a line: show it, or put it right and see what changes."""
    diagnosis = told.diagnosis
    with st.container(border=True, gap="small"):
        for number, event in enumerate(diagnosis.events[:_EVENTS]):
            _show_event(number, event, put_right)
        if len(diagnosis.events) > _EVENTS:
            with st.expander(f"{len(diagnosis.events) - _EVENTS} smaller faults"):
                for number, event in enumerate(diagnosis.events[_EVENTS:], start=_EVENTS):
                    _show_event(number, event, put_right)
        left = besides(diagnosis, told.n_moved)
        if left:
            st.caption(("Besides, " if diagnosis.events else "") + left + ".")
        elif not diagnosis.events:
            st.caption("Nothing went wrong on this page.")


def show_looking(n_words: int) -> None:
    """In place of the story of a long page, as long as it is not known."""
    with st.container(border=True, gap="small"):
        st.markdown(f"Looking for what went wrong with the order of {n_words:,} words…")
        st.caption("The words are below; faults and figures stay as they are.")


def _show_event(number: int, event: Event, put_right: frozenset[int]) -> None:
    is_shown = state.current().event_number == number
    with st.container(gap=None):
        _tell_event(number, event, put_right, is_shown)


def tell_event(number: int, event: Event) -> None:
    """One event in a sentence, with its number and colour."""
    st.html(event_line(number + 1, event_colour(number), event.kind.value, event.sentence))


def _tell_event(number: int, event: Event, put_right: frozenset[int], is_shown: bool) -> None:
    tell_event(number, event)
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Shown in colour" if is_shown else "Show",
            key=f"show_{number}",
            icon=":material/visibility:",
            type="primary" if is_shown else "tertiary",
            help=None if is_shown else "Bring its words out in every picture below",
            on_click=state.select,
            kwargs={"event": "" if is_shown else str(number + 1)},
        )
        if event.groups:
            is_right = number in put_right
            st.button(
                "Undo" if is_right else "Put right",
                key=f"repair_{number}",
                icon=":material/undo:" if is_right else ":material/build:",
                type="primary" if is_right else "tertiary",
                help=None
                if is_right
                else "Put these words back in their place; your files stay as they are. Key r",
                on_click=state.select,
                kwargs={"repaired": _numbers(put_right ^ {number})},
            )


def _numbers(events: Collection[int]) -> str:
    return "+".join(str(number + 1) for number in sorted(events))


def next_repair(told: results.Story, put_right: frozenset[int], shown: int | None) -> str:
    """The events that are right after one more key: the shown one, else the next; then none."""
    possible = [n for n, event in enumerate(told.diagnosis.events) if event.groups]
    if shown in possible:
        return _numbers(put_right ^ {shown})
    left = [number for number in possible if number not in put_right]
    return _numbers(put_right | {left[0]}) if left else ""


def glossary(names: Sequence[str]) -> None:
    """A button that opens plain words and formulas of the given metrics."""
    with st.popover("Terms", icon=":material/help:"):
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


def offer_figure(figure: Any, frame: pd.DataFrame, name: str) -> None:
    """A figure to take away: its data, the figure by itself, and as a picture where that works."""
    with st.container(horizontal=True):
        st.download_button(
            "Data (CSV)", lambda: frame_csv(frame), f"{name}.csv", "text/csv",
            icon=":material/table:", key=f"{name}_csv", on_click="ignore",
        )  # fmt: skip
        st.download_button(
            "Figure (HTML)",
            lambda: figure.to_html(include_plotlyjs=True, config=CHART_CONFIG),
            f"{name}.html", "text/html",
            icon=":material/download:", key=f"{name}_html", on_click="ignore",
        )  # fmt: skip
        if find_spec("kaleido"):
            for kind in ("svg", "png"):
                st.download_button(
                    f"Picture ({kind.upper()})",
                    lambda kind=kind: figure.to_image(kind, width=1200, scale=2),
                    f"{name}.{kind}",
                    icon=":material/image:", key=f"{name}_{kind}", on_click="ignore",
                )  # fmt: skip


def offer_table(frame: pd.DataFrame, name: str) -> None:
    """The rows of a table to take away, with what a spreadsheet would run marked as text."""
    st.download_button(
        "Data (CSV)", lambda: frame_csv(frame), f"htreval-{name}.csv", "text/csv",
        icon=":material/table:", key=f"{name}_csv", on_click="ignore", type="tertiary",
    )  # fmt: skip


def picked_point(event: Any) -> list[Any] | None:
    """The custom data of the point that was just clicked in a chart."""
    points = event["selection"]["points"] if event else []
    return list(points[0]["customdata"]) if points and points[0].get("customdata") else None


def two_systems(study: Study) -> tuple[str, str] | None:
    """The two systems that are compared, chosen side by side; None where there is only one."""
    if len(study.systems) < 2:
        return None
    a = chosen_system(study)
    others = [system for system in study.systems if system != a]
    b = state.current().other if state.current().other in others else others[0]
    left, middle, right, _ = st.columns([4, 1, 4, 4], vertical_alignment="bottom")
    left.selectbox(
        "A", study.systems, index=study.systems.index(a), key=state.widget("a", a),
        on_change=lambda: state.select_pair(state.edited("a"), b),
    )  # fmt: skip
    middle.button(
        "", icon=":material/swap_horiz:", help="Swap A and B", key="swap", width="stretch",
        on_click=state.select_pair, args=(b, a),
    )  # fmt: skip
    right.selectbox(
        "B", others, index=others.index(b), key=state.widget("b", b),
        on_change=lambda: state.select(other=state.edited("b")),
    )  # fmt: skip
    return a, b


def chosen_row(event: Any) -> int | None:
    """The row that is chosen in a table, by a mark or by a cell."""
    selected = event["selection"]
    rows = selected["rows"] or [row for row, _ in selected["cells"]]
    return rows[0] if rows else None


def head_of_examples(reference: str, read_as: str | None, *, is_chosen: bool) -> None:
    """Which error the examples are of; before one is chosen, the first."""
    if not reference:
        told = f"‘{html.label(read_as or '')}’ added"
    elif not read_as:
        told = f"‘{html.label(reference)}’ left out"
    else:
        told = f"‘{html.label(reference)}’ read as ‘{html.label(read_as)}’"
    st.markdown(f"**{told}**")
    if not is_chosen:
        st.caption("The most frequent error; choose another in the table.")


def show_examples(outcomes: WordOutcomes, numbers: Sequence[int], key: str) -> None:
    """Words in their lines; choosing one opens its page with the word marked."""
    shown = list(outcomes.examples(numbers[:_EXAMPLES]))
    if not shown:
        return
    more = f", the first {_EXAMPLES}" if len(numbers) > _EXAMPLES else ""
    st.caption(f"{len(numbers):,} words{more}. Choose a row to see the word on its page.")
    row = chosen_row(
        st.dataframe(
            examples_frame(shown),
            hide_index=True,
            key=f"{key}_{numbers[0]}_{len(numbers)}",
            on_select="rerun",
            selection_mode=["single-row", "single-cell"],
            column_config={"before": st.column_config.TextColumn(alignment="right")},
        )
    )
    if row is not None:
        example = shown[row]
        system = next((r.system for r in example.readings if r.outcome), example.readings[0].system)
        state.select(page=example.page_id, system=system)
        state.select(word=f"ref:{example.word_index}", view="matching")
        go_to("page.py")


def open_page(page_id: str, system: str) -> None:
    """Go to the Page view of a page."""
    state.select(page=page_id, system=system)
    go_to("page.py")
