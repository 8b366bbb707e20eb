"""The Unicode script of a character, as the ``regex`` package knows them."""

import regex

SCRIPTS: tuple[str, ...] = (
    "Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Syriac", "Armenian", "Georgian",
    "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Tamil", "Telugu", "Kannada", "Malayalam",
    "Sinhala", "Thai", "Lao", "Tibetan", "Myanmar", "Khmer", "Ethiopic", "Coptic", "Glagolitic",
    "Gothic", "Runic", "Ogham", "Cherokee", "Mongolian", "Hangul", "Hiragana", "Katakana",
    "Bopomofo", "Han",
)  # fmt: skip
"""Scripts in which manuscripts are met; characters of others are "other"."""
_KINDS = {
    r"\p{Nd}": "digit", r"\p{P}": "punctuation", r"\p{M}": "combining mark", r"\p{S}": "symbol",
    r"\p{Co}": "private use",
}  # fmt: skip


_PROPERTIES = (*(rf"\p{{Script={name}}}" for name in SCRIPTS), *_KINDS)
# The number of the group tells which property a character has.
_SCRIPT = regex.compile("|".join(f"({one})" for one in _PROPERTIES))
_SCRIPT_NAMES = (*SCRIPTS, *_KINDS.values())


def script_of(text: str) -> str:
    """The script of the first character; what belongs to no single one is known by its kind.

    >>> script_of("ſ"), script_of("я"), script_of("7"), script_of(",")
    ('Latin', 'Cyrillic', 'digit', 'punctuation')
    """
    found = _SCRIPT.match(text[:1])
    return _SCRIPT_NAMES[found.lastindex - 1] if found else "other"
