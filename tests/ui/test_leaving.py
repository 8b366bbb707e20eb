"""A visitor who leaves in the middle of an answer makes no traceback; anything else does."""

import asyncio
import weakref
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from htreval_core.sources.sides import stem
from htreval_ui.web import leaving, security
from htreval_ui.web.leaving import Leaving
from htreval_ui.web.security import UploadRoom
from tests.tools import in_a_loop

SOCKET = {"type": "websocket"}


def run(app: Any, scope: dict[str, Any], *, gone: bool) -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "websocket.disconnect" if gone else "websocket.receive"}

    async def send(_: dict[str, Any]) -> None:
        if gone:
            raise OSError("the browser is gone")

    in_a_loop(Leaving(app)(scope, receive, send))


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


def test_whoever_will_not_come_back_is_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    storage = MemorySessionStorage(ttl_seconds=0)
    runtime = SimpleNamespace(_session_mgr=SimpleNamespace(_session_storage=storage))
    monkeypatch.setattr(leaving, "get_instance", lambda: runtime)
    monkeypatch.setattr(leaving, "_FORGOTTEN", 0.0)
    ended: list[str] = []
    session: Any = type("Session", (), {"id": "1", "shutdown": lambda _: ended.append("1")})()
    session.itself, shown, parts = session, {"files"}, {"part"}
    session._session_state, session._fragment_storage = shown, parts
    left = [weakref.ref(one) for one in (shown, parts)]
    # The framework's loop keeps a session.
    storage.save(SimpleNamespace(session=session))  # type: ignore[arg-type]
    del shown, parts

    async def ends(*_: Any) -> None: ...

    async def visit() -> None:
        await Leaving(ends)(SOCKET, ends, ends)
        assert None not in [one() for one in left]
        await asyncio.sleep(0.01)

    stem("theirs.txt")
    in_a_loop(visit())
    assert ([one() for one in left], ended) == ([None, None], ["1"])
    assert stem.cache_info().currsize == 0


@pytest.mark.parametrize(
    ("session", "length", "status"),
    [("a", b"40", 204), ("a", b"41", 413), ("b", b"90", 204), ("b", b"91", 413), ("b", b"", 413)],
)
def test_no_file_is_taken_beyond_what_may_be_held(
    session: str, length: bytes, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = MemoryUploadedFileManager("/_stcore/upload_file")
    files.add_file("a", UploadedFileRec("1", "x", "text/plain", b"x" * 60))
    monkeypatch.setattr(security, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=files))
    sent: list[int] = []

    async def takes(*_: Any) -> None:
        sent.append(204)
        # Another one that begins before this one has ended finds no room.
        await room(scope, send, send)

    async def send(message: Any) -> None:
        sent.append(message.get("status", 0))

    room = UploadRoom(takes, 100, 150)
    path = f"/_stcore/upload_file/{session}/2"
    headers = [(b"content-length", length)] if length else []
    scope = {"type": "http", "method": "PUT", "path": path, "headers": headers}
    in_a_loop(room(scope, send, send))
    assert [one for one in sent if one] == ([204, 413] if status == 204 else [413])
