"""How a text is compared, in words."""

from collections.abc import Mapping

from htreval_core.show.telling.counting import listed_in_words
from htreval_core.text import SWITCHES, TextPolicy


def tell_as_written(policy: TextPolicy, wer: Mapping[str, float]) -> str:
    """What is done to both texts, and what WER would be without it; empty where nothing is.

    Args:
        wer: of each system, as it is to be shown, for the texts as they are written.
    """
    usual = TextPolicy()
    changed = [
        f"“{one.label}”" for one in SWITCHES
        if getattr(policy, one.name) != getattr(usual, one.name)
    ]  # fmt: skip
    if not changed or not wer:
        return ""
    values = listed_in_words([f"{100 * value:.1f} % for {name}" for name, value in wer.items()])
    return f"Switched on: {listed_in_words(changed)}. Without them, WER would be {values}."
