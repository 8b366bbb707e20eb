"""A visitor who speaks to the server as a browser does, but draws nothing.

What a browser sends and gets goes over one web socket as protocol buffers: runs of the script are
asked for, and answered by changes of the page. Uploads are sent beside it. Without the browsers'
own work, what is left is the server's.
"""

from __future__ import annotations

import asyncio
import re
from types import TracebackType
from typing import Any

import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLsRequest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

_XSRF = "_streamlit_xsrf"
_LARGEST = 1 << 28
"""Bytes of one message."""


class Visitor:
    """One session, as an asynchronous context manager.

    Args:
        address: of the server, such as ``http://127.0.0.1:8501``.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._session_id = ""
        self._pages: dict[str, str] = {}
        self._page = ""
        self._socket: ClientConnection
        self.widgets: dict[str, str] = {}
        """Ids of the buttons and file fields of the page, by label."""
        self.text = ""
        """All that the last run sent, as it stands in the messages."""

    async def __aenter__(self) -> Visitor:
        answer = await asyncio.to_thread(requests.get, f"{self._address}/_stcore/health")
        self._token = answer.cookies[_XSRF]
        self._socket = await connect(
            self._address.replace("http", "ws") + "/_stcore/stream",
            subprotocols=["streamlit", self._token],  # type: ignore[list-item]
            additional_headers={"Cookie": f"{_XSRF}={self._token}"},
            max_size=_LARGEST,
        )
        await self.move("")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self._socket.close()

    async def move(self, path: str) -> None:
        """Go to a page and wait until its script has run."""
        self._page = self._pages.get(path, "")
        await self._run(BackMsg())

    async def press(self, label: str) -> None:
        """Press a button and wait until the script has run, wherever it leads."""
        asked = BackMsg()
        asked.rerun_script.widget_states.widgets.add(id=self.widgets[label], trigger_value=True)
        await self._run(asked)

    async def upload(self, label: str, name: str, content: bytes) -> None:
        """Put a file into a field and wait until the script has run."""
        request = FileURLsRequest(request_id="1", file_names=[name], session_id=self._session_id)
        await self._socket.send(BackMsg(file_urls_request=request).SerializeToString())
        message = await self._next()
        while message.WhichOneof("type") != "file_urls_response":
            message = await self._next()
        urls = message.file_urls_response.file_urls[0]
        answer = await asyncio.to_thread(
            requests.put, self._address + urls.upload_url, files={"file": (name, content)},
            headers={"X-Xsrftoken": self._token}, cookies={_XSRF: self._token},
        )  # fmt: skip
        answer.raise_for_status()
        asked = BackMsg()
        state = asked.rerun_script.widget_states.widgets.add(id=self.widgets[label])
        info = state.file_uploader_state_value.uploaded_file_info.add(
            name=name, size=len(content), file_id=urls.file_id
        )
        info.file_urls.CopyFrom(urls)
        await self._run(asked)

    async def _run(self, asked: BackMsg) -> None:
        """Ask for a run and take its messages in until it has finished."""
        asked.rerun_script.page_script_hash = self._page
        await self._socket.send(asked.SerializeToString())
        self.text, self.widgets = "", {}
        while True:
            message = await self._next()
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self._session_id = message.new_session.initialize.session_id or self._session_id
                self._page = message.new_session.page_script_hash
                self.text, self.widgets = "", {}
            elif kind == "navigation":
                self._pages = {
                    "" if page.is_default else page.url_pathname: page.page_script_hash
                    for page in message.navigation.app_pages
                }
            elif kind == "delta":
                self._take(message)
            # A run that was left for another one, as after a change of page, is no end.
            elif kind == "script_finished" and (
                message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
            ):
                return

    def _take(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind in ("button", "file_uploader"):
            widget: Any = getattr(element, kind)
            self.widgets[widget.label] = widget.id
        self.text += re.sub(rb"[^\x20-\x7e]+", b" ", message.SerializeToString()).decode("ascii")

    async def _next(self) -> ForwardMsg:
        received = await asyncio.wait_for(self._socket.recv(), 120)
        assert isinstance(received, bytes)
        return ForwardMsg.FromString(received)
