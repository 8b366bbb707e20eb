"""Response headers that keep a page from running or fetching what is not its own."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

import streamlit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]


def _inline_hashes() -> str:
    """The hashes of the scripts that stand in Streamlit's own start page."""
    page = Path(streamlit.__file__).parent / "static" / "index.html"
    scripts = re.findall(rb"<script>(.*?)</script>", page.read_bytes(), re.DOTALL)
    digests = (base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)


POLICY = "; ".join(
    (
        "default-src 'self'",
        # Streamlit loads components as blob: modules. Nothing else inline, nothing remote.
        f"script-src 'self' blob: {_inline_hashes()}".strip(),
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' ws: wss:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
HEADERS = (
    (b"content-security-policy", POLICY.encode("ascii")),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


class SecurityHeaders:
    """ASGI middleware that adds ``HEADERS`` to every HTTP response."""

    def __init__(self, app: Asgi) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                ours = {name for name, _ in HEADERS}
                kept = [pair for pair in message.get("headers", []) if pair[0].lower() not in ours]
                message["headers"] = [*kept, *HEADERS]
            await send(message)

        await self._app(scope, receive, send_with_headers)
