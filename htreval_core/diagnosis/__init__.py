"""Why a page is bad: layout failures found, named and costed."""

from htreval_core.diagnosis.diagnose import diagnose_page, page_layout
from htreval_core.diagnosis.model import Diagnosis, Event, EventKind

__all__ = ["Diagnosis", "Event", "EventKind", "diagnose_page", "page_layout"]
