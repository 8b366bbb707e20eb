"""What all figures share: their layout and axes.

Plotly renders pseudo-HTML in every text, so each figure takes ``show``, which makes the user's
text safe to put there.
"""

from collections.abc import Callable

Show = Callable[[str], str]

GRID = "rgba(139, 149, 161, 0.22)"
SVG_POINTS = 25_000
"""Beyond this many points SVG is too slow; below it, WebGL would shut out browsers without it."""


def layout(height: int, **more: object) -> dict[str, object]:
    """The layout of a figure on the app's own background, without a tool bar's modes."""
    base = {
        "height": height,
        "margin": {"l": 8, "r": 16, "t": 8, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "title": None},
        "hoverlabel": {"align": "left"},
        "dragmode": False,
    }
    return base | more


def axis(title: str, **more: object) -> dict[str, object]:
    """A quiet axis with its title near it."""
    return {
        "title": {"text": title, "standoff": 6},
        "gridcolor": GRID,
        "zeroline": False,
        "automargin": True,
    } | more
