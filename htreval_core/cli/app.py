"""``htreval app``: the web side, started."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from htreval_core.errors import ConfigError

OPEN_VARIABLE = "HTREVAL_OPEN"
"""The environment variable that tells the app which paths it was started with."""


@click.command("app")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8501,
    show_default=True,
    help="Listen on this port.",
)
@click.option("--browser/--no-browser", default=True, help="Open a browser window.")
def app_command(paths: tuple[Path, ...], port: int, browser: bool) -> None:
    """Open the web app on PATHs (folders, zip archives or run bundles), or on the sample data."""
    entry = find_app()
    environment = os.environ | {OPEN_VARIABLE: os.pathsep.join(str(p.resolve()) for p in paths)}
    arguments = [
        sys.executable, "-m", "streamlit", "run", str(entry),
        "--server.port", str(port),
        "--server.address", "127.0.0.1",
        "--server.headless", "false" if browser else "true",
        "--server.showEmailPrompt", "false",
        "--browser.gatherUsageStats", "false",
        "--client.toolbarMode", "minimal",
    ]  # fmt: skip
    if os.name == "posix":
        # Become the server instead of starting one, so that a signal to us reaches it.
        os.chdir(entry.parent)
        os.execve(sys.executable, arguments, environment)  # noqa: S606
    raise SystemExit(subprocess.call(arguments, cwd=entry.parent, env=environment))


def find_app() -> Path:
    """The app's entry script: in a checkout beside the packages, else inside the installed one.

    Raises:
        ConfigError: the web side is not installed.
    """
    spec = find_spec("htreval_ui")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for entry in (Path(folder).parent / "app.py", Path(folder) / "_bundle" / "app.py"):
            if entry.is_file() and (entry.parent / "sample_data").is_dir():
                return entry
    raise ConfigError("the web app is not installed; install htreval again")
