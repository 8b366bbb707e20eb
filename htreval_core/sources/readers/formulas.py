"""LaTeX as a person would read it aloud from the page: its letters, without its commands."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from htreval_core.markup import read_entities

_LONGEST = 4000
_DEEPEST = 8
_HIDDEN = dict(zip("{}%$#&_| ", map(chr, range(0xE000, 0xE009)), strict=True))
"""Signs that a backslash makes text, kept out of the way until the others are gone."""
_SHOWN = {ord(hidden): sign for sign, hidden in _HIDDEN.items()}
_SPELT = {"lambda": "lamda"}
_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_SIGNS: Mapping[str, str] = _TABLE["signs"]
"""Commands that stand for one sign."""
_BETWEEN = "×·±∓÷≤≥≠≈≡∼→←⇒∈∉⊂∪∩↔⇐⇔⟶↦∝≪≫⊆⊃"
"""Signs that stand between two others, with blanks around them where they are written so."""
_SILENT_NAMES, _LETTER_NAMES = (frozenset(_TABLE[name].split()) for name in ("silent", "letters"))
_FRACTION = re.compile(r"\\[dtc]?frac\s*\{([^{}]{0,400})\}\s*\{([^{}]{0,400})\}")
_WRAPPED = re.compile(rf"\\(?:{'|'.join(sorted(_SILENT_NAMES))})\s*\{{([^{{}}]{{0,400}})\}}")
_ACCENTS: Mapping[str, str] = _TABLE["accents"]
_ACCENT = re.compile(rf"\\({'|'.join(_ACCENTS)})(?:\s*\{{\s*([^\W\d_])\s*\}}|\s+([^\W\d_])(?!\w))")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{[A-Za-z]{1,20}\*?\}(?:\{[lcr|\s]{0,20}\})?")
_SCRIPT = re.compile(r"[_^]\s*\{([^{}]{0,400})\}")
_PLAINER = (
    (re.compile(r"\\tag\*?\s*\{([^{}]{1,40})\}"), r" (\1)"),
    (re.compile(r"\\(?:left|right)\s*\."), ""),  # no bracket
    (re.compile(r"\{\s*\}\s*(?=[_^])"), ""),
    (re.compile(r"(\\\$)\s+(?=\d)"), r"\1"),
    (re.compile(r"(\\[dtc]?frac)\s*(\d)\s*(\d)"), r"\1{\2}{\3}"),
    (re.compile(r"(\d)\s*(?=\\[dtc]?frac|\^\{?\d{1,3}\}?\s*/)"), rf"\1{_HIDDEN[' ']}"),
)
_ROOT = re.compile(r"\\sqrt\b")
_PROSE = re.compile(r"(\\(?:text\w*|mbox|hbox)\s*\{)(?! *\S(?: \S)+ *\})([^{}]{0,400})\}")
"""Text within a formula, unless its letters stand apart, as some models write them."""
_APART = re.compile(
    rf"(?<![^\s\ue000-\ue008])([^\s,;=+<>{_BETWEEN}-]|,(?= \d(?!\S)))"
    rf" (?=[^\s=+<>{_BETWEEN}-](?!\S))"
)
"""Single signs that only blanks divide: ``1 0 0 0`` is 1000."""
_OTHERWISE = {"&": _HIDDEN[" "], "~": _HIDDEN[" "]}
_COMMAND = re.compile(r"\\([A-Za-z]{1,40})\*?\s?|\\(.)", re.DOTALL)


def read_formula(latex: str) -> str:
    """The signs that a formula shows, in the order in which it writes them.

    Raised and lowered signs stand on the line: ``1^{st}`` is 1st. A fraction is written with a
    slash. Commands that are not known lose their backslash alone.

    >>> read_formula(r"\\frac{1}{2} \\text{ yard}")
    '1/2 yard'
    """
    if len(latex) > _LONGEST:
        return latex
    latex = read_entities(latex) if ";" in latex else latex
    # Prose keeps its spaces; in mathematics they are seen only around what stands between signs.
    text = _PROSE.sub(lambda of: of[1] + of[2].replace(" ", _HIDDEN[" "]) + "}", latex)
    text = _ENVIRONMENT.sub(" ", text)
    for pattern, plainer in _PLAINER:
        text = pattern.sub(plainer, text)
    for _ in range(_DEEPEST):
        # From the innermost outward.
        text = _ACCENT.sub(
            lambda one: unicodedata.normalize("NFC", (one[2] or one[3]) + _ACCENTS[one[1]]), text
        )
        text, unwrapped = _WRAPPED.subn(r"\1", text)
        text, lowered = _SCRIPT.subn(r"^\1^", text)
        text, divided = _FRACTION.subn(r"\1/\2", text)
        if not unwrapped + lowered + divided:
            break
    text = _COMMAND.sub(_said, _ROOT.sub("√", text))
    text = re.sub(r"[{}^&]|_(?=[{\w\s])|~", lambda sign: _OTHERWISE.get(sign[0], ""), text)
    text = _APART.sub(r"\1", re.sub(" +", " ", text).strip())
    return " ".join(text.translate(_SHOWN).split())


def _said(match: re.Match[str]) -> str:
    name, sign = match[1], match[2]
    if sign is not None:
        # \, \; \: \! are spaces of some width, and \\ begins a row.
        return _HIDDEN[" "] if sign in ",;:! \\\n" else _HIDDEN.get(sign, match[0])
    if name in _SILENT_NAMES:
        return ""
    if name in _SIGNS:
        # A space after a letter ends its command; around a relation it is seen.
        is_seen = match[0].endswith(" ") and _SIGNS[name] in _BETWEEN
        return _SIGNS[name] + (" " if is_seen else "")
    if name.lower() in _LETTER_NAMES:
        case = "SMALL" if name.islower() else "CAPITAL"
        spelt = _SPELT.get(name.lower(), name.lower())
        return unicodedata.lookup(f"GREEK {case} LETTER {spelt.upper()}")
    return name + (" " if match[0].endswith(" ") else "")
