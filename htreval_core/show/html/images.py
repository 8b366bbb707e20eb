"""The images of the pages that a report shows, small, each once."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

from htreval_core.markup import Html, shorten, tag
from htreval_core.model import PageUnder
from htreval_core.scoring.study import Study
from htreval_core.sources.images import image_credit, thumbnail

_SIDE = 480
"""Pixels of the longer side: enough to see columns, notes and hands."""
_MOST_BYTES = 1_400_000
"""Of all images together, as they are written; beyond it pages are shown without."""


def page_images(
    study: Study, shown: Sequence[PageUnder], anchors: Mapping[PageUnder, str]
) -> dict[PageUnder, Html]:
    """The image of each page that is shown, or a link to where it stands already.

    Args:
        shown: pages under systems, in the order of the report.
        anchors: the id of the part of the report about each.

    Returns:
        Nothing for pages without an image, or with one that cannot be opened.
    """
    found: dict[PageUnder, Html] = {}
    first: dict[str, PageUnder] = {}
    left = _MOST_BYTES
    for at in shown:
        page_id = at[0]
        if page_id in first:
            other = first[page_id]
            found[at] = tag(
                "p", "The image of this page stands under ",
                tag("a", shorten(other[1], 40), href=f"#{anchors[other]}"), ".", class_="note",
            )  # fmt: skip
            continue
        image = study.dataset.images.get(page_id)
        jpeg = thumbnail(image, _SIDE) if image is not None and left > 0 else None
        if jpeg is None:
            continue
        address = f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode('ascii')}"
        left -= len(address)
        if left < 0:
            continue
        first[page_id] = at
        found[at] = tag(
            "figure",
            tag("img", src=address, alt=f"Page {shorten(page_id)}", loading="lazy"),
            *([tag("figcaption", credit)] if (credit := image_credit(jpeg)) else []),
            class_="image",
        )
    return found
