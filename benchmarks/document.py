"""Figures in a document of the project, between two marks."""

from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"


def put(name: str, mark: str, figures: str) -> None:
    """Write figures into docs/NAME after ``<!-- MARK -->``, up to the mark that begins with end."""
    document = DOCS / name
    before, begin, rest = document.read_text("utf-8").partition(f"<!-- {mark} -->")
    _, end, after = rest.partition("<!-- end")
    document.write_text(f"{before}{begin}{figures}{end}{after}", "utf-8")


def marked(share: float, low: float, high: float) -> str:
    """A share in percent, bold where it lies outside what it ought to be, in percent too."""
    text = f"{100 * share:.1f}"
    return text if low <= round(100 * share, 1) <= high else f"**{text}**"
