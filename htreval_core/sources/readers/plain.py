"""Plain text: one line of the file is one line of the page."""

import codecs
import re
from contextlib import suppress

from htreval_core.model import Transcript
from htreval_core.settings import ReadPolicy
from htreval_core.sources.faults import unreadable
from htreval_core.sources.readers.bounds import check_lines

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip

JSON_FENCE, OBJECTS = r"(?:[^`]{1,400}\n)?```(?:json)?[ \t]*\r?\n", r"\s*+(?:\[\s*+)?\{\s*+\""
"""What a model sets before JSON, and how a list of objects, or an object, begins."""
FENCED_JSON = re.compile(rf"(?s)\A\s*+{JSON_FENCE}(?={OBJECTS})(.*?)\n?```[^`]{{0,400}}\Z")
"""JSON between fences, and what a model says around it."""
FENCED = re.compile(r"\A\s*```[\w+-]*[ \t]*\n(.*?)\n?```\s*\Z", re.DOTALL)
"""A whole file in the fence that a model put around it."""
_HALF = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
"""Bytes that stand in no text, whatever its encoding, unless its characters take two."""


def read_plain(name: str, content: bytes, policy: ReadPolicy | None = None) -> Transcript:
    """A transcript of a text file.

    UTF-8 with or without a byte-order mark, UTF-16 with one; anything else only if the user
    names its encoding, which is that of the files that are neither; the rule ``bom`` takes a mark
    off.

    Raises:
        ReadError: the bytes are not text in that encoding, or have too many lines.
    """
    policy = policy or ReadPolicy()
    text = decode(name, content, policy.encoding)
    if "bom" not in policy.markup and content.startswith(codecs.BOM_UTF8):
        text = "\ufeff" + text
    # Before there is an object for each of them.
    check_lines(name, max(text.count("\n"), text.count("\r")), policy.limits)
    return Transcript.from_text(text)


def _is_utf8(content: bytes, encoding: str) -> bool:
    """Whether these bytes are UTF-8, and so not in the encoding that was named for others."""
    if content.isascii():
        # Text in ISO-2022-JP and its like is ASCII throughout; in UTF-16 hardly any is.
        wide = encoding.lower().replace("_", "-").startswith(("utf-16", "utf-32"))
        return wide and b"\x00" not in content
    with suppress(UnicodeDecodeError):
        return "\x00" not in content.decode()
    return False


def decode(name: str, content: bytes, encoding: str | None = None) -> str:
    """The text of the bytes, or a ``ReadError`` that names the byte in the way."""
    marks = ((mark, codec) for mark, codec in _BOMS if content.startswith(mark))
    bom, marked = next(marks, (b"", None))
    if encoding and not marked and _is_utf8(content, encoding):
        marked = "utf-8"
    chosen = marked or encoding or "utf-8"
    try:
        text = content[len(bom) :].decode(chosen)
    except LookupError:
        raise unreadable("no encoding", name, encoding=encoding) from None
    except UnicodeDecodeError as error:
        at = error.start + len(bom)
        if _HALF.match(content, at):
            raise unreadable("half a pair", name, at=at) from None
        control = None if marked or encoding else _CONTROL.search(content)
        if control:
            byte, at = control[0][0], control.start()
            raise unreadable("no text", name, byte=byte, at=at) from None
        codec = chosen.upper()
        raise unreadable("other bytes", name, codec=codec, byte=content[at], at=at) from None
    except ValueError as error:
        raise unreadable("other text", name, codec=chosen, error=error) from None
    if "\x00" in text:
        raise unreadable("NUL", name, at=text.index("\x00"))
    return text
