"""Data to Plotly figures, as pure functions."""

from htreval_core.show.plotly.comparison import figure_versus
from htreval_core.show.plotly.displacement import figure_displacement

__all__ = ["figure_displacement", "figure_versus"]
