"""A visitor who leaves in the middle of an answer makes no traceback; anything else does."""

import asyncio
from typing import Any

import pytest

from htreval_ui.web.leaving import Leaving

SOCKET = {"type": "websocket"}


def run(app: Any, scope: dict[str, Any], *, gone: bool) -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "websocket.disconnect" if gone else "websocket.receive"}

    async def send(_: dict[str, Any]) -> None:
        if gone:
            raise OSError("the browser is gone")

    asyncio.run(Leaving(app)(scope, receive, send))


async def answers(_: Any, receive: Any, send: Any) -> None:
    """What the framework does when a message does not arrive as it should."""
    await receive()
    raise RuntimeError('WebSocket is not connected. Need to call "accept" first.')


async def speaks(_: Any, receive: Any, send: Any) -> None:
    try:
        await send({"type": "websocket.send"})
    except OSError:
        raise TypeError("connection closed") from None
    raise TypeError("connection closed")


@pytest.mark.parametrize("app", [answers, speaks])
def test_whoever_has_left_makes_no_traceback(app: Any) -> None:
    run(app, SOCKET, gone=True)
    with pytest.raises((RuntimeError, TypeError)):
        run(app, SOCKET, gone=False)


def test_other_requests_are_none_of_its_business() -> None:
    with pytest.raises(RuntimeError):
        run(answers, {"type": "http"}, gone=True)
