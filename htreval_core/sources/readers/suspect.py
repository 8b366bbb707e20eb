"""What a plain text may be besides the text of a page: markup, JSON, lines with names."""

import json
import re
import tomllib
from pathlib import Path

from htreval_core.model import Transcript, WarningKind
from htreval_core.sources.readers.pieces import THOUGHT

_PATTERNS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_NAMED = [(re.compile(one["line"], re.VERBOSE), one["least"]) for one in _PATTERNS.pop("named")]
_MARKED, _WITHIN, _SIGN, _WRITTEN, _COUNTED, _FAILED, _RECODED, _XML, _PYTHON = (
    re.compile(one, re.VERBOSE) for one in _PATTERNS.values()
)
_RECODED_BEGINS = "ÃÂâÅï"
_LEAST_COUNTED = 5
"""Lines, each with its number before it, that are hardly a list on the page."""
_LOOKED_AT = 2000


def suspect(transcript: Transcript, *, is_plain: bool) -> WarningKind | None:
    """What it looks like; None for text. ``is_plain`` if no markup has been taken off it."""
    lines = [line.text[:_LOOKED_AT] for line in transcript.lines if line.text.strip()]
    whole = transcript.text
    begin, end = (lines[0].strip()[:1], lines[-1].strip()[-1:]) if lines else ("", "")
    if _PYTHON.match(whole) or (begin + end in ("{}", "[]") and _is_json(whole)):
        return WarningKind.LOOKS_JSON
    if _FAILED.match(whole):
        return WarningKind.FAILED
    # Looked for one by one, the signs that begin it are found many times as fast.
    if any(map(whole.__contains__, _RECODED_BEGINS)) and _RECODED.search(whole):
        return WarningKind.RECODED
    if _XML.match(whole) or (is_plain and THOUGHT.match(whole)):
        return WarningKind.LOOKS_MARKED
    is_headed = is_plain and lines[:1] == ["---"] and re.match(r"\w+: ", "".join(lines[1:2]))
    signed = filter(_SIGN.search, lines if is_plain else ())
    if is_headed or any(_MARKED.match(text) or _WITHIN.search(text) for text in signed):
        return WarningKind.LOOKS_MARKED
    if any(("\\n" in one or "_x000D_" in one) and _WRITTEN.search(one) for one in lines):
        return WarningKind.ENDS_WRITTEN
    if any(len(lines) >= least and all(map(one.match, lines)) for one, least in _NAMED):
        return WarningKind.LINES_NAMED if len({text.split()[0] for text in lines}) > 1 else None
    begun = _COUNTED.match(lines[0]) if len(lines) >= _LEAST_COUNTED else None
    if begun and begun[1].lstrip("0") in ("", "1"):
        numbers = [int(found[1]) for text in lines if (found := _COUNTED.match(text))]
        if numbers == [*range(int(begun[1]), int(begun[1]) + len(lines))]:
            return WarningKind.LINES_NAMED
    return None


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list) and ('"' in text or "'" in text)
    except (ValueError, RecursionError) as error:
        return isinstance(error, RecursionError)
