"""Values of a page with their meaning, and the terms explained."""

from collections.abc import Sequence

import streamlit as st

from htreval_core import METRICS
from htreval_core.settings import exact_gamma


def gammas(chosen: str) -> list[str]:
    """Values of γ to choose from, the chosen one among them even if a link brought another."""
    usual = ("0", "0.1", "0.5", "1", "2", "5", "10", "20", "50", "100")
    return sorted({*usual, chosen}, key=lambda gamma: exact_gamma(gamma))


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
