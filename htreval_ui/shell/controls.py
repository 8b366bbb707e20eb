"""The strip above every page: data, pages, settings, share."""

from collections.abc import Callable, Mapping
from typing import Any, get_args
from urllib.parse import urlencode

import streamlit as st

from htreval_core import HtrEvalError, Settings
from htreval_core.markup import tag
from htreval_core.settings import (
    PRESETS,
    READ_SWITCHES,
    ReadPolicy,
    Solver,
    Trace,
    gamma_text,
    mapping_pairs,
)
from htreval_core.settings.file import settings_of_toml, settings_toml
from htreval_core.settings.signature import short_signature
from htreval_core.settings.written import MARKUP_RULES, USUAL_MARKUP
from htreval_core.show.site.contents import Contents, Wanted
from htreval_core.show.site.write import VIEWS, site_zip
from htreval_core.show.tables import study_csv
from htreval_core.show.telling.pages import tell_methods
from htreval_core.show.views.opened import Opened
from htreval_core.text import SWITCHES, Switch
from htreval_ui import html, places
from htreval_ui.sections.orders import choose_orders
from htreval_ui.sections.tables import gammas
from htreval_ui.shell.palette import show_palette
from htreval_ui.studies import data, marks, scoring, uploads
from htreval_ui.studies.facets import choose_pages, problem_of, tell_narrowed
from htreval_ui.studies.opening import (
    chosen_data,
    chosen_system,
    link_to_data,
    opened_or_none,
    whole_or_none,
)
from htreval_ui.web import state

_OF_PAGES = ("overview", "page", "compare", "errors")
"""The places whose values are of many pages."""


def strip(page: str) -> None:
    """One line above every page, of what acts on it."""
    with st.container(
        horizontal=True, wrap=True, gap="xxsmall", horizontal_alignment="right",
        vertical_alignment="center", key="strip",
    ):  # fmt: skip
        whole = whole_or_none() if page in _OF_PAGES else None
        shown = opened_or_none() if whole is not None else None
        if shown is not None:
            show_palette(shown)
        _choose_data()
        if whole is not None:
            _choose_pages(whole)
        _choose_settings(page)
        if page != "data":
            with st.popover("share", type="tertiary", key="strip_share", help="Link, citation"):
                show_share(page, opened_or_none())
    if lost := state.lost_settings():
        names = html.name(", ".join(lost))
        st.warning(f"The address has unknown values for {names}; the defaults are used.",
                   icon=":material/link_off:")  # fmt: skip
    if state.current().orders and state.current().text.words == "space":
        st.warning("Rules of reading order need lines, and words divided at spaces alone have "
                   "none: the rules have no effect.", icon=":material/rule:")  # fmt: skip
    if whole is not None and (problem := problem_of(whole, chosen_data())):
        said = f"{problem[:1].upper()}{problem[1:]}."
        st.warning(html.label(said), icon=":material/filter_alt_off:")


def _choose_data() -> None:
    titles = data.sources()
    key = chosen_data()
    known = key if key in titles else None
    shown = html.name(titles[key]) if known else "no data"
    with st.popover(shown, type="tertiary", key="strip_data", help="What is scored"):
        st.selectbox(
            "Data", list(titles), format_func=titles.__getitem__, placeholder="choose",
            index=list(titles).index(key) if known else None, **state.bound("data", known),
        )  # fmt: skip
        link_to_data("Bring your own")


def _choose_pages(whole: Opened) -> None:
    told = tell_narrowed(whole, chosen_data())
    with st.popover(told, type="tertiary", key="strip_pages", help="Which pages are counted"):
        opened = opened_or_none()
        if opened is not None:
            _choose_system(opened)
        choose_pages(whole, chosen_data())


def _choose_system(opened: Opened) -> None:
    study = opened.study
    chosen = chosen_system(study)
    st.selectbox(
        "System", study.systems, index=study.systems.index(chosen),
        help="The system whose output the Page view shows.", **state.bound("system", chosen),
    )  # fmt: skip
    if study.narrows:
        is_all = state.current().all_pages == "yes"
        st.toggle(
            "All pages of each", value=is_all, **state.bound("all_pages", is_all),
            help="Systems have read different pages. Their values can be compared only on the "
            f"{len(study.common_page_ids):,} that all of them have read.",
        )  # fmt: skip


def _choose_settings(page: str) -> None:
    told = "What counts as the same word, which order is right, and γ"
    # Another key closes it: what was asked for in it opens below.
    key = f"strip_settings_{state.current().panel}"
    with st.popover(_tell_settings(), type="tertiary", key=key, help=told):
        for switch in SWITCHES:
            if switch.prominent:
                _offer(switch)
        with st.expander("More text options"):
            for switch in SWITCHES:
                if not switch.prominent:
                    _offer(switch)
        with st.expander("How files are read"):
            _reading_switches()
        if page in _OF_PAGES:
            with st.expander("Order: text that may stand elsewhere"):
                choose_orders()
        if page != "data":
            with st.expander("γ, and how words are matched"):
                _choose_matching()
        with st.expander("Settings of another tool, or from a file"):
            _whole_sets()
        if page in _OF_PAGES:
            st.button(
                "Effect of each option", key="open_panel", icon=":material/stairs:",
                on_click=state.select, kwargs={"panel": page},
                help="All pages under each option in turn.",
            )  # fmt: skip


def _tell_settings() -> str:
    """What is set otherwise than usual, in short."""
    selection = state.current()
    gamma = gamma_text(selection.settings().gamma)
    thrown = _thrown()
    told = [
        f"{thrown} switch{'es' * (thrown > 1)}" if thrown else "",
        "order by rules" if selection.rules else "", f"γ {gamma}" if gamma != "1" else "",
    ]  # fmt: skip
    return "settings: " + (", ".join(filter(None, told)) or "as written")


def _thrown() -> int:
    settings, usual = state.current().settings(), Settings()
    mine, theirs = settings.policy.as_text(), usual.policy.as_text()
    others = ("reading", "solver", "trace")
    changed = sum(getattr(settings, one) != getattr(usual, one) for one in others)
    return sum(mine[name] != theirs[name] for name in mine) + changed


def _choose_matching() -> None:
    gamma = gamma_text(state.current().settings().gamma)
    st.select_slider(
        "γ, pull towards the same place", gammas(gamma), value=gamma,
        help="How much it costs to match words that stand far apart. The paper uses 1. "
        "It affects hWER, hCER and NSFD only.",
        **state.bound("gamma", gamma),
    )  # fmt: skip
    for name, text, options, help_text in (
        ("solver", "Matching", get_args(Solver), "‘authors’: match as the paper’s program does."),
        ("trace", "Trace of WER", get_args(Trace), "‘as-found’: the trace that jiwer finds."),
    ):
        chosen = getattr(state.current(), name)
        chosen = chosen if chosen in options else options[0]
        st.selectbox(
            text, options, index=options.index(chosen), help=help_text,
            **state.bound(name, chosen),
        )  # fmt: skip


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


def _whole_sets() -> None:
    """Settings taken over from another tool or a file, and kept in a file."""
    st.download_button(
        "Save these settings", settings_toml(state.current().settings()), "study.toml",
        "application/toml", key="settings_keep", on_click="ignore",
        help="A file to load again, here or in the shell.",
    )  # fmt: skip
    given = st.file_uploader("Settings from a file (study.toml)", key="settings_file")
    if given:
        _offer_settings(given.name, given.getvalue())
    preset = st.selectbox(
        "Count as another tool does", list(PRESETS), index=None, key="preset", placeholder="choose"
    )
    if preset:
        st.caption(PRESETS[preset].why)
        st.button(
            "Use these settings", on_click=state.adopt, args=(PRESETS[preset].settings,),
            key="adopt",
        )  # fmt: skip


def _reading_switches() -> None:
    """What is read of files that hold more than the text of the page."""
    reading = state.current().reading
    for switch in READ_SWITCHES:
        value = getattr(reading, switch.name)
        if switch.several:
            st.multiselect(
                switch.label, switch.choices, default=list(value), placeholder="as on the page",
                format_func=_telling(switch.meanings), help=switch.help,
                key=state.widget(switch.name, list(value)),
                on_change=_read_as, args=(switch.name,),
            )  # fmt: skip
            continue
        st.selectbox(
            switch.label, switch.choices, index=switch.choices.index(value), help=switch.help,
            key=state.widget(switch.name, value), on_change=_read_as, args=(switch.name,),
        )  # fmt: skip
    kept = [rule for rule in USUAL_MARKUP if rule not in reading.markup]
    st.multiselect(
        "Markup counted as text", USUAL_MARKUP, default=kept, format_func=_telling(MARKUP_RULES),
        key=state.widget("kept_markup", kept), on_change=_choose_markup, placeholder="none",
        help="What Markdown, HTML and JSON hold beside the text of the page is taken off. "
        "The command htreval text shows what that is.",
    )  # fmt: skip
    bare = "heads" in reading.markup
    st.toggle(
        "Leave out running heads and page numbers", value=bare, key=state.widget("bare", bare),
        on_change=_choose_markup, help="Where the file itself marks them as such.",
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


def _offer_settings(name: str, content: bytes) -> None:
    """Settings of a file to take over, or what is wrong with it."""
    try:
        settings = settings_of_toml(name, content)
    except HtrEvalError as error:
        st.error(html.label(str(error)))
        return
    if settings.reading != ReadPolicy.of_text(settings.reading.as_text()):
        st.warning("Encoding, line pattern and limits are left out: they are set in the shell.")
    if settings.policy.mapping:
        st.warning("The mapping of characters is left out: bring its file as well.")
    st.button("Use these settings", on_click=state.adopt, args=(settings,), key="adopt_file")


_OF_SITE = {
    "system", "other", "page", "view", "mode", "event", "repaired", "word", "rank", "where", "tab",
    "find", "which", "sort", "lesson",
}  # fmt: skip
"""What of an address a site knows, too."""


def show_share(page: str, opened: Opened | None) -> None:
    """The signature, the link, how to cite, and what can be taken away."""
    key, settings = chosen_data(), state.current().settings()
    signature = opened.study.signature if opened else settings.signature()
    st.markdown("**Link** to this view with its data, page, systems and settings")
    st.code(state.address(page, key), language=None, wrap_lines=True)
    if settings.policy.mapping:
        st.caption("The link cannot hold the mapping of characters: pass its file on, too.")
    if key in uploads.held():
        st.caption("You uploaded these data: the link works in this window only.")
    st.markdown("**How to cite**")
    st.caption("Quote the short signature with the values; the full one records every setting.")
    st.code(short_signature(signature), language=None, wrap_lines=True)
    with st.expander("The full signature"):
        st.code(signature.replace("|", "\n"), language=None)
    if opened is None:
        return
    st.caption("For the methods section:")
    shown = opened.shown(all_pages=state.current().all_pages == "yes")
    of_system = (
        " The output of a system stood in for the reference: the values are differences from it, "
        "not error rates."
    ) * bool(state.current().stand_in)
    where, name = state.current().where, opened.study.dataset.name
    of_pages = f" These pages fit the filter “{where}”." if where and name.endswith(where) else ""
    st.code(f"{tell_methods(shown)}{of_pages}{of_system}", language=None, wrap_lines=True)
    with st.expander("CITATION.cff"):
        st.code((places.root() / "CITATION.cff").read_text("utf-8"), language="yaml")
    if not state.current().stand_in:
        _offer_site(page, opened)
    st.download_button(
        "Table of all pages (CSV)", data=lambda: study_csv(opened.study),
        file_name="htreval-pages.csv", mime="text/csv", icon=":material/table:", key="csv",
        on_click="ignore", help="Every value of every page for a spreadsheet.",
    )  # fmt: skip


def _offer_site(page: str, opened: Opened) -> None:
    """The views as files for a link to click, and the code that shows this view in another page."""
    study = opened.study
    if not scoring.is_quick(study):
        st.caption("Writing these views as a site takes a long time: run `htreval site`.")
        return
    st.download_button(
        "These views as a site (ZIP)", data=lambda: site_zip(_contents(opened)),
        file_name="htreval-site.zip", mime="application/zip", icon=":material/public:",
        key="site", on_click="ignore",
        help="Unpack it on any web space or disk and link to it. Readers do not need htreval.",
    )  # fmt: skip
    given = urlencode({key: one for key, one in state.in_url(page).items() if key in _OF_SITE})
    st.caption("To show this view of that site in a blog or a course:")
    address = f"site/{page if page in VIEWS else 'index'}.html?{given}&embed=1"
    code = tag("iframe", src=address, width="100%", height=640, loading="lazy")
    st.code(code, language="html", wrap_lines=True)


def _contents(opened: Opened) -> Contents:
    opened.diagnoses()  # which puts what errors come from into the study
    study = opened.study
    said = marks.chosen(chosen_data())
    return Contents(opened, Wanted(study.dataset.name, frozenset(study.page_ids), marks=said))
