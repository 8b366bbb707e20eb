"""What a study says to whoever decides: usable or not, because, what to do, how sure."""

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from htreval_core.compare import FEWEST, PRIMARY, compare_all
from htreval_core.diagnosis import FOREIGN, ORDER_FREE, CensusRow, take_census
from htreval_core.model import WarningKind
from htreval_core.scoring.found import Diagnoses
from htreval_core.scoring.pool import Corpus, Estimate
from htreval_core.scoring.study import Study
from htreval_core.show.telling.clusters import of_pages, tell_alike
from htreval_core.show.telling.counting import counted, listed_in_words, lower_first
from htreval_core.show.telling.pages import tell_pages
from htreval_core.show.telling.verdicts import (
    CHANCE,
    FINE,
    Show,
    apart_from_doubt,
    costs_the_same,
    doubted_points,
    headline,
    left_out,
    tell_left_out,
)

_SAID: Mapping[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
QUOTE, READ, CORRECT = 2.0, 5.0, 10.0
"""The most character errors for every 100 characters with which text can be quoted, read, and
corrected by hand rather than written anew. See docs/metrics.md for where these limits are from."""
FIND = 80.0
"""The least words of 100 that a full-text search has to be able to find."""
_UNRELATED = 70.0, 30.0
"""At least so many character errors and fewer words found have texts that are not of one page: for
pages of one newspaper, each read against the next, they are 75 or more, and 28 or fewer."""
_FEW = 0.1
"""Below this part of all errors a cause is not worth beginning with."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One system in a few sentences, its name as it is to be shown.

    Args:
        usable: what its output can be used for, and what not.
        because: the two values that say so, with their limits; of the pages whose reference is not
            in doubt, and of all of them.
        to_do: what to begin with, by what most errors come from.
        certainty: whether other pages of the kind could lead to another answer.
        missing: how many pages it has no output for; empty where it has read all.
    """

    system: str
    usable: str
    because: str
    to_do: str
    certainty: str
    missing: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that there are in their order."""
        told = self.usable, self.because, self.missing, self.to_do, self.certainty
        return tuple(one for one in told if one)


RESAMPLES = 10_000
"""Resamples of the tests that say which system is better."""


def answer(
    study: Study, diagnoses: Diagnoses | None = None, show: Show = str, *, all_pages: bool = False
) -> list[str]:
    """What the shell says first: which is better, then line by line what it is usable for.

    Args:
        study: with all pages.
        diagnoses: of these, where they are known.
        show: the name of a system as it is to be shown.
        all_pages: whether values of other pages than the common ones stand beside it.
    """
    common = study.on_common_pages()
    pairwise = None
    if common.common_page_ids and len(study.systems) > 1:
        pairwise = compare_all(common, metrics=(PRIMARY,), resamples=RESAMPLES)
    named = headline(study if all_pages else common, pairwise, show)
    best = f"{named} {tell_alike(pairwise)}".strip() if pairwise else ""
    made = decide(study, take_census(diagnosed_on(diagnoses, common)) if diagnoses else None, show)
    if made is None:
        return [best] if best else []
    of = f"{made.system}: " if len(study.systems) > 1 else ""
    first, *others = made.sentences
    said = "\n".join(f"{one}." for one in (f"{of}{lower_first(first) if of else first}", *others))
    return [best, said] if best else [said]


def diagnosed_on(diagnoses: Diagnoses, study: Study) -> Diagnoses:
    """The diagnoses of the pages of a study."""
    on_pages = {
        system: tuple(one for one in found if one.page_id in study.pages_of(system))
        for system, found in diagnoses.items()
        if system in study.scores
    }
    return replace(diagnoses, by_system=on_pages)


def decide(
    study: Study, census: Sequence[CensusRow] | None = None, show: Show = str
) -> Decision | None:  # fmt: skip
    """What the system with the fewest word errors can be used for.

    It is not to blame for a reference that may be out of order: what it is usable for is said of
    the other pages, as long as there are any.

    Args:
        study: of which the values are, narrowed here to the pages that all systems have read.
        census: the faults on these pages; None where they were not diagnosed.
        show: the name of a system as it is to be shown.

    Returns:
        None where there is no reference text to measure against, and where no page was read by
        all systems, so that none can be called the best.
    """
    everything, study = study, study.on_common_pages()
    judged = _judged(study)
    if judged is None:
        return None
    system, whole, sure = judged
    corpus = sure or whole
    of_system = None if census is None else [row for row in census if row.system == system]
    cer, found = _values(corpus)
    usable = _usable(cer, found)
    all_in_doubt = sure is None and whole.pages_in_doubt > 0
    if all_in_doubt or corpus.n_drawn < FEWEST or _answers(corpus) != {usable}:
        usable = f"Judging by {counted(corpus.n_pages, 'page')}: {lower_first(usable)}"
    limits = {"find": FIND, "read": READ, "correct": CORRECT}
    because = _SAID["values"].format(found=found, cer=cer, **limits)
    if sure:
        all_errors, all_found = _values(whole)
        because = _SAID["without_doubt"].format(
            pages=counted(whole.pages_in_doubt, "page"), because=because, found=all_found,
            they="it" if whole.pages_in_doubt == 1 else "them", cer=all_errors,
            interval=_range(whole.estimates["cer"]),
        )  # fmt: skip
    because = f"{because[:1].upper()}{because[1:]}"
    return Decision(
        show(system), usable, because, _to_do(whole, of_system, cer, found),
        _certainty(corpus, all_in_doubt=all_in_doubt), _missing(everything, system, show),
    )  # fmt: skip


def _judged(study: Study) -> tuple[str, Corpus, Corpus | None] | None:
    """The best system on the common pages, its values, and those without pages in doubt."""
    if tell_pages(study):
        return None
    known = {
        system: corpus
        for system, corpus in study.corpora.items()
        if not any(math.isnan(corpus.estimates[name].value) for name in ("wer", *_DECIDING))
        and corpus.n_ref_words
    }
    if not known:
        return None
    system = min(known, key=lambda name: known[name].estimates["wer"].value)
    return system, known[system], _without_doubt(study, system, known[system])


def best_system(study: Study) -> str:
    """The system that the answer speaks of: with the fewest word errors where all have read.

    The first one where no such system can be named.
    """
    judged = _judged(study.on_common_pages())
    return judged[0] if judged else study.systems[0]


@dataclass(frozen=True, slots=True)
class Use:
    """One use of the text of the system with the fewest word errors.

    Args:
        name: "search", "reading" or "editing".
        state: "yes" or "no"; "open" where other pages of the kind may say otherwise, and where the
            pages are too few to tell.
        short: the value and its limit.
        told: the value, its interval and its limit.
    """

    name: str
    state: str
    short: str
    told: str


_OF_ERRORS = "CER {} %, {} allowed"


def uses(study: Study) -> tuple[Use, ...]:
    """What the text of the system with the fewest word errors can be used for.

    As in ``decide``, references in doubt are not held against it. Empty where there is nothing to
    measure against.
    """
    judged = _judged(study.on_common_pages())
    if judged is None:
        return ()
    _, whole, sure = judged
    cer, found = ((sure or whole).estimates[name] for name in _DECIDING)
    apart = f"; without {counted(whole.pages_in_doubt, 'page')} in doubt" if sure else ""

    def use(
        name: str, value: Estimate, limit: float, told: str, short: str, *, at_least: bool
    ) -> Use:
        fits = {
            (_in_100(one) >= limit) == at_least or _in_100(one) == limit
            for one in (value.value, value.low, value.high)
            if not math.isnan(one)
        }
        interval = "" if math.isnan(value.low) else f" ({_range(value)})"
        is_open = len(fits) > 1 or math.isnan(value.low)
        state = "open" if is_open else "yes" if fits == {True} else "no"
        now = f"{_in_100(value.value):.1f}"
        return Use(
            name, state, short.format(now, f"{limit:g}"),
            f"{told.format(f'{now}{interval}', f'{limit:g}')}{apart}",
        )  # fmt: skip

    errors = "{} errors per 100 characters; %s allows {}"
    words = "{} of 100 words are found; a search needs {}"
    return (
        use("search", found, FIND, words, "{} % of words, {} needed", at_least=True),
        use("reading", cer, READ, errors % "reading", _OF_ERRORS, at_least=False),
        use("editing", cer, CORRECT, errors % "correcting by hand", _OF_ERRORS, at_least=False),
    )


def _without_doubt(study: Study, system: str, whole: Corpus) -> Corpus | None:
    """The values without pages whose reference is in doubt; None without such or without others."""
    if not 0 < whole.pages_in_doubt < whole.n_pages:
        return None
    table = study.table(system)
    pages = table.page_ids[~table.doubted]
    corpus = study.only([system], pages.tolist()).corpus(system)
    return None if any(math.isnan(value) for value in _values(corpus)) else corpus


def _values(corpus: Corpus) -> tuple[float, float]:
    """Errors for every 100 characters, and how many of 100 words are found."""
    cer, found = (_in_100(corpus.estimates[name].value) for name in _DECIDING)
    return cer, found


def _missing(study: Study, system: str, show: Show) -> str:
    """How many pages of the data, all of them, are not judged, and why."""
    nowhere = len(study.dataset.unpaired.reference)
    unread = sum(one.kind is WarningKind.UNREADABLE for one in study.dataset.warnings)
    also = [f"{counted(unread, 'file')} could not be read"] if unread else []
    failed = {one.page_id for one in study.failures if one.system == system}
    read = study.pages_of(system) | failed
    missing = nowhere + sum(page_id not in read for page_id in study.page_ids)
    total = counted(len(study.page_ids) + nowhere, "page")
    has = "has" if missing == 1 else "have"
    several = len(study.dataset.systems) > 1
    origin = f" from {show(system)}" if several else ""
    others = len(read) - len(study.common_page_ids) if several else 0
    if others > 0:
        no_output = f"{missing:,} {has} no output{origin}, {others:,} none" if missing else (
            f"{others:,} {'has' if others == 1 else 'have'} no output"
        )  # fmt: skip
        be = "is" if missing + others == 1 else "are"
        also.insert(0, f"{missing + others:,} of {total} {be} not judged here: {no_output} from "
                       "another system")  # fmt: skip
    elif missing:
        also.insert(0, f"{missing:,} of {total} {has} no output{origin} and could not be judged")
    return "; ".join(also)


_DECIDING = ("cer", "bow_recall")
"""What decides: the characters as they stand, and the words that are there."""


def _in_100(value: float) -> float:
    """In a hundred, as it is shown, so that nobody reads another value than the one compared."""
    return round(100 * value, 1)


def _usable(cer: float, found: float) -> str:
    """What text is good for, by its errors in 100 characters and its words of 100."""
    search = found >= FIND
    if cer <= READ and search:
        checked = "" if cer <= QUOTE else "; check what is quoted"
        return f"Usable for reading and for full-text search{checked}"
    if cer <= READ:
        return "Usable for reading, not for full-text search"
    if cer <= CORRECT:
        also, nor = ("full-text search and ", "") if search else ("", " or for full-text search")
        return f"Usable for {also}correcting by hand, not for reading as it is{nor}"
    if search:
        return "Usable for full-text search, not for reading"
    return "Usable neither for reading nor for full-text search"


def _to_do(corpus: Corpus, census: Sequence[CensusRow] | None, cer: float, found: float) -> str:
    """What to begin with, of all pages; and that references in doubt want a look."""
    said = _begin_with(corpus, census, cer, found)
    errors, parts = corpus.wer.errors, corpus.parts
    if parts is None or not parts.doubt > _FEW * errors or said.startswith(_REFERENCES):
        return said
    doubt, now = doubted_points(corpus)
    of = "reference of the page" if corpus.pages_in_doubt == 1 else "references of the pages"
    return _SAID["doubted"].format(said=said, of=of, doubt=doubt, now=now)


_REFERENCES = _SAID["doubt"].partition(":")[0]


def _begin_with(
    corpus: Corpus, census: Sequence[CensusRow] | None, cer: float, found: float
) -> str:  # fmt: skip
    errors, n_words, parts = corpus.wer.errors, corpus.n_ref_words, corpus.parts

    def say(name: str, n: float = 0, **more: object) -> str:
        points, share = (100 * n / max(of, 1) for of in (n_words, errors))
        return _SAID[name].format(points=points, share=share, now=now, mended=mended, **more)

    now = mended = 100 * errors / max(n_words, 1)
    if not errors:
        return say("nothing")
    if cer <= QUOTE and found >= FIND:
        return say("fine")
    if census is None and 2 * corpus.bwer.deletions > errors:
        return say("left_out_unseen", corpus.bwer.deletions)
    if parts is None:
        may_be = errors - corpus.bwer.errors
        return say("no_order" if may_be <= _FEW * errors else "order_unseen", may_be)
    mended = 100 * (errors - parts.order) / n_words
    missing = left_out(census or ())
    n_left_out = 0 if missing is None else missing.errors
    foreign = [row for row in census or () if row.kind in FOREIGN]
    n_foreign = sum(row.errors for row in foreign)
    of_kind = {
        "order": parts.order, "missing": n_left_out, "foreign": n_foreign, "spaces": parts.spaces,
        "misread": max(parts.misread - n_left_out - n_foreign, 0), "doubt": parts.doubt,
        "chance": parts.coincidence,
    }  # fmt: skip
    largest = max(of_kind, key=of_kind.__getitem__)
    told = "" if missing is None else tell_left_out(missing)
    if largest == "misread" and cer >= _UNRELATED[0] and found < _UNRELATED[1]:
        return say("unrelated", found=found)
    if largest in ("order", "misread") and costs_the_same(parts):
        largest = "both"
    if largest in ("order", "both"):
        return say(largest, falls=say("falls"), costliest=_costliest(census or ()))
    if largest == "doubt":
        pages, doubt = counted(corpus.pages_in_doubt, "page"), doubted_points(corpus)[0]
        return say("doubt", pages=pages, doubt=doubt)
    # What a fault costs is what WER would be without it, as in the table of faults.
    saved = 0.0 if missing is None else n_words * (missing.wer - missing.wer_without)
    if largest != "misread":
        n = saved if largest == "missing" else of_kind[largest]
        worst = max(foreign, key=lambda row: row.errors, default=None)
        of = f"“{worst.kind.value}”, on {counted(worst.pages, 'page')}" if worst else ""
        return say(largest, n, left_out=told, chance=CHANCE, foreign=of)
    stays = parts.order > min(_FEW * errors, FINE / 100 * n_words)
    most = say("most" if 2 * parts.misread > errors else "share", parts.misread)
    order = say("order_stays" if stays else "order_is_fine", apart=apart_from_doubt(corpus))
    also = say("after_that", saved, left_out=told) if n_left_out > _FEW * errors else ""
    return say("misread", most=most, order=order, also=also)


def _costliest(census: Sequence[CensusRow]) -> str:
    """The fault of order that costs most, as a clause."""
    rows = [row for row in census if row.kind not in ORDER_FREE]
    if not rows:
        return ""
    worst = max(rows, key=lambda row: row.errors)
    return _SAID["costliest"].format(kind=worst.kind.value, pages=counted(worst.pages, "page"))


def _answers(corpus: Corpus) -> set[str]:
    """What the values and the ends of their intervals lead to."""
    cer, found = (corpus.estimates[name] for name in _DECIDING)
    if math.isnan(cer.low) or math.isnan(found.low):
        return {_usable(*_values(corpus))}
    return {_usable(*_values(corpus))} | {
        _usable(_in_100(one), _in_100(other))
        for one, other in product((cer.low, cer.high), (found.low, found.high))
    }


def _certainty(corpus: Corpus, *, all_in_doubt: bool = False) -> str:
    """Whether the ends of the intervals lead to the same answer, and if there is a page to ask."""
    if all_in_doubt:
        n = corpus.n_pages
        every = "the only page" if n == 1 else f"each of the {counted(n, 'page')}"
        return _SAID["in_doubt"].format(pages=every)
    cer, found = (corpus.estimates[name] for name in _DECIDING)
    pages = of_pages(corpus.n_pages, corpus.n_clusters)
    unknown = math.isnan(cer.low) or math.isnan(found.low)
    limits = [] if unknown else _limits(cer, found)
    of_limits = f"limit{'s' * (len(limits) > 1)} of {listed_in_words(limits)}"
    values = {"errors": _range(cer), "words": _range(found), "limits": of_limits}
    is_sure = len(_answers(corpus)) == 1
    if corpus.n_drawn < FEWEST or unknown:
        few = _SAID["few"].format(pages=pages, are="is" if corpus.n_pages == 1 else "are")
        return few if is_sure else _SAID["few_open"].format(few=few, **values)
    between = _SAID["between"].format(pages=pages, **values)
    return _SAID["sure" if is_sure else "open"].format(between=between, **values)


def _limits(cer: Estimate, found: Estimate) -> list[str]:
    limits = [
        f"{limit:g} errors for {use}"
        for limit, use in ((QUOTE, "quoting"), (READ, "reading"), (CORRECT, "correcting"))
        if _in_100(cer.low) <= limit < _in_100(cer.high)
    ]
    if _in_100(found.low) < FIND <= _in_100(found.high):
        limits.append(f"{FIND:g} words for a search")
    return limits


def _range(estimate: Estimate) -> str:
    return f"{_in_100(estimate.low):.1f}–{_in_100(estimate.high):.1f}"
