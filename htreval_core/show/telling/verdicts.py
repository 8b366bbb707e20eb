"""Values in plain sentences."""

import math
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from htreval_core.compare import (
    LEVEL,
    PRIMARY,
    Change,
    Comparison,
    EventChange,
    PairedDifference,
    Pairwise,
)
from htreval_core.diagnosis import LEFT_OUT, CatastropheRow, CensusRow, Diagnosis, EventKind
from htreval_core.metrics.catalog import METRICS
from htreval_core.model import EditCounts, PageScores, Parts
from htreval_core.scoring.pool import Corpus
from htreval_core.scoring.study import Study
from htreval_core.show.telling.clusters import of_pages, tell_neighbours, tell_settling
from htreval_core.show.telling.counting import counted, listed_in_words, p_text, whole_percent
from htreval_core.show.telling.pages import tell_pages

Show = Callable[[str], str]
"""How whoever shows a sentence marks up the name of a system."""


def rounded_parts(parts: Sequence[float], whole: float, digits: int = 1) -> list[str]:
    """Parts in percent of a whole, rounded so that as shown they add up to their rounded sum.

    Each is rounded down, and what is missing to the rounded sum goes to those that lost most, one
    last digit each (largest remainders, the method of Hamilton). So each is off by less than one
    in its last digit, and a part of 0 stays 0.

    Args:
        parts: counts or shares, none below 0.
        whole: what 100 % is, such as the words of the reference; 1 where the parts are shares.
        digits: behind the point.

    Returns:
        A text for each part; dashes where the whole is 0.

    >>> rounded_parts([42, 116, 4], 1000)
    ['4.2', '11.6', '0.4']
    >>> rounded_parts([1, 1, 1], 300)
    ['0.4', '0.3', '0.3']
    """
    if not whole:
        return ["–"] * len(parts)
    unit = 10**digits
    exact = [100 * unit * part / whole for part in parts]
    # As the sum alone is written, which is what a reader adds up to.
    total = round(unit * float(f"{100 * sum(parts) / whole:.{digits}f}"))
    # What lies this close below a whole number is one: shares are not kept exactly.
    floors = [math.floor(one + 1e-7) for one in exact]
    # Counts and shares of them alike: what differs by less than this is equal.
    by_loss = sorted(range(len(parts)), key=lambda at: round(floors[at] - exact[at], 7))
    for at in by_loss[: max(total - sum(floors), 0)]:
        floors[at] += 1
    return [f"{floor / unit:.{digits}f}" for floor in floors]


def verdict(corpus: Corpus, census: Iterable[CensusRow] = ()) -> str:
    """What kind of bad a system is, in one or two sentences.

    Args:
        census: the faults of this system on the same pages, where they were diagnosed: text
            that was left out in whole blocks is then named.
    """
    if not corpus.n_ref_words:
        return "No reference words to measure against."
    missing = left_out(census)
    doubts = corpus.parts is not None and _doubts(corpus.parts)
    apart = apart_from_doubt(corpus) if doubts else ""
    said = _share(corpus.n_ref_words, corpus.wer, corpus.bwer, corpus.parts, missing, apart)
    return f"{_tell_doubt(corpus)} {said}" if apart else said


def doubted_points(corpus: Corpus) -> tuple[str, str]:
    """The points of WER in doubt, as they are shown beside its other parts, and all of them."""
    *_, doubt = rounded_parts([*parts_of(corpus.parts or Parts()).values()], corpus.n_ref_words)
    return doubt, f"{100 * corpus.wer.errors / corpus.n_ref_words:.1f}"


def apart_from_doubt(corpus: Corpus) -> str:
    """What has to be said of an order that is fine; empty where no page is in doubt."""
    n = corpus.pages_in_doubt
    if not n:
        return ""
    return f" except on the {'page' if n == 1 else counted(n, 'page')} in doubt"


def page_verdict(scores: PageScores, parts: Parts | None = None) -> str:
    """What kind of bad a page is, in one or two sentences."""
    if not scores.n_ref_words:
        return "The reference is empty." if scores.n_hyp_words else "Both sides are empty."
    if not scores.n_hyp_words:
        return f"The system wrote nothing: all {scores.n_ref_words} words are lost."
    parts = parts or scores.parts
    apart = " apart from that" if parts is not None and _doubts(parts) else ""
    said = _share(scores.n_ref_words, scores.wer, scores.bwer, parts, apart=apart)
    if parts is None or not apart:
        return said
    return (
        f"The reference itself may be out of order: {parts.doubt} of {scores.wer.errors} errors "
        f"come from that. {said}"
    )


def tell_tail(corpus: Corpus, metric: str = "wer", show: Show = str) -> str:
    """The pages that pull a corpus value, in one or two sentences; empty where none does."""
    estimate, label = corpus.estimates[metric], METRICS[metric].label
    tail, said = estimate.tail, []
    if tail.over:
        page = f"{'the highest ' * (tail.over > 1)}{show(tail.worst_page)}"
        worst = f"{page} with {100 * tail.worst:.1f} %"
        said.append(f"{counted(tail.over, 'page')} over 100 %, {worst}.")
    # Of two or three pages one may well have most of the words, and so most errors.
    much = METRICS[metric].higher_is_better or tail.without < _MUCH_LESS * estimate.value
    if tail.share > _HALF and much and not math.isnan(tail.without):
        said.append(
            f"One page, {show(tail.heaviest_page)}, accounts for {whole_percent(tail.share)} % of "
            f"the errors of {label}; without it {label} is {_in_words(metric, tail.without)} "
            f"instead of {_in_words(metric, estimate.value)}."
        )
    return " ".join(said)


def _in_words(metric: str, value: float) -> str:
    return f"{value:.3f}" if METRICS[metric].scale == "correlation" else f"{100 * value:.2f} %"


_HALF = 0.5
"""A page with a larger share of all errors is worth a sentence of its own …"""
_MUCH_LESS = 2 / 3
"""… if without it the value is lower than this part of what it is."""
_SPACES = "divided or joined"
FINE = 3.0
"""Points of WER: where order costs more, nobody should read that it is fine."""
_FEW = 0.1
"""Below this part of all errors a kind of them is not worth a word."""

_CALLED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_NAMES, _OF_DELTA, _FAULTS, _SEVERAL = (
    _CALLED[name] for name in ("delta", "of_delta", "faults", "catastrophes")
)
TERMS: Mapping[str, str] = _CALLED["terms"]
"""The parts of WER as tables call them, in the field's own words."""


CHANCE = "chance (words missing in one place and words added in another)"


def parts_of(parts: Parts) -> dict[str, int]:
    """The errors of WER by part, as ``TERMS`` names them."""
    of_bag = parts.substituted, parts.left_out, parts.added, parts.spaces
    return dict(zip(TERMS, (*of_bag, parts.order, parts.coincidence, parts.doubt), strict=True))


def _doubts(parts: Parts) -> bool:
    """Whether what is in doubt is worth a word."""
    return parts.doubt > 0 and parts.doubt >= _FEW * parts.errors


def bag_parts(bwer: EditCounts, parts: Parts | None) -> dict[str, int]:
    """What bWER is made of, by name; spaces only where the page was diagnosed."""
    if parts is None:
        counts = bwer.substitutions, bwer.deletions, bwer.insertions
        return dict(zip(TERMS, counts, strict=False))
    found = parts_of(parts)
    of_bag = {name: found[name] for name in ("misread", "left out", "added")}
    return of_bag | {_SPACES: parts.spaces}


def delta_parts(parts: Parts) -> dict[str, int]:
    """What ΔWER is made of, by name, what there is of it; order always."""
    named = {name: getattr(parts, part) for part, name in _NAMES.items()}
    return {name: n for name, n in named.items() if n or name == _NAMES["order"]}


def _share(
    n_words: int, wer: EditCounts, bwer: EditCounts, parts: Parts | None,
    missing: CensusRow | None = None, apart: str = "",
) -> str:  # fmt: skip
    """The verdict without its doubt; where that is much, on the other errors, apart from it."""
    if not wer.errors:
        return "Every word is right and in its place."
    delta = wer.errors - bwer.errors
    rest = {"ΔWER": delta} if parts is None else delta_parts(parts)
    every = {**bag_parts(bwer, parts), **rest}
    told = " + ".join(
        f"{shown} {what}"
        for what, shown in zip(every, rounded_parts(list(every.values()), n_words), strict=True)
        if float(shown) or what in ("misread", "ΔWER", _NAMES["order"])
    )
    cause = _whole_cause(n_words, wer, bwer, parts, missing, apart)
    return f"WER is {100 * wer.errors / n_words:.1f} % ({told}): {cause}."


def tell_cause(corpus: Corpus, census: Iterable[CensusRow] = ()) -> str:
    """What most errors of a system come from, in a sentence or two; arguments as of ``verdict``."""
    if not corpus.n_ref_words:
        return "No reference words to measure against."
    if not corpus.wer.errors:
        return "Every word is right and in its place."
    doubts = corpus.parts is not None and _doubts(corpus.parts)
    apart = apart_from_doubt(corpus) if doubts else ""
    cause = _whole_cause(
        corpus.n_ref_words, corpus.wer, corpus.bwer, corpus.parts, left_out(census), apart
    )
    said = f"{cause[:1].upper()}{cause[1:]}."
    return f"{_tell_doubt(corpus)} {said}" if apart else said


def _tell_doubt(corpus: Corpus) -> str:
    doubt, wer = doubted_points(corpus)
    pages = counted(corpus.pages_in_doubt, "page")
    whose = "whose reference is" if corpus.pages_in_doubt == 1 else "whose references are"
    return f"{doubt} of {wer} points come from the order of {pages} {whose} in doubt."


def _whole_cause(
    n_words: int, wer: EditCounts, bwer: EditCounts, parts: Parts | None, missing: CensusRow | None,
    apart: str,
) -> str:  # fmt: skip
    """What most errors come from, with what was left out in whole blocks; a clause."""
    delta = wer.errors - bwer.errors
    named = [what for what, count in bag_parts(bwer, parts).items() if count > _FEW * bwer.errors]
    others = wer.errors - parts.doubt if parts is not None and apart else wer.errors
    order = (delta if parts is None else parts.order) / max(others, 1)
    kinds = ["divided" if one == _SPACES else one for one in named]
    not_read = listed_in_words(kinds, "or") or "misread"
    points_of_order = 100 * (delta if parts is None else parts.order) / n_words
    of_bag = bag_parts(bwer, parts)
    share = sum(of_bag[one] for one in named) / max(others, 1)
    cause = _cause(not_read, share, order, points_of_order, known=parts is not None, apart=apart)
    chance = parts.coincidence / max(others, 1) if parts is not None else 0
    if chance > max(share, order):
        most = "most" if chance > _HALF else "many"
        cause = f"{most} {'other ' if apart else ''}errors are {CHANCE}"
    if not others:
        cause = "there are no others"
    lost = missing.errors if missing is not None else 0
    if missing is not None and lost > _FEW * wer.errors:
        left_out = tell_left_out(missing)
        if lost > wer.errors / 2:
            cause = f"most errors come from missing text: {left_out}"
            if order >= _FEW:
                most = "" if parts else "up to "
                errors = "other errors" if apart else "errors"
                cause += f"; {most}{whole_percent(order)} % of the {errors} are reading order"
        else:
            of_all = whole_percent(lost / wer.errors)
            cause += f"; {of_all} % of the errors are missing text: {left_out}"
    return cause


def _cause(
    not_read: str, share: float, order: float, points_of_order: float, *, known: bool,
    apart: str = "",
) -> str:  # fmt: skip
    """What most errors come from.

    Args:
        share: of these errors, that of the words ``not_read``.
        order: the share that is order, or may be.
        points_of_order: the same in points of WER.
        known: whether it is known to be order.
        apart: from what that is so, where some are in doubt.
    """
    errors = "other errors" if apart else "errors"
    most = "nearly all" if share >= 1 - _FEW else "most"
    if order < _FEW and points_of_order <= FINE:
        return f"{most} {errors} are words {not_read}; the reading order is fine{apart}"
    if order < _FEW and known:
        return (
            f"{most} {errors} are words {not_read}; reading order costs "
            f"{points_of_order:.1f} points{apart}"
        )
    if not known:
        may_be = whole_percent(order)
        return f"words {not_read}, and up to {may_be} % of the errors may be reading order"
    if order < _EVEN[0]:
        share_of_order = whole_percent(order)
        return f"most {errors} are words {not_read}; {share_of_order} % come from reading order"
    if order <= _EVEN[1]:
        return f"words {not_read} and reading order cost about the same"
    most = "most" if order <= 0.9 else "nearly all"
    return f"{most} {errors} come from reading order: a layout fault"


def costs_the_same(parts: Parts) -> bool:
    """Whether reading order costs about as much as everything else."""
    others = parts.errors - parts.doubt if _doubts(parts) else parts.errors
    return _EVEN[0] <= parts.order / max(others, 1) <= _EVEN[1]


_EVEN = (0.45, 0.55)
"""Shares of the errors between which neither order nor the rest is called the cause."""


def left_out(census: Iterable[CensusRow]) -> CensusRow | None:
    """What a system left out, whether inside a page, at its end, or all of it, as one row."""
    rows = [row for row in census if row.kind in LEFT_OUT]
    if not rows:
        return None
    first = rows[0]
    errors = sum(row.errors for row in rows)
    saved = sum(row.wer - row.wer_without for row in rows)
    return replace(
        first, kind=first.kind if len(rows) == 1 else EventKind.MISSING,
        events=sum(row.events for row in rows),
        page_ids=tuple({page: None for row in rows for page in row.page_ids}),
        words=sum(row.words for row in rows), errors=errors, wer_without=first.wer - saved,
        pieces=sum(row.pieces for row in rows), notes=sum(row.notes for row in rows),
    )  # fmt: skip


def tell_catastrophes(row: CatastropheRow) -> str:
    """How many pages something took over, and what, in one sentence."""
    if not row.pages:
        return "No catastrophic page."
    kinds = ", ".join(
        f"{n} {_SEVERAL[kind.value] if n > 1 else kind.value}" for kind, n in row.kinds.items()
    )
    n = len(row.pages)
    if n == 1:
        return f"1 catastrophic page: {next(iter(row.kinds)).value}."
    return f"{n:,} catastrophic pages: {kinds}."


_NOTHING_READ = {EventKind.EMPTY: "empty output", EventKind.REFUSAL: "refused page"}


def tell_left_out(missing: CensusRow) -> str:
    """What was left out, and on how many pages."""
    if missing.kind in (EventKind.EMPTY, EventKind.REFUSAL):
        return counted(missing.pages, _NOTHING_READ[missing.kind])
    others = missing.pieces - missing.notes
    told = []
    if missing.notes:
        told.append(counted(missing.notes, "marginal note"))
    if others:
        told.append(counted(others, f"{'other ' if told else ''}passage"))
    return f"{' and '.join(told)} on {counted(missing.pages, 'page')}"


def besides(diagnosis: Diagnosis) -> str:
    """What is wrong on a page besides its events; empty where nothing is."""
    # Missing and added blocks are events, and their errors are not to be told twice. bWER counts a
    # word missing in one block and a word added in another as one error.
    blocks = [event for event in diagnosis.events if not event.of_order]
    of_blocks = sum(event.errors for event in blocks)
    missing = sum(event.errors for event in blocks if event.kind in LEFT_OUT)
    added = sum(one.errors for one in blocks if one.reference[0] == one.reference[1])
    parts = diagnosis.parts
    rest = max(parts.misread + parts.coincidence - of_blocks, 0)
    paired = min(missing, added, parts.coincidence)
    of_words = min(max(parts.misread - of_blocks + paired, 0), rest)
    told = []
    if of_words:
        told.append(f"{counted(of_words, 'error')} for words misread, left out or added")
    if parts.spaces:
        told.append(
            f"{counted(parts.spaces, 'error')} for words divided or joined, with every letter right"
        )
    if rest > of_words:
        told.append(
            f"{counted(rest - of_words, 'error')} by chance: words missing in one place and "
            "words added in another, which bWER counts once or not at all"
        )
    return "; ".join(told)


def comparison_verdict(comparison: Comparison, a: str, b: str) -> list[str]:
    """What changes from A to B and whether to believe it: in all, and for each kind of fault.

    Word errors are the question itself and are judged by their own p; what explains them is judged
    by p corrected for the number of metrics, and the last sentence says so."""
    told = []
    n_tested = sum(not math.isnan(one.p) for one in comparison.metrics.values())
    explained = False
    for name, what in _FAULTS.items():
        one = comparison.metrics.get(name)
        if one is None or math.isnan(one.difference):
            continue
        rates = f"{100 * one.b:.1f} against {100 * one.a:.1f} %"
        if not one.difference:
            same = f"{100 * one.b:.1f} %"
            told.append(f"Both make the same number of {what}, {same}.")
            continue
        corrected = name != PRIMARY and n_tested > 1
        explained |= corrected and comparison.n_pages > 1
        amount = "fewer" if one.difference < 0 else "more"
        if name == PRIMARY and one.shown:
            said = f"{b} is {'better' if one.difference < 0 else 'worse'} than {a}"
            rates += f" {what}"
        elif one.shown:
            said = f"{b} makes {amount} {what} than {a}"
        elif one.significant:
            said = f"{b} may make {amount} {what} than {a}, but this is only a hint"
        else:
            said = f"No significant difference between {b} and {a} in {what}"
        told.append(f"{said}: {rates} ({_chance(one, comparison, corrected)}).")
    if told:
        # How far to believe the first sentence comes next.
        told[1:1] = filter(None, (tell_neighbours(comparison), tell_settling(comparison)))
    if explained:
        told.append(
            "Word errors are the main question and use the uncorrected p; the other metrics use p "
            f"corrected for the {n_tested} metrics tested."
        )
    if comparison.parts is not None:
        told.append(_order_of_both(comparison, a, b))
    return told


def _chance(one: PairedDifference, comparison: Comparison, corrected: bool) -> str:
    """The interval of a difference, and its p or both of them."""
    if comparison.n_pages < 2:
        return "a single page allows no test"
    p = p_text(one.p)
    if corrected:
        p += f", corrected {p_text(one.p_holm)}"
    if math.isnan(one.low):
        return f"{of_pages(comparison.n_pages, comparison.n_clusters)} allow no interval, {p}"
    return f"{points(one.low)} to {points(one.high)} points, {p}"


def headline(study: Study, pairwise: Pairwise | None, show: Show) -> str:
    """Which system makes fewest word errors, and whether that is shown; empty for a single one.

    Args:
        study: of which the values are, narrowed here to the pages that all systems have read.
        pairwise: as ``compare_all`` gives it for these pages; None where no two share any.
        show: the name of a system as it is to be shown.
    """
    if len(study.systems) < 2:
        return ""
    where = tell_pages(study)
    if pairwise is None or not study.common_page_ids:
        return f"{where}." if where else ""
    study = study.on_common_pages()
    values = {name: corpus.estimates[PRIMARY].value for name, corpus in study.corpora.items()}
    known = {name: value for name, value in values.items() if not math.isnan(value)}
    if len(known) < 2:
        return ""
    fewest = min(known, key=known.__getitem__)
    others = [name for name in known if name != fewest]
    said = (
        _of_two(pairwise, fewest, others[0], show)
        if len(others) == 1
        else _of_several(pairwise, fewest, others, known[fewest], show)
    )
    if where:
        return f"{where}, {said}."
    is_name = not said.startswith(("no significant difference", "all systems"))
    return f"{said}." if is_name else f"{said[:1].upper()}{said[1:]}."


def _of_two(pairwise: Pairwise, fewest: str, other: str, show: Show) -> str:
    one = pairwise.difference(PRIMARY, other, fewest)
    if one is None:
        return f"{show(fewest)} and {show(other)} were not compared"
    rates = f"{100 * one.b:.1f} and {100 * one.a:.1f} % word errors"
    if not one.difference:
        same = f"{100 * one.b:.1f} %"
        return f"{show(other)} and {show(fewest)} make the same number of word errors, {same}"
    if math.isnan(one.p):
        of_each = f"{100 * one.b:.1f} against {100 * one.a:.1f} %"
        return f"{show(fewest)} makes fewer word errors than {show(other)}, {of_each}, untested"
    if one.significant:
        return f"{show(fewest)} is better than {show(other)}: {rates} ({p_text(one.p)})"
    interval = "" if math.isnan(one.low) else f"{points(one.low)} to {points(one.high)} points, "
    return (
        f"no significant difference between {show(fewest)} and {show(other)}: {rates} "
        f"({interval}{p_text(one.p)})"
    )


def _of_several(
    pairwise: Pairwise, fewest: str, others: Sequence[str], value: float, show: Show
) -> str:
    found = ((o, pairwise.difference(PRIMARY, fewest, o)) for o in others)
    equal = [o for o, one in found if one is not None and one.difference == 0]
    if equal:
        names = [show(name) for name in (fewest, *equal)]
        every = "all systems" if len(equal) == len(others) else listed_in_words(names)
        few = "the same number of" if len(equal) == len(others) else "equally few"
        return f"{every} make {few} word errors, {100 * value:.1f} %"
    p = {other: pairwise.p(PRIMARY, other, fewest) for other in others}
    alike = [other for other in others if not p[other] < LEVEL]
    if not alike:
        return (
            f"{show(fewest)} is best: {100 * value:.1f} % word errors, significantly fewer than "
            f"every other system (Holm-corrected {p_text(max(p.values())).replace('=', '≤')})"
        )
    said = f"{show(fewest)} makes the fewest word errors, {100 * value:.1f} %, but"
    if len(alike) == len(others):
        return f"{said} is not significantly better than any other system"
    names = [show(other) for other in alike]
    return f"{said} is not significantly better than {listed_in_words(names, 'or')}"


def every_other(n_systems: int) -> str:
    """What one of this many systems is compared with."""
    return "the other system" if n_systems == 2 else "every other system"


def _order_of_both(comparison: Comparison, a: str, b: str) -> str:
    """What each one's ΔWER is made of."""
    told = []
    for system, parts in zip((a, b), comparison.parts or (), strict=True):
        made_of = [f"{n:,} {_OF_DELTA[name]}" for name, n in delta_parts(parts).items()]
        delta = counted(parts.errors - parts.bag_errors, "error")
        told.append(f"{delta} of {system}: {listed_in_words(made_of)}")
    said = f"ΔWER is {'; '.join(told)}."
    spared = [parts.convention for parts in comparison.parts or ()]
    if any(spared):
        of_both = " and ".join(
            f"{counted(errors, 'error')} of {system}"
            for errors, system in zip(spared, (a, b), strict=True)
        )
        said += f" A matter of convention, as the pages allow other orders, are {of_both}."
    return said


def points(difference: float) -> str:
    """A difference of two rates in percentage points, with its sign."""
    return f"{100 * difference:+.1f}".replace("-", "\N{MINUS SIGN}")


def changes_headline(changes: Sequence[EventChange], comparison: Comparison, a: str, b: str) -> str:
    """What becomes of the layout faults of A under B, and of recognition, in one sentence."""
    n = {kind: sum(one.change is kind for one in changes) for kind in Change}
    of_a = n[Change.FIXED] + n[Change.BOTH]
    if of_a:
        how_many = "all" if n[Change.FIXED] == of_a > 1 else f"{n[Change.FIXED]} of"
        fixed = f"{b} fixes {how_many} {counted(of_a, 'fault')} of {a}"
        said = f"{fixed} and adds {n[Change.ADDED] or 'none'}"
        if n[Change.BOTH] == len(changes):
            said = f"{b} has the same {counted(of_a, 'fault')} as {a}"
    elif n[Change.ADDED]:
        said = f"{b} adds {counted(n[Change.ADDED], 'fault')} where {a} has none"
    else:
        said = "Neither system has a fault"
    bwer = comparison.metrics.get("bwer")
    if bwer is None or math.isnan(bwer.difference) or not bwer.difference:
        return f"{said}."
    amount = (
        f"{100 * abs(bwer.difference):.1f} points {'higher' if bwer.difference > 0 else 'lower'}"
    )
    shown = "" if bwer.shown else ", which may be chance"
    return f"{said}; its recognition errors are {amount}{shown}."
