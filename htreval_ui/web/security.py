"""Who the app answers to, headers that keep a page from running what is not ours, and its views.

A web site whose name is made to lead to this machine is, to a browser, the same site as an app that
answers to any name. So the app answers to the names that it is known by, and to no others.
"""

import base64
import hashlib
import os
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import streamlit as st
from streamlit import config
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from htreval_core.settings.started import HOST_NAMES_VARIABLE
from htreval_core.show.views.contract import View, Wish
from htreval_ui.places import ASSETS

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]


def _inline_hashes() -> str:
    """The hashes of the scripts that stand in Streamlit's own start page."""
    page = Path(st.__file__).parent / "static" / "index.html"
    scripts = re.findall(rb"<script>(.*?)</script>", page.read_bytes(), re.DOTALL)
    digests = (base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)


_POLICY = (
    "default-src 'self'",
    # Streamlit loads components as blob: modules. Nothing else inline, nothing remote.
    f"script-src 'self' blob: {_inline_hashes()}".strip(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
)


def policy(host: str = "") -> str:
    """What a page may run and fetch.

    Args:
        host: the name and port that it was asked for by. Not every browser takes web sockets of
            this place for its own, so they are named.
    """
    sockets = f" ws://{host} wss://{host}" if host else ""
    return "; ".join((*_POLICY, f"connect-src 'self'{sockets}"))


HEADERS = (
    (b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)  # fmt: skip


def headers(host: str = "") -> tuple[tuple[bytes, bytes], ...]:
    """The headers of an answer to a request for this host."""
    return ((b"content-security-policy", policy(host).encode("ascii")), *HEADERS)


class SecurityHeaders:
    """ASGI middleware that adds ``headers`` to every HTTP response."""

    def __init__(self, app: Asgi) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = _only(scope, b"host")
        added = headers(host if answers_to(host, _local_names(scope) | _host_names()) else "")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                ours = {name for name, _ in added}
                kept = [pair for pair in message.get("headers", []) if pair[0].lower() not in ours]
                message["headers"] = [*kept, *added]
            await send(message)

        await self._app(scope, receive, send_with_headers)


_NOT_OURS = (
    "The app does not answer to this name, or not to a page of another site. Open it under "
    "http://localhost and its port. Whoever runs it can give it further names: see "
    "docs/security.md."
)
_NO_ROOM = (
    "There is no room for this file: see docs/security.md. Remove others from the page, or start "
    "htreval on the folder itself."
)
_CLOSED = ("/_stcore/metrics",)
"""What the framework tells of itself, which nobody who looks at pages needs."""


class KnownHosts:
    """ASGI middleware that answers, and opens web sockets, under the app's own names alone."""

    def __init__(self, app: Asgi) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif not _is_ours(scope):
            await _refuse(scope, send, 403, _NOT_OURS)
        elif scope["path"].rstrip("/").endswith(_CLOSED):
            await _refuse(scope, send, 404, "Not found.")
        else:
            await self._app(scope, receive, send)


class UploadRoom:
    """ASGI middleware that takes no file beyond what one session, or all of them, may hold.

    The framework holds a file from when it comes, whether or not a script ever asks for it.
    """

    def __init__(self, app: Asgi, of_session: int, of_all: int) -> None:
        self._app = app
        self._of_session, self._of_all = of_session, of_all
        self._coming: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT":
            await self._app(scope, receive, send)
            return
        session = scope["path"].rpartition("/")[0]
        told = _only(scope, b"content-length")
        # Who does not say how much comes may send anything.
        size = int(told) if told.isdecimal() else self._of_all
        held = _held_files() + self._coming
        if held[session] + size > self._of_session or held.total() + size > self._of_all:
            await _refuse(scope, send, 413, _NO_ROOM)
            return
        self._coming[session] += size
        try:
            await self._app(scope, receive, send)
        finally:
            self._coming[session] -= size


def _held_files() -> Counter[str]:
    """The bytes that the framework holds, by the path that files of a session are put under."""
    manager: Any = get_instance().uploaded_file_mgr
    held = Counter[str]()
    for session, files in list(manager.file_storage.items()):
        held[f"{manager.endpoint}/{session}"] = sum(len(one.data) for one in list(files.values()))
    return held


async def _refuse(scope: Scope, send: Send, status: int, text: str) -> None:
    if scope["type"] == "websocket":
        # Before it is accepted: the server answers with 403.
        await send({"type": "websocket.close", "code": 1008})
        return
    plain = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": plain})
    await send({"type": "http.response.body", "body": text.encode("utf-8")})


def _is_ours(scope: Scope) -> bool:
    host, origins = _only(scope, b"host"), _all(scope, b"origin")
    if not answers_to(host, _local_names(scope) | _host_names()):
        return False
    return not origins or (len(origins) == 1 and comes_from_us(origins[0], host))


def answers_to(host: str, names: Iterable[str]) -> bool:
    """Whether the app answers to a ``Host``: loopback, or one of these names, on any port."""
    name = _name(_split(f"//{host}"))
    return bool(name) and (_is_loopback(name) or name in names)


def comes_from_us(origin: str, host: str) -> bool:
    """Whether a page of this origin is the app's own: it has the name and port that it asks for.

    What listens on another port of this machine is somebody else's.
    """
    asked = _split(origin)
    if asked is None or asked.scheme not in ("http", "https") or not _name(asked):
        return False
    own = _split(f"{asked.scheme}://{host}")
    return own is not None and (_name(own), _port(own)) == (_name(asked), _port(asked))


def _split(address: str) -> SplitResult | None:
    """An address that is nothing but a name and a port; None for any other."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    # What is split may differ from what was given: white space within is dropped on the way.
    return parts if address in (f"{parts.scheme}://{parts.netloc}", f"//{parts.netloc}") else None


def _name(parts: SplitResult | None) -> str:
    if (
        parts is None
        or "@" in parts.netloc
        or not re.fullmatch(r"[\w.:\[\]-]+", parts.netloc, re.A)
    ):
        return ""
    return (parts.hostname or "").removesuffix(".")


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def is_local() -> bool:
    """Whether nobody but this machine reaches the app, as far as it was told."""
    return _is_loopback(str(config.get_option("server.address") or "")) and not _host_names()


def _local_names(scope: Scope) -> frozenset[str]:
    """The address that the app is bound to, and the one at which this request came in."""
    bound, came_in = config.get_option("server.address"), (scope.get("server") or ("",))[0]
    return frozenset(str(name).lower() for name in (bound, came_in) if name)


def _host_names() -> frozenset[str]:
    """The names that it was started with, for those who reach it through a proxy.

    They are looked up when somebody asks: where the app is hosted they may be set after the start.
    """
    told = os.environ.get(HOST_NAMES_VARIABLE, "")
    return frozenset(name.strip().lower() for name in told.split(",") if name.strip())


def _all(scope: Scope, header: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == header]


def _only(scope: Scope, header: bytes) -> str:
    """The value of a header that stands there once; empty otherwise."""
    values = _all(scope, header)
    return values[0] if len(values) == 1 else ""


@cache
def _component(view: View) -> Any:
    script, style = ((ASSETS / f"host.{kind}").read_text("utf-8") for kind in ("js", "css"))
    return st.components.v2.component(
        f"htreval.{view.name}", js=f"{view.script}\n{script}", css=f"{style}{view.style}"
    )


def host(view: View, payload: Mapping[str, Any], key: str, **more: Any) -> Wish | None:
    """Draw a view, and return what the user just asked of it.

    Args:
        key: of its state in the session.
        more: for the frame around it, as the framework has it.
    """
    result = _component(view)(
        data=payload, key=key, on_wish_change=lambda: None, on_kept_change=lambda: None,
        on_drawn_change=lambda: None, **more,
    )  # fmt: skip
    wish = result.get("wish")
    return None if wish is None else Wish(str(wish[0]), wish[1], str(wish[2]))


def handed(key: str, what: str) -> Any:
    """What a view has just handed out, before this run draws it: "kept" marks, or "drawn"."""
    return st.session_state.get(key, {}).get(what)


def waiting(saying: str) -> AbstractContextManager[object]:
    """Shows for what somebody waits; beside the server nobody sees it."""
    is_shown = get_script_run_ctx(suppress_warning=True) is not None
    return st.spinner(saying) if is_shown else nullcontext()
