"""Two systems beside the reference between them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from htreval_core.diagnosis.look import Look
from htreval_core.markup import shorten, visible
from htreval_core.metrics.kinds import WordKind
from htreval_core.show.pictures.bands import picture_links
from htreval_core.show.pictures.texts import picture_threeway
from htreval_core.show.views.linked import digest, event_colours, links_payload, side_payload
from htreval_core.show.views.names import short_names
from htreval_core.words.outcomes import Agreement

_CLASS = {Agreement.BOTH_RIGHT: 0, Agreement.ONLY_A: 6, Agreement.ONLY_B: 7,
          Agreement.BOTH_WRONG: 8}  # fmt: skip
"""The numbers of the classes that mark reference words; 1 to 5 are kinds of one system's words."""


def threeway_payload(
    a: Look, b: Look, styles: Sequence[dict[str, str]], pages: Sequence[str], height: int
) -> dict[str, Any]:
    """A page under two systems, as JSON.

    ``sides`` are A, the reference and B; words of the reference carry what became of them in both
    systems, and ``movedIn`` are those that stand elsewhere in A and in B. ``pairs`` are A with the
    reference, and the reference with B: bands as [left start, left end, right start, right end,
    event], and anchors. ``readAs`` are positions in A and in B of every reference word, -1 for
    none."""
    picture = picture_threeway(a, b)
    classes = np.array([_CLASS[Agreement(n)] for n in range(len(Agreement))])[picture.agreement]
    left, right = picture.a.hypothesis, picture.b.hypothesis
    links = [
        links_payload(picture_links(look.bands, mirrored=number == 0), event_colours(look))
        for number, look in enumerate((a, b))
    ]
    payload: dict[str, Any] = {
        "names": [visible(shorten(one.page.scores.system)) for one in (a, b)],
        "styles": list(styles),
        "sides": [
            side_payload(left.words, left.kinds, left.mates),
            side_payload(a.page.reference, classes, np.full(len(classes), -1)),
            side_payload(right.words, right.kinds, right.mates),
        ],
        "movedIn": [
            np.flatnonzero(texts.reference.kinds == WordKind.MOVED).tolist()
            for texts in (picture.a, picture.b)
        ],
        "readAs": [texts.reference.mates.tolist() for texts in (picture.a, picture.b)],
        "pairs": [{"bands": one["bands"], "anchors": one["anchors"]} for one in links],
        "colours": [one["colours"] for one in links],
    }
    page_id = a.page.scores.page_id
    at = pages.index(page_id) if page_id in pages else 0
    near = pages[max(at - 500, 0) : at + 501]
    return payload | {
        "id": digest(payload), "height": height, "page": page_id,
        "pages": list(map(list, zip(near, short_names(near), strict=True))),
    }  # fmt: skip
