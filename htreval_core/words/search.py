"""Words or expressions looked for in all texts of a study."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import regex

from htreval_core.errors import ConfigError, HtrEvalError
from htreval_core.metrics.page import PageReference
from htreval_core.model import Page
from htreval_core.scoring.study import Study
from htreval_core.settings import Settings
from htreval_core.text import page_words

MOST = 200
"""The hits that are given where nobody says how many: more than a person reads."""
LONGEST = 200
"""Characters of what is looked for."""
_AROUND = 40
"""Characters before and after a hit."""
_SECONDS_A_LINE = 0.2
"""What an expression may take of one line: some take years."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where it stands.

    Args:
        system: empty for the reference.
        line: its number on the page, from 1.
        word: the position of the word among those of this side of the page.
        parts: the text before it on its line, itself, and the text after it.
    """

    page_id: str
    system: str
    line: int
    word: int
    parts: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found in the time that it had.

    Args:
        n_pages: pages that were looked through, of all that there are.
    """

    hits: tuple[Hit, ...]
    n_pages: int


def search_texts(study: Study, wanted: str, *, at_most: int = MOST, seconds: float = 5.0) -> Found:
    """Where a text stands in references and outputs, in either case of letters.

    Args:
        wanted: a text, or a regular expression between slashes: ``/ſ[ck]h?/``.
        at_most: the most hits.
        seconds: when to stop.

    Raises:
        ConfigError: it is empty or too long, or the expression is invalid or takes too long.
    """
    pattern = _pattern(wanted)
    until = time.monotonic() + seconds
    hits: list[Hit] = []
    done = 0
    for page_id in study.page_ids:
        if time.monotonic() > until or len(hits) >= at_most:
            break
        done += 1
        try:
            page = study.page(page_id)
        except HtrEvalError:
            # The other pages can be read; the views say what is wrong with this one.
            continue
        for system in ("", *page.hypotheses):
            if not system or system in study.scores:
                hits += _of_side(pattern, page, system, study.settings)
    return Found(tuple(hits[:at_most]), done)


def _pattern(wanted: str) -> regex.Pattern[str]:
    is_expression = len(wanted) > 2 and wanted[0] == wanted[-1] == "/"
    text = wanted[1:-1] if is_expression else regex.escape(wanted.strip())
    if not text or len(text) > LONGEST:
        raise ConfigError(f"look for 1 to {LONGEST} characters; these are {len(text):,}")
    try:
        return regex.compile(text, regex.IGNORECASE | regex.FULLCASE)
    except regex.error as error:
        raise ConfigError(f"{wanted} is not a regular expression: {error}") from None


def _of_side(
    pattern: regex.Pattern[str], page: Page, system: str, settings: Settings
) -> Iterator[Hit]:
    side = page.hypotheses[system] if system else page.reference
    first: Sequence[int] | None = None
    for number, line in enumerate(side.lines):
        try:
            matches = [one for one in pattern.finditer(line.text, timeout=_SECONDS_A_LINE)
                       if one.group()]  # fmt: skip
        except TimeoutError:
            raise ConfigError(
                f"the expression takes too long on page {page.page_id}, line {number + 1}; "
                "look for something simpler"
            ) from None
        if not matches:
            continue
        if first is None:
            # Lines are numbered as words name them; a line without words has the next one's.
            reference = PageReference.of(page.page_id, page.reference, settings)
            words = reference.counted(side, settings) if system else reference.words
            line_of = np.array(words.line_of, dtype=np.int64)
            first = np.searchsorted(line_of, np.arange(len(side.lines) + 1)).tolist()
        text, policy = line.text, settings.policy
        last = max(first[number + 1] - 1, first[number])
        # The end of a divided word stands on the line above.
        above = max(len(page_words(text, policy).words) - last - 1 + first[number], 0)
        for match in matches:
            start, end = match.span()
            before = len(page_words(text[:start], policy).words)
            if before and not (text[start - 1].isspace() or text[start].isspace()):
                # It may begin within a word.
                before -= len(page_words(text[: start + 1], policy).words) == before
            yield Hit(
                page.page_id, system, number + 1, min(first[number] + max(before - above, 0), last),
                (text[max(start - _AROUND, 0) : start], text[start:end][:LONGEST],
                 text[end : end + _AROUND]),
            )  # fmt: skip
