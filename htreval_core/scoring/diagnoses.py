"""The diagnosis of every page of a study, found once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from htreval_core.diagnosis.corpus.foreign import (
    Seen,
    Wanted,
    explain_added,
    find_wanted,
    look_into,
)
from htreval_core.diagnosis.corpus.suspect import blame_references, lines_upward
from htreval_core.diagnosis.diagnose import diagnose_layout
from htreval_core.diagnosis.look import Look
from htreval_core.diagnosis.model import Diagnosis
from htreval_core.errors import ReadError
from htreval_core.metrics.page import PageReference, ScoredPage
from htreval_core.model import Failure, Page, PageUnder
from htreval_core.scoring.found import Diagnoses
from htreval_core.scoring.score import (
    Progress,
    over_pages,
    read_page,
    sendable,
)
from htreval_core.scoring.stream import DIED, each
from htreval_core.scoring.study import Study
from htreval_core.scoring.workers import Workers, reason
from htreval_core.settings import Settings
from htreval_core.sources.dataset import PageItem

_TIMES = 4
"""How many times longer the diagnosis of a page takes than its scores."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A page to be diagnosed under some systems.

    Args:
        scored: by system the page with its alignments, where it need not be aligned again.
        keep: systems under which its look is handed back.
    """

    item: PageItem
    systems: tuple[str, ...]
    scored: Mapping[str, ScoredPage]
    keep: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Found:
    """What came of a page under a system; without a diagnosis it failed for a reason."""

    diagnosis: Diagnosis | None
    look: Look | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _PageFound:
    """What came of a page under its systems."""

    of_systems: Sequence[_Found]
    upward: tuple[int, ...] = ()


def diagnose(
    study: Study,
    *,
    systems: Iterable[str] | None = None,
    keep: Collection[PageUnder] = (),
    workers: Workers | None = None,
    progress: Progress | None = None,
    conventions: bool = True,
) -> Diagnoses:
    """The diagnosis of every page that was scored; a page that makes it fail is a ``Failure``.

    Those that a run bundle keeps are taken from there.

    Args:
        systems: only these.
        keep: pages whose ``Look`` is handed back, too, so that they need not be looked at again.
        workers: where to run; in this process by default.
        progress: told how many pages, times systems, are done.
        conventions: whether to say what is a matter of convention, where pages allow other
            orders than their own, and what ΔWER* is. That takes the most time on such pages.
    """
    wanted = study.systems if systems is None else tuple(systems)
    stored = study.diagnosed.read() if study.diagnosed and wanted == study.systems else None
    if stored is not None:
        return _with_looks(stored, study, keep)
    kept: dict[str, set[str]] = {}
    for page_id, system in keep:
        kept.setdefault(page_id, set()).add(system)
    read_by: dict[str, tuple[str, ...]] = {}
    for system in wanted:
        for page_id in study.table(system).page_ids:
            read_by[page_id] = (*read_by.get(page_id, ()), system)
    page_ids = [page_id for page_id in study.page_ids if page_id in read_by]
    n_places = sum(map(len, read_by.values()))

    def task(page_id: str) -> _Task:
        systems = read_by[page_id]
        places = ((system, study.kept.get((page_id, system))) for system in systems)
        scored = {system: page for system, page in places if page is not None}
        item = sendable(study.dataset.item(page_id), workers)
        return _Task(item, systems, scored, frozenset(kept.get(page_id, ())))

    found: dict[str, list[Diagnosis]] = {system: [] for system in wanted}
    looks: dict[PageUnder, Look] = {}
    failures: list[Failure] = []
    upward: dict[str, tuple[int, ...]] = {}
    work = each(partial(_diagnose_page, settings=study.settings, conventions=conventions))
    results = over_pages(
        work, map(task, page_ids), workers, item=lambda one: one.item, lost=_lost, times=_TIMES
    )
    done = 0
    for page_id, of_page in zip(page_ids, results, strict=True):
        if of_page.upward:
            upward[page_id] = of_page.upward
        for system, one in zip(read_by[page_id], of_page.of_systems, strict=True):
            if one.diagnosis is None:
                failures.append(Failure(page_id, system, one.reason, scored=True))
            else:
                found[system].append(one.diagnosis)
            if one.look is not None:
                looks[page_id, system] = one.look
        done += len(of_page.of_systems)
        if progress:
            progress(done, n_places)
    told = _explained(study, blame_references(found), workers)
    by_place = _by_place(told)
    looks = {place: replace(look, told=by_place[place]) for place, look in looks.items()}
    return Diagnoses(told, looks, tuple(failures), upward)


def _with_looks(found: Diagnoses, study: Study, keep: Iterable[PageUnder]) -> Diagnoses:
    """The diagnoses with the looks at some pages."""
    by_place = _by_place(found)
    looks = {
        place: replace(study.look(*place), told=by_place[place])
        for place in keep
        if place in by_place
    }
    return replace(found, looks=looks)


def _by_place(found: Mapping[str, Sequence[Diagnosis]]) -> dict[PageUnder, Diagnosis]:
    return {(one.page_id, system): one for system, of in found.items() for one in of}


def _explained(
    study: Study, found: Mapping[str, Sequence[Diagnosis]], workers: Workers | None
) -> dict[str, tuple[Diagnosis, ...]]:
    """The diagnoses with added text named after where it comes from, which other pages tell."""
    sought = find_wanted(found)
    if not sought:
        return explain_added(found, ())
    dataset = study.dataset
    items = (sendable(dataset.item(one, bare=True), workers) for one in study.page_ids)
    work = each(partial(_look_at, wanted=sought))
    seen = over_pages(work, items, workers, lost=lambda _: None)
    return explain_added(found, (one for one in seen if one is not None))


def _look_at(item: PageItem, wanted: Wanted) -> Seen | None:
    """What is looked for in a page, or nothing where it cannot be read."""
    try:
        return look_into(read_page(item), wanted)
    except ReadError:
        return None


def _diagnose_page(task: _Task, settings: Settings, conventions: bool) -> _PageFound:
    try:
        page = read_page(task.item)
    except ReadError as error:
        return _all_failed(task, str(error))
    found = [_diagnose_one(page, system, task, settings, conventions) for system in task.systems]
    return _PageFound(found, lines_upward(page))


def _diagnose_one(
    page: Page, system: str, task: _Task, settings: Settings, conventions: bool
) -> _Found:
    output = page.hypotheses[system]
    try:
        reference = PageReference.of(page.page_id, page.reference, settings)
        scored = task.scored.get(system) or reference.score(system, output, settings)
        look = Look(scored, page.reference, output, settings)
        found = diagnose_layout(scored, look.ground, look.layout, conventions=conventions)
        return _Found(found, look if system in task.keep else None)
    except Exception as error:  # whatever it is, the other pages are diagnosed
        return _Found(None, reason=reason(error))


def _all_failed(task: _Task, why: str) -> _PageFound:
    return _PageFound([_Found(None, reason=why)] * len(task.systems))


def _lost(task: _Task) -> _PageFound:
    return _all_failed(task, DIED)
