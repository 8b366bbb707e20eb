"""What one page may hold: beyond that, comparing it would take hours."""

from __future__ import annotations

from htreval_core.errors import ReadError, Remedy, RemedyKind
from htreval_core.model import Transcript
from htreval_core.settings import Limits


def beyond(place: str, what: str, limit: str, most: int, remedy: str) -> ReadError:
    """The error that names a limit, what is beyond it, and how to raise it.

    Args:
        place: the file, and the line where it is known.
        limit: the name of the field of ``Limits``.
    """
    return ReadError(
        f"{place}: {what}, the limit {limit} is {most:,}; {remedy}, or raise the limit",
        Remedy(RemedyKind.RAISE_LIMIT, limit),
    )


def check_size(name: str, content: bytes, limits: Limits) -> None:
    """Refuse the bytes of a page that are too many to take apart."""
    if len(content) > limits.page_bytes:
        raise beyond(
            name, f"{len(content):,} bytes for one page", "page_bytes", limits.page_bytes,
            "split the file into pages",
        )  # fmt: skip


def check_markup(name: str, content: bytes, limits: Limits) -> None:
    """Refuse markup whose tree would not fit into memory, before there is a tree."""
    # Every tag has one of the first and nearly every attribute one of the second.
    n = content.count(b"<") + content.count(b"=")
    if n > limits.markup:
        raise beyond(
            name, f"{n:,} tags and attributes", "markup", limits.markup,
            "export the page without its glyphs, or split it",
        )  # fmt: skip


def check_lines(name: str, n_lines: int, limits: Limits) -> None:
    """Refuse a page of too many lines."""
    if n_lines > limits.lines:
        raise beyond(name, f"{n_lines:,} lines", "lines", limits.lines, "split it into pages")


def check_transcript(name: str, transcript: Transcript, limits: Limits) -> None:
    """Refuse a page whose lines or words are more or longer than anybody writes.

    Raises:
        ReadError: names the file, the line by its number, and the limit.
    """
    check_lines(name, len(transcript.lines), limits)
    words = 0
    for number, line in enumerate(transcript.lines, start=1):
        place, length = f"{name}: line {number}", len(line.text)
        if length > limits.line_characters:
            raise beyond(
                place, f"{length:,} characters", "line_characters", limits.line_characters,
                "put line breaks into it",
            )  # fmt: skip
        of_line = line.text.split()
        words += len(of_line)
        if words > limits.words:
            raise beyond(
                place, f"more than {limits.words:,} words up to here", "words", limits.words,
                "split the text into pages",
            )  # fmt: skip
        # Most lines are shorter than the longest word may be.
        longest = max(map(len, of_line), default=0) if length > limits.word_characters else 0
        if longest > limits.word_characters:
            raise beyond(
                place, f"a word of {longest:,} characters", "word_characters",
                limits.word_characters, "put spaces between the words",
            )  # fmt: skip
