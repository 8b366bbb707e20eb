"""All pages of an audit, one by one, by whoever works."""

import math
import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import combinations
from operator import add

from htreval_core.audits.between import Read, compare, find_alike, stand_apart
from htreval_core.audits.model import Alike, Between, Kind, Mark, PageAudit, Sign
from htreval_core.audits.suspects import find_suspects
from htreval_core.diagnosis.page.loops import find_loops
from htreval_core.diagnosis.text.phrases import Says
from htreval_core.diagnosis.text.talk import find_talk
from htreval_core.metrics.texts import SCRIPTS, script_of
from htreval_core.model import DataWarning, Failure, Page, Transcript
from htreval_core.scoring.score import Progress, over_pages, read_item, sendable
from htreval_core.scoring.stream import DIED, each
from htreval_core.scoring.workers import Processes, reason
from htreval_core.settings import OrderRules, Settings
from htreval_core.sources.dataset import PageItem
from htreval_core.text import page_words

Families = Mapping[str, str]
"""Of systems that err alike the name of their family."""


@dataclass(frozen=True)
class Audit:
    """Systems compared with each other on pages, most of which have no reference.

    Args:
        systems: in the order of the data.
        pages: those that could be read, in the order of the data.
        families: of systems that err alike the name of their family.
        failures: pages that could not be looked at, and why.
    """

    name: str
    settings: Settings
    systems: tuple[str, ...]
    pages: tuple[PageAudit, ...]
    families: Families = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
    warnings: tuple[DataWarning, ...] = ()

    @property
    def signature(self) -> str:
        """The line that pins every setting, and that these are no errors."""
        families = ",".join(f"{system}={name}" for system, name in sorted(self.families.items()))
        return f"{self.settings.signature()}|audit:1|families:{families or 'none'}"

    @property
    def ranked(self) -> tuple[PageAudit, ...]:
        """The pages, those first that are worth a look."""
        return tuple(sorted(self.pages, key=lambda page: (-page.risk, page.page_id)))

    def page(self, page_id: str) -> PageAudit:
        """The page of this id.

        Raises:
            KeyError: no page has this id.
        """
        for page in self.pages:
            if page.page_id == page_id:
                return page
        raise KeyError(page_id)

    @property
    def betweens(self) -> Iterator[tuple[Between, int]]:
        """How far every two systems differ on all pages that both have read, and how many."""
        for a, b in combinations(self.systems, 2):
            found = [one for page in self.pages if (one := page.between(a, b)) is not None]
            if found:
                yield reduce(add, found), len(found)

    @property
    def alike(self) -> list[Alike]:
        """Systems that seem to err alike, where no family is given."""
        shares = {one.systems: one.bwer for one, _ in self.betweens}
        return [] if self.families else find_alike(self.systems, shares)

    def n_suspects(self, system: str, kind: Kind) -> int:
        """How many runs of a kind a system is suspected of."""
        return sum(
            one.system == system and one.kind is kind
            for page in self.pages
            for one in page.suspects
        )

    def mean_apart(self, system: str, *, by_order: bool = False) -> float:
        """How far a system stands apart on all pages, weighted by their words; nan if unknown."""
        total = words = 0.0
        for page in self.pages:
            share = (page.apart_by_order if by_order else page.apart).get(system, math.nan)
            if not math.isnan(share):
                n_words = sum(page.n_words.values()) / len(page.n_words) or 1.0
                total += share * n_words
                words += n_words
        return total / words if words else math.nan


def audit(
    items: Iterable[PageItem], systems: Sequence[str], settings: Settings | None = None, *,
    name: str = "pages", families: Families | None = None, workers: Processes | None = None,
    progress: Progress | None = None, n_pages: int = 0, warnings: Sequence[DataWarning] = (),
) -> Audit:  # fmt: skip
    """Compare systems with each other, page by page.

    Args:
        items: pages; their references are not looked at.
        systems: all systems.
        families: as for ``Audit``.
        n_pages: how many pages there are, for the progress.
    """
    # Rules of reading order are about references.
    settings = replace(settings or Settings(), orders=OrderRules())
    families = dict(families or {})
    work = each(partial(_one, settings=settings, families=families))
    pages: list[PageAudit] = []
    failures: list[Failure] = []
    told = list(warnings)
    sent = (sendable(item, workers) for item in items)
    done_so_far = over_pages(
        work, sent, workers, times=_TIMES, lost=lambda one: _Found(one.page_id, reason=DIED)
    )
    for done, found in enumerate(done_so_far, start=1):
        if found.page is None:
            failures.append(Failure(found.page_id, "", found.reason))
        else:
            pages.append(found.page)
        told += found.warnings
        if progress:
            progress(done, n_pages)
    return Audit(name, settings, tuple(systems), tuple(pages), families, tuple(failures),
                 tuple(told))  # fmt: skip


_TIMES = 8
"""How many times longer an audit takes than scoring a page."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What came of a page; without an audit it failed for a reason."""

    page_id: str
    page: PageAudit | None = None
    reason: str = ""
    warnings: tuple[DataWarning, ...] = ()


def _one(item: PageItem, settings: Settings, families: Families) -> _Found:
    try:
        page, receipt = read_item(item)
        told = receipt.warnings if receipt else ()
        if page is None:
            return _Found(item.page_id, None, "no output of it can be read", told)
        return _Found(item.page_id, audit_page(page, settings, families), warnings=told)
    except Exception as error:  # whatever it is, the other pages are looked at
        return _Found(item.page_id, reason=reason(error))


def audit_page(page: Page, settings: Settings, families: Families | None = None) -> PageAudit:
    """One page: every two of its outputs compared, what is suspicious, and what stands apart."""
    families = families or {}
    read = [
        Read(system, output, page_words(output, settings.policy))
        for system, output in page.hypotheses.items()
    ]
    pairs = [compare(a, b, settings) for a, b in combinations(read, 2)]
    distances = {pair.between.systems: pair.between for pair in pairs}
    systems = [one.system for one in read]
    boxes = {
        one.system: len(one.transcript.lines)
        for one in read
        if any(line.polygon is not None for line in one.transcript.lines)
    }
    suspects, abstains = find_suspects(read, pairs, families)
    return PageAudit(
        page.page_id, {one.system: len(one.words.words) for one in read},
        tuple(pair.between for pair in pairs),
        stand_apart(systems, {key: one.bwer for key, one in distances.items()}, families),
        stand_apart(systems, {key: one.order_cost for key, one in distances.items()}, families),
        tuple(find_marks(read, boxes)), tuple(suspects), abstains,
    )  # fmt: skip


def with_stand_in(page: Page, name: str) -> Page:
    """The page with its reference as the output of one more system, and no reference."""
    return Page(page.page_id, Transcript(()), {name: page.reference, **page.hypotheses})


_SHORT, _LONG = 0.5, 2.0
"""Of the lower median of the others, and of the longest of them."""
_LEAST_WORDS = 8
"""Shorter texts differ in length by chance."""
_LOOPED = 0.03
"""The least share of an output in repetitions that no other system has."""
_TURNS, _PASSAGE = 4, 10
"""How often a phrase must stand in a row, a person says it three times, and the words of a passage
of which fewer copies are enough."""
_FOREIGN, _NOBODY = 0.2, 0.02
"""The share of its letters that makes a script another one, and the most that others have of it."""
_LEAST_LETTERS = 20


def find_marks(read: Sequence[Read], boxes: Mapping[str, int]) -> list[Mark]:
    """The signs on each output of a page.

    Args:
        read: the outputs.
        boxes: how many lines systems found that say where lines are; a page on which they found
            some is no blank page.
    """
    marks: list[Mark] = []
    scripts = {one.system: _scripts(one) for one in read}
    others = {one.system: [other for other in read if other is not one] for one in read}
    by_text = {one.system: list(_by_text(one, others[one.system])) for one in read}
    broken = {mark.system for of in by_text.values() for mark in of if mark.sign != Sign.TALK}
    for one in read:
        # A loop makes a text long, and a refusal short: that needs no second sign.
        marks += by_text[one.system] or _by_length(one, others[one.system], boxes, broken)
        marks += _by_script(one, scripts)
    return marks


def _by_length(
    one: Read, others: Sequence[Read], boxes: Mapping[str, int], broken: Collection[str]
) -> Iterator[Mark]:
    """By the lengths of the others that are sound: of several the one that accuses less."""
    n_words = len(one.words.words)
    lengths = [len(other.words.words) for other in others]
    n_lines = max((n for system, n in boxes.items() if system != one.system), default=0)
    if not lengths:
        return
    sound = [len(other.words.words) for other in others if other.system not in broken]
    low, high = statistics.median_low(sound or [n_words]), max(sound, default=0)
    if not n_words:
        if statistics.median_low(lengths) >= 2 or n_lines:
            yield Mark(Sign.EMPTY, one.system, max([*lengths, n_lines]),
                       "The output is empty; others have text here.")  # fmt: skip
    elif len(lengths) > 1 and max(lengths) <= 2 and n_words >= _LEAST_WORDS and not boxes:
        yield Mark(Sign.BLANK, one.system, n_words,
                   f"{n_words:,} words where the others have none.")  # fmt: skip
    elif max(low, n_words) >= _LEAST_WORDS and n_words < _SHORT * low:
        yield Mark(Sign.SHORT, one.system, low - n_words,
                   f"{n_words:,} words, where the others have {low:,}.")  # fmt: skip
    elif len(sound) > 1 and n_words >= _LEAST_WORDS and n_words > _LONG * high > 0:
        yield Mark(Sign.LONG, one.system, n_words - high,
                   f"{n_words:,} words, where the others have {high:,}.")  # fmt: skip


def _by_text(one: Read, others: Sequence[Read]) -> Iterator[Mark]:
    words = one.words.words
    # What another system has read, too, is text of the page.
    longest = max((other.words.words for other in others), key=len, default=())
    elsewhere = [word for other in others for word in other.words.words]
    loops = [loop for loop in find_loops(longest, words)
             if loop.length >= _TURNS * loop.period or loop.period >= _PASSAGE]  # fmt: skip
    looped = sum(loop.length for loop in loops)
    if loops and looped >= _LOOPED * len(words):
        first = loops[0]
        unit = " ".join(words[first.start : first.start + first.period])[:80]
        yield Mark(Sign.LOOP, one.system, looped,
                   f"“{unit}” is repeated over {looped:,} words.",
                   (first.start, first.end))  # fmt: skip
    for talk in find_talk(elsewhere, words, one.words.line_of):
        start, end = talk.span
        if Says.REFUSES in talk.says and not others and 2 * (end - start) < len(words):
            continue  # Nothing tells a sentence of the page from one about it.
        sign = Sign.REFUSAL if Says.REFUSES in talk.says else Sign.TALK
        text = " ".join(words[start:end])[:160]
        yield Mark(sign, one.system, end - start, f"The output says “{text}”.", talk.span)


def _by_script(one: Read, scripts: Mapping[str, Counter[str]]) -> Iterator[Mark]:
    own = scripts[one.system]
    total = own.total()
    if total < _LEAST_LETTERS:
        return
    others = sum((of for system, of in scripts.items() if system != one.system), Counter())
    n_others = others.total()
    if n_others < _LEAST_LETTERS:
        return
    for name, count in own.items():
        if count >= _FOREIGN * total and others[name] <= _NOBODY * n_others:
            usual = others.most_common(1)[0][0]
            words = round(len(one.words.words) * count / total)
            yield Mark(Sign.SCRIPT, one.system, words,
                       f"{count / total:.0%} of its letters are {name}, those of the others "
                       f"{usual}.")  # fmt: skip


def _scripts(one: Read) -> Counter[str]:
    found: Counter[str] = Counter()
    for letter, count in Counter(one.words.text).items():
        script = script_of(letter)
        if script in SCRIPTS:
            found[script] += count
    return found
