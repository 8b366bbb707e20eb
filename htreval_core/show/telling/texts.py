"""How a text is compared, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType

from htreval_core.show.telling.counting import listed_in_words
from htreval_core.text import TextPolicy

_SWITCHES: Mapping[str, str] = MappingProxyType(
    {
        "form": "Unicode form {value}",
        "ignore_case": "case ignored",
        "ignore_punctuation": "punctuation ignored",
        "join_hyphens": "words joined over line ends",
        "drop_soft_hyphens": "soft hyphens dropped",
        "long_s": "ſ as s",
        "ligatures": "ligatures as letters",
        "mapping": "some characters as others",
        "words": "words by the rule “{value}”",
        "characters": "characters as {value}s",
        "lower_case": "lower case only",
        "signs_to_space": "signs as spaces",
        "old_letters": "old letters as today’s",
        "ignore_marks": "vowel signs and points dropped",
        "equivalents": "dashes, hyphens and apostrophes alike",
    }
)


def tell_policy(policy: TextPolicy) -> str:
    """What is done to both texts before they are compared; empty where nothing is."""
    usual = TextPolicy()
    values = {field.name: getattr(policy, field.name) for field in fields(policy)}
    return listed_in_words(
        [
            _SWITCHES[name].format(value=value)
            for name, value in values.items()
            if value != getattr(usual, name)
        ]
    )


def tell_as_written(policy: TextPolicy, wer: Mapping[str, float]) -> str:
    """What is done to both texts, and what WER would be without it; empty where nothing is.

    Args:
        wer: of each system, as it is to be shown, for the texts as they are written.
    """
    told = tell_policy(policy)
    if not told or not wer:
        return ""
    values = listed_in_words([f"{100 * value:.1f} % for {name}" for name, value in wer.items()])
    return f"Both texts are compared with {told}. As written, WER would be {values}."
