"""The phrases that assistants use in six languages when they are asked to transcribe a page."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path


class Says(Enum):
    """What a phrase of talk does."""

    REFUSES = "refuses"
    DESCRIBES = "describes"
    PRESENTS = "presents"


_STANDS_FOR = {"@NEAR": r"[^\n]{0,160}?\b@THING", "@ADJECTIVES": r"(?:[^\s:.,;]+ ){0,4}?"}
_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_STANDS_FOR["@THING"] = _TABLES["THING"]
WORDS: Mapping[str, str] = _TABLES["words"]
"""What sentences of talk have, as patterns."""
STEMS: Mapping[str, Sequence[str]] = _TABLES["stems"]
"""No phrase of talk is without one of these, which are found sooner than the phrases are."""


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of a phrase, whatever its case."""
    for name, text in _STANDS_FOR.items():
        pattern = pattern.replace(name, text)
    return re.compile(pattern, re.IGNORECASE)


PHRASES = tuple(
    (Says(says), tuple(needed.split("|")), compiled(pattern))
    for of_language in _TABLES["phrases"].values()
    for says, needed, pattern in of_language
)
"""What a phrase does, what every match of it has one of, and the phrase, which stays on a line."""
TITLE = re.compile(
    r"\A\W*(?:\w+ ){0,2}(?:transcription|transcript|transkription|abschrift|"
    r"transcripción|trascrizione|transcriptie)(?: (?:of|de|du|der|des|von|van|del|"
    r"della) [^:\n]{1,80})?\W*(?::|\n)",
    re.IGNORECASE,
)
"""A title of its own, in any of them."""
_AS_LETTERS = str.maketrans("\u017f\u0131\u0130\u212a", "siik")
"""Signs that are letters of the alphabet where case is ignored, though not in lower case."""


def folded(text: str) -> str:
    """A text, as long as it was, in which what every match of a phrase has can be found."""
    return text.translate(_AS_LETTERS).lower()
