"""What one page may hold: beyond that, comparing it would take hours."""

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


def check(place: str, n: int, what: str, limit: str, most: int, remedy: str) -> None:
    """Refuse more of something than a limit allows.

    Raises:
        ReadError: names the place, how many there are, and the limit.
    """
    if n > most:
        raise beyond(place, f"{n:,} {what}", limit, most, remedy)


def check_size(name: str, content: bytes, limits: Limits) -> None:
    """Refuse the bytes of a page that are too many to take apart."""
    remedy = "split the file into pages"
    check(name, len(content), "bytes for one page", "page_bytes", limits.page_bytes, remedy)


def check_markup(name: str, content: bytes, limits: Limits) -> None:
    """Refuse markup whose tree would not fit into memory, before there is a tree."""
    # Every tag has one of the first and nearly every attribute one of the second.
    n = content.count(b"<") + content.count(b"=")
    remedy = "export the page without its glyphs, or split it"
    check(name, n, "tags and attributes", "markup", limits.markup, remedy)


def check_lines(name: str, n_lines: int, limits: Limits) -> None:
    """Refuse a page of too many lines."""
    check(name, n_lines, "lines", "lines", limits.lines, "split it into pages")


def check_transcript(name: str, transcript: Transcript, limits: Limits) -> None:
    """Refuse a page whose lines or words are more or longer than anybody writes.

    Raises:
        ReadError: names the file, the line by its number, and the limit.
    """
    check_lines(name, len(transcript.lines), limits)
    n_characters = sum(len(line.text) for line in transcript.lines)
    if n_characters <= min(limits.words, limits.word_characters, limits.line_characters):
        return
    words = 0
    for number, line in enumerate(transcript.lines, start=1):
        place, length = f"{name}: line {number}", len(line.text)
        most, remedy = limits.line_characters, "put line breaks into it"
        check(place, length, "characters", "line_characters", most, remedy)
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
