"""The ``htreval`` command.

Exit codes: 0 fine, 1 a threshold failed, 2 wrong usage, 3 bad data or a full disk, 130 interrupted,
143 told to end (SIGTERM).
"""

import click

from htreval_core.cli.app import app_command
from htreval_core.cli.compare import compare_command
from htreval_core.cli.files import pairs_command, text_command
from htreval_core.cli.group import Group
from htreval_core.cli.pages import diagnose_command, ladder_command
from htreval_core.cli.score import score_command
from htreval_core.cli.simulate import simulate_command
from htreval_core.settings import tool_version


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(tool_version(), prog_name="htreval")
def main() -> None:
    """Page-level evaluation of handwritten text recognition.

    Tells words read wrong (bWER) from right words in the wrong order (ΔWER = WER − bWER).
    """


for _command in (
    score_command,
    compare_command,
    diagnose_command,
    ladder_command,
    simulate_command,
    pairs_command,
    text_command,
    app_command,
):
    main.add_command(_command)
