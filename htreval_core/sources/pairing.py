"""Files of references and systems become pages by their names, and nothing is lost on the way."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import NamedTuple

from htreval_core.errors import PairingError, ReadError
from htreval_core.model import DataWarning, SourceFile, WarningKind
from htreval_core.settings import ReadPolicy
from htreval_core.sources.dataset import OF_A_SYSTEM, Unpaired
from htreval_core.sources.faults import unpaired
from htreval_core.sources.formats import may_hold_markup
from htreval_core.sources.sides import (
    COMPOSED,
    IMAGE_SUFFIXES,
    LOOSER_NAMES,
    Looser,
    PageFiles,
    by_run,
    natural_order,
    richest,
)
from htreval_core.sources.transcripts import pages_in


@dataclass(frozen=True, slots=True)
class PairedFiles:
    """The files of one page."""

    page_id: str
    reference: SourceFile
    hypotheses: Mapping[str, SourceFile]

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """The reference, then what each system made of it."""
        return (self.reference, *self.hypotheses.values())


@dataclass(frozen=True, slots=True)
class ChosenPair:
    """An output that is said to be that of a page, though the two have different names.

    Args:
        system: whose output it is.
        output: the name of the output, as ``Unpaired.hypothesis`` tells it.
        page_id: the page that it belongs to.
    """

    system: str
    output: str
    page_id: str


@dataclass(frozen=True, slots=True)
class Sides:
    """All files of both sides by the names of their pages, before they are paired.

    Args:
        rule: by which they were told apart, in words.
        warnings: what came up when they were found.
    """

    rule: str = ""
    references: PageFiles = field(default_factory=dict)
    systems: Mapping[str, PageFiles] = field(default_factory=dict)
    warnings: tuple[DataWarning, ...] = ()

    @property
    def n_paired(self) -> int:
        """How many outputs have a reference of their name."""
        return sum(len(self.references.keys() & of.keys()) for of in self.systems.values())

    def only(self, systems: Sequence[str]) -> Sides:
        """The same with these systems only."""
        return replace(self, systems={s: of for s, of in self.systems.items() if s in systems})


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which files belong together, by which rule, and what was left over.

    Args:
        given: what was paired.
        by_hand: pairs that somebody chose, which the rule alone would not have made.
        passed_over: names of files that are neither transcripts nor images of pages.
        facets: a table of page metadata that stands beside the pages.
    """

    name: str
    rule: str
    systems: tuple[str, ...]
    pages: tuple[PairedFiles, ...]
    unpaired: Unpaired
    warnings: tuple[DataWarning, ...]
    images: tuple[SourceFile, ...] = ()
    given: Sides = field(default_factory=Sides, repr=False)
    by_hand: tuple[ChosenPair, ...] = ()
    passed_over: tuple[str, ...] = ()
    facets: SourceFile | None = None

    @property
    def may_hold_markup(self) -> bool:
        """Whether any file is called like those from which rules of markup take something off."""
        return any(
            file.marked or may_hold_markup(file.name)
            for page in self.pages
            for file in (page.reference, *page.hypotheses.values())
        )

    @property
    def page_ids(self) -> tuple[str, ...]:
        """The ids of the pages, in their order."""
        return tuple(page.page_id for page in self.pages)

    def only(self, systems: Sequence[str]) -> Pairing:
        """The same with the output of these systems only."""
        left = self.where(lambda _, system: system in systems)
        return replace(
            left, systems=tuple(systems), given=self.given.only(systems),
            unpaired=self.unpaired.only(systems),
            by_hand=tuple(pair for pair in self.by_hand if pair.system in systems),
        )  # fmt: skip

    def where(self, fits: Callable[[str, str], bool]) -> Pairing:
        """The same with some outputs only, and the pages that are left with any.

        Args:
            fits: whether the output of a page, by its id, under a system is wanted.
        """
        pages = []
        for page in self.pages:
            wanted = {n: h for n, h in page.hypotheses.items() if fits(page.page_id, n)}
            pages += [replace(page, hypotheses=wanted)] if wanted else []
        sides = (self.given.references, *self.given.systems.values())
        page_of = {file.name: page for of in sides for page, files in of.items() for file in files}
        warnings = tuple(
            one for one in self.warnings
            if one.kind not in OF_A_SYSTEM or fits(page_of.get(one.file, one.file), one.detail[0])
        )  # fmt: skip
        return replace(self, pages=tuple(pages), warnings=warnings)

    def checked(self) -> Pairing:
        """The pairing itself, where there is anything to be said about a page.

        Raises:
            PairingError: no reference has any output.
        """
        references, systems = self.given.references, self.given.systems
        if self.pages or any(len(files) > 1 for files in references.values()):
            return self
        sides = (references, *systems.values())
        first = ", ".join(one[0].name for side in sides for one in list(side.values())[:1])
        raise unpaired("other names", self.name, self.warnings, rule=self.rule, first=first)

    def open_pages(self, system: str) -> tuple[str, ...]:
        """Pages whose reference has no output of a system yet, in their order."""
        by_hand = {pair.page_id for pair in self.by_hand if pair.system == system}
        taken = by_hand | self.given.systems[system].keys()
        single = (page for page, files in self.given.references.items() if len(files) == 1)
        return tuple(sorted((page for page in single if page not in taken), key=natural_order))

    def with_pairs(self, pairs: Sequence[ChosenPair]) -> Pairing:
        """The same, with these outputs on the pages that they are said to belong to.

        Nothing that is paired already changes, and the rule says how many were paired by hand.

        Raises:
            PairingError: an output is not left over, or a page is not there or has one already.
        """
        outputs = {system: dict(of) for system, of in self.given.systems.items()}
        chosen = [*self.by_hand]
        for pair in pairs:
            self._check(replace(self, by_hand=tuple(chosen)), pair)
            chosen.append(pair)
        for pair in chosen:
            outputs[pair.system][pair.page_id] = outputs[pair.system].pop(pair.output)
        rule = f"{self.given.rule}, {len(chosen)} by hand" if chosen else self.given.rule
        paired = _pair_equal(self.name, rule, self.given, outputs)
        return replace(
            paired, by_hand=tuple(chosen), images=self.images, passed_over=self.passed_over,
            facets=self.facets,
        )  # fmt: skip

    @staticmethod
    def _check(so_far: Pairing, pair: ChosenPair) -> None:
        given, name = so_far.given, so_far.name
        if pair.system not in given.systems:
            raise PairingError(f"{name}: there is no system {pair.system}; choose one of those "
                               "found")  # fmt: skip
        files = given.systems[pair.system].get(pair.output, ())
        is_taken = any((one.system, one.output) == (pair.system, pair.output)
                       for one in so_far.by_hand)  # fmt: skip
        if len(files) != 1 or pair.output in given.references or is_taken:
            raise unpaired("not left over", pair.output, system=pair.system)
        if pair.page_id not in so_far.open_pages(pair.system):
            raise unpaired("not lacking", pair.page_id, system=pair.system, file=files[0].name)


def pair_sides(
    name: str, rule: str, references: PageFiles, systems: Mapping[str, PageFiles],
    warnings: Sequence[DataWarning] = (),
) -> Pairing:  # fmt: skip
    """Pages that have a reference and at least one output.

    Names must be equal. Where none are, looser readings of the names are tried in turn, and the
    rule says so; they must leave every page a name of its own. It may be that nothing pairs:
    ``Pairing.checked`` tells.
    """
    references, told = _one_form("the reference", references)
    found = [*warnings, *told]
    chosen: dict[str, PageFiles] = {}
    for system, files in by_run(systems).items():
        chosen[system], told = _one_form(f"system {system}", files)
        found += told
    sides = Sides(rule, references, chosen, tuple(found))
    if any(references.keys() ^ of.keys() for of in chosen.values()):
        composed = _read_by(COMPOSED, sides)
        if composed is not None and composed.n_paired > sides.n_paired:
            sides = composed
    if chosen and not sides.n_paired:
        looser = (_read_by(way, sides) for way in LOOSER_NAMES)
        sides = next(filter(None, looser), None) or _by_parts(sides) or sides
    return _pair_equal(name, sides.rule, sides, sides.systems)


def _read_by(way: Looser, sides: Sides) -> Sides | None:
    """The sides with page names read in a looser way, or None where that pairs nothing."""
    references = way.renamed(sides.references)
    systems = {
        system: renamed
        for system, of in sides.systems.items()
        if way.may_pair(sides.references, of) and (renamed := way.renamed(of)) is not None
    }
    if references is None or len(systems) < len(sides.systems):
        return None
    return replace(sides, rule=f"{sides.rule}, {way.how}", references=references, systems=systems)


def _by_parts(sides: Sides) -> Sides | None:
    """The sides with the pages within their files as pages; None where that pairs nothing."""
    references, parts = parted(sides.references) or (sides.references, {})
    systems: dict[str, PageFiles] = {}
    ways: dict[str, None] = {}
    for system, of in sides.systems.items():
        files, own = parted(of) or (of, {page: Part(page) for page in of})
        same, how = same_parts(references, parts, own) or ({}, "")
        systems[system] = {same.get(page, page): found for page, found in files.items()}
        ways |= {how: None} if how and (parts or len(files) > len(of)) else {}
    told = f"{sides.rule}, pages within files {' and '.join(ways)}"
    found = replace(sides, rule=told, references=references, systems=systems)
    return found if ways else None


def _one_form(side: str, pages: PageFiles) -> tuple[PageFiles, list[DataWarning]]:
    """One file for each page that stands there in several forms, and what is left unread."""
    chosen = {page: richest(files) for page, files in pages.items() if len(files) > 1}
    by_form: dict[str, list[str]] = {}
    for page, found in chosen.items():
        if found is not None:
            by_form.setdefault(found[1], []).append(page)
    pages = {**pages, **{page: [found[0]] for page, found in chosen.items() if found}}
    return pages, [
        DataWarning(side, WarningKind.SEVERAL_FORMS, (form, *of), len(of))
        for form, of in by_form.items()
    ]


def _pair_equal(name: str, rule: str, given: Sides, systems: Mapping[str, PageFiles]) -> Pairing:
    """What is paired by equal names, the outputs under those by which they are to be paired."""
    references, warnings = given.references, list(given.warnings)
    single = {page: files[0] for page, files in references.items() if len(files) == 1}
    warnings += _duplicates("the reference", references)
    outputs: dict[str, dict[str, SourceFile]] = {}
    for system, files_of in systems.items():
        outputs[system] = {page: files[0] for page, files in files_of.items() if len(files) == 1}
        warnings += _duplicates(f"system {system}", files_of)
    pages = []
    for page_id in sorted(single, key=natural_order):
        of_page = {name: files[page_id] for name, files in outputs.items() if page_id in files}
        if of_page:
            pages.append(PairedFiles(page_id, single[page_id], of_page))
            warnings += [
                DataWarning(single[page_id].name, WarningKind.NO_OUTPUT, (system,))
                for system in systems
                if page_id not in systems[system]
            ]
    lone = (page for page in references if not any(page in files for files in systems.values()))
    alone = tuple(sorted(lone, key=natural_order))
    warnings += [DataWarning(references[p][0].name, WarningKind.LONE_REFERENCE) for p in alone]
    orphans: dict[str, tuple[str, ...]] = {}
    for system, of in systems.items():
        orphans[system] = tuple(sorted((p for p in of if p not in references), key=natural_order))
        files = (of[page][0].name for page in orphans[system])
        warnings += [DataWarning(file, WarningKind.LONE_OUTPUT, (system,)) for file in files]
    unpaired = Unpaired(alone, orphans)
    return Pairing(name, rule, tuple(systems), tuple(pages), unpaired, tuple(warnings), given=given)


def _duplicates(side: str, files_of: PageFiles) -> list[DataWarning]:
    several = ((page, files) for page, files in files_of.items() if len(files) > 1)
    # Rows of a table that have one id have one name too.
    named = ((page, dict.fromkeys(one.name for one in of), len(of)) for page, of in several)
    return [DataWarning(p, WarningKind.SEVERAL_FILES, (side, *own), n) for p, own, n in named]


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
            whole = [len({part.file for part in s.values()}) == 1 < len(s) for s in sides]
            # A file of pages 5 to 10 may call them 1 to 6: of two files both have the same.
            fits = (not whole[0] or hyps.keys() <= refs.keys()) and (
                not whole[1] or refs.keys() <= hyps.keys()
            )
            usable = usable and any(whole) and fits
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
