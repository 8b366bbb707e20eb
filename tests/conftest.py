"""What several test files share."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_data"
SHARED = ROOT.parent / "shared" / "data"
"""Real data that lies beside the checkout on some machines; tests on it skip where it is not."""

# What they assert is told as in a test.
pytest.register_assert_rewrite("tests.tools", "tests.hostile")


def shared(name: str) -> Path:
    """A folder of the real data, or a skip."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"real data not here: {name}")
    return path


@pytest.fixture
def iamdb() -> Path:
    """336 paragraphs of IAM with the output of SPAN, from the authors' repository."""
    return shared("iamdb")


ROOMS = (
    "text", "metrics", "sources", "scoring", "compare", "words", "diagnosis", "audit", "run",
    "show", "lab", "cli", "ui", "house", "browser",
)  # fmt: skip
"""From what is quick and tells most of a mistake to what is slow."""


def pytest_xdist_auto_num_workers() -> int:
    """Walks through the app wait for a browser: more processes than cores keep these busy."""
    return 3 * (os.cpu_count() or 1) // 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    ranks = {room: rank for rank, room in enumerate(ROOMS)}
    rooms: dict[int, list[pytest.Item]] = {}
    for item in items:
        rank = ranks.get(item.path.relative_to(ROOT / "tests").parts[0], 0)
        rooms.setdefault(rank, []).append(item)
    walks = rooms.pop(ranks["browser"], [])
    # Walks wait for a browser: beside other slow rooms, and not last, they leave no core idle.
    slow = [item for rank in sorted(rooms) if rank >= ranks["run"] for item in rooms[rank]]
    quick = [item for rank in sorted(rooms) if rank < ranks["run"] for item in rooms[rank]]
    mixed = [(n / len(of), item) for of in (walks, slow) for n, item in enumerate(of)]
    items[:] = [*quick, *(item for _, item in sorted(mixed, key=lambda pair: pair[0]))]


# A slow machine is no failure: what is tried is bounded by its number, not by the clock.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture
def tree(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Writes files below a folder called ``data``, which is new every time."""
    from tests.tools import write_tree

    def write(files: Mapping[str, str | bytes]) -> Path:
        shutil.rmtree(tmp_path / "data", ignore_errors=True)
        return write_tree(tmp_path / "data", files)

    return write


@pytest.fixture(autouse=True)
def _no_other_server(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that starts the app on paths of its own leaves nothing cached for the next one.

    The app keys what it keeps by the number of a path: a server's paths never change."""
    yield
    if "monkeypatch" in request.fixturenames and "streamlit" in sys.modules:
        sys.modules["streamlit"].cache_resource.clear()
        sys.modules["streamlit"].cache_data.clear()
