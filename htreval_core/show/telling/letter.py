"""What is sent back to whoever made an output, and why, in words."""

import math
import re
from collections.abc import Sequence

from htreval_core.scoring.send_back import ABOVE, Reason, Returned
from htreval_core.show.telling.counting import counted
from htreval_core.show.telling.events import tell_event

_CHARGE = re.compile(r", costing [\d,]+ errors?")
_FAULTS = 2
"""Faults of a page that a letter names: it says where to look, not all there is."""


def tell_reason(one: Returned) -> str:
    """Why a page is sent back, besides its value."""
    if one.reason is Reason.MISSING:
        return "There is no output for this page."
    if one.reason is Reason.DOUBT:
        return "The reference may itself be out of order; check it before you send the page back."
    if one.reason is Reason.WRONG:
        return "The reference is marked as wrong; mend it before you send the page back."
    misread = f"{one.misread:,} of {counted(one.n_words, 'word')} are misread." * bool(one.misread)
    # Whoever made the output need not know what WER is.
    events = [_CHARGE.sub("", tell_event(event)) for event in one.events[:_FAULTS]]
    told = [*one.said, misread, *events]
    if one.events and one.events[0].errors > one.misread:
        told = [*one.said, *events, misread]
    return " ".join(filter(None, told)) or "Words are misread, left out or added."


def letter(
    name: str, system: str, pages: Sequence[Returned], n_read: int, n_pages: int, above: float
) -> list[str]:
    """The letter, a paragraph each, to be changed by whoever sends it.

    Args:
        name: of the data.
        pages: those that are sent back.
        n_read: how many pages the system has read, of ``n_pages``.
        above: the CER over which a page is on the list, a fraction.
    """
    n = len(pages)
    if not n:
        return [f"We have checked {counted(n_read, 'page')} of {name} by {system}. Nothing "
                "has to be redone."]  # fmt: skip
    compared = f"{n_read:,} of {counted(n_pages, 'page')}" if n_read < n_pages else "every page"
    some = f"{n:,} of {counted(n_pages, 'page')}" if n < n_pages else "every page"
    missing = sum(one.reason is Reason.MISSING for one in pages)
    lacking = f" {counted(missing, 'page')} {'has' if missing == 1 else 'have'} no output." * bool(
        missing
    )
    limit = f"Pages should have no more than {100 * above:g} errors per 100 characters."
    if above == ABOVE:
        limit = limit[:-1] + ": others are quicker to retype than to correct."
    return [
        f"Pages of {name} to be redone ({system})",
        f"We have compared {compared} with transcripts made by people, and ask you "
        f"to redo {some}. {limit}{lacking}",
        *(
            f"{number}. {one.page_id}: "
            + ("" if math.isnan(one.cer) else f"{100 * one.cer:.1f} errors per 100 characters. ")
            + tell_reason(one)
            for number, one in enumerate(pages, 1)
        ),
        "Line numbers count the lines of the page from the top as the transcript has them.",
    ]
