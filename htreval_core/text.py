"""What counts as a word and as a character: the text policy, and how it is applied."""

from __future__ import annotations

import hashlib
import re
import tomllib
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import regex

from htreval_core.errors import ConfigError
from htreval_core.model import Transcript, lines_of

UnicodeForm: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD", "none"]
Words: TypeAlias = Literal["whitespace", "unicode", "space", "characters", "dinglehopper"]
Apart: TypeAlias = Mapping[int, tuple[str, ...]]
Characters: TypeAlias = Literal["codepoint", "grapheme"]

HYPHENS = {"-": "hyphen-minus", "¬": "not-sign", "⸗": "double-oblique", "\u00ad": "soft"}
"""The signs that divide a word at the end of a line, and their names in options and signature."""

_OFFERED = tomllib.loads(Path(__file__).with_name("switches.toml").read_text("utf-8"))
_LETTERS = _OFFERED.pop("letters")
_LIGATURES, _OLD_LETTERS = (str.maketrans(_LETTERS[name]) for name in ("ligatures", "old_letters"))
_EQUIVALENTS: Sequence[tuple[str, str]] = [(old, new) for old, new in _LETTERS["equivalents"]]
_SMALL_E: Mapping[str, str] = _LETTERS["small_e"]
_PUNCTUATION = regex.compile(r"\p{P}+")
# \b at the default word boundaries of Unicode's annex 29 instead of between \w and \W.
_BOUNDARY = regex.compile(r"\b", regex.V1 | regex.WORD)
_WORDLIKE = regex.compile(r"[\p{L}\p{N}\p{Co}]")
_NO_WORDS = frozenset(("Cc", "Cf", *"MPZS"))
"""Categories, or their first letters, of the characters that make no word: marks, punctuation,
separators, symbols. An unassigned character is in none of these: it may be a letter."""
_ATTACHED = regex.compile(r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]")
"""Characters that belong to the one before them; with none before them they stand alone."""
_SIGN = regex.compile(rf"(?s:.){_ATTACHED.pattern}*")
_AHEAD = regex.compile(r"(?:['’]|\p{RI}(?!\p{RI}))+(?=.)", regex.DOTALL)
_GAP = re.compile(r"(\s\s+| )")
"""Not regex, whose white space is Unicode's: to Python, and to jiwer, U+001C to U+001F are some."""
_UNSPACED = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\u3000-\u303f\uff00-\uffef"
    r"\u3099-\u30a0\u30fb\u30fc]"
)
"""Signs of scripts that put no space between words."""
_LAST = regex.compile(rf"(?s:.){_ATTACHED.pattern}*\Z")
# Not regex, whose \w takes in combining marks: to Python, and to the tools that this repeats, they
# are no part of a word.
_NO_LETTER = re.compile(r"[\W_]")
_MARKS = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8"
    "\u06ea-\u06ed\u08d3-\u08e1\u08e3-\u08ff]"
)
"""Hebrew points and accents, Arabic vowel signs and tatweel; madda and hamza are letters' own."""


_MOST_MAPPED = 20_000
_LONGEST_TARGET = 32
"""More would let a few bytes of mapping blow a page up to any size."""


@dataclass(frozen=True, slots=True)
class TextPolicy:
    """Everything done to a text before it is compared, on both sides alike.

    The defaults are those of Vidal et al. 2023: canonical composition, words as white space
    delimits them, characters as code points, and nothing else touched.

    Args:
        form: the Unicode normalisation form, or "none" for the text as it is.
        ignore_case: compare case-folded text.
        ignore_punctuation: drop every character of a Unicode punctuation category (P*).
        join_hyphens: names of the signs (see ``HYPHENS``) that, at the end of a line, join its
            last word to the first of the next line, and vanish.
        drop_soft_hyphens: drop U+00AD within words.
        long_s: read ſ as s.
        ligatures: unfold ﬀ ﬁ ﬂ ﬃ ﬄ ﬅ ﬆ.
        mapping: characters and what to read instead, as for private-use (MUFI) characters.
        words: "whitespace" splits at any white space; "unicode" takes the words of Unicode's
            annex 29 and drops punctuation; "space" splits at U+0020 alone; "characters" takes
            every grapheme cluster that is no white space, for scripts without spaces;
            "dinglehopper" takes the words of annex 29, and CER counts all that stands in the lines
            and each line's end, as that program does.
        characters: what CER counts, code points or grapheme clusters.
        lower_case: compare lower-cased text; less than case folding does, which unfolds ſ, ß, ﬁ.
        signs_to_space: read every sign that is neither letter nor digit as a space, combining marks
            too.
        old_letters: read ß as ss, ꝛ as r, œ as oe, æ as ae, and aͤ oͤ uͤ as ä ö ü.
        ignore_marks: drop Arabic vowel signs and tatweel, Hebrew points and accents.
        equivalents: read as one what dinglehopper does: dashes, hyphens, apostrophes, MUFI's
            ligatures and their letters.
    """

    form: UnicodeForm = "NFC"
    ignore_case: bool = False
    ignore_punctuation: bool = False
    join_hyphens: tuple[str, ...] = ()
    drop_soft_hyphens: bool = False
    long_s: bool = False
    ligatures: bool = False
    mapping: tuple[tuple[str, str], ...] = ()
    words: Words = "whitespace"
    characters: Characters = "codepoint"
    lower_case: bool = False
    signs_to_space: bool = False
    old_letters: bool = False
    ignore_marks: bool = False
    equivalents: bool = False

    def __post_init__(self) -> None:
        for switch in SWITCHES:
            given = getattr(self, switch.name)
            wrong = [one for one in (given if switch.several else (given,))
                     if switch.choices and one not in switch.choices]  # fmt: skip
            if wrong:
                raise ConfigError(
                    f"text policy: {switch.name}={wrong[0]!r}; use {', '.join(switch.choices)}"
                )
        if len(self.mapping) > _MOST_MAPPED:
            raise ConfigError(f"text policy: a mapping may have at most {_MOST_MAPPED:,} pairs")
        for source, target in self.mapping:
            if len(source) != 1 or len(target) > _LONGEST_TARGET:
                raise ConfigError(
                    f"text policy: mapping={(source[:20], target[:20])!r}; give one character, and "
                    f"at most {_LONGEST_TARGET} in its place"
                )

    def sign(self) -> str:
        """All switches as ``name:value`` joined by ``|``."""
        return "|".join(f"{key}:{text}" for key, text in self.as_text().items())

    def as_text(self) -> dict[str, str]:
        """Every switch as its signature and an address write it; a mapping as its fingerprint."""
        return {
            entry.name.replace("_", "-"): _signed(getattr(self, entry.name))
            for entry in fields(self)
        }

    @classmethod
    def of_text(cls, texts: Mapping[str, str]) -> TextPolicy:
        """The policy whose switches, but for a mapping, ``as_text`` wrote; one not named is off.

        Raises:
            KeyError: a value is neither yes nor no.
            ValueError: a value is impossible.
        """
        given: dict[str, object] = {}
        for entry in fields(cls):
            text = texts.get(entry.name.replace("_", "-"))
            # Of a mapping only the fingerprint is written.
            if text is None or entry.name == "mapping":
                continue
            if isinstance(entry.default, bool):
                given[entry.name] = {"yes": True, "no": False}[text]
            elif isinstance(entry.default, tuple):
                given[entry.name] = () if text == "none" else tuple(text.split("+"))
            else:
                given[entry.name] = text
        return cls(**given)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Switch:
    """How a switch of the policy is offered, in the shell and in the app.

    Args:
        name: of the field of ``TextPolicy``; what the signature and a manifest say of it, they take
            from the field.
        label: as a control of the app calls it.
        help: what it does, as a phrase that begins with a verb.
        choices: the values that it may have; none for yes or no, and for a mapping.
        several: whether any number of the choices may be taken.
        prominent: whether the app shows it without being asked.
    """

    name: str
    label: str
    help: str
    choices: tuple[str, ...] = ()
    several: bool = False
    prominent: bool = False

    @property
    def option(self) -> str:
        """The option of the shell."""
        return f"--{self.name.replace('_', '-')}"


_CHOICES = {
    "join_hyphens": tuple(HYPHENS.values()), "form": get_args(UnicodeForm),
    "words": get_args(Words), "characters": get_args(Characters),
}  # fmt: skip
SWITCHES = tuple(
    Switch(name, choices=_CHOICES.get(name, ()), **offered) for name, offered in _OFFERED.items()
)
"""Every switch of the policy, in the order in which people are offered them."""


def _signed(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            # A mapping may be long: its fingerprint pins it.
            text = repr(sorted(value)).encode("utf-8", "surrogatepass")
            return f"sha256-{hashlib.sha256(text).hexdigest()[:12]}"
        return "+".join(value) or "none"
    return str(value)


def normalise(text: str, policy: TextPolicy) -> str:
    """The text after every switch that works within a line; white space is left untouched."""
    text = composed = _in_form(text, policy)
    if policy.equivalents:
        for written, read in _EQUIVALENTS:
            text = text.replace(written, read)
    if policy.mapping:
        text = text.translate({ord(a): b for a, b in policy.mapping})
    if policy.drop_soft_hyphens:
        text = text.replace("\u00ad", "")
    if policy.ligatures:
        text = text.translate(_LIGATURES)
    if policy.long_s:
        text = text.replace("ſ", "s").replace("ẛ", "ṡ")
    if policy.lower_case:
        text = text.lower()
    if policy.old_letters:
        text = text.translate(_OLD_LETTERS)
        for written, read in _SMALL_E.items():
            text = text.replace(written, read)
    if policy.ignore_marks:
        text = _MARKS.sub("", text)
    if policy.ignore_case:
        text = text.casefold()
    # Letters may have left the form: ΐ folds to three code points, of which two are no letters.
    text = composed = text if text == composed else _in_form(text, policy)
    if policy.ignore_punctuation:
        text = _PUNCTUATION.sub("", text)
    if policy.signs_to_space:
        text = _NO_LETTER.sub(" ", text)
    return text if text == composed else _in_form(text, policy)


def _in_form(text: str, policy: TextPolicy) -> str:
    # ASCII is in every normal form.
    if policy.form == "none" or text.isascii():
        return text
    return unicodedata.normalize(policy.form, text)


@dataclass(frozen=True, slots=True)
class PageWords:
    """The words of one side of a page, in reading order.

    Args:
        words: shape (n,), normalised.
        line_of: shape (n,), the position in the transcript's lines of each word's line, upward.
        n_lines: how many lines the transcript has, blank ones at its end not counted.
        text: the page as CER reads it: the words with one space between them, or where words
            are not all that counts, the text itself.
        before: shape (n,), what CER reads before each word; None where that is a space each time.
        after: what it reads after the last word.
    """

    words: tuple[str, ...]
    line_of: tuple[int, ...]
    n_lines: int
    text: str
    before: tuple[str, ...] | None = None
    after: str = ""

    def joined(self, order: Iterable[int]) -> str:
        """The words at these positions as one text, each with what stands before it."""
        if self.before is None:
            return " ".join(map(self.words.__getitem__, order))
        pieces = [self.before[k] + self.words[k] for k in order]
        return "".join(pieces).removeprefix(" ") + self.after

    def in_order(self, order: Sequence[int], line_of: Sequence[int]) -> PageWords:
        """The same words in another order, on other lines; blank lines are left out.

        Args:
            order: positions of the words.
            line_of: shape (n,), the line of each word in that order, from 0 upward.
        """
        before = None if self.before is None else tuple(self.before[k] for k in order)
        n_lines = line_of[-1] + 1 if line_of else 0
        words = tuple(self.words[k] for k in order)
        return PageWords(words, tuple(line_of), n_lines, self.joined(order), before, self.after)

    def only(self, kept: Sequence[int]) -> PageWords:
        """The words at these positions, upward, without what stands on the lines of the others."""
        if len(kept) == len(self.words):
            return self
        line_of = [self.line_of[k] for k in kept]
        if self.before is None:
            return self.in_order(kept, line_of)
        places = zip([-1, *kept], kept, strict=False)
        before = tuple(self._between(a, b) if b > a + 1 else self.before[b] for a, b in places)
        last = kept[-1] if kept else -1
        whole = last + 1 == len(self.words)
        after = self.after if whole else self.before[last + 1].rpartition("\n")[0]
        words = tuple(self.words[k] for k in kept)
        n_lines = line_of[-1] + 1 if line_of else 0
        left = PageWords(words, tuple(line_of), n_lines, "", before, after)
        return replace(left, text=left.joined(range(len(words))))

    def _between(self, a: int, b: int) -> str:
        """What stands between two words, the first of which may be -1, without those between."""
        gaps = (self.before or ())[a + 1 : b + 1]
        if "\n" in "".join(gaps):
            tail, head = gaps[0].rpartition("\n")[0], gaps[-1].partition("\n")[2]
            return head if a < 0 and not tail else f"{tail}\n{head}"
        if a < 0 or self.line_of[a] == self.line_of[b]:
            return gaps[-1]
        return space_between(self.words[a], self.words[b])

    def by_line(self) -> list[list[str]]:
        """The words of each line; a blank line is an empty list."""
        starts = [bisect_left(self.line_of, line) for line in range(self.n_lines + 1)]
        return [list(self.words[start:end]) for start, end in pairwise(starts)]


def page_words(
    transcript: Transcript | str, policy: TextPolicy, apart: Apart | None = None,
    without: Collection[int] = (),
) -> PageWords:  # fmt: skip
    """The words of a transcript, or of plain text, after the policy.

    By default words are what white space delimits, in Unicode's sense: no-break, thin and
    ideographic spaces, tabs and line separators all delimit; the zero-width space does not.

    Args:
        apart: lines that the text around them passes over, by number, and the name of what each
            belongs to: no divided word goes on there.
        without: lines that are passed over, by number.
    """
    if policy.words == "space" and isinstance(transcript, str):
        # As it is: a carriage return is a sign among others there.
        return _space_delimited(transcript, policy)
    if isinstance(transcript, str):
        texts = lines_of(transcript)
    else:
        texts = [line.text for line in transcript.lines]
    if policy.words == "space":
        return _space_delimited("\n".join(texts), policy)
    if policy.join_hyphens:
        texts = _join_hyphens(texts, policy.join_hyphens, apart or {})
    numbered = [one for one in enumerate(texts) if one[0] not in without]
    if policy.words == "dinglehopper":
        return _within_text(numbered, policy)
    if policy.words in ("unicode", "characters"):
        return _parted(numbered, policy)
    words: list[str] = []
    line_of: list[int] = []
    n_lines = 0
    for number, text in numbered:
        of_line = normalise(text, policy).split()
        if of_line:
            words += of_line
            line_of += [number] * len(of_line)
            n_lines = number + 1
    return PageWords(tuple(words), tuple(line_of), n_lines, " ".join(words))


def _parted(texts: Sequence[tuple[int, str]], policy: TextPolicy) -> PageWords:
    """Words that need no space between them, and where one stands all the same.

    A line's end is white space, but not between two signs of scripts that write none: no space is
    counted that nobody wrote."""
    split = _unicode_words if policy.words == "unicode" else _clusters
    words: list[str] = []
    line_of: list[int] = []
    before: list[str] = []
    n_lines = 0
    for number, text in texts:
        of_line = split(normalise(text, policy))
        if not of_line:
            continue
        first = len(words)
        words += [word for word, _ in of_line]
        before += [" " if space else "" for _, space in of_line]
        # The first word of a page may come to stand elsewhere, when text is put back.
        before[first] = space_between(words[first - 1] if first else "", words[first])
        line_of += [number] * len(of_line)
        n_lines = number + 1
    parted = PageWords(tuple(words), tuple(line_of), n_lines, "", tuple(before))
    return replace(parted, text=parted.joined(range(len(words))))


def space_between(last: str, first: str) -> str:
    """A space, but nothing between two signs of scripts that write none, or at the beginning."""
    before = _LAST.search(last[-9:])
    return "" if all(map(_UNSPACED.match, (before[0] if before else "")[:1] + first[0])) else " "


def _within_text(texts: Sequence[tuple[int, str]], policy: TextPolicy) -> PageWords:
    """The words of annex 29 in a text of which CER leaves nothing out, the ends of lines included.

    Each word keeps what stands before it, so that hCER, too, reads all of the text."""
    words: list[str] = []
    line_of: list[int] = []
    before: list[str] = []
    gap = ""
    for number, text in texts:
        if number != texts[0][0]:
            gap += "\n"
        for piece in _word_pieces(normalise(text.strip(), policy)):
            if _is_word(piece):
                words.append(piece)
                line_of.append(number)
                before.append(gap)
                gap = ""
            else:
                gap += piece
    n_lines = line_of[-1] + 1 if line_of else 0
    parted = PageWords(tuple(words), tuple(line_of), n_lines, "", tuple(before), gap)
    return replace(parted, text=parted.joined(range(len(words))))


def _unicode_words(text: str) -> list[tuple[str, bool]]:
    """Words between the default boundaries of Unicode's annex 29 that hold a letter or digit.

    Private-use characters count as letters: a manuscript's own signs are words too.

    Returns:
        Each word, and whether white space stands between it and the one before."""
    words: list[tuple[str, bool]] = []
    space = False
    for piece in _word_pieces(text):
        if _is_word(piece):
            words.append((piece, space))
            space = False
        else:
            space = space or any(map(str.isspace, piece))
    return words


def _word_pieces(text: str) -> Iterator[str]:
    """The text cut at the default boundaries of Unicode's annex 29."""
    if not _ATTACHED.search(text):
        yield from _bare_pieces(text)
        return
    # The rules look past what belongs to the sign before it; \b does not, everywhere.
    signs = _SIGN.findall(text)
    bare = "".join("\n" if _ATTACHED.match(sign) else sign[0] for sign in signs)
    start = 0
    for piece in _bare_pieces(bare):
        yield "".join(signs[start : start + len(piece)])
        start += len(piece)


def _bare_pieces(text: str) -> Iterator[str]:
    for piece in _BOUNDARY.split(text):
        # \b leaves a boundary before a word after an apostrophe or half a flag.
        ahead = _AHEAD.match(piece)
        start = ahead.end() if ahead else 0
        if start:
            yield piece[:start]
        if start < len(piece):
            yield piece[start:]


def _is_word(piece: str) -> bool:
    """Whether a piece between two boundaries holds anything but white space and signs."""
    if _WORDLIKE.search(piece):
        return True
    if piece.isascii():
        return False
    categories = map(unicodedata.category, piece)
    return not all(of in _NO_WORDS or of[0] in _NO_WORDS for of in categories)


def _clusters(text: str) -> list[tuple[str, bool]]:
    """Every grapheme cluster but white space, and whether that stands before it."""
    words: list[tuple[str, bool]] = []
    space = False
    for cluster in regex.findall(r"\X", text):
        if cluster.isspace():
            space = True
        else:
            words.append((cluster, space))
            space = False
    return words


def lacks_spaces(text: str) -> bool:
    """Whether most of a text is in scripts that put no space between words, and it has none."""
    if text.isascii():
        return False
    words = text.split()
    n_signs = sum(map(len, words))
    # Words of these scripts have two signs or so: a text of such words was divided.
    return n_signs > 3 * len(words) and 2 * len(_UNSPACED.findall(text)) > n_signs


def _space_delimited(text: str, policy: TextPolicy) -> PageWords:
    """Words between single U+0020, runs of white space counting as one of them.

    A line feed alone does not split: the last word of a line and the first of the next are one."""
    text = normalise(text, policy).strip()
    if not text:
        return PageWords((), (), 0, "")
    words, gaps = _GAP.split(text)[::2], _GAP.findall(text)
    # A first word that comes to stand elsewhere is parted from the one before by a space.
    return PageWords(tuple(words), (0,) * len(words), 1, text, (" ", *gaps))


_LETTER = regex.compile(r"[\p{L}\p{M}]")


def _join_hyphens(texts: Sequence[str], names: Sequence[str], apart: Apart) -> list[str]:
    """Lines with divided words put together on the line on which they begin."""
    signs = tuple(sign for sign, name in HYPHENS.items() if name in names)
    joined = list(texts)
    # The line that follows, of the text and of each that stands apart from it.
    next_of: dict[tuple[str, ...] | None, int] = {}
    # From the last line up: a word that goes on over several lines is whole before it is joined.
    for number in reversed(range(len(joined))):
        line = joined[number].rstrip()
        if not line:
            continue
        flow = apart.get(number)
        below = next_of.get(flow, len(joined))
        next_of[flow] = number
        stem = line[:-1]
        # A sign that stands alone is a dash, not a divided word, whatever line it stands on.
        if not line.endswith(signs) or not stem or stem[-1].isspace() or below == len(joined):
            continue
        first, *rest = joined[below].split(None, 1)
        if first in signs:
            continue
        # The other signs divide words and nothing else; this one also stands between numbers.
        if line[-1] == "-" and not (_LETTER.match(stem[-1]) and _LETTER.match(first)):
            continue
        joined[number] = stem + first
        joined[below] = rest[0] if rest else ""
    return joined


def characters(text: str, policy: TextPolicy) -> str | list[str]:
    """The characters of a text as the policy counts them."""
    return text if policy.characters == "codepoint" else regex.findall(r"\X", text)
