"""Data to Plotly figures, as pure functions."""

from htreval_core.figures.corpus import (
    figure_distribution,
    figure_ladder,
    figure_pages,
    figure_systems,
)
from htreval_core.figures.experiments import (
    figure_correlation,
    figure_experiment,
    figure_faults,
    figure_gamma,
    figure_time,
)
from htreval_core.figures.page import figure_bands, figure_displacement, figure_waterfall
from htreval_core.figures.page_map import figure_page_map

__all__ = [
    "figure_bands",
    "figure_correlation",
    "figure_displacement",
    "figure_distribution",
    "figure_experiment",
    "figure_faults",
    "figure_gamma",
    "figure_ladder",
    "figure_page_map",
    "figure_pages",
    "figure_systems",
    "figure_time",
    "figure_waterfall",
]
