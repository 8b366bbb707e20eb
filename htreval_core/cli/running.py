"""Working from the shell: in how many processes, and the line that tells how far it is."""

from __future__ import annotations

import os
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from htreval_core.scoring.workers import Processes

PAGES_PER_PROCESS = 400
"""Fewer pages than this are scored sooner than a further process has started."""


def workers_for(jobs: int | None, n_pages: int) -> AbstractContextManager[Processes | None]:
    """Processes where they pay for this number of pages, or as many as asked for."""
    wanted = jobs or max(1, min(os.cpu_count() or 1, n_pages // PAGES_PER_PROCESS))
    if wanted == 1:
        return nullcontext()
    from htreval_core.scoring.workers import Processes

    return Processes(wanted)


def frugally() -> None:
    """Let this process take memory for a bundle from the system.

    Arrow's own allocator reserves tens of megabytes, and more with time, for the few that a block
    takes.
    """
    import pyarrow as pa

    pa.set_memory_pool(pa.system_memory_pool())


class ProgressLine:
    """Pages done, pages a second and time left on stderr, once it takes a while.

    Args:
        unit: what is counted.
        after: seconds that it has to take before anything is shown.
    """

    def __init__(self, unit: str = "pages", after: float = 1) -> None:
        self._unit = unit
        self._after = after
        self._start = time.monotonic()
        self._last = self._start if after else float("-inf")
        self._shown = False
        self._pause = 0.2 if sys.stderr.isatty() else 5.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._start < self._after or (now - self._last < self._pause and done < total):
            return
        self._last, self._shown = now, True
        speed = done / max(now - self._start, 1e-6)
        filled = 24 * done // total
        left = f"{(total - done) / speed:.0f} s" if done else "?"
        line = (
            f"[{'#' * filled}{'.' * (24 - filled)}] {done}/{total} {self._unit}, "
            f"{speed:.0f} {self._unit}/s, {left} left"
        )
        click.echo(f"\r\x1b[K{line}" if sys.stderr.isatty() else line, err=True,
                   nl=not sys.stderr.isatty() or done == total)  # fmt: skip
