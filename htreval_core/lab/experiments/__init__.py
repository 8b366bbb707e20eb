"""The paper's experiments (Vidal et al. 2023, Sec. 6) on any loaded pages."""

from htreval_core.lab.experiments.findings import Finding, check_findings
from htreval_core.lab.experiments.run import Point, Room, prepare_pages, run_experiment
from htreval_core.lab.experiments.spec import EXPERIMENTS, Experiment, Faults, experiment_signature
from htreval_core.lab.experiments.table import (
    COLUMNS,
    Fit,
    Spread,
    fit_growth,
    fit_line,
    order_points,
    point_rows,
    points_frame,
    spread_points,
)

__all__ = [
    "COLUMNS",
    "EXPERIMENTS",
    "Experiment",
    "Faults",
    "Finding",
    "Fit",
    "Point",
    "Room",
    "Spread",
    "check_findings",
    "experiment_signature",
    "fit_growth",
    "fit_line",
    "order_points",
    "point_rows",
    "points_frame",
    "prepare_pages",
    "run_experiment",
    "spread_points",
]
