"""The ``htreval`` command.

Exit codes: 0 fine, 1 a threshold failed, 2 wrong usage, 3 bad data, 130 interrupted.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from htreval_core.errors import ConfigError, HtrEvalError, ReadError
from htreval_core.options import (
    EITHER,
    Systems,
    data_options,
    limit_option,
    named_paths,
    read_dataset,
    read_settings,
    say,
)
from htreval_core.settings import Level, Limits, Order, ReadPolicy, Settings, tool_version

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from htreval_core.model import Dataset, Transcript
    from htreval_core.score import Evaluation

EXIT_THRESHOLD, EXIT_USAGE, EXIT_DATA, EXIT_INTERRUPTED = 1, 2, 3, 130
OPEN_VARIABLE = "HTREVAL_OPEN"
"""The environment variable that tells the app which paths it was started with."""
_PAGES_PER_PROCESS = 400
"""Fewer pages than this are scored sooner than a further process has started."""


def _warn(warnings: Iterable[str]) -> None:
    for warning in warnings:
        say("Warning", warning)


class _Group(click.Group):
    """A command group that turns the engine's errors into messages and exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ConfigError as error:
            say("Error", str(error))
            ctx.exit(EXIT_USAGE)
        except HtrEvalError as error:
            for line in str(error).split("\n"):
                say("Error", line)
            ctx.exit(EXIT_DATA)
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(EXIT_INTERRUPTED)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(tool_version(), prog_name="htreval")
def main() -> None:
    """Page-level evaluation of handwritten text recognition.

    Tells words read wrong (bWER) from right words in the wrong order (ΔWER = WER − bWER).
    """


def _executor(jobs: int | None, n_pages: int) -> AbstractContextManager[Executor | None]:
    """A pool of processes where it pays, or as many as asked for."""
    wanted = jobs or max(1, min(os.cpu_count() or 1, n_pages // _PAGES_PER_PROCESS))
    if wanted == 1:
        return nullcontext()
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(wanted, mp_context=get_context("spawn"))


class _ProgressLine:
    """Pages done, pages a second and time left on stderr, once it takes longer than a second."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._last = self._start
        self._shown = False
        self._pause = 0.2 if sys.stderr.isatty() else 5.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._start < 1 or (now - self._last < self._pause and done < total):
            return
        self._last, self._shown = now, True
        speed = done / (now - self._start)
        filled = 24 * done // total
        line = (
            f"[{'#' * filled}{'.' * (24 - filled)}] {done}/{total} pages, "
            f"{speed:.0f} pages/s, {(total - done) / speed:.0f} s left"
        )
        click.echo(f"\r\x1b[K{line}" if sys.stderr.isatty() else line, err=True,
                   nl=not sys.stderr.isatty() or done == total)  # fmt: skip


def score_dataset(dataset: Dataset, settings: Settings, jobs: int | None) -> Evaluation:
    """Score with a progress line, on as many processes as pay or as asked for."""
    from htreval_core.score import score

    with _executor(jobs, len(dataset.pages)) as executor:
        return score(dataset.pages, settings, executor=executor, progress=_ProgressLine())


def _thresholds(
    _ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]
) -> dict[str, float]:
    from htreval_core.metrics.catalog import METRICS

    limits: dict[str, float] = {}
    for value in values:
        name, separator, limit = value.partition("=")
        if not separator or name not in METRICS:
            raise click.BadParameter(f"{value!r}: write it as METRIC=FRACTION, such as wer=0.2")
        if name in limits:
            raise click.BadParameter(f"{value!r}: {name} has a limit already; give one")
        try:
            limits[name] = float(limit)
        except ValueError:
            raise click.BadParameter(f"{value!r}: {limit!r} is no number") from None
        if METRICS[name].higher_is_better:
            raise click.BadParameter(
                f"{value!r}: of {name} more is better, so nothing fails above; limit an error "
                "rate, such as wer"
            )
        if not math.isfinite(limits[name]):
            raise click.BadParameter(f"{value!r}: nothing can be above {limit!r}")
    return limits


def _metric_names(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    from htreval_core.metrics.catalog import METRICS

    if value is None:
        return None
    names = tuple(name.strip() for name in value.split(",") if name.strip())
    unknown = [name for name in names if name not in METRICS]
    if unknown or not names:
        raise click.BadParameter(
            f"{', '.join(unknown) or value!r}: use any of {', '.join(METRICS)}"
        )
    return names


@main.command("score")
@data_options
@click.option("--metrics", callback=_metric_names, metavar="A,B,…", help="Only these metrics.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes [default: as many as pay]")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
)
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file.")
@click.option(
    "--fail-above",
    multiple=True,
    callback=_thresholds,
    metavar="METRIC=FRACTION",
    help="Exit with 1 if a system's corpus value is above; may be given several times.",
)
@click.option("--strict", is_flag=True, help="Exit with 3 if there was any warning.")
@click.pass_context
def score_command(
    ctx: click.Context,
    /,
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    metrics: tuple[str, ...] | None,
    jobs: int | None,
    kind: str,
    output: Path | None,
    fail_above: dict[str, float],
    strict: bool,
    **text: Any,
) -> None:
    """Score PATH, or --reference against one or more --system.

    PATH is a folder or zip archive whose pairing is recognised: 1.ref beside 1.hyp, or a folder
    "reference" beside a folder for each system.
    """
    from htreval_core.report import (
        TABLE_METRICS,
        evaluation_csv,
        evaluation_json,
        evaluation_table,
    )

    settings = read_settings(**text)
    dataset = read_dataset(
        path, reference, systems, reference_suffix, hypothesis_suffix, settings.reading
    )
    _warn(dataset.warnings)
    evaluation = score_dataset(dataset, settings, jobs)
    if kind == "json":
        chosen = {"metrics": metrics} if metrics else {}
        content = evaluation_json(
            evaluation, unpaired=dataset.unpaired, warnings=dataset.warnings, **chosen
        )
    elif kind == "csv":
        content = evaluation_csv(evaluation, metrics) if metrics else evaluation_csv(evaluation)
    else:
        content = evaluation_table(evaluation, metrics or TABLE_METRICS)
    _write(content, output)
    failed = False
    for name, limit in fail_above.items():
        for system, corpus in evaluation.corpora.items():
            value = corpus.estimates[name].value
            if math.isnan(value):
                failed = True
                say("Not below the threshold", f"{name} of {system} is undefined")
            elif value > limit:
                failed = True
                say("Above the threshold", f"{name} of {system} is {value:.4f} > {limit:g}")
    if strict and dataset.warnings:
        ctx.exit(EXIT_DATA)
    if failed:
        ctx.exit(EXIT_THRESHOLD)


@main.command("diagnose")
@data_options
@click.option("--page", "page_id", help="Only this page.")
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text")
def diagnose_command(
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    page_id: str | None,
    kind: str,
    **text: Any,
) -> None:
    """Say why pages are bad: layout failures, named, with what each costs."""
    from htreval_core.diagnosis import diagnose, take_census
    from htreval_core.report import diagnosis_json, diagnosis_text
    from htreval_core.score import score

    settings = read_settings(**text)
    dataset = read_dataset(
        path, reference, systems, reference_suffix, hypothesis_suffix, settings.reading
    )
    _warn(dataset.warnings)
    pages = [page for page in dataset.pages if page_id in (None, page.page_id)]
    if not pages:
        raise ConfigError(f"--page {page_id}: there is no such page; see htreval pairs")
    evaluation = score(pages, settings)
    found = diagnose(evaluation)
    census = take_census(found)
    of_all = [page for of_system in found.values() for page in of_system]
    write = diagnosis_json if kind == "json" else diagnosis_text
    _write(write(evaluation.signature, of_all, census), None)


@main.command("pairs")
@data_options
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text")
def pairs_command(
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    kind: str,
    **text: Any,
) -> None:
    """Show which files would be paired into pages, by which rule, and what is left over."""
    from htreval_core.pairing import find_pairs, find_source_pairs
    from htreval_core.report import pairing_json, pairing_table

    options: dict[str, Any] = {
        "reference_suffix": reference_suffix,
        "hypothesis_suffix": hypothesis_suffix,
        "reading": read_settings(**text).reading,
    }
    if path is not None and reference is None and not systems:
        pairing = find_pairs(path, **options)
    elif path is None and reference is not None and systems:
        pairing = find_source_pairs(reference, named_paths(systems), **options)
    else:
        raise click.UsageError(EITHER)
    _warn(pairing.warnings)
    _write(pairing_json(pairing) if kind == "json" else pairing_table(pairing), None)


@main.command("text")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--level", type=click.Choice(get_args(Level)), default="line", show_default=True)
@click.option("--order", type=click.Choice(get_args(Order)), default="file", show_default=True)
@click.option("--encoding", help="Of text files that are not UTF-8.")
@limit_option
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text")
@click.pass_context
def text_command(
    ctx: click.Context,
    /,
    files: tuple[Path, ...],
    level: Level,
    order: Order,
    encoding: str | None,
    limits: Limits,
    kind: str,
) -> None:
    """Print FILES as the scorer sees them: lines in reading order; warnings on stderr."""
    from htreval_core.readers import read_kind
    from htreval_core.report import transcripts_json

    policy = ReadPolicy(level=level, order=order, encoding=encoding, limits=limits)
    found: list[tuple[str, str, Transcript]] = []
    failed = False
    for file in files:
        try:
            file_kind, transcript = read_kind(file, policy)
        except ReadError as error:
            failed = True
            say("Error", str(error))
            continue
        found.append((str(file), file_kind, transcript))
        _warn(transcript.warnings)
    if kind == "json":
        _write(transcripts_json(found), None)
    else:
        _write("".join(f"{line.text}\n" for _, _, one in found for line in one.lines), None)
    if failed:
        ctx.exit(EXIT_DATA)


@main.command("ladder")
@data_options
@click.option("--metrics", callback=_metric_names, metavar="A,B,…", help="Only these metrics.")
@click.option("--format", "kind", type=click.Choice(["table", "json"]), default="table")
def ladder_command(
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    metrics: tuple[str, ...] | None,
    kind: str,
    **text: Any,
) -> None:
    """Show what each switch of the text policy is worth, thrown one after another."""
    from htreval_core.ladder import score_ladder
    from htreval_core.report import ladder_json, ladder_table

    settings = read_settings(**text)
    mapping, policy = settings.policy.mapping, replace(settings.policy, mapping=())
    settings = replace(settings, policy=policy)
    dataset = read_dataset(
        path, reference, systems, reference_suffix, hypothesis_suffix, settings.reading
    )
    _warn(dataset.warnings)
    rungs = score_ladder(dataset.pages, settings, mapping=mapping)
    chosen = metrics or ("wer", "bwer", "delta_wer", "cer")
    _write(
        ladder_json(rungs, chosen, settings) if kind == "json" else ladder_table(rungs, chosen),
        None,
    )


def _write(content: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.buffer.write(content.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
        return
    try:
        output.write_text(content, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise ConfigError(
            f"{output}: cannot be written ({error.strerror}); name another file"
        ) from None


@main.command("app")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True)
@click.option("--browser/--no-browser", default=True, help="Open a browser window.")
def app_command(paths: tuple[Path, ...], port: int, browser: bool) -> None:
    """Open the web app on PATHs (folders or zip archives), or on the sample data."""
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


if __name__ == "__main__":
    main()
