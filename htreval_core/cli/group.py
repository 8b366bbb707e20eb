"""What all commands share: the group, exit codes, messages, output."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from htreval_core.cli.options import say
from htreval_core.errors import ConfigError, HtrEvalError

EXIT_THRESHOLD, EXIT_USAGE, EXIT_DATA, EXIT_INTERRUPTED, EXIT_TERMINATED = 1, 2, 3, 130, 143


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


def warn(warnings: Iterable[str]) -> None:
    """Warnings on stderr, a line each."""
    for warning in warnings:
        say("Warning", warning)


class Group(click.Group):
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
        except KeyboardInterrupt as stopped:
            click.echo("Interrupted.", err=True)
            is_term = isinstance(stopped, Terminated)
            ctx.exit(EXIT_TERMINATED if is_term else EXIT_INTERRUPTED)
        except BrokenPipeError:
            raise
        except OSError as error:
            # A full disk, a share that went away: the fault lies outside, and its name says where.
            say("Error", f"{error}; make room or check the disk, and try again")
            ctx.exit(EXIT_DATA)


def write(content: str, output: Path | None) -> None:
    """To the file, or to stdout as UTF-8 whatever the terminal."""
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
