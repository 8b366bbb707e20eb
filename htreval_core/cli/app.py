"""``htreval app``: the web side, started."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path

import click

from htreval_core.cli.options import outputs_option, reference_option, told
from htreval_core.cli.titled import command, option
from htreval_core.errors import ConfigError
from htreval_core.settings.started import (
    HOST_NAMES_VARIABLE,
    OPEN_VARIABLE,
    SIDES_VARIABLE,
    paths_told,
)

_SERVER = "Server"


def _host_names(
    _ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    names = []
    for value in values:
        try:
            # Browsers ask for names in this form.
            name = value.removesuffix(".").encode("idna").decode("ascii").lower()
        except UnicodeError:
            name = ""
        if not re.fullmatch(r"[\w.-]+", name, re.ASCII) and not _is_address(value):
            raise click.BadParameter(
                f"{value!r}: give the name alone, such as htreval.example.org, without https:// "
                "and without a port"
            )
        names.append(value if _is_address(value) else name)
    return tuple(names)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


@command("app")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True))
@reference_option
@outputs_option
@told(_SERVER, "--port", type=click.IntRange(1, 65535), default=8501, show_default=True)
@told(_SERVER, "--host-name", "host_names", multiple=True, callback=_host_names)
@option(_SERVER, "--browser/--no-browser", default=True, help="Open a browser window.")
def app_command(
    paths: tuple[Path, ...], reference: Path | None, outputs: Mapping[str, Path], port: int,
    host_names: tuple[str, ...], browser: bool,
) -> None:  # fmt: skip
    """Open the web app on PATHs (folders, zip archives or run bundles), or on the sample data.

    With --reference and one or more --system, these are opened first. Without --reference, two or
    more systems are compared with each other.
    """
    for path in (*paths, *filter(None, (reference, *outputs.values()))):
        # The app reads its data again whenever somebody looks; this can be read once.
        if path.exists() and not path.is_dir() and not path.is_file():
            raise ConfigError(f"{path}: neither a file nor a folder; save what it holds as a file")
    entry = find_app()
    environment = os.environ | {
        # With an arena for each thread, glibc would keep much of what visitors leave behind.
        "MALLOC_ARENA_MAX": os.environ.get("MALLOC_ARENA_MAX", "2"),
        OPEN_VARIABLE: paths_told(paths),
        SIDES_VARIABLE: sides_told(reference, outputs),
        HOST_NAMES_VARIABLE: ",".join(host_names) or os.environ.get(HOST_NAMES_VARIABLE, ""),
    }
    arguments = [
        sys.executable, "-m", "streamlit", "run", str(entry),
        "--server.port", str(port), "--server.address", "127.0.0.1",
        "--server.headless", "false" if browser else "true", "--server.showEmailPrompt", "false",
        "--browser.gatherUsageStats", "false", "--client.toolbarMode", "minimal",
        # Else Streamlit offers to install its own files over the first lines of the app.
        "--logger.hideWelcomeMessage", "true",
    ]  # fmt: skip
    click.echo(f"htreval is at http://127.0.0.1:{port} (Ctrl-C ends it)")
    if os.name == "posix":
        # Become the server instead of starting one, so that a signal to us reaches it.
        os.chdir(entry.parent)
        os.execve(sys.executable, arguments, environment)  # noqa: S606
    raise SystemExit(subprocess.call(arguments, cwd=entry.parent, env=environment))


def sides_told(reference: Path | None, outputs: Mapping[str, Path]) -> str:
    """What ``SIDES_VARIABLE`` holds; empty where no sides are given."""
    if reference is None and not outputs:
        return ""
    if not outputs:
        raise click.UsageError("give --reference with one or more --system")
    if reference is None and len(outputs) < 2:
        raise click.UsageError("give --reference as well, or another --system to compare with")
    sides = {"reference": None if reference is None else _whole(reference),
             "systems": {name: _whole(path) for name, path in outputs.items()}}  # fmt: skip
    return json.dumps(sides)


def _whole(path: Path) -> str:
    """A path that holds wherever the server runs."""
    if not path.exists():
        raise ConfigError(f"{path}: there is no such file or folder; check the path")
    return str(path.resolve())


def find_app() -> Path:
    """The app's entry script: in a checkout beside the packages, else inside the installed one.

    Raises:
        ConfigError: the web side is not installed.
        ModuleNotFoundError: Streamlit is not.
    """
    if find_spec("streamlit") is None:
        raise ModuleNotFoundError("No module named 'streamlit'", name="streamlit")
    spec = find_spec("htreval_ui")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for entry in (Path(folder).parent / "app.py", Path(folder) / "_bundle" / "app.py"):
            if entry.is_file() and (entry.parent / "sample_data").is_dir():
                return entry
    raise ConfigError("the web app is not installed; install htreval again")
