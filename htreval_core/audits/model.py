"""What an audit says of pages without references. Nothing in here is a measured error."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

Span = tuple[int, int]
"""First word and the one after the last."""


@dataclass(frozen=True, slots=True)
class Between:
    """How far two systems differ on a page, the same from either side.

    Counts are of words. With |A| and |B| the words of the two, and d their edit distance, the
    values are d, max(missing, surplus) and their difference over (|A| + |B|)/2: neither system is
    the measure of the other.

    Args:
        systems: the two, in the order of the audit.
        n_words: of each.
        different: d(A, B), order included.
        bag: what bWER counts between them, whatever the order.
        order: what putting text in the other's order saves, from A to B and from B to A together.
    """

    systems: tuple[str, str]
    n_words: tuple[int, int]
    different: int
    bag: int
    order: int

    def __add__(self, other: "Between") -> "Between":
        """The same two systems on more pages: counts add up, shares do not."""
        n_words = self.n_words[0] + other.n_words[0], self.n_words[1] + other.n_words[1]
        return Between(
            self.systems, n_words, self.different + other.different, self.bag + other.bag,
            self.order + other.order,
        )  # fmt: skip

    @property
    def length(self) -> float:
        """(|A| + |B|)/2, and 1 where both are empty."""
        return sum(self.n_words) / 2 or 1.0

    @property
    def wer(self) -> float:
        """Words that differ when both are read from first to last, as a share."""
        return self.different / self.length

    @property
    def bwer(self) -> float:
        """Words that differ wherever they stand, as a share."""
        return self.bag / self.length

    @property
    def delta_wer(self) -> float:
        """What order, and words here and there, add to that."""
        return (self.different - self.bag) / self.length

    @property
    def order_cost(self) -> float:
        """What another order costs between them, as a share."""
        return self.order / 2 / self.length


class Sign(StrEnum):
    """What makes an output suspicious by itself, without any reference."""

    EMPTY = "empty"
    LOOP = "repeats itself"
    TALK = "talk of the model"
    REFUSAL = "refusal"
    SHORT = "much shorter than the others"
    LONG = "much longer than the others"
    BLANK = "writes where the others see a blank page"
    SCRIPT = "another script than the others"


class Kind(StrEnum):
    """What a run of words is suspected to be."""

    INVENTION = "suspected invention"
    OMISSION = "suspected omission"
    ONE_OF_TWO = "invented by one or omitted by the other"
    REPETITION = "repeated passage"


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign on one output.

    Args:
        words: how many words it concerns.
        span: where they stand in the output; None for the whole of it.
        told: in plain words.
    """

    sign: Sign
    system: str
    words: int
    told: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Suspect:
    """A run of words that one system has and no other, or that all others have.

    Args:
        system: which is suspected; of two systems the one that has the words.
        holder: whose output the span is of: of an omission, one of the others.
        span: the words there.
        lines: numbers of the lines that they stand on there, from 1.
        text: the words.
        others: the systems that say otherwise.
    """

    kind: Kind
    system: str
    holder: str
    span: Span
    lines: tuple[int, ...]
    text: str
    others: tuple[str, ...]

    @property
    def words(self) -> int:
        return self.span[1] - self.span[0]


@dataclass(frozen=True, slots=True)
class PageAudit:
    """What is known of one page without a reference.

    Args:
        n_words: words of each system that has read it.
        pairs: every two of these systems.
        apart: of each the share of words by which it stands apart from the others, whatever the
            order (``apart.stand_apart``); nan where fewer than two have read the page.
        apart_by_order: the same of order alone.
        marks: what is suspicious by itself.
        suspects: runs that one system alone has, or lacks.
        abstains: whether the systems differ so much that no run is suspected.
    """

    page_id: str
    n_words: Mapping[str, int]
    pairs: tuple[Between, ...]
    apart: Mapping[str, float]
    apart_by_order: Mapping[str, float]
    marks: tuple[Mark, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    abstains: bool = False

    def between(self, a: str, b: str) -> Between | None:
        """How far two systems differ here; None where one of them has not read the page."""
        return next((one for one in self.pairs if set(one.systems) == {a, b}), None)

    @property
    def mean_apart(self) -> float:
        """How far its systems stand apart, whatever the order, which goes with what is misread.

        The mean over the systems, as a share of words; nan for a page that a single one has read.
        """
        return sum(self.apart[one] for one in self.n_words) / (len(self.n_words) or 1)

    @property
    def risk(self) -> float:
        """By what pages are ranked: how far systems stand apart, in words and in order, and marks.

        The mean over the systems, as a share of words; one for a page that a single one has read.
        """
        if not self.pairs:
            return 1.0
        n_systems, n_words = len(self.n_words), max(self.n_words.values(), default=0) or 1
        marked = sum(min(one.words, n_words) for one in self.marks) / n_words
        order = sum(self.apart_by_order[one] for one in self.n_words)
        return self.mean_apart + (order + marked) / n_systems


@dataclass(frozen=True, slots=True)
class Alike:
    """Systems that err alike.

    Args:
        systems: they, in the order of the audit.
        others: of four systems the other two, of which it may as well be said; else none.
        shared: the errors that they have in common, as a share of words.
    """

    systems: tuple[str, ...]
    others: tuple[str, ...]
    shared: float
