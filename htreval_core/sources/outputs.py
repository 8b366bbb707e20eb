"""Output of systems without references: what an audit looks at."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from htreval_core.errors import PairingError
from htreval_core.model import DataWarning, SourceFile, WarningKind
from htreval_core.settings import ReadPolicy
from htreval_core.sources.columns import REFERENCE_NAMES
from htreval_core.sources.faults import unpaired
from htreval_core.sources.pairing import Pairing
from htreval_core.sources.readers.files import find_files
from htreval_core.sources.reading import FiledPage
from htreval_core.sources.recognise import GivenSide, folders_of, pair_given_sides
from htreval_core.sources.sides import PageFiles, by_page, is_image, many_in_one, natural_order


@dataclass(frozen=True)
class Outputs:
    """Files of systems by page.

    Args:
        pages: the pages that two systems or more have read, or one; yet to be read.
        systems: in the order of their names.
    """

    name: str
    pages: tuple[FiledPage, ...]
    systems: tuple[str, ...]
    warnings: tuple[DataWarning, ...] = ()

    def only(self, systems: Collection[str]) -> "Outputs":
        """The same with these systems alone.

        Raises:
            PairingError: they are not two or more of those that there are.
        """
        kept = tuple(system for system in self.systems if system in systems)
        if len(kept) < 2:
            raise unpaired("one system", self.name, systems=", ".join(self.systems))
        pages = (page.only(kept) for page in self.pages)
        return replace(self, systems=kept, pages=tuple(page for page in pages if page.systems))


def find_outputs(path: Path | str, reading: ReadPolicy | None = None) -> Outputs:
    """The folders of systems below a path, but for one that is called as references are.

    Raises:
        PairingError: there are no two folders with pages.
    """
    path = Path(path)
    reading = reading or ReadPolicy()
    files, warnings = find_files(path, reading.limits)
    place, folders = folders_of(files)
    sides = {
        folder: _side(inside, f"{place}{folder}/", folder, reading)
        for folder, inside in folders.items()
        if folder.lower() not in REFERENCE_NAMES
    }
    if len(sides) < 2:
        raise unpaired("no systems", path.name, found=", ".join(sides) or "none")
    return _paged(path.name, sides, warnings, reading)


def _side(files: Sequence[SourceFile], prefix: str, system: str, reading: ReadPolicy) -> PageFiles:
    """The pages of a system: its files, or the rows of its table."""
    many = many_in_one(files, reading, reference=False, system=system)
    return by_page(files, prefix=prefix) if many is None else many.pages


def find_source_outputs(
    systems: Mapping[str, Path | str], reading: ReadPolicy | None = None
) -> Outputs:
    """The same from the path of each system.

    Raises:
        PairingError: there are fewer than two systems.
    """
    reading = reading or ReadPolicy()
    if len(systems) < 2:
        raise PairingError("an audit compares systems: name two or more")
    warnings: list[DataWarning] = []

    def side(name: str, path: Path | str) -> PageFiles:
        path = Path(path)
        files, told = find_files(path, reading.limits)
        warnings.extend(told)
        return _side(files, f"{path.name}/", name, reading)

    sides = {name: side(name, path) for name, path in systems.items()}
    return _paged(", ".join(systems), sides, warnings, reading)


def pair_outputs(name: str, files: Sequence[SourceFile]) -> tuple[str, Pairing]:
    """Folders of systems paired with each other, the first in the place of the references.

    Returns:
        The system that stands there, and the pages.

    Raises:
        PairingError: there are no two folders with pages.
    """
    place, folders = folders_of(files)
    if len(folders) < 2:
        raise PairingError(f"{name}: systems are compared by folders, and there are no two with "
                           "pages; name a folder that holds one for each system")  # fmt: skip
    (first, truth), *others = (
        (folder, GivenSide(inside, prefix=f"{place}{folder}/"))
        for folder, inside in folders.items()
    )
    images = [file for file in files if is_image(file)]
    return first, pair_given_sides(name, truth, dict(others), images=images).checked()


def _paged(
    name: str, sides: Mapping[str, PageFiles],
    warnings: list[DataWarning] | tuple[DataWarning, ...], reading: ReadPolicy,
) -> Outputs:  # fmt: skip
    told = list(warnings)
    for page_id, files in (item for of in sides.values() for item in of.items()):
        if len(files) > 1:
            names = tuple(dict.fromkeys(file.name for file in files))
            told.append(DataWarning(page_id, WarningKind.SEVERAL_FILES, names, len(files)))
    page_ids = sorted({page for of in sides.values() for page in of}, key=natural_order)
    pages: list[FiledPage] = []
    for page_id in page_ids:
        by_system = ((system, of.get(page_id, ())) for system, of in sides.items())
        alone = tuple((system, one[0]) for system, one in by_system if len(one) == 1)
        if alone:
            pages.append(FiledPage(page_id, alone, reading, needs_reference=False))
    return Outputs(name, tuple(pages), tuple(sides), tuple(told))
