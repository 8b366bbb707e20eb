"""All settings of a scoring in one frozen object that signs itself."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from htreval_core.errors import ConfigError
from htreval_core.text import TextPolicy
from htreval_core.version import __version__
from htreval_core.written import USUAL_MARKUP, edition_of, markup_of, read_markup, sign_markup

Solver: TypeAlias = Literal["exact", "authors"]
Trace: TypeAlias = Literal["refined", "as-found"]
_GAMMA_STEP = Fraction(1, 1_000_000)
"""The finest γ and the fineness of every γ: the matching counts in whole units of 1/(2M·q)."""
_LARGEST_GAMMA = 1_000_000
_DEEPEST_XML = 256
TIE_RULES: Mapping[Solver, str] = MappingProxyType(
    {"exact": "equal-then-near", "authors": "as-solver-returns"}
)
"""How the matching breaks ties. "exact": among optimal matchings the most pairs of equal words,
then the least Σ d(d−1) with d = k − j. "authors": whatever the float solver happens to return."""


Level: TypeAlias = Literal["line", "word", "region"]
Order: TypeAlias = Literal["file", "document"]
TextAs: TypeAlias = Literal["name", "text", "markdown"]


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
            raise ConfigError(f"limit nesting: XML is read {_DEEPEST_XML} deep at most")


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
    """

    level: Level = "line"
    order: Order = "file"
    markup: tuple[str, ...] = USUAL_MARKUP
    edition: tuple[str, ...] = ()
    text_as: TextAs = "name"
    encoding: str | None = None
    line_pattern: str | None = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        object.__setattr__(self, "markup", markup_of(self.markup))
        object.__setattr__(self, "edition", edition_of(self.edition))
        for name, allowed in (("level", Level), ("order", Order), ("text_as", TextAs)):
            if getattr(self, name) not in get_args(allowed):
                choices = ", ".join(get_args(allowed))
                raise ConfigError(f"reading: {name}={getattr(self, name)!r}; use {choices}")

    def sign(self) -> str:
        """The switches that change values as ``name:value`` joined by ``|``."""
        return "|".join(f"{name}:{text}" for name, text in self.as_text().items())

    def as_text(self) -> dict[str, str]:
        """The switches that change values, as a signature and an address write them."""
        return {
            "level": self.level,
            "order": self.order,
            "markup": sign_markup(self.markup),
            "edition": "+".join(self.edition) or "none",
            "text-as": self.text_as,
        }

    @classmethod
    def of_text(cls, texts: Mapping[str, str]) -> ReadPolicy:
        """The policy whose switches ``as_text`` wrote; what is not named is as usual.

        Raises:
            ConfigError: a switch has a value that there is not.
        """
        usual = cls().as_text()
        level, order, markup, edition, text_as = (texts.get(name, usual[name]) for name in usual)
        return cls(
            level=level,  # type: ignore[arg-type]
            order=order,  # type: ignore[arg-type]
            markup=read_markup(markup),
            edition=() if edition == "none" else tuple(edition.split("+")),
            text_as=text_as,  # type: ignore[arg-type]
        )


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the values: the text policy, γ, the solver, and the resampling.

    Args:
        gamma: weight of the distance between positions in the matching; the paper uses 1. Kept as
            an exact fraction however it is written: 0.1, "0.1" and Fraction(1, 10) are one γ.
        policy: what is done to the texts before they are compared.
        reading: what was taken from the files; pages that are read hold it already.
        solver: "exact" is the whole-number solver with a tie rule; "authors" builds the float
            matrix of the authors' program and takes the matching that scipy returns for it.
        resamples: how many bootstrap samples of pages an interval is taken from.
        seed: the seed of the resampling.
        trace: which of the cheapest sequential traces is drawn. "refined" pairs like words;
            "as-found" is the one that rapidfuzz finds, and jiwer with it. Errors are the same,
            hits and the figures that need them (wMER) may differ.
    """

    gamma: Fraction | float | str = Fraction(1)
    policy: TextPolicy = field(default_factory=TextPolicy)
    reading: ReadPolicy = field(default_factory=ReadPolicy)
    solver: Solver = "exact"
    resamples: int = 2000
    seed: int = 0
    trace: Trace = "refined"

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", exact_gamma(self.gamma))
        if self.solver not in get_args(Solver):
            raise ConfigError(f"solver={self.solver!r}; use {', '.join(get_args(Solver))}")
        if self.trace not in get_args(Trace):
            raise ConfigError(f"trace={self.trace!r}; use {', '.join(get_args(Trace))}")
        if self.resamples < 1:
            raise ConfigError(f"resamples={self.resamples}: must be at least 1")
        if self.seed < 0:
            raise ConfigError(f"seed={self.seed}: must not be negative; use 0 or any other")

    def signature(self) -> str:
        """One line that pins everything the values depend on."""
        return "|".join(
            (
                f"htreval:{__version__}",
                self.reading.sign(),
                self.policy.sign(),
                f"unicode:{unicodedata.unidata_version}",
                f"gamma:{gamma_text(self.gamma)}",
                f"ties:{TIE_RULES[self.solver]}",
                f"trace:{self.trace}",
                f"bootstrap:{self.resamples}/{self.seed}",
            )
        )


def exact_gamma(gamma: float | str | Fraction) -> Fraction:
    """γ as an exact fraction of the decimal that the user wrote.

    A decimal with more digits than a denominator of a million can hold is taken for the nearest
    fraction that has one: 0.30000000000000004 is 3/10, 0.3333333333333333 is 1/3.

    Raises:
        ConfigError: γ is negative, not finite, or no number, or out of any useful range.
    """
    text = str(gamma)
    try:
        # A power of ten could be of any size: it has to be looked at before it is worked out.
        size = float(text) if "/" not in text else 1.0
        written_as_zero = not any(digit in text.lower().partition("e")[0] for digit in "123456789")
        in_range = abs(size) <= _LARGEST_GAMMA and (size != 0.0 or written_as_zero)
        value = Fraction(text) if in_range else None
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ConfigError(
            f"gamma={gamma!r}: not a number; give a decimal such as 1 or 0.5"
        ) from None
    if value is not None and value < 0:
        raise ConfigError(f"gamma={gamma!r}: must not be negative; the paper uses 1")
    if value is None or value > _LARGEST_GAMMA or 0 < value < _GAMMA_STEP:
        raise ConfigError(
            f"gamma={gamma!r}: out of range; use 0, or a number from 0.000001 to 1000000"
        )
    return value.limit_denominator(_GAMMA_STEP.denominator)


def gamma_text(gamma: Fraction | float | str) -> str:
    """γ as people write it: a decimal where that is exact, else a fraction."""
    exact = exact_gamma(gamma)
    decimal = f"{float(exact):g}"
    return decimal if Fraction(decimal) == exact else str(exact)


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings that count as another tool does, and why its values differ from ours."""

    settings: Settings
    why: str


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "default": Preset(Settings(), "The paper's definitions with an exact matching."),
        "authors": Preset(
            Settings(solver="authors"),
            "The paper's program fills a float matrix and takes whichever optimal matching its "
            "solver returns, so NSFD and hCER move where a page has several.",
        ),
        "jiwer": Preset(
            Settings(policy=TextPolicy(form="none", words="space")),
            "jiwer's default transforms split words at the space character alone and normalise "
            "nothing: where a text has line breaks, two words around one count as a single word.",
        ),
        "dinglehopper": Preset(
            Settings(policy=TextPolicy(words="unicode", characters="grapheme")),
            "dinglehopper takes the words of Unicode's annex 29 without punctuation, so a wrong "
            "comma is no word error, and counts grapheme clusters as characters.",
        ),
        "sclite": Preset(
            Settings(policy=TextPolicy(ignore_case=True)),
            "sclite compares caseless unless told otherwise, so a capital misread is no error.",
        ),
        "hipe": Preset(
            Settings(
                policy=TextPolicy(
                    form="none",
                    lower_case=True,
                    old_letters=True,
                    signs_to_space=True,
                    join_hyphens=("not-sign",),
                ),
                trace="as-found",
            ),
            "The scorer of HIPE-OCRepair 2026 lower-cases, unfolds old letters, reads every sign "
            "but letters and digits as a space, joins words divided by ¬, and takes the alignment "
            "that jiwer finds; its figures are cmer, wmer and preference.",
        ),
    }
)
"""Settings by the name of the tool whose counting they repeat."""


def read_mapping(path: Path) -> tuple[tuple[str, str], ...]:
    """A character mapping from a file, as ``mapping_pairs`` takes it.

    Raises:
        ConfigError: the file cannot be read, or a line is no pair.
    """
    try:
        return mapping_pairs(str(path), path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); check the path") from None


_LARGEST_MAPPING = 4_000_000


def mapping_pairs(name: str, content: bytes) -> tuple[tuple[str, str], ...]:
    """A character mapping from UTF-8: a character, a tab, its replacement, a pair a line.

    The character may be written as its code point, U+F1AC. A line that starts with # is a remark.

    Raises:
        ConfigError: the content is no UTF-8, or a line is no pair.
    """
    if len(content) > _LARGEST_MAPPING:
        raise ConfigError(f"{name}: larger than {_LARGEST_MAPPING:,} bytes; give characters alone")
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: not UTF-8 ({error.reason}); save it as UTF-8") from None
    pairs: list[tuple[str, str]] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        source, tab, target = line.partition("\t")
        if source.upper().startswith("U+"):
            try:
                source = chr(int(source[2:], 16))
            except (ValueError, OverflowError):
                source = ""
        if len(source) != 1 or not tab:
            raise ConfigError(
                f"{name}: line {number}: write one character, a tab, and its replacement"
            )
        try:
            TextPolicy(mapping=((source, target),))
        except ConfigError as error:
            raise ConfigError(f"{name}: line {number}: {error}") from None
        pairs.append((source, target))
    return tuple(pairs)


def read_signature(signature: str) -> tuple[Settings, tuple[str, ...]]:
    """The settings that a signature pins, and what about it cannot be repeated here.

    Returns:
        The settings; and sentences on a version or Unicode data that differ from the ones here.

    Raises:
        ConfigError: it is no signature of this tool, or pins a character mapping, whose file it
            cannot hold.
    """
    parts = dict(part.partition(":")[::2] for part in signature.strip().split("|"))
    if not parts.get("htreval"):
        raise ConfigError(f"{signature[:60]!r}: no signature of htreval; copy the whole line")
    try:
        resamples, _, seed = parts["bootstrap"].partition("/")
        solver = {rule: name for name, rule in TIE_RULES.items()}[parts["ties"]]
        settings = Settings(
            gamma=parts["gamma"],
            policy=TextPolicy.of_text(parts),
            reading=ReadPolicy.of_text(parts),
            solver=solver,
            resamples=int(resamples),
            seed=int(seed),
            trace=parts.get("trace", "refined"),  # type: ignore[arg-type]
        )
    except (KeyError, ValueError) as error:
        raise ConfigError(f"the signature is damaged at {error}; copy the whole line") from None
    notes = []
    for name, here in (("htreval", __version__), ("unicode", unicodedata.unidata_version)):
        if parts.get(name) != here:
            notes.append(f"made with {name} {parts.get(name)}, here is {here}: values may differ")
    return settings, tuple(notes)
