"""Data to Plotly figures, as pure functions."""

from htreval_core.show.plotly.comparison import (
    figure_agreement,
    figure_buckets,
    figure_pairwise,
    figure_versus,
)
from htreval_core.show.plotly.corpus import (
    figure_distribution,
    figure_facets,
    figure_ladder,
    figure_pages,
)
from htreval_core.show.plotly.displacement import figure_displacement
from htreval_core.show.plotly.experiments import (
    figure_correlation,
    figure_experiment,
    figure_faults,
    figure_gamma,
    figure_time,
)
from htreval_core.show.plotly.lessons import figure_bags, figure_grid, figure_matching
from htreval_core.show.plotly.page import figure_bands, figure_waterfall

__all__ = [
    "figure_agreement",
    "figure_bags",
    "figure_bands",
    "figure_buckets",
    "figure_correlation",
    "figure_displacement",
    "figure_distribution",
    "figure_experiment",
    "figure_facets",
    "figure_faults",
    "figure_gamma",
    "figure_grid",
    "figure_ladder",
    "figure_matching",
    "figure_pages",
    "figure_pairwise",
    "figure_time",
    "figure_versus",
    "figure_waterfall",
]
