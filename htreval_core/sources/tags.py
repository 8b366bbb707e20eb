"""Words in the names of files that tell whether they are references or output: 1_gt and 1_ocr."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from htreval_core.errors import Remedy, RemedyKind
from htreval_core.model import SourceFile
from htreval_core.sources.formats import TEXT_SUFFIXES
from htreval_core.sources.sides import OUTPUT_TAGS, PREDICTED_TAGS, REFERENCE_TAGS

_TAGGED = re.compile(r"(.+)[._-]([^\W\d_]+)")
_APART = re.compile(r"(.+)([._-][^._/-]+)")


def by_words(
    files: Sequence[SourceFile],
) -> tuple[dict[str, list[SourceFile]], dict[str, dict[str, list[SourceFile]]]] | None:
    """The references by page, and the output of each system, by known words after the names.

    Beside references that are called so, a file without a word, 1.txt, is output of a system that
    is called by its ending. Without such ones, files without a word are the references of output
    that says it is predicted, 1_pred: each of them must have one, for what else might they be?

    Returns:
        None where the words tell nothing.
    """
    references: dict[str, list[SourceFile]] = {}
    systems: dict[str, dict[str, list[SourceFile]]] = {}
    bare: list[tuple[str, str, SourceFile]] = []
    for file in files:
        page, ending = _parted(file.name)
        match = _TAGGED.fullmatch(page)
        tag = match[2].lower() if match else ""
        if match and tag in REFERENCE_TAGS:
            references.setdefault(match[1], []).append(file)
        elif match and tag in OUTPUT_TAGS:
            systems.setdefault(match[2], {}).setdefault(match[1], []).append(file)
        else:
            bare.append((page, ending, file))
    if references:
        for page, ending, file in bare:
            if page in references:
                systems.setdefault(ending[1:].lower(), {}).setdefault(page, []).append(file)
    elif systems and {tag.lower() for tag in systems} <= PREDICTED_TAGS:
        for page, _, file in bare:
            references.setdefault(page, []).append(file)
        if any(pages.keys() != references.keys() for pages in systems.values()):
            return None
    pairs = any(pages.keys() & references.keys() for pages in systems.values())
    return (references, systems) if pairs else None


def _parted(name: str) -> tuple[str, str]:
    ending = next((one for one in TEXT_SUFFIXES if name.lower().endswith(one)), "")
    return (name[: -len(ending)], name[-len(ending) :]) if ending else (name, "")


def _by_ending(files: Iterable[SourceFile]) -> dict[str, set[str]]:
    """The names without their last piece, by that: _a.txt of 1_a.txt and 2_a.txt."""
    names: dict[str, set[str]] = defaultdict(set)
    for file in files:
        page, ending = _parted(file.path.name)
        match = _APART.fullmatch(page)
        if match and not match[2][1:].isdecimal():
            names[f"{match[2]}{ending}"].add(str(file.path.with_name(match[1])))
    return names


def suffixes_of_sides(
    references: Iterable[SourceFile], outputs: Iterable[SourceFile]
) -> Remedy | None:
    """The ending of each side without which most names are equal."""
    refs, outs = _by_ending(references), _by_ending(outputs)
    of_refs = {end: {name.rpartition("/")[2] for name in names} for end, names in refs.items()}
    of_outs = {end: {name.rpartition("/")[2] for name in names} for end, names in outs.items()}
    shared = [
        (-len(of_refs[one] & of_outs[two]), one, two)
        for one in sorted(of_refs)[:_MOST_ENDINGS]
        for two in sorted(of_outs)[:_MOST_ENDINGS]
        if one != two and of_refs[one] & of_outs[two]
    ]
    return _named(shared)


_MOST_ENDINGS = 20


def _named(shared: Sequence[tuple[int, str, str]]) -> Remedy | None:
    if not shared:
        return None
    _, one, two = min(shared)
    return Remedy(RemedyKind.NAME_SUFFIXES, values=(("reference", one), ("hypothesis", two)))


def suffixes_to_name(files: Iterable[SourceFile]) -> Remedy | None:
    """The two endings that most names share apart from them: 1_a.txt and 1_b.txt."""
    names = _by_ending(files)
    # What is called after references first, so that it comes to stand for them.
    endings = sorted(names, key=lambda end: (not _says_reference(end), end))
    shared = [
        (-len(names[one] & names[two]), one, two)
        for at, one in enumerate(endings[:_MOST_ENDINGS])
        for two in endings[at + 1 : _MOST_ENDINGS]
        if names[one] & names[two]
    ]
    said = [entry for entry in shared if _says_reference(entry[1])]
    return _named(said or shared)


def _says_reference(ending: str) -> bool:
    return re.split(r"[._-]", ending.lower())[1] in REFERENCE_TAGS
