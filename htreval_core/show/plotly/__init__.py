"""Data to Plotly figures, as pure functions."""

from htreval_core.show.plotly.comparison import figure_versus
from htreval_core.show.plotly.displacement import figure_displacement
from htreval_core.show.plotly.experiments import figure_experiment
from htreval_core.show.plotly.lessons import figure_bags, figure_grid, figure_matching

__all__ = [
    "figure_bags", "figure_displacement", "figure_experiment", "figure_grid", "figure_matching",
    "figure_versus",
]  # fmt: skip
