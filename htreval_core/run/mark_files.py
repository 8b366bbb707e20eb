"""Marks as W3C Web Annotations, one a line: https://www.w3.org/TR/annotation-model/.

A file is a log that only grows. Files are merged by reading them together, in whatever order, so
nothing is lost, and a line that cannot be read stays where it is.
"""

import json
import os
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, cast, get_args
from urllib.parse import parse_qs, quote, unquote, urlencode

from htreval_core.errors import ReadError, WriteError
from htreval_core.model import DataWarning, WarningKind
from htreval_core.run.marks import LONGEST_NAME, LONGEST_TEXT, MOST_TAGS, Mark, On, Target, as_time
from htreval_core.settings.named import read_named

SUFFIX = ".marks"
"""What the folder of marks beside NAME is called: NAME.marks."""
MOST_BYTES = 20_000_000
"""Of a file of marks: about 40,000 of them."""
_LONGEST_LINE = 40_000
_PAGE = "urn:htreval:page:"
_CONTEXT = "http://www.w3.org/ns/anno.jsonld"


def as_annotation(mark: Mark) -> str:
    """A mark as one line of JSON, in ASCII: no sign in it ends the line or turns its direction."""
    target = mark.target
    place: dict[str, Any] = {
        "source": _PAGE + quote(target.page_id, safe="", errors="surrogatepass")
    }
    if target.on != "page":
        told = {
            "on": target.on, "side": target.side, "first": target.first, "end": target.end,
            "system": target.system, "quote": target.quote,
        }  # fmt: skip
        fragment = urlencode(told, errors="surrogatepass")
        place["selector"] = [{"type": "FragmentSelector", "value": fragment}]
        if target.on != "fault":
            place["selector"].append({"type": "TextQuoteSelector", "exact": target.quote})
    bodies = [_body(tag, "tagging") for tag in mark.tags]
    bodies += [_body(mark.remark, "commenting")] if mark.remark else []
    return json.dumps(
        {
            "@context": _CONTEXT, "id": mark.mark_id, "type": "Annotation",
            "motivation": "tagging" if mark.tags else "commenting",
            "creator": {"type": "Person", "name": mark.person},
            "created": mark.created, "modified": mark.modified, "body": bodies, "target": place,
        }
    )  # fmt: skip


def _body(value: str, purpose: str) -> dict[str, str]:
    return {"type": "TextualBody", "value": value, "purpose": purpose}


def read_marks(name: str, content: bytes) -> tuple[list[Mark], tuple[DataWarning, ...]]:
    """Every state of every mark in a file, and a warning for each line that holds none.

    Raises:
        ReadError: the file is larger than ``MOST_BYTES``.
    """
    if len(content) > MOST_BYTES:
        raise ReadError(f"{name}: larger than {MOST_BYTES:,} bytes; split it by its lines")
    marks: list[Mark] = []
    warnings: list[DataWarning] = []
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            marks.append(_mark(line))
        except (
            ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError
        ) as error:  # fmt: skip
            why = "not JSON" if isinstance(error, json.JSONDecodeError) else str(error)
            told = (str(number), " ".join(why.split())[:100])
            warnings.append(DataWarning(name, WarningKind.MARK_UNREADABLE, told))
    return marks, tuple(warnings)


def _mark(line: bytes) -> Mark:
    if len(line) > _LONGEST_LINE:
        raise ValueError(f"longer than {_LONGEST_LINE:,} bytes")
    told = json.loads(line)
    bodies = told.get("body") or []
    tags: list[str] = []
    remarks: list[str] = []
    for body in bodies if isinstance(bodies, list) else [bodies]:
        of_tag = not isinstance(body, str) and body.get("purpose") == "tagging"
        value = _text(body if isinstance(body, str) else body["value"], LONGEST_TEXT)
        (tags if of_tag else remarks).append(value)
    if len(tags) > MOST_TAGS:
        raise ValueError(f"more than {MOST_TAGS} tags")
    creator = told.get("creator", "")
    created = _time(told.get("created") or told["modified"])
    return Mark(
        _text(told["id"], LONGEST_NAME * 4), _target(told["target"]),
        _text(creator if isinstance(creator, str) else creator["name"], LONGEST_NAME), created,
        _time(told.get("modified") or told["created"]),
        tuple(_text(tag, LONGEST_NAME) for tag in tags), _text("\n".join(remarks), LONGEST_TEXT),
    )  # fmt: skip


def _target(told: Any) -> Target:
    source = told if isinstance(told, str) else told["source"]
    if not source.startswith(_PAGE):
        raise ValueError("its target is not a page of htreval")
    page_id = unquote(source.removeprefix(_PAGE), errors="surrogatepass")
    selectors = [] if isinstance(told, str) else told.get("selector") or []
    for one in selectors if isinstance(selectors, list) else [selectors]:
        if one.get("type") == "FragmentSelector":
            found = parse_qs(
                one["value"], keep_blank_values=True, max_num_fields=10, errors="surrogatepass"
            )
            values = {name: of[0] for name, of in found.items()}
            if values["on"] not in get_args(On) or values["side"] not in ("ref", "hyp"):
                raise ValueError("htreval does not know what it is on")
            first, end = int(values["first"]), int(values["end"])
            if not 0 <= first <= end < 10**9:
                raise ValueError("its range of words is impossible")
            on = cast(On, values["on"])
            return Target(
                page_id, on, values["side"], first, end, values["quote"], values["system"]
            )
    return Target(page_id)


def _text(value: Any, most: int) -> str:
    if not isinstance(value, str) or len(value) > most:
        raise ValueError(f"a text is longer than {most:,} characters, or is not text")
    return value


def _time(value: str) -> str:
    when = as_time(datetime.fromisoformat(value))
    if when >= "2200":
        raise ValueError("its time is impossible")
    return when


def beside(path: Path) -> Path:
    """The folder of the marks on what is at a path."""
    whole = path.resolve()
    return whole.parent / f"{whole.name}{SUFFIX}"


def read_folder(folder: Path) -> tuple[list[Mark], tuple[DataWarning, ...]]:
    """All marks of the files in a folder, if it is there; a file that cannot be read is told."""
    marks: list[Mark] = []
    warnings: list[DataWarning] = []
    for path in sorted(folder.glob("*.jsonl")):
        try:
            found, told = read_marks(name := path.name, read_named(path, MOST_BYTES, name))
        except ReadError as error:
            why = str(error).removeprefix(f"{name}: ")
            warnings.append(DataWarning(name, WarningKind.UNREADABLE, (why,)))
        else:
            marks += found
            warnings += told
    return marks, tuple(warnings)


def append_marks(folder: Path, marks: Iterable[Mark]) -> None:
    """Add marks to the files of their persons; the folder is made if it is missing.

    Raises:
        WriteError: they cannot be written.
    """
    of_file: dict[str, list[str]] = {}
    for mark in marks:
        of_file.setdefault(file_name(mark.person), []).append(as_annotation(mark))
    for name, lines in of_file.items():
        try:
            folder.mkdir(exist_ok=True)
            _append(folder / name, "".join(f"{line}\n" for line in lines).encode("ascii"))
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise WriteError(
                f"{folder / name}: cannot be written ({why}); make room, or allow writing there"
            ) from None


def _append(path: Path, content: bytes) -> None:
    # A link could lead out of the folder.
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags, 0o644), "rb+", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if size and (file.seek(-1, os.SEEK_END), file.read(1))[1] != b"\n":
            content = b"\n" + content  # what stopped in the middle of a line damages no other
        file.write(content)
        os.fsync(file.fileno())


def file_name(person: str) -> str:
    """The file of a person. That two share one does no harm: every mark has its person."""
    return (re.sub(r"[^\w-]+", "-", person[:LONGEST_NAME]).strip("-_") or "somebody") + ".jsonl"


def tags_of(marks: Iterable[Mark]) -> Callable[[str, str], frozenset[str]]:
    """The tags of a page, given its id, and of whatever is on it under a system."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for mark in marks:
        at = mark.target.page_id, mark.target.system
        found[at] = found.get(at, frozenset()).union(mark.tags)
    none = frozenset[str]()
    return lambda page_id, system: (
        found.get((page_id, ""), none) | found.get((page_id, system), none)
    )
