"""A visitor without a browser, with whom the load on a server is measured, gets what others get."""

import pytest

from benchmarks.load import FIELD, VIEWS, archive
from benchmarks.visitor import Visitor
from tests.tools import in_a_loop

pytestmark = pytest.mark.browser


def test_it_uploads_scores_and_sees_its_own_pages_in_every_view(server: str) -> None:
    async def visit() -> dict[str, str]:
        async with Visitor(server) as guest:
            await guest.move("data")
            await guest.upload(FIELD, "s42.zip", archive(42, 2))
            await guest.press("Score these pages")
            seen = {}
            for name, path in VIEWS.items():
                await guest.move(path)
                seen[name] = guest.text
            return seen

    for name, text in in_a_loop(visit()).items():
        assert "s42" in text, name
