"""Files of many pages against files of one page: their pages pair by names or by numbers."""

import re
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from htreval_core.errors import ReadError
from htreval_core.model import SourceFile
from htreval_core.settings import ReadPolicy
from htreval_core.sources.sides import IMAGE_SUFFIXES, PageFiles
from htreval_core.sources.transcripts import pages_in

_MOST = 100
"""Files of a side up to which it is looked into them: a book has one, or one for each chapter."""
_NUMBERED = re.compile(
    r"(.*?)[/_. #-]*(?:(?:page|pg|p|seite|img|image|scan|canvas)[_. -]*)?0*(\d{1,6})", re.IGNORECASE
)


class Part(NamedTuple):
    """A page of a side: the name of its file, its place and its own name in a file of many."""

    file: str
    place: int | None = None
    name: str = ""


def parted(pages: PageFiles) -> tuple[dict[str, list[SourceFile]], dict[str, Part]] | None:
    """The pages of a side with those within its files as pages; None where no file has several."""
    if len(pages) > _MOST:
        return None
    found: dict[str, list[SourceFile]] = {}
    parts: dict[str, Part] = {}
    for page, files in pages.items():
        names: tuple[str, ...] = ()
        with suppress(ReadError):
            names = pages_in(files[0], ReadPolicy()) if len(files) == 1 else ()
        for place, name in enumerate(names):
            one = f"{page}#{place + 1}"
            found[one] = [replace(files[0], name=f"{files[0].name}#{place + 1}", part=place)]
            parts[one] = Part(page, place, name)
        if not names:
            found[page], parts[page] = list(files), Part(page)
    return (found, parts) if len(found) > len(pages) else None


def _own_name(page: str, part: Part) -> str | None:
    last = PurePosixPath(page if part.place is None else part.name).name.lower()
    is_file = part.place is not None or last.endswith(IMAGE_SUFFIXES)
    return PurePosixPath(last).stem if is_file else last


def _file_and_number(page: str, part: Part) -> tuple[str, int] | None:
    if part.place is not None:
        own = part.name if part.name.isdecimal() else str(part.place + 1)
        return PurePosixPath(part.file).name.lower(), int(own[:9])
    match = _NUMBERED.fullmatch(page)
    return (PurePosixPath(match[1]).name.lower(), int(match[2])) if match else None


def _number(page: str, part: Part) -> int | None:
    found = _file_and_number(page, part)
    return found[1] if found else None


_WAYS: tuple[tuple[str, Callable[[str, Part], object]], ...] = (
    ("by their own names", _own_name),
    ("by the name of the file and the number of the page", _file_and_number),
    ("by the number of the page", _number),
)


def _same_start(one: Collection[int], other: Collection[int]) -> bool:
    """Whether both sides count from 0, or neither does: else each page would get its neighbour."""
    return (0 in one) == (0 in other)


def same_parts(
    references: Iterable[str], of_reference: dict[str, Part], outputs: dict[str, Part]
) -> tuple[dict[str, str], str] | None:
    """For outputs the references that are the same pages, and how that is known; None without any.

    By number alone only pages of one file pair, and only where every number of the other side is
    one of its pages: those of images may begin anywhere.
    """
    sides = {page: of_reference.get(page, Part(page)) for page in references}, outputs
    for how, key in _WAYS:
        by_key = [{key(page, part): page for page, part in side.items()} for side in sides]
        usable = all(len(keys) == len(side) for keys, side in zip(by_key, sides, strict=True))
        refs, hyps = ({k: p for k, p in of.items() if k not in (None, "")} for of in by_key)
        if key is _number:
            whole = [s for s in sides if len({part.file for part in s.values()}) == 1 < len(s)]
            fits = refs.keys() <= hyps.keys() or hyps.keys() <= refs.keys()
            usable = usable and bool(whole) and fits
        elif key is _file_and_number:
            usable = usable and _same_start(*({k[1] for k in of} for of in (refs, hyps)))  # type: ignore[index]
        elif all(str(k).isdecimal() for of in (refs, hyps) for k in of):
            usable = usable and _same_start(*({int(str(k)) for k in of} for of in (refs, hyps)))
        names = [one.name for side in sides for one in side.values() if one.place is not None]
        if how != _WAYS[0][0] and any(re.search(r"\d\D|\D\d", name) for name in names):
            # Images may begin anywhere: their places count only where both sides have the same.
            usable = usable and refs.keys() == hyps.keys()
        if usable and refs.keys() & hyps.keys():
            return {page: refs[k] for k, page in hyps.items() if k in refs}, how
    return None
