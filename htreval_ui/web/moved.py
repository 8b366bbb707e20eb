"""Addresses that lead elsewhere by now, with all that they say."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from htreval_ui.web.security import Asgi, Receive, Scope, Send
from htreval_ui.web.state import TRY

_MOVED = {
    "pages": ("", {"more": "pages"}),
    "audit": ("", {"more": "audit"}),
    "text": ("", {"panel": "overview"}),
    "laboratory": ("learn", {"lesson": f"{TRY}swaps"}),
}
_PARTS_OF_ERRORS = ("words", "characters")
"""What Compare showed that Errors shows."""


def new_address(path: str, query: str) -> str | None:
    """Where an address leads by now, from its own last part on; None where it holds.

    >>> new_address("/laboratory", "data=letterbook&experiment=splits")
    'learn?lesson=try-splits&data=letterbook'
    """
    name = path.rpartition("/")[2]
    told = dict(parse_qsl(query, keep_blank_values=True, errors="replace"))
    if name == "compare" and told.get("part") in _PARTS_OF_ERRORS:
        del told["part"]
        return f"errors?{urlencode(told | {'both': 'yes'})}"
    if name not in _MOVED:
        return None
    place, added = _MOVED[name]
    if "experiment" in told:
        told["lesson"] = TRY + told.pop("experiment")
    return f"{place or './'}?{urlencode(added | told)}"


class Moved:
    """ASGI middleware that sends a browser from an old address to the new one."""

    def __init__(self, app: Asgi) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_page = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        query = scope.get("query_string", b"").decode("latin-1")
        wanted = new_address(scope["path"], query) if is_page else None
        if wanted is None:
            await self._app(scope, receive, send)
            return
        headers = [(b"location", wanted.encode("ascii")), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 307, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
