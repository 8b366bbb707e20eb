"""Rules of reading order: chosen in the settings, clicked on a page."""

from dataclasses import replace
from typing import Any

import streamlit as st

from htreval_core import HtrEvalError, OrderRules, PageRule, RegionRule, Transcript
from htreval_core.settings import orders_of_text, orders_toml
from htreval_ui import html
from htreval_ui.web import state

_KINDS = (
    "header", "footer", "page-number", "marginalia", "footnote", "endnote", "catch-word",
    "signature-mark", "caption", "drop-capital",
)  # fmt: skip
"""What files call text that often has no place of its own."""


def choose_orders() -> None:
    """The rules in the settings: kinds that float or are left out, and a file to bring or keep."""
    rules = state.current().rules
    _choose_kinds("floats", "May stand anywhere", rules.floats, "Kinds of region")
    _choose_kinds("left_out", "Left out on both sides", rules.left_out, "These kinds of region")
    st.toggle(
        "The reference covers a part of the page",
        value=rules.partial,
        key=state.widget("partial", rules.partial),
        on_change=lambda: state.order_by(
            replace(state.current().rules, partial=state.edited("partial"))
        ),
        help="Text of the output that fits no block of the reference, word by word, costs nothing.",
    )
    if rules.pages:
        n_pages = len(rules.pages)
        st.caption(f"{n_pages:,} {'pages have rules' if n_pages > 1 else 'page has rules'} too.")
    given = st.file_uploader("Rules from a file (TOML)", key="orders_file")
    if given:
        try:
            wanted = orders_of_text(given.name, given.getvalue())
        except HtrEvalError as error:
            st.error(html.label(str(error)))
            wanted = rules
        if wanted != rules:
            st.button("Use these rules", on_click=state.order_by, args=(wanted,), key="orders_use")
    if rules:
        st.download_button(
            "Keep these rules", orders_toml(rules), "orders.toml", "application/toml",
            key="orders_keep", on_click="ignore",
            help="A file to load again, here or in the shell.",
        )  # fmt: skip
        st.button("Without rules", on_click=state.order_by, args=(OrderRules(),), key="no_rules")
    st.caption(
        "The strict values always follow the reference’s order. ΔWER* takes the best "
        "order that files and rules allow. Click a region on the Page view for rules of that page."
    )


def _choose_kinds(name: str, label: str, rule: RegionRule, told: str) -> None:
    options = list(dict.fromkeys([*_KINDS, *rule.kinds]))
    key = state.widget(name, list(rule.kinds))

    def choose() -> None:
        rules = state.current().rules
        kinds = tuple(state.edited(name))
        state.order_by(replace(rules, **{name: replace(getattr(rules, name), kinds=kinds)}))

    st.multiselect(
        label, options, default=list(rule.kinds), key=key, on_change=choose, help=told,
        placeholder="none", accept_new_options=True,
    )  # fmt: skip


def with_region(
    rules: OrderRules, page_id: str, reference: Transcript, what: str, value: Any
) -> OrderRules:
    """The rules after a click on a region of a page; the same click again takes it back.

    Args:
        what: "float", "leave-out" or "either".
        value: the id of a region; for "either" two ids: text from the first to the second may
            change places with the second.
    """
    rule = rules.of_page(page_id)
    if what == "either":
        parted = _parted(reference, *map(str, value))
        if parted is None:
            return rules
        either = tuple(one for one in rule.either if one != parted)
        rule = replace(rule, either=either if parted in rule.either else (*either, parted))
    elif what == "float":
        rule = replace(rule, floats=_toggled(rule.floats, str(value)))
    else:
        rule = replace(rule, left_out=_toggled(rule.left_out, str(value)))
    return replace(rules, pages={**rules.pages, page_id: rule})


def _toggled(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(one for one in names if one != name) if name in names else (*names, name)


def _parted(reference: Transcript, a: str, b: str) -> tuple[tuple[str, ...], ...] | None:
    """Two alternatives: the first region with all up to the second, and the second."""
    names = list(dict.fromkeys(line.region for line in reference.lines if line.region))
    if a == b or a not in names or b not in names:
        return None
    first, second = sorted((names.index(a), names.index(b)))
    return tuple(names[first:second]), (names[second],)


def rules_payload(rule: PageRule) -> dict[str, Any]:
    """The rules of a page as the Page view shows them."""
    return {
        "float": list(rule.floats), "leave-out": list(rule.left_out),
        "either": [[region for one in either for region in one] for either in rule.either],
    }  # fmt: skip
