"""HTML and SVG that no text from outside can leave: the engine's one door to markup.

Everything is put together by ``tag``, which escapes every string that is not ``Html`` already.
Joining an ``Html`` with a plain string gives a plain string, which is escaped like any other: what
goes wrong here shows as text, and does not run.
"""

import html
import unicodedata
from collections.abc import Iterable, Sequence

Child = str | None
"""Text, which is escaped, or ``Html``, which is not; None is left out."""


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of what has an effect and no shape: controls, formats, halves, separators."""

_SIGNS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2")
"""Arabic and Syriac signs that enclose or stand over others, which Unicode counts as formats."""
_JOINERS = frozenset("\u180e\u200c\u200d")
_BEYOND_LATIN = 0x0530


def whole(text: str) -> str:
    """The text with half characters, which nothing can store, written as their escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def read_entities(text: str) -> str:
    """The characters that entities of HTML stand for; what is no entity stays."""
    return html.unescape(text)


def visible(text: str) -> str:
    """Text in which control and direction characters show as themselves, not by their effect."""
    if text.isprintable():
        return text
    return "".join(
        f"‹U+{ord(char):04X}›"
        if unicodedata.category(char) in _UNSEEN and not _shapes(before, char)
        else char
        for before, char in zip(f" {text}", text, strict=False)
    )


def _shapes(before: str, char: str) -> bool:
    """Whether a format character is a sign of its own, or part of how a script is spelt.

    Persian, Mongolian and the scripts of India have joiners within their words, emoji between
    their parts: one alone after a letter or sign of theirs turns and hides nothing."""
    if char in _SIGNS:
        return True
    return (
        char in _JOINERS
        and ord(before) >= _BEYOND_LATIN
        and unicodedata.category(before)[0] in "LMS"
    )


def shorten(text: str, most: int = 60) -> str:
    """Text cut to a length, with a word on what was left out."""
    if len(text) <= most:
        return text
    return f"{text[:most]}… ({len(text):,} characters)"


def listed(names: Iterable[str]) -> str:
    """Names as a ``repr`` shows them: on one line, and not too many."""
    return shorten(visible(", ".join(names)), 120) or "none"


def escape(text: str) -> Html:
    """Any text as markup that shows it; what is markup already stays."""
    return text if isinstance(text, Html) else Html(html.escape(visible(text), quote=True))


def join(children: Iterable[Child]) -> Html:
    """Several pieces, one after another."""
    return Html("".join(escape(child) for child in children if child is not None))


def tag(name: str, /, *children: Child, **attributes: str | float | None) -> Html:
    """An element; strings among its children and the values of its attributes are escaped.

    Args:
        attributes: ``class_`` is ``class``, other underscores are hyphens; None is left out.

    >>> print(tag("b", "a < b", title='"'))
    <b title="&quot;">a &lt; b</b>
    """
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            # One digit behind the point is finer than a screen.
            is_float = isinstance(value, float)
            shown = f"{value:.1f}".removesuffix(".0") if is_float else str(value)
            parts.append(f'{key.rstrip("_").replace("_", "-")}="{escape(shown)}"')
    inside = join(children)
    if not inside and name in _EMPTY:
        return Html(f"<{' '.join(parts)}/>")
    return Html(f"<{' '.join(parts)}>{inside}</{name}>")


_EMPTY = frozenset({"link", "meta", "circle", "img", "line", "path", "rect"})
"""Elements that may stand without an end when they are empty."""


def frame(document: str, **attributes: str | float | None) -> Html:
    """A whole document of our own in a frame.

    Args:
        document: what is not ours in it is escaped already.
        attributes: as for ``tag``.
    """
    empty = str(tag("iframe", **attributes))
    # Unlike the values that ``tag`` takes, its lines stay lines.
    return Html(empty.replace("<iframe", f'<iframe srcdoc="{html.escape(document)}"', 1))


def table(head: Sequence[Child], rows: Iterable[Sequence[Child]]) -> Html:
    """A plain table, its first column the heads of its rows."""
    body = [
        tag("tr", *(tag("td" if n else "th", cell) for n, cell in enumerate(row))) for row in rows
    ]
    return tag(
        "table", tag("thead", tag("tr", *(tag("th", cell) for cell in head))), tag("tbody", *body)
    )


def isolated(shown: str) -> str:
    """What runs from right to left between signs that keep it from turning its neighbours.

    Between them a text has the direction of its first letter; what passed ``visible`` holds
    neither.
    """
    turns = any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in shown)
    return f"\u2068{shown}\u2069" if turns else shown
