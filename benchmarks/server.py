"""Processes that are measured from outside: the app on a port of its own, and their memory."""

import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent


def memory(pid: int, field: str = "VmRSS") -> float:
    """Resident megabytes of a process, or with ``VmHWM`` the most so far; 0 once it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8")
    except OSError:
        return 0.0
    found = re.search(rf"{field}:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


@contextmanager
def served(*arguments: str, script: Path | None = None) -> Iterator[tuple[str, int]]:
    """A fresh server of the app: its address and the number of its process.

    Args:
        arguments: what ``htreval app`` opens.
        script: what Streamlit runs instead of the app.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "htreval_core.cli", "app", *arguments, "--no-browser",
               "--port", str(port)]  # fmt: skip
    if script:
        command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.headless=true",
                   f"--server.port={port}", "--browser.gatherUsageStats=false"]  # fmt: skip
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(command, cwd=ROOT, stdout=quiet, stderr=quiet)
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(200):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=2)  # noqa: S310
                break
            except OSError:
                time.sleep(0.3)
        yield address, server.pid
    finally:
        server.terminate()
        server.wait(20)
