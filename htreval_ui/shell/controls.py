"""The strip that all pages share: data, system, every switch of the text, γ, what to cite."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

import streamlit as st

from htreval_core import HtrEvalError, Settings
from htreval_core.settings import (
    PRESETS,
    Level,
    Order,
    Solver,
    TextAs,
    Trace,
    exact_gamma,
    gamma_text,
    mapping_pairs,
    read_signature,
)
from htreval_core.settings.written import EDITION_LEVELS, MARKUP_RULES, USUAL_MARKUP
from htreval_core.text import SWITCHES, Switch
from htreval_ui import html
from htreval_ui.studies import data
from htreval_ui.studies.facets import choose_pages
from htreval_ui.studies.opening import chosen_data, chosen_system, opened_or_none, whole_or_none
from htreval_ui.views.orders import choose_orders
from htreval_ui.web import state
from htreval_ui.web.links import page_file

GAMMAS = ("0", "0.1", "0.5", "1", "2", "5", "10", "20", "50", "100")


def strip(page: str) -> None:
    """One line above every page: data, systems, text, order, γ where it acts, what to cite.

    Args:
        page: the page that is shown, as its address has it.
    """
    with st.container(
        horizontal=True, wrap=True, gap="xxsmall", horizontal_alignment="right",
        vertical_alignment="center", key="strip",
    ):  # fmt: skip
        _choose_data()
        _choose_system(page)
        whole = whole_or_none() if page in _OF_PAGES else None
        if whole is not None:
            choose_pages(whole, chosen_data())
        _choose_text()
        if page in _OF_PAGES:
            choose_orders()
        if page in _OF_GAMMA:
            _choose_gamma()
        _show_signature(page)


_OF_PAGES = ("overview", "pages", "page", "compare", "errors", "text")
"""The pages whose values are of many pages."""
_OF_GAMMA = ("page", "pages", "laboratory")
"""The pages that show what γ touches."""


def _choose_data() -> None:
    titles = data.sources()
    key = chosen_data()
    shown = html.name(titles[key]) if key in titles else "no data"
    with st.popover(shown, type="tertiary", key="strip_data", help="What is scored"):
        st.selectbox(
            "Data",
            list(titles),
            format_func=titles.__getitem__,
            index=list(titles).index(key) if key in titles else None,
            placeholder="choose",
            key=state.widget("data", key if key in titles else None),
            on_change=lambda: state.select(data=state.edited("data")),
        )
        st.page_link(page_file("data.py"), label="Bring your own", icon=":material/folder_open:")


def _choose_system(page: str) -> None:
    opened = opened_or_none()
    if opened is None:
        return
    study = opened.study
    chosen = chosen_system(study)
    n = len(study.systems)
    # On Compare two are chosen side by side, and on the Page view by its pills.
    shown = f"{n} systems" if n > 1 else "1 system"
    with st.popover(shown, type="tertiary", key="strip_systems", help="Which system is shown"):
        st.selectbox(
            "System",
            study.systems,
            index=study.systems.index(chosen),
            key=state.widget("system", chosen),
            on_change=lambda: state.select(system=state.edited("system")),
            help="Whose output the Page view shows.",
        )
        if study.narrows:
            is_all = state.current().all_pages == "yes"
            st.toggle(
                "All pages of each",
                value=is_all,
                key=state.widget("all_pages", is_all),
                on_change=lambda: state.select(
                    all_pages="yes" if state.edited("all_pages") else ""
                ),
                help="Systems have read different pages. Their values compare only on the "
                f"{len(study.common_page_ids):,} that all of them have read.",
            )


def _choose_text() -> None:
    thrown = _thrown()
    noun = "switches" if thrown > 1 else "switch"
    shown = f"text: {thrown} {noun}" if thrown else "text: as written"
    told = "What counts as the same word"
    with st.popover(shown, type="tertiary", key="strip_text", help=told):
        for switch in SWITCHES:
            if switch.prominent:
                _offer(switch)
        with st.expander("More switches of the text"):
            for switch in SWITCHES:
                if not switch.prominent:
                    _offer(switch)
        with st.expander("What is read of the files"):
            _reading_switches()
        with st.expander("Whole sets of switches, and how words are matched"):
            _whole_sets()


def _thrown() -> int:
    """How many settings of text and files are not the usual ones."""
    settings, usual = state.current().settings(), Settings()
    mine, theirs = settings.policy.as_text(), usual.policy.as_text()
    others = (
        settings.reading != usual.reading,
        settings.solver != usual.solver,
        settings.trace != usual.trace,
    )
    mapped = settings.policy.mapping != usual.policy.mapping
    return sum(mine[name] != theirs[name] for name in mine) + sum(others) + mapped


def _choose_gamma() -> None:
    gamma = gamma_text(state.current().settings().gamma)
    with st.popover(
        f"γ {gamma}", type="tertiary", key="strip_gamma", help="How far words may stray"
    ):
        st.select_slider(
            "γ, pull towards the same place",
            gammas(gamma),
            value=gamma,
            key=state.widget("gamma", gamma),
            on_change=lambda: state.select(gamma=state.edited("gamma")),
            help="How much it costs to match words that stand far apart. The paper uses 1. "
            "It touches hWER, hCER and NSFD only.",
        )


def _show_signature(page: str) -> None:
    told = "The signature of the values, and a link to this view"
    with st.popover("cite", type="tertiary", key="strip_signature", help=told):
        st.caption("The signature pins all that the values depend on. Quote it with them:")
        st.code(state.current().settings().signature().replace("|", "\n"), language=None)
        st.caption("A link to this view with its data, page, systems and settings:")
        st.code(state.address(page), language=None, wrap_lines=True)


def _offer(switch: Switch) -> None:
    """The control of a switch of the text policy, by what it may be set to."""
    name = switch.name
    value = getattr(state.current().text, name)
    if name == "mapping":
        _offer_mapping(switch)
    elif switch.several:
        st.multiselect(
            switch.label, list(switch.choices), default=list(value), help=switch.help,
            key=state.widget(name, list(value)), on_change=_throw, args=(name,),
        )  # fmt: skip
    elif switch.choices:
        st.selectbox(
            switch.label, switch.choices, index=switch.choices.index(value), help=switch.help,
            key=state.widget(name, value), on_change=_throw, args=(name,),
        )  # fmt: skip
    else:
        st.toggle(
            switch.label, value=value, help=switch.help,
            key=state.widget(name, value), on_change=_throw, args=(name,),
        )  # fmt: skip


def _throw(name: str) -> None:
    value: Any = state.edited(name)
    state.switch(name, tuple(value) if isinstance(value, list) else value)


def _offer_mapping(switch: Switch) -> None:
    given = st.file_uploader(switch.label, key="mapping", help=switch.help)
    try:
        pairs = mapping_pairs(given.name, given.getvalue()) if given else ()
        if state.use_mapping(pairs):
            st.rerun()
    except HtrEvalError as error:
        st.error(html.label(str(error)))


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


def _whole_sets() -> None:
    """The matching, and settings taken over from another tool or a signature."""
    for choice in (
        ("solver", "Matching", get_args(Solver), "‘authors’: match as the paper’s program does."),
        ("trace", "Trace of WER", get_args(Trace), "‘as-found’: the trace that jiwer finds."),
    ):
        _choice(*choice)
    preset = st.selectbox(
        "Count as another tool does", list(PRESETS), index=None, key="preset", placeholder="choose"
    )
    if preset:
        st.caption(PRESETS[preset].why)
        st.button(
            "Use these settings",
            on_click=state.adopt,
            args=(PRESETS[preset].settings,),
            key="adopt",
        )
    text = st.text_input("Or use the settings in this signature", key="signature")
    if text:
        try:
            settings, notes = read_signature(text.replace("\n", "|"))
        except HtrEvalError as error:
            st.error(html.label(str(error)))
        else:
            usual = Settings()
            if (settings.resamples, settings.seed) != (usual.resamples, usual.seed):
                notes += (
                    f"intervals are drawn here from {usual.resamples:,} samples of pages, seed "
                    f"{usual.seed}, whatever the signature says; the values are the same",
                )
            for note in notes:
                st.warning(html.label(note))
            st.button(
                "Use these settings", on_click=state.adopt, args=(settings,), key="adopt_signature"
            )


def _reading_switches() -> None:
    """What is read of files that hold more than the text of the page."""
    reading = state.current().reading
    for name, label, options, help_text in (
        ("level", "Text of PAGE files", get_args(Level), "Take lines, words or regions."),
        ("order", "Order of files", get_args(Order), "Read as files declare, or as written down."),
        (
            "text_as", "Text files are", get_args(TextAs),
            "‘name’: .md is Markdown, .txt is text. ‘markdown’: both are Markdown.",
        ),
    ):  # fmt: skip
        value = getattr(reading, name)
        st.selectbox(
            label, options, index=options.index(value), help=help_text,
            key=state.widget(name, value), on_change=_read_as, args=(name,),
        )  # fmt: skip
    kept = [rule for rule in USUAL_MARKUP if rule not in reading.markup]
    st.multiselect(
        "Markup counted as text", USUAL_MARKUP, default=kept, format_func=_telling(MARKUP_RULES),
        key=state.widget("kept_markup", kept), on_change=_choose_markup, placeholder="none",
        help="What Markdown, HTML and JSON hold beside the text of the page is taken off. See the "
        "view Text for what that is.",
    )  # fmt: skip
    bare = "heads" in reading.markup
    st.toggle(
        "Leave out running heads and page numbers", value=bare, key=state.widget("bare", bare),
        on_change=_choose_markup, help="Where the file itself marks them as such.",
    )  # fmt: skip
    levels = list(reading.edition)
    st.multiselect(
        "Of editions, read", list(EDITION_LEVELS), default=levels, placeholder="as on the page",
        format_func=_telling(EDITION_LEVELS), key=state.widget("edition", levels),
        on_change=_read_as, args=("edition",), help="TEI and Transkribus hold several readings.",
    )  # fmt: skip


def _choose_markup() -> None:
    kept, bare = state.edited("kept_markup"), state.edited("bare")
    rules = [rule for rule in USUAL_MARKUP if rule not in kept]
    state.read_as("markup", (*rules, *(["heads"] if bare else [])))


def _telling(rules: Mapping[str, str]) -> Callable[[str], str]:
    return lambda rule: f"{rule}: {rules[rule].rstrip('.')}"


def _read_as(name: str) -> None:
    value: Any = state.edited(name)
    state.read_as(name, tuple(value) if isinstance(value, list) else value)


def _take(name: str) -> None:
    state.select(**{name: state.edited(name)})


def gammas(chosen: str) -> list[str]:
    """Values of γ to choose from, the chosen one among them even if a link brought another."""
    return sorted({*GAMMAS, chosen}, key=lambda gamma: exact_gamma(gamma))
