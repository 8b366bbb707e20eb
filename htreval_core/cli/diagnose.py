"""``htreval diagnose``: why pages are bad."""

from pathlib import Path

from htreval_core.cli.data import find_data, scored_and_diagnosed
from htreval_core.cli.group import write
from htreval_core.cli.options import (
    DATA,
    Where,
    data_options,
    format_option,
    jobs_option,
    output_option,
)
from htreval_core.cli.titled import command, option


@command("diagnose")
@data_options()
@option(DATA, "--page", "page_id", help="Take only this page, as if there were no other.")
@jobs_option
@format_option("text", "json", default="text")
@output_option("Write to a file.")
def diagnose_command(
    where: Where, page_id: str | None, jobs: int | None, kind: str, output: Path | None
) -> None:
    """Say why pages are bad: layout faults, named, with what each costs."""
    from htreval_core.diagnosis import count_catastrophes, suspect_references, take_census
    from htreval_core.show.tables import diagnosis_json, diagnosis_text, summary_lines
    from htreval_core.show.telling.decision import diagnosed_on

    data = find_data(where)
    data = data if page_id is None else data.only_pages([page_id])
    study, found = scored_and_diagnosed(data, jobs)
    of_all = [page for of_system in found.values() for page in of_system]
    # What faults cost stands beside the figures of these pages.
    common = diagnosed_on(found, study.on_common_pages())
    told = (of_all, take_census(common), suspect_references(study.page_ids, found, found.upward))
    catastrophes = count_catastrophes(common)
    if kind == "json":
        write(diagnosis_json(study.signature, *told, warnings=(*study.warnings, *found.warnings),
                             catastrophes=catastrophes), output)  # fmt: skip
    else:
        summary = summary_lines(study.with_parts(found), diagnoses=found)
        write(diagnosis_text(study.signature, summary, *told, catastrophes), output)
