"""What a plain text may be besides the text of a page: markup, JSON, lines with names."""

import json
import re

from htreval_core.model import Transcript, WarningKind

_MARKED = re.compile(
    r"\s*(?:#{1,6} \S|```|~~~|\|?[ ]?:?-{3,99}:?[ ]?\|[\s:|-]*$|!\[[^\]]{0,200}\]\("
    r"|</?(?:table|tr|td|br|p|div|doctag|page|think|transcription|transcript|answer|output)\b[^<>]{0,200}/?>)"
)
"""What begins a line of Markdown, and hardly ever one of a manuscript."""
_WITHIN = re.compile(
    r"\*\*[^*\s][^*\n]{0,200}\*\*|~~[^~\s][^~\n]{0,200}~~|<br ?/?>"
    r"|<(u|b|i|s|em|strong|del|sup|sub)>[^<>\n]{1,400}</\1>"
    r"|</s>|</?(?:lb|pb|gap|add|unclear|sic|corr|expan|abbr|hi|supplied|foreign|noinclude|ref)\b[^<>\n]*>"
    r"|'{3}[^'\s]|\{\{|\[\[|(?<!\w)_[^_\s](?:[^_\n]{0,80}[^_\s])?_(?!\w)|<\|\w+\|>|\[Illustration"
    r"|\\\([^()\n]{1,400}\\\)|\$\\[a-z]+\{|&(?:amp|lt|gt|quot|nbsp|#x?[0-9a-fA-F]{2,6});"
)
_SIGN = re.compile(r"[*~<\\$&{\[_#|`!-]|'{3}")
_NAMED = (
    (re.compile(r"\S+\.(?:png|jpe?g|tiff?|jp2|webp|gif|bmp)[\s,]"), 2),
    (re.compile(r"(?:-?\d+(?:\.\d+)?,\s?){8}"), 2),
    (re.compile(r".*\s\([\w.]*[A-Za-z][\w.]*-[\w.-]*\d[\w.-]*\)\s*$"), 2),
    (re.compile(r"[A-Za-z]\S*(?:[-_]\S*[-_]|[-_]l(?:ine)?_?)\d+\s(?=\S)"), 5),
)
"""How lines of files for training look: with names of images, corners or ids; and the fewest."""
_COUNTED = re.compile(r"(?:[^\W\d_]{0,6}\.? ?)(\d{1,4})(?: ?[.:)|\]-]|\t| )\s*\S", re.IGNORECASE)
_LEAST_COUNTED = 5
"""Lines, each with its number before it, that are hardly a list on the page."""
_WRITTEN = re.compile(r"\\n(?![a-z]{0,9}[ {\\])|\w\\n\w")
_LOOKED_AT = 2000


def suspect(transcript: Transcript) -> WarningKind | None:
    """What it looks like; None for text."""
    lines = [line.text[:_LOOKED_AT] for line in transcript.lines if line.text.strip()]
    begin, end = (lines[0].strip()[:1], lines[-1].strip()[-1:]) if lines else ("", "")
    if begin + end in ("{}", "[]") and _is_json(transcript.text):
        return WarningKind.LOOKS_JSON
    is_headed = lines[:1] == ["---"] and re.match(r"\w+: ", "".join(lines[1:2]))
    signed = filter(_SIGN.search, lines)
    if is_headed or any(_MARKED.match(text) or _WITHIN.search(text) for text in signed):
        return WarningKind.LOOKS_MARKED
    if any("\\n" in text and _WRITTEN.search(text) for text in lines):
        return WarningKind.ENDS_WRITTEN
    if any(len(lines) >= least and all(map(one.match, lines)) for one, least in _NAMED):
        return WarningKind.LINES_NAMED if len({text.split()[0] for text in lines}) > 1 else None
    numbers = [int(found[1]) for text in lines if (found := _COUNTED.match(text))]
    first = numbers[0] if len(numbers) >= _LEAST_COUNTED else -1
    if first in (0, 1) and numbers == [*range(first, first + len(lines))]:
        return WarningKind.LINES_NAMED
    return None


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list) and ('"' in text or "'" in text)
    except ValueError:
        # As Python writes it.
        written = r"\[\s*(?:'[^']*'|\"[^\"]*\")\s*[,\]]|\[\s*[\[({]['\[(]|\{'[^']*':"
        return re.match(written, text) is not None
    except RecursionError:
        return True
