"""The diagnosis of every page of a study, found once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from htreval_core.model import Failure, Page
from htreval_core.scoring.found import Diagnoses
from htreval_core.scoring.score import (
    LONG,
    Gathered,
    PageResult,
    Progress,
    check_ids,
    failures_of,
    lost_item,
    over_pages,
    read_item,
    read_page,
    score_one,
    sendable,
)
from htreval_core.scoring.stream import DIED, each
from htreval_core.scoring.study import Study
from htreval_core.scoring.workers import Processes, reason
from htreval_core.settings import Settings
from htreval_core.sources.dataset import Dataset, PageItem
from htreval_core.sources.reading import Reading

_TIMES = 4
"""How many times longer the diagnosis of a page takes than its scores."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A page to be diagnosed under some systems; ``scored`` where it need not be aligned again."""

    item: PageItem
    systems: tuple[str, ...]
    scored: Mapping[str, ScoredPage]


@dataclass(frozen=True, slots=True)
class _Found:
    """What came of a page under a system; without a diagnosis it failed for a reason."""

    diagnosis: Diagnosis | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _PageFound:
    of_systems: Sequence[_Found]
    upward: tuple[int, ...] = ()


def diagnose(
    study: Study, *, workers: Processes | None = None, progress: Progress | None = None,
    conventions: bool = True,
) -> Diagnoses:  # fmt: skip
    """The diagnosis of every page that was scored; a page that makes it fail is a ``Failure``.

    Those that a run bundle keeps are taken from there.

    Args:
        workers: where to run; in this process by default.
        progress: told how many pages, times systems, are done.
        conventions: whether to say what is a matter of convention, where pages allow other
            orders than their own, and what ΔWER* is. That takes the most time on such pages.
    """
    stored = study.diagnosed.read() if study.diagnosed else None
    if isinstance(stored, Diagnoses):
        return stored
    read_by: dict[str, tuple[str, ...]] = {}
    for system in study.systems:
        for page_id in study.table(system).page_ids:
            read_by[page_id] = (*read_by.get(page_id, ()), system)
    page_ids = [page_id for page_id in study.page_ids if page_id in read_by]
    n_places = sum(map(len, read_by.values()))

    def task(page_id: str) -> _Task:
        systems = read_by[page_id]
        places = ((system, study.kept.get((page_id, system))) for system in systems)
        scored = {system: page for system, page in places if page is not None}
        return _Task(sendable(study.dataset.item(page_id), workers), systems, scored)

    gathered = _Gathered({system: [] for system in study.systems})
    work = each(partial(_diagnose_page, settings=study.settings, conventions=conventions))
    results = over_pages(
        work, map(task, page_ids), workers, item=lambda one: one.item,
        lost=partial(_all_failed, why=DIED), times=_TIMES,
    )  # fmt: skip
    done = 0
    for page_id, of_page in zip(page_ids, results, strict=True):
        gathered.add(page_id, read_by[page_id], of_page)
        done += len(of_page.of_systems)
        if progress:
            progress(done, n_places)
    return replace(gathered.diagnoses(study, workers), damage=stored)


def score_and_diagnose(
    data: Dataset | Reading | Iterable[Page], settings: Settings | None = None, *,
    workers: Processes | None = None, progress: Progress | None = None, conventions: bool = True,
) -> tuple[Study, Diagnoses]:  # fmt: skip
    """The study of ``score`` and its ``diagnose``; each page is read and matched once for both.

    Args:
        data: as for ``score``, as are settings, workers and progress.
        conventions: as for ``diagnose``.

    Raises:
        ConfigError: two pages share an id.
        HtrEvalError: not a single page could be read or scored.
    """
    settings = settings or Settings()
    source = data if isinstance(data, Dataset | Reading) else Dataset.of(data)
    if isinstance(source, Dataset):
        check_ids(source.page_ids)
    pages, found = Gathered(), _Gathered({})
    work = each(partial(_score_and_diagnose, settings=settings, conventions=conventions))
    items = (sendable(item, workers) for item in source.items)
    results = over_pages(
        work, items, workers, lost=lambda item: (lost_item(item), _PageFound(())), times=_TIMES + 1
    )
    for result, of_page in results:
        if result.scores:
            found.add(result.scores[0].page_id, [one.system for one in result.scores], of_page)
        pages.add(result)
        if progress:
            progress(pages.n_pages, source.n_pages)
    study = pages.study(source, settings)
    return study, found.diagnoses(study, workers)


@dataclass(frozen=True, slots=True)
class _Gathered:
    found: dict[str, list[Diagnosis]]
    failures: list[Failure] = field(default_factory=list)
    upward: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def add(self, page_id: str, systems: Sequence[str], of_page: _PageFound) -> None:
        """The next page."""
        if of_page.upward:
            self.upward[page_id] = of_page.upward
        for system, one in zip(systems, of_page.of_systems, strict=True):
            of_system = self.found.setdefault(system, [])
            if one.diagnosis is None:
                self.failures.append(Failure(page_id, system, one.reason, scored=True))
            else:
                of_system.append(one.diagnosis)

    def diagnoses(self, study: Study, workers: Processes | None) -> Diagnoses:
        """All of them, after what other pages and systems tell of each."""
        found = {system: self.found[system] for system in study.systems if system in self.found}
        told = _explained(study, blame_references(found), workers)
        return Diagnoses(told, tuple(self.failures), self.upward)


def _explained(
    study: Study, found: Mapping[str, Sequence[Diagnosis]], workers: Processes | None
) -> dict[str, tuple[Diagnosis, ...]]:
    """The diagnoses with added text named after where it comes from, which other pages tell."""
    sought = find_wanted(found)
    if not sought:
        return explain_added(found, ())
    dataset = study.dataset
    items = (sendable(dataset.item(one, bare=True), workers) for one in study.page_ids)
    seen = over_pages(each(partial(_look_at, wanted=sought)), items, workers, lost=lambda _: None)
    return explain_added(found, (one for one in seen if one is not None))


def _look_at(item: PageItem, wanted: Wanted) -> Seen | None:
    """What is looked for in a page, or nothing where it cannot be read."""
    try:
        return look_into(read_page(item), wanted)
    except ReadError:
        return None


def _score_and_diagnose(
    item: PageItem, settings: Settings, conventions: bool
) -> tuple[PageResult, _PageFound]:
    try:
        page, receipt = read_item(item)
    except ReadError as error:
        return PageResult((), failures_of(item, str(error))), _PageFound(())
    if page is None:
        return PageResult((), receipt=receipt), _PageFound(())
    result = score_one(page, settings, keep_from=0)
    scored = {one.scores.system: one for one in result.kept}
    systems = tuple(one.system for one in result.scores)
    task = _Task(page, systems, scored)
    found = [_diagnose_one(page, system, task, settings, conventions) for system in systems]
    kept = tuple(one for one in result.kept if one.scores.n_ref_words > LONG)
    return replace(result, kept=kept, receipt=receipt), _PageFound(found, lines_upward(page))


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
        return _Found(diagnose_layout(scored, look.ground, look.layout, conventions=conventions))
    except Exception as error:  # whatever it is, the other pages are diagnosed
        return _Found(None, reason=reason(error))


def _all_failed(task: _Task, why: str) -> _PageFound:
    return _PageFound([_Found(None, reason=why)] * len(task.systems))
