"""``htreval align``: which word was read as which."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from htreval_core.cli.data import Found, find_data
from htreval_core.cli.group import warn, write
from htreval_core.cli.options import (
    DATA,
    Where,
    data_options,
    format_option,
    jobs_option,
    output_option,
)
from htreval_core.cli.running import workers_for
from htreval_core.cli.titled import command, option

if TYPE_CHECKING:
    from htreval_core.diagnosis.look import Look
    from htreval_core.model import Failure
    from htreval_core.sources.dataset import Receipt


@command("align")
@data_options()
@option(DATA, "--page", "page_ids", multiple=True, help="Take only this page; repeatable.")
@jobs_option
@format_option("csv", "json", default="csv")
@output_option("Write to a file.")
def align_command(
    where: Where, page_ids: tuple[str, ...], jobs: int | None, kind: str, output: Path | None
) -> None:
    """Write which reference word was read as which, pair by pair."""
    from htreval_core.show.tables.aligned import aligned_csv, aligned_json

    found = find_data(where)
    if page_ids:
        found = found.only_pages(page_ids)
    failures: list[Failure] = []
    receipts: list[Receipt] = []
    pages = _pages(found, jobs, failures, receipts)
    if kind == "json":
        write(aligned_json(pages, found.signature), output)
    else:
        write(aligned_csv(pages), output, signature=found.signature)
    warn(found.data.learn(receipts).warnings)
    warn(failure.warning for failure in failures)


def _pages(
    found: Found, jobs: int | None, failures: list[Failure], receipts: list[Receipt]
) -> Iterator[Look]:
    """The pages with their alignments, page by page in the order of the systems."""
    from htreval_core.diagnosis.look import Look
    from htreval_core.scoring.score import read_page, score_stream

    data = found.data
    place = {system: number for number, system in enumerate(data.systems)}
    with workers_for(jobs, data.n_pages) as workers:
        results = score_stream(data.items, found.settings, workers, keep_from=-1)
        for item, result in zip(data.items, results, strict=True):
            failures += result.failures
            if result.receipt is not None:
                receipts.append(result.receipt)
            shown = [page for page in result.kept if page.scores.system in place]
            if not shown:
                continue
            texts = read_page(item)
            for page in sorted(shown, key=lambda page: place[page.scores.system]):
                output = texts.hypotheses[page.scores.system]
                yield Look(page, texts.reference, output, found.settings)
