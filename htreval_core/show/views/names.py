"""Names of pages and systems: made short, and told apart."""

from collections.abc import Collection, Iterable, Sequence

from htreval_core.markup import shorten, visible

_LONG = 16
_MOST = 60


def short_names(names: Sequence[str]) -> list[str]:
    """These names as people read them, "…" in the place of a long common beginning and end.

    Names are cut between words or numbers only, so that "page_10" and "page_11" keep their "10"
    and "11"; names that are short as they are stay whole.
    """
    shown = [visible(name) for name in names]
    if len(set(shown)) > 1 and max(map(len, shown)) > _LONG:
        start = _boundary(shown[0], _common(shown))
        ends = [name[start:][::-1] for name in shown]
        end = _boundary(ends[0], _common(ends))
        start, end = (cut if cut > 2 else 0 for cut in (start, end))
        if min(len(name) - start - end for name in shown) > 0:
            shown = [
                ("…" if start else "") + name[start : len(name) - end] + ("…" if end else "")
                for name in shown
            ]
    return [shorten(name, _MOST) for name in shown]


def _boundary(name: str, cut: int) -> int:
    """The last place up to ``cut`` that is not inside a word or a number."""
    while 0 < cut < len(name) and name[cut - 1].isalnum() and name[cut].isalnum():
        cut -= 1
    return cut


def _common(names: Sequence[str]) -> int:
    """How many characters all names begin with."""
    # What the first and the last in order share, all between them share.
    first, last = min(names), max(names)
    return next((n for n, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]),
                min(len(first), len(last)))  # fmt: skip


def own_columns(systems: Iterable[str], taken: Collection[str]) -> dict[str, str]:
    """The name of each system's column: its own, unless another column is called so already."""
    used = set(taken)
    found: dict[str, str] = {}
    for system in systems:
        column = system
        while column in used:
            column += " (system)"
        used.add(column)
        found[system] = column
    return found
