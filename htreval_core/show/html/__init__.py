"""A study as one HTML file, and as small pictures, for people without this program."""

from htreval_core.show.html.choose import choose_pages, rank_pages
from htreval_core.show.html.document import report_html

__all__ = ["choose_pages", "rank_pages", "report_html"]
