"""Which events of a page are put right after a click or a key, as the address holds them."""

from collections.abc import Collection

from htreval_core.diagnosis import Diagnosis, EventKind


def _numbers(events: Collection[int]) -> str:
    return "+".join(str(number + 1) for number in sorted(events))


def movable(diagnosis: Diagnosis, *, of_reference: bool = False) -> list[int]:
    """Events that can be put right; what the reference is to blame for only where it is meant."""
    return [
        number
        for number, event in enumerate(diagnosis.events)
        if event.groups and (of_reference or event.kind is not EventKind.REFERENCE)
    ]


def with_numbers(diagnosis: Diagnosis, put_right: frozenset[int], wanted: int | str) -> str:
    """The events that are right after one more is, or is no longer.

    Args:
        wanted: its number from 0; "all" for every event that is the system's, or none where any is
            right already.
    """
    if wanted == "all":
        return "" if put_right else _numbers(movable(diagnosis))
    possible = frozenset(movable(diagnosis, of_reference=True))
    return _numbers((put_right ^ {int(wanted)}) & possible)


def next_repair(diagnosis: Diagnosis, put_right: frozenset[int], shown: int | None) -> str:
    """The events that are right after one more key: the shown one, else the next; then none."""
    possible = movable(diagnosis)
    if shown in possible:
        return _numbers(put_right ^ {shown})
    left = [number for number in possible if number not in put_right]
    return _numbers(put_right | {left[0]}) if left else ""
