"""The lessons: what each is about, its texts, and the question that comes before the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from htreval_core import (
    Line,
    OrderRules,
    RegionRule,
    ScoredPage,
    Settings,
    Transcript,
    score_page,
)
from htreval_core.diagnosis.look import Look
from htreval_core.model import lines_of
from htreval_core.show.telling.counting import listed_in_words, runs_of, tell_lines
from htreval_core.show.telling.events import LinesTold
from htreval_ui import places


@dataclass(frozen=True, slots=True)
class Question:
    """To be answered before the numbers are shown.

    Args:
        answer: the right option's place, worked out from the scored texts.
        why: what to understand, once it is revealed.
        gamma: the γ that it asks about.
    """

    prompt: str
    options: tuple[str, ...]
    answer: Callable[[ScoredPage], int]
    why: str
    gamma: str = "1"


@dataclass(frozen=True, slots=True)
class Lesson:
    """One idea.

    Args:
        name: as in its link.
        title: as in the strip of lessons.
        heading: the idea as a question.
        told: what the picture shows, in plain words.
        pictures: which pictures, by name.
        gamma: whether γ is to be played with.
    """

    name: str
    title: str
    heading: str
    told: str
    reference: str
    hypothesis: str
    pictures: tuple[str, ...]
    question: Question
    gamma: bool = False
    systems: tuple[tuple[str, str], ...] = ()
    """Outputs of the same reference to choose from: name and text."""
    given: tuple[tuple[int, int], ...] = ()
    """An alignment made by hand, positions from 1, 0 for none."""
    columns: tuple[tuple[str, int, int], ...] = ()
    """The columns of the reference: name, number of the first and of the last line, from 1."""
    floats: tuple[str, ...] = ()
    """Columns of the reference that may as well stand elsewhere."""

    def score(self, reference: str, output: str, gamma: str = "1") -> ScoredPage:
        """A page from the two texts, with what of the reference may stand elsewhere."""
        regions = [
            name
            for number, _ in enumerate(lines_of(reference), start=1)
            for name in [next((c for c, a, b in self.columns if a <= number <= b), None)]
        ]
        lines = tuple(
            Line(text, region) for text, region in zip(lines_of(reference), regions, strict=True)
        )
        orders = OrderRules(floats=RegionRule(names=self.floats))
        settings = Settings(gamma=gamma, orders=orders)
        return score_page(Transcript(lines), output, settings)


def _sample(*path: str) -> str:
    return places.root().joinpath("sample_data", *path).read_text("utf-8").strip()


def _example(name: str, system: str = "Y") -> tuple[str, str]:
    return (
        _sample("examples", "reference", f"{name}.txt"),
        _sample("examples", system, f"{name}.txt"),
    )


_COLUMNS = (
    "The left column tells\nof a ship that sailed\nfor Lisbon in the\nautumn with herrings.",
    "On the right are the\nnames of all who went\naboard of her, and\nwhat each was paid.",
)


_WITH_NOTE = """\
The vestry met upon the Monday after Easter
and chose two wardens for the coming year,
John Carter and the widow Marsh of Upton,
who took the oath before the curate.
Mem. the widow was excused
the oath."""
_NOTE_FIRST = """\
Mem. the widow was excused
the oath.
The vestry met upon the Monday after Easter
John Carter and the widow Marsh of Upton,
who took the oath before the curate.
and chose two wardens for the coming year,"""
_BY_CHANCE = (
    "The clerk came to the quay at noon\nand asked of the master what he had\n"
    "for the town and what it had cost."
)
_BY_CHANCE_READ = (
    "The clerk came to of quay at noon\nand asked the the master what had had\n"
    "for the town and what it he cost."
)
_TAKEN_FOR = (
    "The man who held the mill would lend\nno more than he had sent the year before;\n"
    "then came the frost, and all who will\nmay hold that his own wall was to blame."
)
_TAKEN_FOR_READ = (
    "The man who help the mill would lend\nno more then he had sent the year before;\n"
    "them came the frost, and all who till\nmay held that his own will was to blame."
)
_BY_HAND = (
    (1, 4), (2, 5), (3, 6), (4, 7), (5, 8), (6, 9), (7, 0), (8, 0), (9, 1), (10, 3), (0, 2),
)  # fmt: skip
"""Example 2 of the paper, as printed."""


def lessons() -> tuple[Lesson, ...]:
    """All lessons in their order. The texts are the paper's examples where they have a number."""
    across = "\n".join(
        f"{left} {right}"
        for left, right in zip(*(column.split("\n") for column in _COLUMNS), strict=True)
    )
    first, second, third = _example("Example 1"), _example("Example 2"), _example("Example 3")
    seite = "Seite0418.txt"
    return (
        Lesson(
            "two-faults",
            "One number, two faults",
            "Why is WER not enough?",
            "WER reads both texts from the first word to the last. It counts a word as wrong if it "
            "was misread, and also if it was read right but stands somewhere else. bWER throws "
            "all words of a page into a bag and compares the bags: order plays no part. What is "
            "left, ΔWER = WER − bWER, is mostly the price of the wrong order.",
            "\n".join(_COLUMNS),
            across,
            ("bands", "waterfall"),
            Question(
                "Two columns were read straight across, and not one word was misread. "
                "How many errors will WER count, of as many words?",
                ("none", "less than half", "half of them or more"),
                lambda page: _of_three(page.scores.wer.errors, page.scores.n_ref_words),
                "Every word is right, so bWER is 0. WER sees the mixed-up order only as wrong "
                "words: all of it is ΔWER.",
            ),
            columns=(("left column", 1, 4), ("right column", 5, 8)),
        ),
        Lesson(
            "edit-distance",
            "The edit distance",
            "How does WER count?",
            "Each cell holds the fewest word edits that turn the beginning of the reference (down "
            "to its row) into the beginning of the output (up to its column). The trace walks "
            "from the upper left to the lower right corner: down and right keeps or replaces a "
            "word, down leaves one out, right adds one. The number in the last cell is what WER "
            "divides by the length of the reference.",
            *first,
            ("grid",),
            Question(
                "How many words have to be replaced, added or left out?",
                ("3", "5", "7"),
                lambda page: (3, 5, 7).index(page.scores.wer.errors),
                "The numbers of replaced, added and left-out words may differ between programs, "
                "because several traces are equally short. Their sum is always the same.",
            ),
        ),
        Lesson(
            "bag",
            "The bag of words",
            "What is left if order plays no part?",
            "Upward: how often each word stands in the reference. Downward: how often in the "
            "output. What both have cancels out. Of what remains, a missing and an extra word make "
            "one substitution, and the rest were left out or added.",
            *third,
            ("bags",),
            Question(
                "The two halves of the sentence changed places. How many words does the bag miss?",
                ("none", "one", "nearly all"),
                lambda page: 0 if not page.scores.bwer.errors else 1
                if page.scores.bwer.errors == 1 else 2,
                "WER counts nearly every word here. The bag finds one that is missing, and that "
                "is all that was misread.",
            ),
        ),
        Lesson(
            "matching",
            "The matching",
            "Which word was read where?",
            "Every word looks for a mate on the other side. A pair costs the characters that "
            "differ, plus a little for the distance between their places (γ). A word may stay "
            "alone with a dummy, at the price of half its length. The cheapest matching of all "
            "words together is found. Where lines cross, words changed places.",
            *third,
            ("matching",),
            Question(
                "‘be’, ‘to’ and ‘that’ stand here more than once. What decides which goes with "
                "which?",
                ("chance", "the distance between their places", "their length"),
                lambda _page: 1,
                "Equal words cost nothing to pair in either way, so the little that γ charges for "
                "distance decides.",
            ),
            gamma=True,
        ),
        Lesson(
            "renumbering",
            "How far words moved",
            "What is NSFD?",
            "Words without a mate are taken out and the others numbered anew, so that a missing "
            "line at the top does not make the whole page look moved. Then the distances of all "
            "pairs are summed up, 1 is added for each word taken out, and the sum is divided by "
            "what a page read backwards would give.",
            *second,
            ("renumbering", "matching"),
            Question(
                "What does a word without a mate add to the sum?",
                ("nothing", "one", "its distance from the end"),
                lambda _page: 1,
                "One each: enough to count, too little to drown the order of the others.",
            ),
            gamma=True,
            given=_BY_HAND,
        ),
        Lesson(
            "gamma",
            "What γ does",
            "How strongly does a word hold on to its place?",
            "With γ = 0 a word may be matched anywhere: then hWER equals bWER. The larger γ, the "
            "more distance costs, and words would rather stay with a wrong neighbour than go far. "
            "The paper uses γ = 1. Move the slider and watch the lines.",
            third[0],
            third[1],
            ("matching", "gamma"),
            Question(
                "At γ = 100, will hWER be nearer to bWER or to WER?",
                ("to bWER", "to WER"),
                lambda page: _nearer(page),
                "No word leaves its place any more, so the matching counts nearly what WER counts.",
                gamma="100",
            ),
            gamma=True,
            systems=(
                ("Y, halves changed", third[1]),
                ("Z, some words added", _example("Example 3", "Z")[1]),
            ),
        ),
        Lesson(
            "blind-spot",
            "What the bag cannot see",
            "When does bWER look too good?",
            "Six words were misread here, and three of the misreadings happen to be words of the "
            "same page: ‘than’ was read as ‘then’, and the ‘then’ of the next line as ‘them’. The "
            "bag finds a ‘then’ on both sides and takes it for right. The matching pairs every "
            "word with the one that it was misread from, because that one is alike and near, and "
            "counts all six. The longer a page, the more often this happens: on very long pages "
            "hWER is the safer value.",
            _TAKEN_FOR,
            _TAKEN_FOR_READ,
            ("bags", "matching"),
            Question(
                "Six words were misread. How many of them does bWER count as wrong?",
                ("none", "three", "all six"),
                lambda page: (0, 3, 6).index(page.scores.bwer.errors),
                "Three of them are in the bag of the reference, too, so it misses only the other "
                "three. hWER counts six: it asks which word was read as which.",
            ),
        ),
        Lesson(
            "coincidence",
            "Order, or coincidence",
            "Does ΔWER always mean that something moved?",
            "Four short words were misread here, and each misreading happens to be a word that "
            "was lost elsewhere. The bag is content, so bWER counts nothing. WER counts all four, "
            "so ΔWER does, too, though not one word stands in another place. With many misread "
            "words ΔWER grows by such coincidence alone. What order really costs is what putting "
            "text back would save.",
            _BY_CHANCE,
            _BY_CHANCE_READ,
            ("bags", "waterfall"),
            Question(
                "How much of this page’s ΔWER would a perfect reading order mend?",
                ("all of it", "half of it", "nothing"),
                lambda page: _mended(page),
                "Nothing was read elsewhere, so there is nothing to put back: the order cost is 0, "
                "and all of ΔWER is coincidence. NSFD is not 0 for the same reason: it pairs each "
                "lost word with its equal elsewhere.",
            ),
        ),
        Lesson(
            "which-order",
            "Which order is right?",
            "Is there one right order at all?",
            "The reference has the note after the text; the output has it first. Both are right: "
            "where a note, a running head or another article stands is a convention. WER, ΔWER and "
            "NSFD take the reference’s order for the only one. ΔWER* is ΔWER in the best "
            "order of all that the page allows: here the note may stand anywhere, but the lines of "
            "the text may not. The last line of the output is out of place in any order.",
            _WITH_NOTE,
            _NOTE_FIRST,
            ("bands", "waterfall"),
            Question(
                "The note has seven words and stands elsewhere; so does the last line. Let the "
                "note stand anywhere: what is left of ΔWER?",
                ("nothing", "less than half", "half or more"),
                lambda page: _of_three(
                    (page.scores.admissible_errors or 0) - page.scores.bwer.errors,
                    page.scores.wer.errors - page.scores.bwer.errors,
                ),
                "What WER charges for the note is a matter of convention; what it charges for the "
                "line is order that no convention excuses. Write rules for your own pages with "
                "“order” in the strip above Overview and Page.",
            ),
            columns=(("text", 1, 4), ("note", 5, 6)),
            floats=("note",),
        ),
        Lesson(
            "marginal-note",
            "A real page",
            "What went wrong on this page?",
            "This page of the paper’s data has a note in its margin. One system read the note "
            "into the paragraph beside it, the other one did not read it at all. WER makes them "
            "look different, bWER alike.",
            _sample("seite0418", "reference", seite),
            _sample("seite0418", "RPN+CRNN", seite),
            ("bands", "waterfall"),
            Question(
                "The words of the note were read, but in the wrong place. What would ΔWER be if "
                "they stood in their place?",
                ("0", "about the same", "larger"),
                lambda _page: 0,
                "All of this page’s ΔWER comes from that one event. On the Page view you can put "
                "it right and watch.",
            ),
            systems=tuple(
                (name, _sample("seite0418", name, seite)) for name in ("RPN+CRNN", "SPAN")
            ),
        ),
    )  # fmt: skip


def look_at(page: ScoredPage) -> Look:
    """A lesson's page looked at closely; it has no regions and no outlines."""
    reference, output = (
        Transcript(tuple(Line(" ".join(line)) for line in side.by_line()))
        for side in (page.reference, page.hypothesis)
    )
    return Look(page, reference, output, Settings())


def columns_told(columns: Sequence[tuple[str, int, int]]) -> LinesTold:
    """Puts numbers of reference lines into words with the column that they stand in.

    Args:
        columns: name, number of the first and of the last line, from 1; all lines stand in one.

    >>> columns_told([("left", 1, 4), ("right", 5, 8)])([2, 3, 4, 5, 6])
    'lines 2–4 of the left and 5–6 of the right'
    """

    def told(lines: Sequence[int]) -> str:
        runs = {
            name: runs_of([line for line in lines if first <= line <= last])
            for name, first, last in columns
        }
        if sum(b - a + 1 for of_column in runs.values() for a, b in of_column) != len(lines):
            return tell_lines(lines)
        parts = [
            f"{a}–{b} of the {name}" if b > a else f"{a} of the {name}"
            for name, of_column in runs.items()
            for a, b in of_column
        ]
        return f"line{'' if len(lines) == 1 else 's'} {listed_in_words(parts)}"

    return told


def _mended(page: ScoredPage) -> int:
    """Whether order is all of ΔWER, some of it, or nothing."""
    diagnosis = look_at(page).diagnosis
    if not diagnosis.parts.order:
        return 2
    return int(diagnosis.parts.order < diagnosis.delta_wer)


def _of_three(errors: int, length: int) -> int:
    """None, less than half, half or more."""
    if not errors:
        return 0
    return 1 if 2 * errors < length else 2


def _nearer(page: ScoredPage) -> int:
    """Whether the matching of a page at a large γ is nearer to the bag or to the trace."""
    scores = page.scores
    to_bag = abs(scores.hwer_errors - scores.bwer.errors)
    return int(abs(scores.hwer_errors - scores.wer.errors) < to_bag)
