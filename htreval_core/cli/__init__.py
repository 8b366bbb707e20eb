"""The ``htreval`` command.

Exit codes: 0 fine, 1 a threshold failed, 2 wrong usage, 3 bad data or a full disk, 130 interrupted,
141 whoever read the output has gone, 143 told to end (SIGTERM).
"""

import click

from htreval_core.cli.group import Group, Lazy

_COMMANDS = {
    "score": Lazy("htreval_core.cli.score:score_command", "Score pages, as a table or a file."),
    "merge": Lazy("htreval_core.cli.bundle:merge_command", "Join pages that were scored in parts."),
    "compare": Lazy("htreval_core.cli.compare:compare_command", "Say how two systems differ."),
    "diagnose": Lazy("htreval_core.cli.diagnose:diagnose_command", "Say why pages are bad."),
    "report": Lazy("htreval_core.cli.report:report_command", "Write a report as one HTML file."),
    "site": Lazy("htreval_core.cli.site:site_command", "Write the views as static files."),
    "align": Lazy("htreval_core.cli.align:align_command", "Write which word was read as which."),
    "ladder": Lazy(
        "htreval_core.cli.ladder:ladder_command", "Show what each option of the text changes."
    ),
    "audit": Lazy(
        "htreval_core.cli.audit:audit_command", "Compare systems where there are no references."
    ),
    "pairs": Lazy("htreval_core.cli.files:pairs_command", "Show which files belong together."),
    "text": Lazy("htreval_core.cli.files:text_command", "Print files as the scorer sees them."),
    "app": Lazy("htreval_core.cli.app:app_command", "Open the web app."),
}


@click.group(cls=Group, lazy=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="htreval", prog_name="htreval")
def main() -> None:
    """Page-level evaluation of handwritten text recognition.

    Tells words read wrong (bWER) from right words in the wrong order (ΔWER = WER − bWER).
    """
