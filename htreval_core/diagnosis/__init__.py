"""Why a page is bad: layout faults found, named and costed."""

from htreval_core.diagnosis.corpus.catastrophe import (
    Catastrophe,
    CatastropheKind,
    CatastropheRow,
    catastrophe_key,
    count_catastrophes,
    find_catastrophe,
)
from htreval_core.diagnosis.corpus.census import CensusRow, take_census
from htreval_core.diagnosis.corpus.suspect import Suspicion, suspect_references
from htreval_core.diagnosis.diagnose import diagnose_page
from htreval_core.diagnosis.model import (
    FOREIGN,
    LEFT_OUT,
    ORDER_FREE,
    Confidence,
    Diagnosis,
    Event,
    EventKind,
)

__all__ = [
    "FOREIGN", "LEFT_OUT", "ORDER_FREE", "Catastrophe", "CatastropheKind", "CatastropheRow",
    "CensusRow", "Confidence", "Diagnosis", "Event", "EventKind", "Suspicion", "catastrophe_key",
    "count_catastrophes", "diagnose_page", "find_catastrophe", "suspect_references",
    "take_census",
]  # fmt: skip
