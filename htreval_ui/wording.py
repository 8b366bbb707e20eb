"""Figures in plain sentences: the engine's own."""

from htreval_core.show.wording import besides, comparison_verdict, page_verdict, verdict

__all__ = ["besides", "comparison_verdict", "page_verdict", "verdict"]
