"""What counts as a word and as a character: the text policy, and how it is applied."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias, get_args

import regex

from htreval_core.errors import ConfigError
from htreval_core.model import Transcript

UnicodeForm: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD", "none"]
Characters: TypeAlias = Literal["codepoint", "grapheme"]


@dataclass(frozen=True, slots=True)
class TextPolicy:
    """Everything done to a text before it is compared, on both sides alike.

    The defaults are those of Vidal et al. 2023: canonical composition, words as white space
    delimits them, characters as code points, and nothing else touched.

    Args:
        form: the Unicode normalisation form, or "none" for the bytes as they are.
        ignore_case: compare case-folded text.
        ignore_punctuation: drop every character of a Unicode punctuation category (P*).
        characters: what CER counts, code points or grapheme clusters.
    """

    form: UnicodeForm = "NFC"
    ignore_case: bool = False
    ignore_punctuation: bool = False
    characters: Characters = "codepoint"

    def __post_init__(self) -> None:
        for name, allowed in (("form", UnicodeForm), ("characters", Characters)):
            if getattr(self, name) not in get_args(allowed):
                choices = ", ".join(get_args(allowed))
                raise ConfigError(f"text policy: {name}={getattr(self, name)!r}; use {choices}")

    def sign(self) -> str:
        """All switches as ``name:value`` joined by ``|``."""
        signed = []
        for field in fields(self):
            value = getattr(self, field.name)
            text = ("yes" if value else "no") if isinstance(value, bool) else value
            signed.append(f"{field.name.replace('_', '-')}:{text}")
        return "|".join(signed)


def normalise(text: str, policy: TextPolicy) -> str:
    """The text after the policy's Unicode form, case and punctuation; white space untouched."""
    if policy.form != "none":
        text = unicodedata.normalize(policy.form, text)
    if policy.ignore_case:
        text = text.casefold()
        if policy.form != "none":
            # Folding may leave a composed form behind: ΐ folds to three code points.
            text = unicodedata.normalize(policy.form, text)
    if policy.ignore_punctuation:
        text = regex.sub(r"\p{P}+", "", text)
    return text


@dataclass(frozen=True, slots=True)
class PageWords:
    """The words of one side of a page, in reading order.

    Args:
        words: shape (n,), normalised.
        line_of: shape (n,), the position in the transcript's lines of each word's line.
        n_lines: how many lines the transcript has, blank ones at its end not counted.
    """

    words: tuple[str, ...]
    line_of: tuple[int, ...]
    n_lines: int

    def by_line(self) -> list[list[str]]:
        """The words of each line; a blank line is an empty list."""
        lines: list[list[str]] = [[] for _ in range(self.n_lines)]
        for word, line in zip(self.words, self.line_of, strict=True):
            lines[line].append(word)
        return lines


def page_words(transcript: Transcript, policy: TextPolicy) -> PageWords:
    """The words of a transcript after the policy.

    Words are what white space delimits, in Unicode's sense: no-break, thin and ideographic
    spaces, tabs and line separators all delimit; the zero-width space does not.
    """
    words: list[str] = []
    line_of: list[int] = []
    n_lines = 0
    for number, line in enumerate(transcript.lines):
        of_line = normalise(line.text, policy).split()
        if of_line:
            words += of_line
            line_of += [number] * len(of_line)
            n_lines = number + 1
    return PageWords(tuple(words), tuple(line_of), n_lines)


def characters(words: Sequence[str], policy: TextPolicy) -> str | list[str]:
    """The characters of a page's text, one space between words, as the policy counts them."""
    text = " ".join(words)
    return text if policy.characters == "codepoint" else regex.findall(r"\X", text)
