"""A study as one HTML file, and as small pictures, for people without this program."""

from htreval_core.show.html.document import report_html

__all__ = ["report_html"]
