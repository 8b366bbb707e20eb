"""What a reader of the values should know about the data, in sentences."""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from htreval_core.errors import Remedy
from htreval_core.markup import shorten
from htreval_core.model import DataWarning, WarningKind
from htreval_core.scoring.study import Study
from htreval_core.show.telling.counting import counted

_TOLD_SINGLY = 2
"""Warnings of a kind up to which each is a sentence of its own; more are summed up."""
_NAMED = 3

Phrase = Callable[[Remedy], str]
"""How whoever talks to the user names a remedy, such as the option of a command."""


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_SENTENCES: Mapping[WarningKind, str] = {kind: _TABLE[kind] for kind in WarningKind}
"""The sentence of each kind."""
_BY_SYSTEM = frozenset({
    WarningKind.NO_OUTPUT, WarningKind.LONE_OUTPUT, WarningKind.SEVERAL_FILES,
    WarningKind.NOT_SCORED, WarningKind.NOT_DIAGNOSED, WarningKind.OUTPUT_EMPTY,
})  # fmt: skip
"""Kinds that are summed up for each system by itself, which stands first in their detail."""


def tell_warnings(warnings: Iterable[DataWarning], phrase: Phrase | None = None) -> list[str]:
    """The warnings in sentences, summed up by kind where there are several.

    Args:
        phrase: names a remedy as the user would use it; by default remedies are left at what the
            sentence itself says.
    """
    groups: dict[tuple[WarningKind, str], list[DataWarning]] = {}
    for warning in warnings:
        of = warning.detail[0] if warning.kind in _BY_SYSTEM and warning.detail else ""
        groups.setdefault((warning.kind, of), []).append(warning)
    told: list[str] = []
    for group in groups.values():
        if len(group) <= _TOLD_SINGLY:
            told += [tell_warning(one, phrase) for one in group]
        else:
            told.append(_tell_group(group, phrase))
    return told


def tell_unread(study: Study, show: Callable[[str], str] = shorten) -> list[str]:
    """One sentence for each system of which nothing could be read or scored, with the reason.

    Empty where every system of the data has scores.

    Returns:
        Sentences without their full stops; the first says how many systems are shown.
    """
    systems = study.dataset.systems
    unread = [system for system in systems if system not in study.scores]
    n_shown = len(systems) - len(unread)
    are = "is" if n_shown == 1 else "are"
    told = [_tell_unread(study, system, show(system)) for system in unread]
    if told:
        told[0] = f"{n_shown} of {len(systems)} systems {are} shown: {told[0]}"
    return told[:1] + [f"{one[:1].upper()}{one[1:]}" for one in told[1:]]


def _tell_unread(study: Study, system: str, shown: str) -> str:
    failed = [one.reason for one in study.failures if one.system == system]
    if failed:
        n = counted(len(failed), "page")
        return f"none of the {n} of {shown} could be scored ({_first_reason(failed)})"
    unreadable = [
        one for one in study.warnings if one.kind is WarningKind.UNREADABLE and one.detail
    ]
    own = [one.detail[0] for one in unreadable if _is_of(one.file, system)]
    if own:
        files = counted(len(own), "file")
        return f"none of the {files} of {shown} can be read ({_first_reason(own)})"
    alone = study.dataset.unpaired.hypothesis.get(system, ())
    if alone:
        files = counted(len(alone), "file")
        return f"none of the {files} of {shown} has a reference of the same name"
    return f"there is no output of {shown} for these pages"


def _is_of(file: str, system: str) -> bool:
    """Whether a file is the output of a system: it stands in its folder, or is named after it."""
    *folders, last = file.partition(": ")[0].replace("\\", "/").split("/")
    return system in folders or f".{system}." in f".{last}." or file.endswith(f", column {system}")


def _first_reason(reasons: Sequence[str]) -> str:
    """What the first is, without what to do about it; that there are others, where there are."""
    first = [reason.partition(";")[0] for reason in reasons]
    more = "" if len(set(first)) == 1 else "; others for other reasons"
    return f"{shorten(first[0], 120)}{more}"


def tell_warning(warning: DataWarning, phrase: Phrase | None = None) -> str:
    """One warning in a sentence."""
    said = _sentence(warning)
    return f"{warning.file}: {said}{_way_out([warning], phrase)}" if warning.file else said


def tell_passed_over(names: Sequence[str], images: int = 0) -> str:
    """Files that are no transcripts, in one line; empty if there is no such file."""
    last = Counter(name.rpartition("/")[2] for name in names)
    told = [f"{name} ({n:,} times)" if n > 1 else name for name, n in last.items()]
    if images:
        told.insert(0, f"{images:,} image{'' if images == 1 else 's'} without a page")
    return f"Passed over: {_named(told)}" if told else ""


def _sentence(warning: DataWarning) -> str:
    named, n = _named(warning.detail), warning.count
    of_n = {what: one[n != 1].format(f"{n:,}") for what, one in _TABLE["of a number"].items()}
    return _SENTENCES[warning.kind].format(
        **of_n, d=named, p=f" ({named})" if named else "", d0=_part(warning, 0),
        d1=_part(warning, 1), d2=_part(warning, 2),
        rest=_named(warning.detail[2 if warning.kind is WarningKind.READ_BY_ONE else 1 :]),
    )  # fmt: skip


def _tell_group(group: Sequence[DataWarning], phrase: Phrase | None) -> str:
    """The first, and where the same was found besides."""
    first, *others = dict.fromkeys(one.file for one in group)
    if not others:
        return tell_warning(group[0], phrase)
    said = f"{first}: {_sentence(group[0])}; the same holds for {len(others):,} more"
    return f"{said}, {_named(others)}{_way_out(group, phrase)}"


def _way_out(group: Sequence[DataWarning], phrase: Phrase | None) -> str:
    if phrase is None:
        return ""
    ways = dict.fromkeys(phrase(one.remedy) for one in group if one.remedy is not None)
    return f" ({', '.join(ways)})" if ways else ""


def _part(warning: DataWarning, number: int) -> str:
    return warning.detail[number] if number < len(warning.detail) else ""


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(shorten(name, 80) for name in names[:_NAMED]) + more
