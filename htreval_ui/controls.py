"""The controls that all pages share: data, system, γ and every switch of the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import streamlit as st

from htreval_core import HtrEvalError, Settings
from htreval_core.settings import (
    PRESETS,
    Level,
    Order,
    Solver,
    exact_gamma,
    gamma_text,
    mapping_pairs,
    read_signature,
)
from htreval_core.text import SWITCHES, Switch
from htreval_ui import data, html, state
from htreval_ui.opening import chosen_data, chosen_system, opened_or_none

GAMMAS = ("0", "0.1", "0.5", "1", "2", "5", "10", "20", "50", "100")


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
        _choose_system()
        gamma = gamma_text(selection.settings().gamma)
        st.select_slider(
            "γ, pull towards the same place",
            gammas(gamma),
            value=gamma,
            key=state.widget("gamma", gamma),
            on_change=lambda: state.select(gamma=state.edited("gamma")),
            help="How much it costs to match words that stand far apart. The paper uses 1. "
            "It touches hWER, hCER and NSFD only.",
        )
        st.markdown("**What counts as the same**")
        for switch in SWITCHES:
            if switch.prominent:
                _offer(switch)
        with st.expander("More switches"):
            _more_switches()
        with st.expander("Signature: cite it with every value"):
            st.code(selection.settings().signature().replace("|", "\n"), language=None)


def _choose_system() -> None:
    opened = opened_or_none()
    if opened is None:
        st.selectbox("System", (), placeholder="not scored yet", disabled=True, key="no_system")
        return
    study = opened.study
    chosen = chosen_system(study)
    st.selectbox(
        "System",
        study.systems,
        index=study.systems.index(chosen),
        key=state.widget("system", chosen),
        on_change=lambda: state.select(system=state.edited("system")),
        help="Whose output the Page view shows.",
    )


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


def _more_switches() -> None:
    """Every other setting: of the text, of the files, and whole sets of them."""
    for switch in SWITCHES:
        if not switch.prominent:
            _offer(switch)
    for choice in (
        ("level", "Text of PAGE files", get_args(Level), "Take lines, words or regions."),
        ("order", "Order of files", get_args(Order), "Read as files declare, or as written down."),
        ("solver", "Matching", get_args(Solver), "‘authors’: match as the paper’s program does."),
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


def _take(name: str) -> None:
    state.select(**{name: state.edited(name)})


def gammas(chosen: str) -> list[str]:
    """Values of γ to choose from, the chosen one among them even if a link brought another."""
    return sorted({*GAMMAS, chosen}, key=lambda gamma: exact_gamma(gamma))
