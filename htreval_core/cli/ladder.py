"""``htreval ladder``: what each switch of the text policy is worth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from htreval_core.cli.data import find_reading, is_bundle, read_study
from htreval_core.cli.group import warn, write
from htreval_core.cli.options import (
    Where,
    data_options,
    format_option,
    jobs_option,
    metrics_option,
    output_option,
)
from htreval_core.cli.running import ProgressLine, workers_for
from htreval_core.cli.titled import command
from htreval_core.settings import ReadPolicy

if TYPE_CHECKING:
    from htreval_core.sources.dataset import Dataset


@command("ladder")
@data_options(seed=True)
@jobs_option
@metrics_option
@format_option("table", "json", default="table")
@output_option("Write to a file.")
def ladder_command(
    where: Where, jobs: int | None, metrics: tuple[str, ...] | None, kind: str, output: Path | None
) -> None:
    """Show how each text option changes the scores, applied one after another."""
    from htreval_core.scoring.ladder import ladder_warnings, score_ladder
    from htreval_core.show.tables import ladder_json, ladder_table

    study = read_study(where)
    policy = study.settings.policy
    settings = replace(study.settings, policy=replace(policy, mapping=()))

    def reread(reading: ReadPolicy) -> Dataset | None:
        if where.path is not None and is_bundle(where.path):
            return None
        found = find_reading(where, replace(settings, reading=reading))
        has_markup = found.pairing.may_hold_markup or reading.text_as == "markdown"
        return found.read() if has_markup else None

    with workers_for(jobs, study.dataset.n_pages) as workers:
        rungs = score_ladder(
            study.dataset, settings, mapping=policy.mapping, reread=reread, workers=workers,
            progress=ProgressLine(),
        )  # fmt: skip
    warn(ladder_warnings(rungs))
    chosen = metrics or ("wer", "bwer", "delta_wer", "cer")
    made = ladder_json(rungs, chosen, settings) if kind == "json" else ladder_table(rungs, chosen)
    write(made, output)
