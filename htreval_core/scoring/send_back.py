"""Pages of a system that somebody would send back to whoever made them."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from htreval_core.diagnosis import Diagnosis, Event, EventKind
from htreval_core.metrics.values import page_values
from htreval_core.scoring.study import Study

ABOVE = 0.10
"""CER from which on a page is cheaper to write anew than to correct; docs/metrics.md has why."""


class Reason(StrEnum):
    """Why a page is on the list."""

    OVER = "over the limit"
    MISSING = "no output"
    MARKED = "marked"
    DOUBT = "reference in doubt"
    WRONG = "reference wrong"


_INSTEAD = (EventKind.REPLACED, EventKind.OTHER_PAGE, EventKind.LOOP, EventKind.TRANSLATED,
            EventKind.REFUSAL)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Returned:
    """A page that may be sent back.

    Args:
        cer: character errors as a fraction; nan without output or without reference text.
        events: what went wrong, the costliest first, where the page was diagnosed.
        said: remarks of people.
        misread: words misread, of ``n_words`` of the reference, where the page was diagnosed.
    """

    page_id: str
    reason: Reason
    cer: float = math.nan
    events: tuple[Event, ...] = ()
    said: tuple[str, ...] = ()
    misread: int = 0
    n_words: int = 0

    @property
    def is_theirs(self) -> bool:
        """Whether it is the vendor's to mend: of a reference that may be wrong nobody can say."""
        return self.reason not in (Reason.DOUBT, Reason.WRONG)


def pages_to_send_back(
    study: Study, system: str, diagnoses: Mapping[str, Sequence[Diagnosis]], *,
    above: float = ABOVE, marked: Mapping[str, Sequence[str]] | None = None,
    wrong: Collection[str] = (),
) -> list[Returned]:  # fmt: skip
    """The pages of a system that are missing, over a limit, marked, or have a doubtful reference.

    Missing pages come first, then the worst.

    Args:
        diagnoses: by system, as far as there are any.
        above: the CER over which a page is on the list, a fraction.
        marked: pages that people have marked, with their remarks.
        wrong: pages whose reference people have marked as wrong.
    """
    table = study.table(system)
    found = {one.page_id: one for one in diagnoses.get(system, ())}
    marked = marked or {}
    values = dict(zip(table.page_ids, page_values(table, "cer").tolist(), strict=True))
    doubted = set(table.page_ids[table.doubted])
    every = (*study.page_ids, *study.dataset.unpaired.reference)
    missing = [one for one in every if one not in values]
    listed: list[Returned] = []
    for page_id, cer in values.items():
        diagnosis = found.get(page_id)
        is_over = not cer <= above  # Nan where text stands on a blank page.
        if page_id in wrong and (page_id in marked or is_over):
            reason = Reason.WRONG
        elif page_id in doubted:
            reason = Reason.DOUBT
        elif page_id in marked:
            reason = Reason.MARKED
        elif is_over:
            reason = Reason.OVER
        else:
            continue
        events = diagnosis.events if diagnosis is not None else ()
        said = tuple(one for one in marked.get(page_id, ()) if one)
        # bWER counts a word left out and one added elsewhere as one misread; the trace does not.
        misread = 0
        if diagnosis is not None:
            in_place = study.scores_of(page_id, system).wer.substitutions
            misread = min(diagnosis.parts.substituted, in_place)
            # Other text that stands there is told as such.
            misread -= sum(one.errors for one in events if one.kind in _INSTEAD)
        n_words = diagnosis.n_ref_words if diagnosis is not None else 0
        listed.append(Returned(page_id, reason, cer, tuple(events), said, max(misread, 0), n_words))
    listed.sort(key=lambda one: (not one.is_theirs, -one.cer if one.cer == one.cer else 0.0))
    return [*(Returned(page_id, Reason.MISSING) for page_id in missing), *listed]
