"""How files are read: what of them is the text of the page, and how much they may hold."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from htreval_core.errors import ConfigError
from htreval_core.settings.written import (
    EDITION_LEVELS,
    USUAL_MARKUP,
    edition_of,
    markup_of,
    read_markup,
    sign_markup,
)

Level: TypeAlias = Literal["line", "word", "region"]
Order: TypeAlias = Literal["file", "document"]
TextAs: TypeAlias = Literal["name", "text", "markdown"]

_DEEPEST_XML = 256


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a file may hold before it is refused; values do not depend on it.

    A page far beyond these is damaged or hostile: one word of a hundred thousand characters
    takes longer to compare than a whole book.

    Args:
        file_bytes: of any file, such as a table that holds many pages.
        page_bytes: of a file, or a cell of a table, that holds one page.
        markup: tags and attributes of an XML or HTML file.
        nesting: elements within elements of XML; libxml2 itself reads no more than 256.
        lines: of a page.
        words: of a page, as white space delimits them.
        word_characters: of a word.
        line_characters: of a line.
        archive_members: files in a zip archive, or rows of a Parquet table.
        archive_bytes: what a zip archive unpacks to.
        archive_ratio: how many times its packed size a member of an archive may unpack to.
    """

    file_bytes: int = 256 * 2**20
    page_bytes: int = 32 * 2**20
    markup: int = 1_000_000
    nesting: int = 256
    lines: int = 100_000
    words: int = 200_000
    word_characters: int = 5_000
    line_characters: int = 1_000_000
    archive_members: int = 200_000
    archive_bytes: int = 2 * 2**30
    archive_ratio: int = 200

    def __post_init__(self) -> None:
        for entry in fields(self):
            if getattr(self, entry.name) < 1:
                raise ConfigError(f"limit {entry.name}: must be at least 1")
        if self.nesting > _DEEPEST_XML:
            raise ConfigError(f"limit nesting: XML is read at most {_DEEPEST_XML} levels deep")


@dataclass(frozen=True, slots=True)
class ReadPolicy:
    """What is taken from a file that holds more than one version of its text or order.

    Args:
        level: which text of PAGE XML counts: that of lines, of words, or of regions. Where a
            line lacks it, the next best is read and the file is flagged.
        order: "file" follows the reading order that the file declares; "document" follows the
            order in which it writes regions and lines down.
        encoding: of plain text that is neither UTF-8 nor UTF-16 with a byte-order mark.
        markup: rules by which markup is taken off (``written.MARKUP_RULES``).
        edition: what is read of an edition that holds more than one text
            (``written.EDITION_LEVELS``); nothing for what stands on the page.
        text_as: what text files and cells of tables are: "name" believes the name of the file or
            of the column, "text" and "markdown" say so of all.
        line_pattern: how line ids of decoding tables tell their page: a regular expression
            with the groups ``page`` and ``line``.
        limits: how much a file may hold before it is refused.
        outlines: whether polygons and boxes are wanted. No value depends on them.
    """

    level: Level = "line"
    order: Order = "file"
    markup: tuple[str, ...] = USUAL_MARKUP
    edition: tuple[str, ...] = ()
    text_as: TextAs = "name"
    encoding: str | None = None
    line_pattern: str | None = None
    limits: Limits = field(default_factory=Limits)
    outlines: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "markup", markup_of(self.markup))
        object.__setattr__(self, "edition", edition_of(self.edition))
        for switch in READ_SWITCHES:
            value = getattr(self, switch.name)
            if not switch.several and value not in switch.choices:
                choices = ", ".join(switch.choices)
                raise ConfigError(f"reading: {switch.name}={value!r}; use {choices}")

    def sign(self) -> str:
        """The switches that change values as ``name:value`` joined by ``|``."""
        return "|".join(f"{name}:{text}" for name, text in self.as_text().items())

    def as_text(self) -> dict[str, str]:
        """The switches that change values, as a signature and an address write them."""
        return {
            "level": self.level, "order": self.order, "markup": sign_markup(self.markup),
            "edition": "+".join(self.edition) or "none", "text-as": self.text_as,
        }  # fmt: skip

    @classmethod
    def of_text(cls, texts: Mapping[str, str]) -> "ReadPolicy":
        """The policy whose switches ``as_text`` wrote; what is not named is as usual.

        Raises:
            ConfigError: a switch has a value that there is not.
        """
        texts = {**cls().as_text(), **texts}
        edition = texts["edition"]
        given: dict[str, Any] = {
            "level": texts["level"], "order": texts["order"],
            "markup": read_markup(texts["markup"]),
            "edition": () if edition == "none" else tuple(edition.split("+")),
            "text_as": texts["text-as"],
        }  # fmt: skip
        return cls(**given)


@dataclass(frozen=True, slots=True)
class ReadSwitch:
    """How a choice of the policy is offered, in the shell and in the app.

    Args:
        name: of the field of ``ReadPolicy``.
        label: as a control of the app calls it.
        help: what it does, as a phrase that begins with a verb.
        choices: the values that it may have.
        several: whether any number of them may be taken.
        meanings: what each choice means, where its name does not say so.
        called: as the shell calls it, where that is not its name.
    """

    name: str
    label: str
    help: str
    choices: tuple[str, ...]
    several: bool = False
    meanings: Mapping[str, str] = field(default_factory=dict)
    called: str = ""

    @property
    def option(self) -> str:
        """The option of the shell."""
        return f"--{(self.called or self.name).replace('_', '-')}"


_CHOICES = {
    "level": get_args(Level), "order": get_args(Order), "text_as": get_args(TextAs),
    "edition": tuple(EDITION_LEVELS),
}  # fmt: skip
_MEANINGS = {"edition": EDITION_LEVELS}
_OFFERED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
READ_SWITCHES = tuple(
    ReadSwitch(name, choices=_CHOICES[name], meanings=_MEANINGS.get(name, {}), **offered)
    for name, offered in _OFFERED.items()
)
"""What shell, app and bundles offer; markup has rules of its own."""
