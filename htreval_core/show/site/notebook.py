"""A page as the Page view shows it, in a notebook."""

import base64
import hashlib
from dataclasses import replace

from htreval_core.diagnosis.look import Look
from htreval_core.markup import Html, frame
from htreval_core.model import Page
from htreval_core.scoring.found import Diagnoses
from htreval_core.scoring.score import score
from htreval_core.show.html.font import font_css, needs_font
from htreval_core.show.site.contents import Contents, Wanted
from htreval_core.show.site.write import asset, packed, script
from htreval_core.show.views.contract import PAGE
from htreval_core.show.views.opened import Opened
from htreval_core.sources.dataset import Dataset

_SIDE = 1000
"""Pixels of the longer side of the image: a notebook keeps it in its file."""
_HEIGHT = 680


def look_html(look: Look) -> Html:
    """The Page view of one page under one system, in a frame that can reach nothing outside."""
    page_id, system = look.page.scores.page_id, look.page.scores.system
    data = Dataset.of([Page(page_id, look.reference, {system: look.hypothesis})])
    images = {} if look.image is None else {page_id: look.image}
    opened = Opened(score(replace(data, images=images), look.settings), side=_SIDE)
    opened.diagnoses(Diagnoses({system: (look.diagnosis,)}))
    contents = Contents(opened, Wanted(page_id, frozenset([page_id])))
    payloads = [
        packed(name.replace("page/0000-0", "look"), payload).decode()
        for name, payload in contents.page(page_id)
    ]
    payloads.append(packed("image", {"address": opened.image(page_id)}).decode())
    code = "\n".join([script((PAGE,), "look"), *payloads, "startLook();"])
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )
    text = f"{look.reference.text}{look.hypothesis.text}"
    font = font_css() if needs_font(text) else ""
    document = (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8>"
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<style>{font}{asset('site.css')}</style></head>"
        f'<body class="embedded"><main></main><script>{code}</script></body></html>'
    )
    return frame(
        document, sandbox="allow-scripts allow-downloads", width="100%",
        height=_HEIGHT, title=f"Page {page_id}", style="border:0",
    )  # fmt: skip
