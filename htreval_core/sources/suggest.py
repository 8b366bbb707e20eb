"""Which page an output without a reference is likely to belong to, told by its name."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from htreval_core.sources.pairing import ChosenPair, Pairing

Pieces = tuple[str, ...]
"""A name as runs of letters and of digits: ("letter", "7", "final")."""

_PIECE = re.compile(r"\d+|[^\W\d_]+")
_FEWEST_LETTERS = 4
"""A name without digits that is found inside another must have this many letters."""
_CLOSE = 75.0
"""How alike two names must be that have the same digits, of 100."""
_CLOSE_WITHOUT_DIGITS = 85.0
_AHEAD = 8.0
"""By how much the best must stand before the next."""
_FEWEST_DIGITS = 6
"""So many digits in the same order are one number, whatever stands between them."""
_MOST_PIECES = 12
"""Of longer names only the whole is looked for: they are no names of pages."""
_MOST = 5_000
"""Names of a side from which on nothing is suggested: nobody would read it."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A left-over output and the only page that its name comes close to.

    Args:
        pair: as ``Pairing.with_pairs`` takes it.
        file: the name of the file.
    """

    pair: ChosenPair
    file: str

    @property
    def question(self) -> str:
        """What to ask whoever knows."""
        return f"{self.file}: is this {self.pair.page_id}?"


def suggest_pairs(pairing: Pairing) -> tuple[Suggestion, ...]:
    """For outputs without a reference the page that each may belong to, where that is clear.

    Only a page is suggested that lacks the system's output, that alone is close, and that no other
    output is close to. Digits must be the same: page 12 is never taken for page 13.
    """
    found: list[Suggestion] = []
    for system, left in pairing.unpaired.hypothesis.items():
        outputs = pairing.given.systems.get(system, {})
        names = [name for name in left if len(outputs.get(name, ())) == 1]
        pages = pairing.open_pages(system)
        if len(names) > _MOST or len(pages) > _MOST:
            continue
        chosen = dict(_likely(names, pages))
        wanted = Counter(chosen.values())
        found += [
            Suggestion(ChosenPair(system, name, page), outputs[name][0].name)
            for name, page in chosen.items()
            if wanted[page] == 1
        ]
    return tuple(found)


def _likely(names: Sequence[str], pages: Sequence[str]) -> Iterator[tuple[str, str]]:
    whole: dict[Pieces, list[str]] = {}
    inside: dict[Pieces, list[str]] = {}
    by_digits: dict[Pieces, dict[str, str]] = {}
    by_number: dict[str, list[str]] = {}
    for page in pages:
        by_number.setdefault(_number(page), []).append(page)
        pieces = _pieces(page)
        whole.setdefault(pieces, []).append(page)
        for run in _runs(pieces):
            inside.setdefault(run, []).append(page)
        by_digits.setdefault(_digits(pieces), {})[page] = " ".join(pieces)
    for name in names:
        pieces = _pieces(name)
        same_digits = by_digits.get(_digits(pieces), {})
        same_number = by_number.get(_number(name), ()) if _number(name) else ()
        likely = _containing(pieces, whole, inside) or _alike(pieces, same_digits)
        if likely is None and len(same_number) == 1:
            likely = same_number[0]
        if likely is not None:
            yield name, likely


def _pieces(name: str) -> Pieces:
    """Runs of letters and digits of the last part of a name; zeros in front of digits count not."""
    last = unicodedata.normalize("NFKC", name).rpartition("/")[2].casefold()
    return tuple(
        piece.lstrip("0") or "0" if piece.isdigit() else piece for piece in _PIECE.findall(last)
    )


def _digits(pieces: Pieces) -> Pieces:
    return tuple(piece for piece in pieces if piece.isdigit())


def _number(name: str) -> str:
    """All digits of a name as one number: 071_108_002 is 071108002. Empty where they are few."""
    digits = "".join(filter(str.isdigit, name.rpartition("/")[2]))
    return digits if len(digits) >= _FEWEST_DIGITS else ""


def _runs(pieces: Pieces) -> Iterator[Pieces]:
    """All stretches of a name that could be a name themselves, the longest first."""
    n = len(pieces)
    if n > _MOST_PIECES:
        yield pieces
        return
    for length in range(n, 0, -1):
        for start in range(n - length + 1):
            run = pieces[start : start + length]
            if _digits(run) or sum(map(len, run)) >= _FEWEST_LETTERS:
                yield run


def _containing(
    pieces: Pieces, whole: Mapping[Pieces, Sequence[str]], inside: Mapping[Pieces, Sequence[str]]
) -> str | None:
    """The page whose name stands whole in this one, or this one in it; None unless it is one."""
    longest = 0
    fitting: list[str] = []
    for run in _runs(pieces):
        if len(run) < longest:
            break
        if run in whole:
            longest = len(run)
            fitting += whole[run]
    fitting = fitting or list(inside.get(pieces, ()))
    return fitting[0] if len(set(fitting)) == 1 else None


def _alike(pieces: Pieces, pages: Mapping[str, str]) -> str | None:
    """The page with the same digits whose name is by far the most alike; None without one."""
    if not pages or not pieces:
        return None
    found = process.extract(" ".join(pieces), pages, scorer=fuzz.ratio, limit=2)
    enough = _CLOSE if _digits(pieces) else _CLOSE_WITHOUT_DIGITS
    _, best, page = found[0]
    if best < enough or (len(found) > 1 and best - found[1][1] < _AHEAD):
        return None
    return str(page)
