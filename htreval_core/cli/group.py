"""What all commands share: the group, exit codes, messages, output."""

from __future__ import annotations

import errno
import os
import secrets
import signal
import stat
import sys
import threading
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from htreval_core.errors import ConfigError, HtrEvalError, Remedy, WriteError, not_written

if TYPE_CHECKING:
    from htreval_core.model import DataWarning

EXIT_THRESHOLD, EXIT_USAGE, EXIT_DATA, EXIT_INTERRUPTED, EXIT_TERMINATED = 1, 2, 3, 130, 143
EXIT_UNREAD = 141
"""Whoever read the output has gone, as a shell tells it of programs that SIGPIPE ends."""


class Terminated(KeyboardInterrupt):
    """SIGTERM, which is to end a command as Ctrl-C does: in words and with nothing half done."""


@contextmanager
def heeding_sigterm() -> Iterator[None]:
    """Within it SIGTERM raises ``Terminated``; in threads, where none can be caught, nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: object) -> NoReturn:
        raise Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def say(kind: str, text: str) -> None:
    """A message on stderr; file names and contents in it cannot drive the terminal."""
    from htreval_core.show.tables.values import plain

    click.echo(f"{kind}: {plain(text)}", err=True)


def _remedies() -> Mapping[str, str]:
    return tomllib.loads(Path(__file__).with_name("remedies.toml").read_text("utf-8"))


def in_shell(remedy: Remedy) -> str:
    """The option by which a remedy is taken."""
    return _remedies()[remedy.kind.name].format(name=remedy.name)


def warn(warnings: Iterable[DataWarning]) -> None:
    """What is to be known of the data on stderr, summed up by kind."""
    warnings = tuple(warnings)
    if not warnings:
        return
    from htreval_core.show.telling.warnings import tell_warnings

    told = tell_warnings(warnings, in_shell)
    for one in told:
        say("Warning", one)
    if len(told) < len(warnings):
        say("Details", "htreval score --format json lists all of these, file by file")


def fail(error: HtrEvalError) -> None:
    """An error on stderr, with the option that mends it and what else came up with the data."""
    way_out = f" ({in_shell(error.remedy)})" if error.remedy else ""
    for line in f"{error}{way_out}".split("\n"):
        say("Error", line)
    warn(cast("tuple[DataWarning, ...]", error.warnings))


@contextmanager
def _faults_outside() -> Iterator[None]:
    """What fails outside of the program ends it in words: a full disk, a reader that has gone."""
    try:
        yield
    except BrokenPipeError:
        _abandon_stdout()
        raise SystemExit(EXIT_UNREAD) from None
    except OSError as error:
        _abandon_stdout()
        with suppress(OSError):  # Where stderr is full too, the exit code alone can tell.
            say("Error", f"{error}; make room or check the disk, and try again")
        raise SystemExit(EXIT_DATA) from None


def _abandon_stdout() -> None:
    """Let nothing more be written there, or Python would fail once more when it ends."""
    with suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_standard_streams() -> None:
    """Whatever of 0, 1 and 2 is closed is opened on nothing.

    A file that is opened later would take its place, and be written to as if it were stdout."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


@dataclass(frozen=True, slots=True)
class Lazy:
    """A command that is imported when it is needed.

    Args:
        place: module and name, a colon between.
        help: its short help, so that listing commands imports none of them.
    """

    place: str
    help: str


class Group(click.Group):
    """A command group that imports its commands late and turns errors into exit codes."""

    def __init__(self, *args: Any, lazy: Mapping[str, Lazy] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.lazy = lazy or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return None
        module, _, name = self.lazy[cmd_name].place.partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help) for name, command in self.lazy.items()])

    def main(self, *args: Any, **extra: Any) -> Any:
        _open_standard_streams()
        return super().main(*args, **extra)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        # Where help is asked for it is written here.
        with _faults_outside():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _faults_outside():
            return self._invoke(ctx)

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            from htreval_core.show.tables.values import shown_lines

            # It repeats what stood in its arguments, such as names that the shell has found.
            vars(error)["message"] = shown_lines(error.message)
            raise
        except HtrEvalError as error:
            fail(error)
            ctx.exit(EXIT_USAGE if isinstance(error, ConfigError) else EXIT_DATA)
        except ModuleNotFoundError as error:
            name = (error.name or "").partition(".")[0]
            if name not in _remedies():
                raise
            fail(ConfigError(_remedies()[name]))
            ctx.exit(EXIT_USAGE)
        except KeyboardInterrupt as stopped:
            click.echo("Interrupted.", err=True)
            is_term = isinstance(stopped, Terminated)
            ctx.exit(EXIT_TERMINATED if is_term else EXIT_INTERRUPTED)


def write(
    content: str | bytes | Iterator[str], output: Path | None, *, signature: str = ""
) -> None:
    """To the file, or to stdout as UTF-8 whatever the terminal.

    A file or a program gets every character as it is; on a terminal what could drive it is shown.

    Args:
        signature: of a table without room for one: goes into a file beside the output, named
            FILE.signature.txt, or to stderr.
    """
    if output is None and sys.stdout is None:
        raise WriteError("stdout is closed; leave it open, or write to a file (--output FILE)")
    pieces = iter([content]) if isinstance(content, str | bytes) else content
    is_shown = output is None and sys.stdout.isatty()
    data = (_encoded(piece, is_shown=is_shown) for piece in pieces)
    if output is not None:
        save(output, data)
    else:
        for piece in data:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    if signature and output is not None and output.is_file() and not output.is_symlink():
        save(output.with_name(f"{output.name}.signature.txt"), [f"{signature}\n".encode()])
    elif signature:
        say("Signature", signature)


def _encoded(piece: str | bytes, *, is_shown: bool) -> bytes:
    if isinstance(piece, bytes):
        return piece
    if is_shown:
        from htreval_core.show.tables.values import shown_lines

        piece = shown_lines(piece)
    return piece.encode("utf-8", "backslashreplace")


def save(path: Path, content: Iterable[bytes]) -> None:
    """Write a file beside the one that has its name, and give it the name once it is whole.

    A full disk destroys no existing file. Pipes, devices and ``/dev/stdout`` are written
    to as they stand; a link stays, and what it leads to is written.

    Raises:
        WriteError: it cannot be written.
        ConfigError: there can be no file of this name.
        BrokenPipeError: whoever read from the pipe has gone.
    """
    try:
        descriptor = _descriptor(path)
        if descriptor is not None:
            # Opened once more by its name, a file behind it would be written from its beginning.
            with open(os.dup(descriptor), "wb") as out:
                out.writelines(content)
        elif not path.exists() or path.is_file():
            _beside(path.resolve(), content)
        else:
            with path.open("wb") as out:
                out.writelines(content)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise not_written(path, error) from None


def _descriptor(path: Path) -> int | None:
    """The number of a file that this process has open, where a path names one: /dev/stdout."""
    for _ in range(40):  # Links may lead round in a circle.
        folder = str(path.parent.resolve())
        if folder in (f"/proc/{os.getpid()}/fd", "/dev/fd") and path.name.isdecimal():
            return int(path.name)
        if not path.is_symlink():
            return None
        path = path.parent / os.readlink(path)
    return None


def _beside(path: Path, content: Iterable[bytes]) -> None:
    before = path.stat() if path.exists() else None
    beside = path.with_name(f".htreval-{secrets.token_hex(6)}.part")
    try:
        with open(beside, "xb") as out:
            out.writelines(content)
            if before:
                os.fsync(out.fileno())
        if before:
            beside.chmod(stat.S_IMODE(before.st_mode))
            # What somebody has locked against writing is not replaced.
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        os.replace(beside, path)
    except OSError as error:
        # A file may be open to us in a folder that is not, or be mounted by itself.
        if not before or error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY):
            raise
        if beside.exists():
            path.write_bytes(beside.read_bytes())
        else:
            path.write_bytes(b"".join(content))
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
