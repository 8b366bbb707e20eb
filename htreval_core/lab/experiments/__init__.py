"""The paper's experiments (Vidal et al. 2023, Sec. 6) on any loaded pages."""

from htreval_core.lab.experiments.run import Point as Point
from htreval_core.lab.experiments.run import Room as Room
from htreval_core.lab.experiments.run import run_experiment as run_experiment
from htreval_core.lab.experiments.spec import EXPERIMENTS as EXPERIMENTS
from htreval_core.lab.experiments.spec import REPEATS as REPEATS
from htreval_core.lab.experiments.spec import Experiment as Experiment
from htreval_core.lab.experiments.spec import Faults as Faults
from htreval_core.lab.experiments.spec import experiment_signature as experiment_signature
from htreval_core.lab.experiments.table import Spread as Spread
from htreval_core.lab.experiments.table import spread_points as spread_points
