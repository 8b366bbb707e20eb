"""The ``htreval`` command.

Exit codes: 0 fine, 1 a threshold failed, 2 wrong usage, 3 bad data or a full disk, 130 interrupted,
141 whoever read the output has gone, 143 told to end (SIGTERM).
"""

import tomllib
from pathlib import Path

import click

from htreval_core.cli.group import Group, Lazy

_TOLD = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))
_COMMANDS = {
    name: Lazy(f"htreval_core.cli.{one.get('module', name)}:{name}_command", one["help"])
    for name, one in _TOLD.items()
}


@click.group(cls=Group, lazy=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="htreval", prog_name="htreval")
def main() -> None:
    """Page-level evaluation of handwritten text recognition.

    Tells words read wrong (bWER) from right words in the wrong order (ΔWER = WER − bWER).
    """
