"""A study as one HTML file, and as small pictures, for people without this program."""

from htreval_core.show.html.choose import Reading, choose_readings, rank_readings
from htreval_core.show.html.document import report_html

__all__ = ["Reading", "choose_readings", "rank_readings", "report_html"]
