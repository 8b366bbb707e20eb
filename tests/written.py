"""Pages of the letter-book as a language model may write them, with the truth of what went wrong.

    made = make("refusal", books, np.random.default_rng(1))

Every fault takes the pages of the letter-book and a generator, and gives back pages with their
output, and what should be said of the first of them. What models say of their own is written here
by hand, in six languages, and shares no code with what looks for it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import htreval_core as hv
from htreval_core.diagnosis import EventKind
from htreval_core.show.telling.events import tell_event
from tests.sheets import misread
from tests.tools import cases

K = EventKind
Lines = list[str]
RATES = (0.0, 0.0, 0.05, 0.1, 0.2)
"""Shares of the words that are misread besides."""

REFUSALS = cases("refusals")
DESCRIPTIONS = cases("descriptions")
PREFACES = cases("prefaces")
AFTERWORDS = cases("afterwords")
_LITTLE: Mapping[str, tuple[str, str]] = cases("little")
_OLD: tuple[tuple[str, str], ...] = (
    (r"s(?=[a-z])", "ſ"), (r"\bu(?=[a-z])", "v"), (r"i(?=[nmdt])", "y"), (r"ed\b", "'d"),
    (r"c\b", "ck"), (r"j", "i"), (r"\band\b", "ande"), (r"\bthe\b", "ye"), (r"ll\b", "lle"),
    (r"\bof\b", "off"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Written:
    """Pages with the output of a model.

    Args:
        pages: the first is the one that the fault is on.
        wanted: the names that are right for it; none where nothing went wrong.
        says: what its sentence must say.
        misread: the share of the words that were misread besides.
    """

    pages: tuple[hv.Page, ...]
    wanted: frozenset[EventKind]
    says: str = ""
    misread: float = 0.0


Books = Sequence[tuple[str, Lines]]
_Output = tuple[Lines, Lines, set[EventKind], str]


def letterbook(folder: str) -> list[tuple[str, Lines]]:
    """The pages of the letter-book, their lines without the notes in the margins."""
    found = []
    for page in hv.pair_path(folder).pages:
        lines = [
            line.text for line in page.reference.lines if "margin" not in (line.region_kind or "")
        ]
        found.append((page.page_id, lines))
    return found


def _noisy(lines: Lines, books: Books, rate: float, rng: np.random.Generator) -> Lines:
    """The lines with some words of the book misread; what a model says of its own never is."""
    of_book = {line for _, of_page in books for line in of_page}
    read: dict[str, str] = {}
    out = []
    for line in lines:
        if line in of_book and line not in read:
            read[line] = " ".join(misread(line.split(), rate, rng))
        # A line that is there again is the same line again.
        out.append(read.get(line, line))
    return out


def _salad(books: Books, n: Sequence[int], rng: np.random.Generator) -> Lines:
    """Lines of words of the book in an order that they never had."""
    words = [word for _, lines in books for line in lines for word in line.split()]
    return [" ".join(str(word) for word in rng.choice(words, size)) for size in n]


def _is_prose(lines: Lines) -> bool:
    return sum(len(line.split()) for line in lines) >= 8 * len(lines)


def _pick(options: Sequence[str], rng: np.random.Generator) -> str:
    return options[int(rng.integers(0, len(options)))]


def _translated(lines: Lines, rng: np.random.Generator) -> Lines:
    """The lines in made French, German or Spanish: little words are real, names stay."""
    little, endings = _LITTLE[_pick(list(_LITTLE), rng)]
    known = dict(pair.split(":") for pair in little.split())
    out = []
    for line in lines:
        words = []
        for at, word in enumerate(line.split()):
            core = word.strip(".,;:!?()")
            if core.lower() in known:
                new = known[core.lower()]
            elif any(sign.isdigit() for sign in core) or (at and core[:1].isupper()):
                new = core
            else:
                syllables = endings.split()
                number = sum(map(ord, core))
                new = syllables[number % 8] + syllables[number // 8 % 8][: 2 + number % 3]
            words.append(word.replace(core, new) if core else word)
        # The order of words is another in another language.
        for at in range(0, len(words) - 1, 3):
            if rng.random() < 0.4:
                words[at], words[at + 1] = words[at + 1], words[at]
        out.append(" ".join(words))
    return out


def _old(lines: Lines, rng: np.random.Generator) -> Lines:
    """The lines in older spelling, rule by rule until every fourth word is spelt differently."""
    text = "\n".join(lines)
    old = text
    for n in rng.permutation(len(_OLD)).tolist():
        old = re.sub(*_OLD[n], old)
        changed = sum(a != b for a, b in zip(text.split(), old.split(), strict=True))
        if changed >= 0.25 * len(text.split()):
            break
    return old.split("\n")


def _stretch(lines: Lines, low: int, high: int, rng: np.random.Generator) -> tuple[int, int]:
    size = int(rng.integers(low, high))
    first = int(rng.integers(2, len(lines) - size - 2))
    return first, first + size


def _full_line(lines: Lines, low: int, high: int, rng: np.random.Generator) -> int:
    """A line of at least six words."""
    return int(rng.choice([n for n in range(low, high) if len(lines[n].split()) >= 6]))


# --- what is done to a page: its lines, and those that the model writes


def loop_of_words(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    at = _full_line(lines, 3, len(lines) - 2, rng)
    unit = " ".join(lines[at].split()[: int(rng.integers(1, 5))])
    return (
        lines, [*lines[:at], " ".join([unit] * int(rng.integers(15, 40))), *lines[at:]], {K.LOOP},
        "times",
    )  # fmt: skip


def loop_of_a_line(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    at = _full_line(lines, 4, len(lines) // 2, rng)
    copies = [lines[at]] * int(rng.integers(8, 30))
    return lines, [*lines[: at + 1], *copies], {K.LOOP}, f"line {at + 1},"


def loop_of_nonsense(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    unit = _pick(
        ("lorem ipsum dolor", "tick tock", "et cetera et alia", "qwerty asdf zxcv hjkl"), rng
    )
    return (
        lines, [*lines, *[unit] * int(rng.integers(10, 30))], {K.LOOP},
        "that the page does not have",
    )  # fmt: skip


def invented(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    at, _ = _stretch(lines, 3, 5, rng)
    more = _salad(books, [8] * int(rng.integers(3, 7)), rng)
    return (lines, [*lines[:at], *more, *lines[at:]], {K.INVENTED}, "that the page does not have")


def replaced(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    start, end = _stretch(lines, 4, 8, rng)
    new = _salad(books, [len(line.split()) for line in lines[start:end]], rng)
    return lines, [*lines[:start], *new, *lines[end:]], {K.REPLACED}, "other text"


def translated(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    return lines, _translated(lines, rng), {K.TRANSLATED}, "translated"


def translated_passage(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    start, end = _stretch(lines, 7, 12, rng)
    new = _translated(lines[start:end], rng)
    # Where nothing runs parallel, all that can be said is that it is other text.
    return lines, [*lines[:start], *new, *lines[end:]], {K.TRANSLATED, K.REPLACED}, ""


def modernised(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    return _old(lines, rng), lines, {K.SPELLING}, "misread words follow"


def cut_short(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    kept = int(rng.integers(4, len(lines) - 4))
    last = lines[kept].split()
    # Tokens run out where they will, in the midst of a line.
    rest = [" ".join(last[: int(rng.integers(0, len(last)))])]
    return lines, [*lines[:kept], *(line for line in rest if line)], {K.TRUNCATED}, "ends early"


def skipped(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    start, end = _stretch(lines, 3, 8, rng)
    return lines, [*lines[:start], *lines[end:]], {K.MISSING}, " missing: "


def refusal(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    return lines, _pick(REFUSALS, rng).split("\n"), {K.REFUSAL}, "none of its"


def description(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    return lines, _pick(DESCRIPTIONS, rng).split("\n"), {K.TALK}, "instead of reading"


def preface(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    return lines, [*_pick(PREFACES, rng).split("\n"), *lines], {K.TALK}, "before the text"


def afterword(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    return lines, [*lines, _pick(AFTERWORDS, rng)], {K.TALK}, "after the text"


def empty(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    return lines, [], {K.EMPTY}, "The output is empty"


def blank(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    return [], _salad(books, [8] * int(rng.integers(1, 9)), rng), {K.BLANK}, "no text on this page"


def blank_left(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    return [], [], set(), ""


def other_page(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    other = books[-1][1]
    return lines, [*lines, *other[2 : int(rng.integers(6, 12))]], {K.OTHER_PAGE}, books[-1][0]


def wrong_page(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    return lines, list(books[-1][1]), {K.OTHER_PAGE}, books[-1][0]


def doubled(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    return (
        lines, [line for line in lines for _ in range(2)], {K.REPEATED},
        "Every line is there twice",
    )  # fmt: skip


def twice(lines: Lines, books: Books, rng: np.random.Generator) -> _Output:
    return lines, [*lines, *lines], {K.REPEATED}, "whole text is there twice"


Making = Callable[[Lines, Books, np.random.Generator], _Output]
FAULTS: Mapping[str, Making] = {
    one.__name__.replace("_", " "): one
    for one in (
        loop_of_words, loop_of_a_line, loop_of_nonsense, invented, replaced, translated,
        translated_passage, modernised, cut_short, skipped, refusal, description, preface,
        afterword, empty, blank, blank_left, other_page, wrong_page, doubled, twice,
    )
}  # fmt: skip
OF_PROSE = frozenset({"translated", "translated passage"})
"""What is done to text in sentences: a list of names and sums is the same in every language."""
RARELY_MISREAD = frozenset({"modernised"})
"""A page with as many words misread as respelled shows no rule."""
HEADS = ("Kelderwick Papers, vol. II", "Page {n}", "Archive of the Harbour – {n}", "[{n}] Folio")
"""Running heads that some library might print, and some model makes up."""


def make(name: str, books: Books, rng: np.random.Generator) -> Written:
    """The fault of that name on one page, with two others of the same book beside it."""
    chosen = [books[int(n)] for n in rng.choice(len(books), 3, replace=False)]
    if name in OF_PROSE:
        prose = [book for book in books if _is_prose(book[1])]
        chosen[0] = prose[int(rng.integers(0, len(prose)))]
        chosen[1:] = [book for book in books if book is not chosen[0]][:2]
    rate = float(rng.choice(RATES if name not in RARELY_MISREAD else RATES[:3]))
    reference, output, wanted, says = FAULTS[name](chosen[0][1], chosen, rng)
    own = hv.Page.from_text(
        chosen[0][0], "\n".join(reference), {"model": "\n".join(_noisy(output, chosen, rate, rng))}
    )
    others = (
        hv.Page.from_text(
            page_id, "\n".join(lines), {"model": "\n".join(_noisy(lines, chosen, rate, rng))}
        )
        for page_id, lines in chosen[1:]
    )
    return Written((own, *others), frozenset(wanted), says, rate)


def make_heads(books: Books, rng: np.random.Generator) -> Written:
    """A running head that the model puts on five pages."""
    chosen = [books[int(n)] for n in rng.choice(len(books), 6, replace=False)]
    head, foot = _pick(HEADS, rng), bool(rng.integers(0, 2))
    rate = float(rng.choice(RATES))
    pages = []
    for number, (page_id, lines) in enumerate(chosen):
        own = _noisy(lines, chosen, rate, rng)
        more = [] if number == len(chosen) - 1 else [head.format(n=40 + number)]
        written = [*own, *more] if foot else [*more, *own]
        pages.append(hv.Page.from_text(page_id, "\n".join(lines), {"model": "\n".join(written)}))
    return Written(tuple(pages), frozenset({K.HEAD}), "no reference has", rate)


def all_made(folder: str, seeds: range) -> Iterator[tuple[str, int, Written]]:
    """Every fault once for each seed, with its name and the seed."""
    books = letterbook(folder)
    for number, name in enumerate((*FAULTS, "running heads")):
        for seed in seeds:
            rng = np.random.default_rng([seed, number])
            made = make(name, books, rng) if name in FAULTS else make_heads(books, rng)
            yield name, seed, made


def diagnosed(made: Written) -> hv.Diagnosis:
    """What is said of its first page."""
    (found,) = hv.diagnose(hv.score(made.pages, hv.Settings(resamples=10))).values()
    return found[0]


def is_right(made: Written, found: hv.Diagnosis) -> bool:
    """Whether the costliest event has the name, and says what it must say."""
    if not made.wanted:
        return not found.events
    if not found.events:
        return False
    event = max(found.events, key=lambda one: one.errors)
    return event.kind in made.wanted and (made.says in tell_event(event) or made.misread > 0)
