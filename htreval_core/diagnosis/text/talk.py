"""What a model says of its own: refusals, prefaces and afterwords around a transcription.

Phrases that assistants use are looked for in the output; they are no talk where the reference has
nearly the same words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise

from rapidfuzz import fuzz

from htreval_core.diagnosis.limits import TALK
from htreval_core.diagnosis.model import Span
from htreval_core.diagnosis.text.phrases import PHRASES, STEMS, TITLE, WORDS, Says, compiled, folded

_OF_THE_WORK = compiled(WORDS["work"])
"""Words for what a transcriber works on, that pages hardly have."""
_OF_THE_PAGE = compiled(WORDS["page"])
"""Words for the same that pages may have."""
_TO_SOMEBODY = compiled(WORDS["somebody"])
_TO_INTRODUCE = compiled(WORDS["introduce"])
_DENIES = compiled(WORDS["deny"])
_ALONE = compiled(WORDS["alone"])
"""What stands for a whole page of which nothing was read."""
_END_OF_SENTENCE = re.compile(r"[.!?](?=\s)|\n")
_ENDS = re.compile(r"[.!?:](?=[\s\"'”’)\]*_]|$)")


@dataclass(frozen=True, slots=True)
class Talk:
    """Words of the output that are about the page and not of it.

    Args:
        span: the words.
        says: what they do.
    """

    span: Span
    says: frozenset[Says]


def find_talk(
    ref_words: Sequence[str], hyp_words: Sequence[str], hyp_line_of: Sequence[int]
) -> list[Talk]:
    """The stretches of talk in an output, in their order."""
    # A text in lines, with one sign between each word and the next.
    lines = hyp_line_of[: len(hyp_words)]
    between = ["", *(" " if one == other else "\n" for one, other in pairwise(lines))]
    text = "".join(chain.from_iterable(zip(between, hyp_words, strict=False)))
    hits = _hits(text)
    if not hits:
        return []
    # An output may begin amid the page and go on with its head.
    page = " ".join([*ref_words, *ref_words[: TALK.EDGE]]).casefold()
    starts = list(accumulate((len(word) + 1 for word in hyp_words), initial=0))[:-1]
    found: list[tuple[int, int, set[Says]]] = []
    for start, end, says in hits:
        # Where the reference says nearly the same, the words are those of the page.
        if _is_of_page(text[start:end], page):
            continue
        start, end = _sentence(text, start, end, page)
        if found and _belongs(text[found[-1][1] : start], page):
            found[-1] = found[-1][0], max(end, found[-1][1]), found[-1][2] | {says}
        else:
            found.append((start, end, {says}))
    talks = []
    for start, end, all_of in found:
        words = [k for k, at in enumerate(starts) if start <= at < end]
        if words:
            span = _with_rules(hyp_words, words[0], words[-1] + 1)
            talks.append(Talk(span, frozenset(all_of)))
    return talks


def _hits(text: str) -> list[tuple[int, int, Says]]:
    """Where an output may talk: by known phrases, and by what its first and last sentences say."""
    if len(text) <= TALK.EDGE and _ALONE.fullmatch(text):
        return [(0, len(text), Says.REFUSES)]
    lower = text.lower()
    edges: set[tuple[int, int]] = set()
    if _has(lower[: TALK.EDGE], (*STEMS["work"], *STEMS["page"])):
        edges.update(_sentences(text, 0, TALK.EDGE)[: TALK.MOST_AT_EDGES])
    if _has(lower[-TALK.EDGE :], (*STEMS["work"], *STEMS["page"])):
        edges.update(
            _sentences(text, max(len(text) - TALK.EDGE, 0), len(text))[-TALK.MOST_AT_EDGES :]
        )
    hits = [(*one, says) for one in edges if (says := _says(text[slice(*one)])) is not None]
    if hits or _has(lower, STEMS["work"]) or _has(lower, STEMS["talk"]):
        hits += _phrases(text)
    return sorted(hits, key=lambda hit: hit[:2])


def _phrases(text: str) -> Iterator[tuple[int, int, Says]]:
    """Where the known phrases stand. They are dear: each is looked for only where it may stand."""
    lower = folded(text)
    for says, needed, phrase in PHRASES:
        for line in _lines_with(lower, needed):
            for hit in phrase.finditer(text, *line):
                yield *hit.span(), says
    title = TITLE.match(text)
    if title is not None:
        yield *title.span(), Says.PRESENTS


def _lines_with(text: str, any_of: Sequence[str]) -> list[tuple[int, int]]:
    """Where the lines stand that have one of these, in their order."""
    found: set[tuple[int, int]] = set()
    for one in any_of:
        at = text.find(one)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            found.add((text.rfind("\n", 0, at) + 1, end))
            at = text.find(one, end)
    return sorted(found)


def _has(text: str, stems: Sequence[str]) -> bool:
    return any(stem in text for stem in stems)


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the sentences of a stretch of text stand; a line's end ends one, too."""
    found: list[tuple[int, int]] = []
    ends = [mark.end() for mark in _END_OF_SENTENCE.finditer(text, start, end)]
    for last in dict.fromkeys([*ends, min(end, len(text))]):
        first = last - len(text[start:last].lstrip())
        if any(sign.isalnum() for sign in text[first:last]):
            found.append((first, last))
        start = last
    return found


def _says(phrase: str) -> Says | None:
    """What a phrase does if it speaks of the work of transcribing, to somebody."""
    work = len(set(_OF_THE_WORK.findall(phrase.lower())))
    page = bool(_OF_THE_PAGE.search(phrase))
    if not work and not page:
        return None
    introduces = bool(_TO_INTRODUCE.search(phrase))
    speaks = introduces or bool(_TO_SOMEBODY.search(phrase))
    is_title = phrase.rstrip("*_ ").endswith(":")
    if is_title and len(phrase.split()) <= TALK.FEW_WORDS:
        return Says.PRESENTS
    if not (work >= 2 or (work and speaks)):
        denies = _DENIES.search(phrase) and _TO_SOMEBODY.search(phrase)
        if not (page and denies and len(phrase.split()) <= TALK.FEW_WORDS):
            return None
    if introduces and not phrase.lower().startswith("no "):
        return Says.PRESENTS
    return Says.REFUSES if _DENIES.search(phrase) else Says.DESCRIBES


def _is_of_page(text: str, page: str) -> bool:
    least = TALK.ON_PAGE if len(text) >= TALK.SHORT else TALK.ON_PAGE_SHORT
    return bool(page) and fuzz.partial_ratio(text.casefold(), page) >= least


def _sentence(text: str, start: int, end: int, page: str) -> tuple[int, int]:
    """From the beginning of the phrase that holds a stretch of text to its end.

    It ends with its line, too, unless what is left of it is no text of the page."""
    before = [mark.end() for mark in _ENDS.finditer(text, max(start - TALK.LONGEST, 0), start)]
    first = max([0, text.rfind("\n", 0, start) + 1, *before])
    if not text[end - 1 : end].strip(":\n"):
        return first, end
    mark = _ENDS.search(text, end - 1, end + TALK.LONGEST)
    last = mark.end() if mark else min(len(text), end + TALK.LONGEST)
    line = text.find("\n", end)
    if 0 <= line < last and (mark is None or _is_of_page(text[line + 1 : last], page)):
        last = line
    return first, last


def _belongs(between: str, page: str) -> bool:
    """Whether what stands between two sentences of talk is talk."""
    said = between.strip()
    return not said or (len(said) <= TALK.MOST_BETWEEN and not _is_of_page(said, page))


def _with_rules(words: Sequence[str], start: int, end: int) -> Span:
    """The span with rules and fences beside it, which are no words."""
    while end < len(words) and not any(sign.isalnum() for sign in words[end]):
        end += 1
    while start and not any(sign.isalnum() for sign in words[start - 1]):
        start -= 1
    return start, end
