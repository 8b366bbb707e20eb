"""Text with markup in it, taken apart: every character is in one piece, kept or taken off.

Nothing is lost on the way: the sources of the pieces, put together, are the text as it was written,
with a line feed at the end of each line.
That is why this is no general parser of Markdown, which drops what its grammar has no place for,
such as cells beyond the heading of a table.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lxml.html import defs

from htreval_core.markup import read_entities
from htreval_core.model import Line, with_line_feeds
from htreval_core.sources.readers.formulas import read_formula


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a file.

    Args:
        source: as it is written.
        text: what is read in its place; a line feed ends a line.
        rule: the rule that takes it off or changes it; None for text that stays as it is.
        kind: of the block that it stands in ("heading", "table", …); None for running text.
    """

    source: str
    text: str
    rule: str | None = None
    kind: str | None = None


def kept_lines(pieces: Iterable[Piece], rules: Collection[str]) -> list[Line]:
    """The lines of a text after these rules; a line of markup alone is left out.

    Args:
        rules: names of ``written.MARKUP_RULES``; what other rules would change stays as written.
    """
    lines: list[Line] = []
    text: list[str] = []
    kinds: list[str] = []

    def end() -> None:
        joined = "".join(text).strip()
        if "table" in kinds:
            joined = " ".join(joined.split())
        if joined:
            lines.append(Line(joined, region_kind=kinds[0] if kinds else None))
        text.clear()
        kinds.clear()

    for piece in pieces:
        read = piece.text if piece.rule in rules else piece.source
        for number, part in enumerate(read.split("\n")):
            if number:
                end()
            if part.strip() and piece.kind:
                kinds.append(piece.kind)
            text.append(part)
    end()
    return lines


# --- Markdown

_PATTERNS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _pattern(name: str) -> re.Pattern[str]:
    text = _PATTERNS[name]
    for inner in ("said", "braced", "comment"):
        text = text.replace(f"@{inner}@", _PATTERNS[inner])
    return re.compile(text, re.VERBOSE)


_YAML, _LONG, THOUGHT, _RULE = map(_pattern, ("yaml", "long", "thought", "rule"))
_FENCE = re.compile(r"[ ]{0,3}(`{3,}+|~{3,}+)[ \t]*+([\w+.-]*+)[ \t]*+")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}(?:[ \t]++|$)")
_CLOSING = re.compile(r"(?<![ \t])[ \t]++#++[ \t]*$")
_UNDERLINE = re.compile(r"[ ]{0,3}(?:={2,}|-{2,})[ \t]*")
_QUOTE = re.compile(r"[ ]{0,3}(?:>[ \t]?)+")
_BULLET = re.compile(r"[ \t]*[-*+•][ \t]+(?!\d{1,5} -$)(?:\[[ xX]\][ \t]+)?")
_RULING = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*")
_FOOTNOTE = re.compile(r"[ ]{0,3}\[\^[^\]\s]{1,40}\]:[ \t]?")
_PIPE = re.compile(r"(?<!\\)\|")
_FENCED_TEXT = ("", "markdown", "md", "html", "text", "txt", "plaintext", "latex", "ocr")


def markdown_pieces(text: str) -> list[Piece]:
    """The pieces of a page that is written as Markdown, HTML in it included."""
    text = with_line_feeds(text)
    thought = THOUGHT.match(text)
    pieces = [Piece(thought[0], "", "tags")] if thought else []
    text, last = text[thought.end() :] if thought else text, 0
    for long in _LONG.finditer(text):
        pieces += _blocks(text[last : long.start()])
        if long["brackets"]:
            said = _bracketed(long[0].strip(" \t"), long["brackets"])
            pieces.append(replace(said, source=long[0]))
        elif long["dollars"]:
            pieces.append(Piece(long[0], read_formula(long["dollars"]), "formulas"))
        elif long["tabular"]:
            pieces += _cells(long[0])
        elif long["titled"]:
            pieces.append(Piece(text[long.start() : long.start("titled")], "", "formulas"))
            pieces += _blocks(long["titled"])
            pieces.append(Piece(text[long.end("titled") : long.end()], "", "formulas"))
        else:
            pieces.append(_hidden(long[0]))
        last = long.end()
    pieces += _blocks(text[last:])
    return list(_rows(pieces))


def _blocks(text: str) -> Iterator[Piece]:
    """Everything below the head: fences, and what stands between two blank lines or fences."""
    fence, raw = "", False
    waiting: list[str] = []
    at = 0
    # A head may follow the fence around a whole page.
    head = _head_of(text)
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        begins, at = at, at + len(line)
        if head and head.start("yaml") <= begins < head.end():
            if begins == head.start("yaml"):
                yield Piece(head["yaml"], "", "yaml")
            continue
        body, end = _parted(line)
        opening = None if fence else _FENCE.fullmatch(body)
        closing = fence and len(body.strip()) >= len(fence) and not body.strip().strip(fence[0])
        if body.strip() and not opening and not closing and not raw:
            waiting.append(line)
            continue
        yield from _emphasised(list(_paragraph(waiting)))
        waiting.clear()
        if opening or closing:
            yield Piece(body, "", "fences")
            yield Piece(end, end)
            fence = opening[1] if opening else ""
            # What is fenced as a whole is the page, written as the fence says.
            raw = bool(opening) and opening[2].lower() not in _FENCED_TEXT  # type: ignore[index]
        else:
            yield Piece(line, line)
    yield from _emphasised(list(_paragraph(waiting)))


_BETWEEN_CELLS = re.compile(r"((?<!\\)&|\\\\(?:\[[\w. ]{1,20}\])?|\n)")


def _cells(source: str) -> Iterator[Piece]:
    """The cells of a table of LaTeX, a line for each of its rows."""
    for number, part in enumerate(_BETWEEN_CELLS.split(source)):
        if number % 2:
            yield Piece(part, "\n" if part[:1] == "\\" else " ", "tables", "table")
        else:
            yield from (replace(piece, kind="table") for piece in _inline(part))


def _head_of(text: str) -> re.Match[str] | None:
    """The head of YAML; what stands alone between two rules with capitals is a page of a diary."""
    head = _YAML.match(text)
    is_all = head is not None and not text[head.end() :].strip("`~ \t\n")
    keys = "".join(line.partition(":")[0] for line in head["yaml"].splitlines()) if head else ""
    return None if is_all and keys != keys.lower() else head


def _parted(line: str) -> tuple[str, str]:
    body = line.rstrip("\n")
    return body, line[len(body) :]


def _paragraph(lines: Sequence[str]) -> Iterator[Piece]:
    """The lines between two blank ones: headings, lists, tables or running text."""
    bodies = [_parted(line)[0].strip() for line in lines]
    # The rows of a table stand around a ruling, or between two pipes.
    rulings = (n for n, one in enumerate(bodies) if "|" in one and _RULING.fullmatch(one))
    ruling = next(rulings, -1)
    for number, line in enumerate(lines):
        body, end = _parted(line)
        quote = _QUOTE.match(body)
        if quote:
            yield Piece(quote[0], "", "quotes")
            body = body[quote.end() :]
        row = bodies[number]
        if "|" in row and (ruling >= 0 or (len(row) > 1 and row[0] == row[-1] == "|")):
            # Below the first one, a cell of one or two dashes says that nothing stands there.
            is_long = number == ruling or min(map(len, re.findall("-+", row)), default=0) > 2
            yield from _row(body, is_ruling=is_long and bool(_RULING.fullmatch(body)))
        elif number and _UNDERLINE.fullmatch(body):
            yield Piece(body, "", "headings" if "=" in body else "rules")
        elif _RULE.fullmatch(body):
            yield Piece(body, "", "rules")
        else:
            yield from _line(body, is_last=number + 1 == len(lines))
        yield Piece(end, "\n" if end else "")


def _line(body: str, *, is_last: bool) -> Iterator[Piece]:
    heading = _HEADING.match(body)
    if heading:
        closing = _CLOSING.search(body, heading.end())
        end = closing.start() if closing else len(body)
        yield Piece(heading[0], "", "headings")
        yield from (replace(piece, kind="heading") for piece in _inline(body[heading.end() : end]))
        if closing:
            yield Piece(closing[0], "", "headings")
        return
    for rule, pattern in (("lists", _BULLET), ("footnotes", _FOOTNOTE)):
        sign = pattern.match(body)
        # A bullet without text after it is a sign of the page.
        if sign and sign.end() < len(body):
            yield Piece(sign[0], "", rule)
            body = body[sign.end() :]
    broken = not is_last and body.endswith("\\") and not body.endswith("\\\\")
    yield from _inline(body.removesuffix("\\") if broken else body)
    if broken:
        yield Piece("\\", "", "escapes")


def _row(body: str, *, is_ruling: bool) -> Iterator[Piece]:
    if is_ruling:
        yield Piece(body, "", "tables")
        return
    last = 0
    for pipe in _PIPE.finditer(body):
        yield from (replace(piece, kind="table") for piece in _inline(body[last : pipe.start()]))
        yield Piece("|", " ", "tables", "table")
        last = pipe.end()
    yield from (replace(piece, kind="table") for piece in _inline(body[last:]))


def _rows(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The same with the line feeds within a row of an HTML table as spaces between its cells."""
    in_row = False
    for piece in pieces:
        if piece.rule == "tables" and piece.source[:1] == "<":
            tag = piece.source.lower()
            if tag.startswith(("<tr", "</tr", "</table")):
                in_row = tag.startswith("<tr")
        is_break = piece.source[:3].lower() == "<br"
        if in_row and (piece.rule is None or is_break) and "\n" in piece.text:
            piece = replace(piece, text=piece.text.replace("\n", " "), rule=piece.rule or "tables")
        yield replace(piece, kind=piece.kind or "table") if in_row else piece


_FEEDS = re.compile(r"((?<![ \t\n])[ \t]*+\n[ \t\n]*+)")


def html_pieces(text: str) -> list[Piece]:
    """The pieces of a page that is written as HTML, where a line feed is a space."""
    pieces: list[Piece] = []
    plain = 0
    for piece in _marked(with_line_feeds(text)):
        name = piece.source.lower().lstrip("</")
        if piece.rule is not None and name.startswith("pre"):
            plain += -1 if piece.source.startswith("</") else 1
        if piece.rule is None and plain <= 0:
            pieces += [
                Piece(part, " ", "tags") if number % 2 else Piece(part, part)
                for number, part in enumerate(_FEEDS.split(piece.source))
                if part
            ]
        else:
            pieces.append(piece)
    return list(_rows(pieces))


# --- within a line

_TAGS = tomllib.loads(Path(__file__).with_name("tags.toml").read_text("utf-8"))
_RULE_OF_TAG = dict.fromkeys(defs.tags, "tags") | {
    tag: rule for rule, tags in _TAGS["of_rule"].items() for tag in tags.split()
}
_ENDS_LINE = frozenset(_TAGS["ends"]["line"].split())
_ENDS_CELL = ("td", "th")
_UNSEEN = ("style", "script", "svg", "img", "annotation", "noscript", "datalist", "rt", "rp")
_HIDING = re.compile(r"(?i)\s(?:hidden(?=[\s>=/])|style\s*=\s*[\"'][^\"']*display\s*:\s*none)")
"""Elements whose text nobody sees, where they end, and attributes that hide one."""
_HEAD = re.compile(r"\s*(?:<(?:meta|title|style|script|link|base|!--)|</head)", re.IGNORECASE)
_IN_HEAD = ("html", "head", "meta", "title", "style", "script", "link", "base")

_INLINE, _BRACKETED = map(_pattern, ("inline", "bracketed"))
_NOTES = tomllib.loads(Path(__file__).with_name("notes.toml").read_text("utf-8"))
_CORE_WORDS, _AROUND_WORDS = (frozenset(_NOTES[name].split()) for name in ("core", "around"))
_GAP = re.compile(r"[\s.…?_—–-]+")


def is_note(text: str) -> bool:
    """Whether what stands in brackets says something of the page: illegible, two words torn, …"""
    # Nougat says so of a page that it could not read.
    if _GAP.fullmatch(text) or text.startswith("MISSING_PAGE_"):
        return bool(text.strip())
    words = re.findall(r"\w+", text.lower())
    return any(word in _CORE_WORDS for word in words) and all(
        word in _CORE_WORDS or word in _AROUND_WORDS or word.isdecimal() for word in words
    )


def _inline(text: str) -> Iterator[Piece]:
    """The pieces of a text within a line but for emphasis, which may span several."""
    last = 0
    for match in re.finditer(_BRACKETED, text) if "\\" in text else ():
        if match["link"]:
            continue
        latex = match["inline"] if match["inline"] is not None else match["display"]
        yield from _marked(text[last : match.start()])
        yield _bracketed(match[0], latex)
        last = match.end()
    yield from _marked(text[last:])


_FORMULA = re.compile(r"[\\^_={}+*/<>|]|\d\s*[-–]|^\s*(?:\d*[A-Za-z])?\s*$|^[\d .,:;]+$")


def _bracketed(source: str, inside: str) -> Piece:
    """A formula, or brackets that somebody escaped: ``\\[Seal\\]``."""
    inside = read_entities(inside)
    plain = re.sub(r"\\(?=[^\w\s])", "", inside)
    if _FORMULA.search(plain) if source[1] == "(" else re.search(r"[\\^_={}+*<>|]", plain):
        return Piece(source, read_formula(inside), "formulas")
    if source.startswith("\\[\n"):
        return Piece(source, plain.strip(), "formulas")
    inside = plain
    if source[1] == "[" and is_note(inside):
        return Piece(source, "", "notes")
    opening, closing = source[1], source[-1]
    return Piece(source, f"{opening}{inside}{closing}", "escapes")


def _marked(text: str) -> Iterator[Piece]:
    last = 0
    unseen, depth = None, 0
    ends: dict[str, int] = {}
    at = last
    while match := _INLINE.search(text, at):
        pieces = _pieces_of(match)
        # What stands in brackets that are text is looked at again.
        at = match.start("noted") if match["note"] and not pieces else match.end()
        at = match.start() + 1 if match["formula"] and not pieces else at
        if not pieces:
            continue
        yield from _plain(text[last : match.start()], unseen)
        is_seen = unseen is None or match["tag"]
        yield from pieces if is_seen else (replace(one, text="", rule="tags") for one in pieces)
        last = match.end()
        name = (match["name"] or "").lower()
        if not match["tag"] or match[0].endswith("/>"):
            continue
        if unseen:
            depth += (name == unseen) * (-1 if match[0].startswith("</") else 1)
            # A page need not say where its head ends.
            unseen = None if not depth or (unseen == "head" and name not in _IN_HEAD) else unseen
        elif not match[0].startswith("</"):
            hides = name in _UNSEEN or _HIDING.search(match[0])
            if hides and name not in ends:
                ends[name] = max(text.rfind(f"</{name}"), text.rfind(f"</{name.upper()}"))
            is_head = name == "head" and _HEAD.match(text, last)
            unseen = name if is_head or (hides and last <= ends[name]) else None
            depth = 1
    yield from _plain(text[last:], unseen)


def _plain(text: str, unseen: str | None) -> Iterator[Piece]:
    if text:
        yield Piece(text, "", "tags") if unseen else Piece(text, text)


_AROUND = {"said": "links", "spanned": "emphasis", "high": "emphasis", "within": "formulas",
           "over": "tables"}  # fmt: skip
"""What stands around a text that may hold markup itself, and the rule that takes it off."""


def _pieces_of(match: re.Match[str]) -> list[Piece]:
    """The pieces of a match of ``_INLINE``; none for text that only looks like markup."""
    name = next((name for name in _AROUND if match[name] is not None), None)
    if name is not None:
        first, last, rule = match.start(name), match.end(name), _AROUND[name]
        opening, closing = match.string[match.start() : first], match.string[last : match.end()]
        return [Piece(opening, "", rule), *_marked(match[name]), Piece(closing, "", rule)]
    piece = _piece_of(match)
    return [piece] if piece else []


def _piece_of(match: re.Match[str]) -> Piece | None:
    source = match[0]
    if match["escape"]:
        return Piece(source, source[1:], "escapes")
    if match["entity"]:
        return Piece(source, read_entities(source), "escapes")
    if match["code"]:
        return Piece(source, match["coded"], "emphasis")
    if match["spaced"]:
        # A blank before the end is no word's end, unless a word follows at once.
        is_end = source[-2] == " " and match.string[match.end() : match.end() + 1].isalpha()
        read = _beside(match, read_formula(match["spaced"]))
        return Piece(source, read + " " * is_end, "formulas")
    if match["formula"] and " " in match["latex"] and not _FORMULA.search(match["latex"]):
        return None  # sums of money
    if match["display"] or match["formula"] or match["math"]:
        latex = match["displayed"] or match["latex"] or match["mathed"]
        return Piece(source, _beside(match, read_formula(latex)), "formulas")
    if match["sign"]:
        return Piece(source, read_formula(source.rstrip("\\")), "formulas")
    if match["space"]:
        return Piece(source, " ", "formulas")
    if match["comment"]:
        return _hidden(source)
    if match["token"]:
        return Piece(source, " ", "tags")
    if match["attributes"]:
        return Piece(source, "", "tags")
    if match["tag"]:
        if _MIXED.match(match.string, match.start()):
            return Piece(source, " ", "emphasis")
        return _tag_piece(source, match["name"].lower())
    if match["auto"]:
        return Piece(source, match["address"], "links")
    if match["image"] or match["described"]:
        return Piece(source, "", "images")
    if match["footnote"]:
        return Piece(source, "", "footnotes")
    bare = re.sub(r"</?[a-z]{1,20}>|[\[\]]", "", match["noted"])
    return Piece(source, "", "notes") if is_note(bare) else None


def _beside(formula: re.Match[str], read: str) -> str:
    """What is read of a formula: a fraction stands apart from the number before it."""
    before = formula.string[: formula.start()][-1:]
    return f" {read}" if before.isdigit() and re.match(r"\d+/\d", read) else read


_MIXED = re.compile(r"(?<=\d)<sup>(?=\d{1,3}</sup>\s?[/⁄])")
_AZURE = re.compile(r'\s*<!--\s*Page(Header|Footer|Number)="([^"]*)"\s*-->\s*')


def _hidden(source: str) -> Piece:
    """A comment, in which Azure puts what runs along the edges of a page."""
    said = _AZURE.fullmatch(source)
    if said is None:
        return Piece(source, "", "tags")
    return Piece(source, said[2], "tags", {"Number": "page-number"}.get(said[1], said[1].lower()))


def _tag_piece(source: str, name: str) -> Piece | None:
    # Word has tags of its own.
    # Models number what they mark, as in line_1; a single letter with a number is something else.
    name = name if name in _RULE_OF_TAG else re.sub(r"(?<=[a-z]{3})_?\d+$", "", name)
    rule = "tags" if ":" in name else _RULE_OF_TAG.get(name)
    if rule is None:
        return None
    closing = source.startswith("</")
    if name in _ENDS_CELL:
        return Piece(source, " ", rule, "table")
    ends = name in _ENDS_LINE and (closing or name in ("br", "hr") or source.endswith("/>"))
    begins = name in _ENDS_LINE and not closing and name not in ("br", "hr", "td", "th")
    return Piece(source, "\n" if ends or begins else "", rule)


# --- emphasis

_RUN = re.compile(r"(?<!\*)\*{1,3}(?!\*)|(?<!_)_{1,3}(?!_)|(?<!~)~~(?!~)")
"""A longer run is a line to be filled in, or a row of stars."""


def _emphasised(pieces: list[Piece]) -> list[Piece]:
    """The pieces of a paragraph with the signs of emphasis taken out of its text.

    A sign opens where text follows it and closes where text stands before it; an underscore within
    a word is neither. Signs without a partner stay."""
    text = "".join(piece.source for piece in pieces)
    if not ("*" in text or "_" in text or "~~" in text):
        return pieces
    offset, starts = 0, []
    for piece in pieces:
        starts.append(offset)
        offset += len(piece.source)
    waiting: dict[str, list[tuple[int, int]]] = {"*": [], "_": [], "~": []}
    taken: set[int] = set()
    for piece, start in zip(pieces, starts, strict=True):
        if piece.rule is not None:
            continue
        for run in _RUN.finditer(piece.source):
            sign, first, last = run[0][0], start + run.start(), start + run.end()
            before = text[first - 1] if first else " "
            after = text[last] if last < len(text) else " "
            opens, closes = _flanks(before, after), _flanks(after, before)
            if before.isdigit() and after.isdigit():
                opens = closes = False
            if sign == "_":
                opens = opens and not before.isalnum()
                closes = closes and not after.isalnum()
            spare = len(run[0])
            while closes and spare and waiting[sign]:
                at, length = waiting[sign].pop()
                used = min(spare, length)
                taken.update(range(at + length - used, at + length))
                taken.update(range(first + len(run[0]) - spare, first + len(run[0]) - spare + used))
                spare -= used
                if length > used:
                    waiting[sign].append((at, length - used))
            if opens and spare:
                waiting[sign].append((last - spare, spare))
    if not taken:
        return pieces
    return [
        part
        for piece, start in zip(pieces, starts, strict=True)
        for part in (_split(piece, start, taken) if piece.rule is None else [piece])
    ]


def _flanks(outside: str, inside: str) -> bool:
    """Whether a sign between these two may open; so it may close, with the two exchanged.

    As CommonMark has it, but that in scripts without spaces a letter is no hindrance."""
    is_apart = outside.isspace() or not outside.isalnum() or outside > "\u2e7f"
    return not inside.isspace() and (inside.isalnum() or inside in "*_~" or is_apart)


def _split(piece: Piece, start: int, taken: set[int]) -> Iterator[Piece]:
    last = 0
    for run in _RUN.finditer(piece.source):
        gone = [at - start for at in range(start + run.start(), start + run.end()) if at in taken]
        if not gone:
            continue
        if gone[0] > last:
            yield replace(piece, source=piece.source[last : gone[0]],
                          text=piece.source[last : gone[0]])  # fmt: skip
        yield replace(piece, source=piece.source[gone[0] : gone[-1] + 1], text="", rule="emphasis")
        last = gone[-1] + 1
    if last < len(piece.source):
        yield replace(piece, source=piece.source[last:], text=piece.source[last:])
