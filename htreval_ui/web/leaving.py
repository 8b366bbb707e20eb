"""Visitors who leave while the server answers them, which is no error of anybody's."""

import asyncio
import ctypes
import gc
from contextlib import suppress
from typing import Any

from streamlit.runtime import get_instance

from htreval_core.sources.sides import forget_names
from htreval_ui.web.security import Asgi, Message, Receive, Scope, Send

_FORGOTTEN = 125.0
"""Seconds after which the framework may forget who has left: it waits two minutes for them."""


def forget() -> None:
    """Let go of sessions that will not come back; the framework does only when another one comes.

    Until then it would hold all that they uploaded.
    """
    # Another version of the framework may keep them elsewhere: then they wait for a visitor.
    with suppress(AttributeError):
        _end_expired()
    forget_names()
    # Sessions refer to themselves.
    gc.collect()
    # The C library keeps freed memory, an arena for each thread. Not every one has this call.
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _end_expired() -> None:
    runtime: Any = get_instance()
    for _, info in runtime._session_mgr._session_storage._cache.expire():
        info.session.shutdown()
        # The framework's loop keeps the one that it looked at last: what its widgets call when
        # they are used, and the parts of its page, hold all that it was shown. The rest stays for a
        # script that has not ended yet.
        info.session._session_state = info.session._fragment_storage = None


class Leaving:
    """ASGI middleware that ends a connection quietly when its visitor has gone.

    The framework tells a browser that went away in the middle of a message from one that sends text
    by the same exception, and would write a traceback for both. What visitors held is let go of
    once they will not come back.
    """

    def __init__(self, app: Asgi) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        has_left = False

        async def receive_watched() -> Message:
            nonlocal has_left
            message = await receive()
            has_left = has_left or message["type"] == "websocket.disconnect"
            return message

        async def send_watched(message: Message) -> None:
            nonlocal has_left
            try:
                await send(message)
            except OSError:
                has_left = True
                raise

        try:
            await self._app(scope, receive_watched, send_watched)
        except (RuntimeError, TypeError):
            if not has_left:
                raise
        finally:
            asyncio.get_running_loop().call_later(_FORGOTTEN, forget)
