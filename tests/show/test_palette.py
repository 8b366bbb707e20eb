"""Colours that meet in a picture can be told apart, also by those who see fewer of them."""

from itertools import combinations

import numpy as np
import pytest

from htreval_core.diagnosis import EventKind
from htreval_core.metrics.kinds import WordKind
from htreval_core.show.palette import (
    EVENT_COLOURS,
    KIND_COLOURS,
    KIND_NAMES,
    SYSTEM_COLOURS,
    event_look,
    system_style,
)
from htreval_core.show.pictures.corpus import EDIT_PARTS

# Full dichromacy after Viénot, Brettel and Mollon 1999 (protan, deutan) and Brettel, Viénot and
# Mollon 1997 in the one-plane form of Machado, Oliveira and Fernandes 2009 (tritan), linear RGB.
SEEN = {
    "all colours": np.eye(3),
    "no red": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                        [-0.003882, -0.048116, 1.051998]]),
    "no green": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                          [-0.011820, 0.042940, 0.968881]]),
    "no blue": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                         [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
KINDS = {kind.name: KIND_COLOURS[kind] for kind in WordKind if kind is not WordKind.CORRECT}
SYSTEMS = {f"system {number}": colour for number, colour in enumerate(SYSTEM_COLOURS)}


def linear(colour: str) -> np.ndarray:
    """The light of a colour such as "#E69F00", red, green and blue from 0 to 1."""
    values = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(colour: str, seen: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of a colour as somebody sees it."""
    light = np.clip(seen @ linear(colour), 0, 1)
    to_xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                       [0.0193339, 0.1191920, 0.9503041]])  # fmt: skip
    x, y, z = (
        t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
        for t in to_xyz @ light / np.array([0.95047, 1.0, 1.08883])
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(colour: str, behind: str) -> float:
    """The ratio of luminances that WCAG 2 asks for."""
    lights = sorted(float(linear(one) @ [0.2126, 0.7152, 0.0722]) for one in (colour, behind))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


@pytest.mark.parametrize("who", list(SEEN))
def test_what_happened_to_words_is_told_apart_by_everybody(who: str) -> None:
    for (one, a), (other, b) in combinations(KINDS.items(), 2):
        apart = float(np.linalg.norm(lab(a, SEEN[who]) - lab(b, SEEN[who])))
        # A just noticeable difference is about 2.3.
        assert apart > 12, (who, one, other, apart)


@pytest.mark.parametrize("who", list(SEEN))
def test_systems_are_told_apart_by_everybody(who: str) -> None:
    for (one, a), (other, b) in combinations(SYSTEMS.items(), 2):
        apart = float(np.linalg.norm(lab(a, SEEN[who]) - lab(b, SEEN[who])))
        assert apart > 12, (who, one, other, apart)


def test_no_system_has_the_colour_of_a_word() -> None:
    assert not {*KIND_COLOURS.values(), *EVENT_COLOURS.values()} & set(SYSTEM_COLOURS)
    assert len({(system_style(n).colour, system_style(n).symbol) for n in range(28)}) == 28


@pytest.mark.parametrize("behind", ["#ffffff", "#14181b"])
def test_marks_of_systems_stand_out_light_and_dark(behind: str) -> None:
    for name, colour in SYSTEMS.items():
        assert contrast(colour, behind) >= 3, (name, contrast(colour, behind))


def test_a_fault_has_the_colour_of_its_words() -> None:
    looks = {kind: {event_look(kind, number) for number in range(4)} for kind in EventKind}
    assert looks[EventKind.MISSING] == {"left-out"}
    assert looks[EventKind.LOOP] == {"added"}
    assert looks[EventKind.READ_BADLY] == {"misread"}
    assert looks[EventKind.REFERENCE] == {"in-doubt"}
    assert looks[EventKind.MARGINALIA] == {"moved", "moved-too"}
    assert set().union(*looks.values()) == set(EVENT_COLOURS)


def test_parts_of_wer_are_called_as_words_are() -> None:
    assert {name: KIND_NAMES[kind] for name, kind in EDIT_PARTS.items()} == {
        name: name for name in EDIT_PARTS
    }
