"""What kinds of failure a corpus has, and what each costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from htreval_core.diagnosis.diagnose import diagnose_page
from htreval_core.diagnosis.model import Diagnosis, EventKind
from htreval_core.errors import workers_may_die
from htreval_core.model import Page
from htreval_core.scoring.score import Evaluation, score_page
from htreval_core.settings import Settings


@dataclass(frozen=True, slots=True)
class CensusRow:
    """One kind of failure in one system's output.

    Args:
        words: words lost to it over all pages.
        wer: the system's WER as it is, a fraction; nan without reference words.
        wer_without: its WER if this kind were put right on every page.
    """

    kind: EventKind
    system: str
    events: int
    pages: int
    words: int
    wer: float
    wer_without: float


def diagnose(
    evaluation: Evaluation,
    *,
    systems: Iterable[str] | None = None,
    executor: Executor | None = None,
) -> dict[str, tuple[Diagnosis, ...]]:
    """The diagnosis of every page of every system, in the order of the scores."""
    wanted = tuple(systems) if systems is not None else evaluation.systems
    found: dict[str, tuple[Diagnosis, ...]] = {}
    for system in wanted:
        pages = [evaluation.pages[scores.page_id] for scores in evaluation.scores[system]]
        work = partial(_diagnose, system=system, settings=evaluation.settings)
        run = executor.map(work, pages, chunksize=8) if executor else map(work, pages)
        with workers_may_die():
            found[system] = tuple(run)
    return found


def _diagnose(page: Page, system: str, settings: Settings) -> Diagnosis:
    scored = score_page(
        page.reference,
        page.hypotheses[system],
        settings,
        page_id=page.page_id,
        system=system,
    )
    return diagnose_page(scored, page.reference)


def take_census(diagnoses: Mapping[str, Sequence[Diagnosis]]) -> list[CensusRow]:
    """Kinds of failure by system, the costliest first."""
    rows: list[CensusRow] = []
    for system, pages in diagnoses.items():
        n_words = sum(page.n_ref_words for page in pages)
        errors = sum(page.wer for page in pages)
        for kind in EventKind:
            of_kind = [
                (page.page_id, event)
                for page in pages
                for event in page.events
                if event.kind is kind
            ]
            if of_kind:
                words = sum(event.words for _, event in of_kind)
                rows.append(
                    CensusRow(
                        kind,
                        system,
                        len(of_kind),
                        len({page_id for page_id, _ in of_kind}),
                        words,
                        errors / n_words if n_words else float("nan"),
                        (errors - words) / n_words if n_words else float("nan"),
                    )
                )
    return sorted(rows, key=lambda row: -row.words)
