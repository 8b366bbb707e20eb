"""How many words are read wrong, in words."""

from collections.abc import Callable

from htreval_core.show.telling.counting import listed_in_words
from htreval_core.words.outcomes import WordOutcomes


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
