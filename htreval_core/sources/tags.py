"""Words in the names of files that tell whether they are references or output: 1_gt and 1_ocr."""

import re
from collections.abc import Sequence

from htreval_core.model import SourceFile
from htreval_core.sources.formats import TEXT_SUFFIXES
from htreval_core.sources.sides import OUTPUT_TAGS, PREDICTED_TAGS, REFERENCE_TAGS

_TAGGED = re.compile(r"(.+)[._-]([^\W\d_]+)")


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
        known = next((one for one in TEXT_SUFFIXES if file.name.lower().endswith(one)), "")
        at = len(file.name) - len(known)
        page, ending = file.name[:at], file.name[at:]
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
