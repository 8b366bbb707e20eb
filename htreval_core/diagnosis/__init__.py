"""Why a page is bad: layout failures found, named and costed."""

from htreval_core.diagnosis.census import CensusRow, take_census
from htreval_core.diagnosis.diagnose import diagnose_page, repair_page
from htreval_core.diagnosis.groups import Layout
from htreval_core.diagnosis.layout import page_layout
from htreval_core.diagnosis.model import (
    ORDER_FREE,
    Confidence,
    Diagnosis,
    Event,
    EventKind,
)
from htreval_core.diagnosis.suspect import Suspicion, suspect_references

__all__ = [
    "ORDER_FREE",
    "CensusRow",
    "Confidence",
    "Diagnosis",
    "Event",
    "EventKind",
    "Layout",
    "Suspicion",
    "diagnose_page",
    "page_layout",
    "repair_page",
    "suspect_references",
    "take_census",
]
