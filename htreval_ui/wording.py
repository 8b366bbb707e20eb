"""Figures in plain sentences: the engine's own."""

from htreval_core.wording import comparison_verdict, page_verdict, verdict

__all__ = ["comparison_verdict", "page_verdict", "verdict"]
