"""How a text is compared, and how many words are read wrong, in words."""

from collections.abc import Callable, Mapping

from htreval_core.show.telling.counting import listed_in_words
from htreval_core.text import SWITCHES, TextPolicy
from htreval_core.words.outcomes import WordOutcomes


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


def tell_wrong(outcomes: WordOutcomes, show: Callable[[str], str]) -> str:
    """How many words each system reads wrong, and how words are compared.

    Args:
        show: the name of a system as it is to be shown.
    """
    wrong = [(one, int(outcomes.wrong(one).sum())) for one in outcomes.systems]
    told = listed_in_words([f"{show(one)} gets {n:,}" for one, n in wrong])
    return (
        f"{told} of {len(outcomes):,} words wrong. Each word is compared with the one it was "
        "matched with, wherever that stands, so nothing here is an error of order."
    )
