"""The diagnosis of every page of a study, found once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from htreval_core.diagnosis.foreign import explain_added, find_wanted, look_into
from htreval_core.diagnosis.look import Look
from htreval_core.diagnosis.model import Diagnosis
from htreval_core.diagnosis.suspect import blame_references
from htreval_core.markup import listed
from htreval_core.metrics.page import ScoredPage, score_page
from htreval_core.model import Failure, Page, PageUnder
from htreval_core.scoring.score import Progress, page_size
from htreval_core.scoring.stream import DIED, in_order
from htreval_core.scoring.study import Study
from htreval_core.scoring.workers import Workers, reason
from htreval_core.settings import Settings

_BATCH = 8


@dataclass(frozen=True, eq=False)
class Diagnoses(Mapping[str, tuple[Diagnosis, ...]]):
    """Of each system the diagnoses of its pages, in the order of the scores.

    Args:
        by_system: the diagnoses.
        looks: the pages that were asked for, with all that was found about them.
        failures: pages that were scored but could not be diagnosed.
    """

    by_system: Mapping[str, tuple[Diagnosis, ...]]
    looks: Mapping[PageUnder, Look] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()

    def __repr__(self) -> str:
        counts = listed(f"{system}: {len(found):,}" for system, found in self.items())
        return f"<Diagnoses of pages by system: {counts}>"

    def __getitem__(self, system: str) -> tuple[Diagnosis, ...]:
        return self.by_system[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_system)

    def __len__(self) -> int:
        return len(self.by_system)


@dataclass(frozen=True, slots=True)
class _Task:
    """A page to be diagnosed under a system."""

    page: Page
    system: str
    scored: ScoredPage | None
    keep: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """What came of it; without a diagnosis it failed for a reason."""

    diagnosis: Diagnosis | None
    look: Look | None = None
    reason: str = ""


def diagnose(
    study: Study,
    *,
    systems: Iterable[str] | None = None,
    keep: Collection[PageUnder] = (),
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> Diagnoses:
    """The diagnosis of every page that was scored; a page that makes it fail is a ``Failure``.

    Args:
        systems: only these.
        keep: pages whose ``Look`` is handed back, too, so that they need not be looked at again.
        workers: where to run; in this process by default.
        progress: told how many pages, times systems, are done.
    """
    wanted = study.systems if systems is None else tuple(systems)
    kept = frozenset(keep)
    tasks = (
        _Task(
            study.page(page_id),
            system,
            study.kept.get((page_id, system)),
            (page_id, system) in kept,
        )
        for system in wanted
        for page_id in study.table(system).page_ids
    )
    found: dict[str, list[Diagnosis]] = {system: [] for system in wanted}
    looks: dict[PageUnder, Look] = {}
    failures: list[Failure] = []
    places = [(page_id, system) for system in wanted for page_id in study.table(system).page_ids]
    work = partial(_diagnose_batch, settings=study.settings)
    results = in_order(work, _batches(tasks), workers, size=_size, lost=_lost)
    for done, (place, one) in enumerate(zip(places, results, strict=True), start=1):
        if one.diagnosis is None:
            failures.append(Failure(*place, one.reason, scored=True))
        else:
            found[place[1]].append(one.diagnosis)
        if one.look is not None:
            looks[place] = one.look
        if progress:
            progress(done, len(places))
    blamed = blame_references(found)
    sought = find_wanted(blamed)
    pages = (study.page(page_id) for page_id in study.page_ids) if sought else ()
    told = explain_added(blamed, (look_into(page, sought) for page in pages))
    by_place = {(one.page_id, system): one for system, of in told.items() for one in of}
    looks = {place: replace(look, told=by_place[place]) for place, look in looks.items()}
    return Diagnoses(told, looks, tuple(failures))


def _batches(tasks: Iterable[_Task]) -> Iterator[Sequence[_Task]]:
    batch: list[_Task] = []
    for task in tasks:
        batch.append(task)
        if len(batch) == _BATCH:
            yield tuple(batch)
            batch = []
    if batch:
        yield tuple(batch)


def _size(task: _Task) -> int:
    return page_size(task.page)


def _diagnose_batch(tasks: Sequence[_Task], settings: Settings) -> list[_Found]:
    return [_diagnose_one(task, settings) for task in tasks]


def _diagnose_one(task: _Task, settings: Settings) -> _Found:
    page, system = task.page, task.system
    try:
        scored = task.scored or score_page(
            page.reference,
            page.hypotheses[system],
            settings,
            page_id=page.page_id,
            system=system,
        )
        look = Look(scored, page.reference, page.hypotheses[system], settings)
        return _Found(look.diagnosis, look if task.keep else None)
    except Exception as error:  # whatever it is, the other pages are diagnosed
        return _Found(None, reason=reason(error))


def _lost(_task: _Task) -> _Found:
    return _Found(None, reason=DIED)
