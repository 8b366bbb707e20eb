"""The public face of the engine: its names, their documentation, and what importing it costs."""

import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest

import htreval_core as hv

_NAMES = """
Alignment COMPARED ConfigError DataWarning Dataset Diagnosis Event EventKind
HtrEvalError Limits Line Look METRICS OrderRules PRESETS Page PageRule PageScores PairingError
Polygon ReadError ReadPolicy RegionRule ScoredPage Settings Study TextPolicy Transcript
WarningKind WriteError __version__ audit bwer cer char_confusions clusters_by_id compare_all
compare_systems count_catastrophes delta_wer diagnose diagnose_page find_catastrophe
footrule hcer hwer ladder_crossings nsfd open_run page_differences pair_path
pair_sources read_orders read_transcript
save_run score score_ladder score_page score_run suspect_references
take_census wer word_outcomes
"""
PUBLIC = set(_NAMES.split())
_METRICS = """
wer bwer delta_wer delta_wer_admissible order_cost nsfd cer hwer hcer line_wer beta_wer kendall_tau
bow_recall wmer cmer
"""
METRIC_NAMES = _METRICS.split()
CONSTANTS = {"METRICS", "PRESETS"}
MODULES = sorted(
    module.name for module in pkgutil.walk_packages(hv.__path__, prefix="htreval_core.")
)


def test_public_names_are_these() -> None:
    """A name that goes breaks somebody's notebook; one that comes has to stay."""
    assert set(hv.__all__) == PUBLIC
    assert len(hv.__all__) == len(PUBLIC) <= 75


def test_metrics_are_these_and_the_paper_has_its_preset() -> None:
    assert list(hv.METRICS) == METRIC_NAMES
    assert [metric.name for metric in hv.METRICS.values()] == METRIC_NAMES
    assert {"default", "authors"} <= set(hv.PRESETS)


@pytest.mark.parametrize("name", sorted(PUBLIC - CONSTANTS))
def test_public_names_are_documented(name: str) -> None:
    documented = getattr(hv, name)
    # A dataclass without a docstring gets its signature for one.
    assert documented.__doc__
    assert not documented.__doc__.startswith(f"{name}(")
    if inspect.isclass(documented):
        for member, value in vars(documented).items():
            if not member.startswith("_") and inspect.isfunction(value):
                assert value.__doc__, f"{name}.{member}"


UNITS = ("words", "characters", "positions", "pairs of words", "lines", "pages")


def test_metrics_say_what_they_are() -> None:
    for metric in hv.METRICS.values():
        assert metric.plain.endswith("."), metric.name
        assert metric.formula, metric.name
        assert metric.unit in UNITS, metric.name


HELP = """
from click.testing import CliRunner
from htreval_core.cli import main
assert CliRunner().invoke(main, ["--help"]).exit_code == 0
"""
HEAVY = ["streamlit", "plotly", "scipy.stats", "pandas", "PIL"]


@pytest.mark.parametrize(
    ("code", "kept_out"),
    [
        ("import htreval_core", [*HEAVY, "click"]),
        (HELP, [*HEAVY, "scipy", "numpy", "pyarrow", "rapidfuzz", "htreval_core.metrics"]),
    ],
)
def test_importing_and_asking_for_help_load_nothing_heavy(code: str, kept_out: list[str]) -> None:
    program = f"import sys\n{code}\nprint(*[m for m in {kept_out!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


@pytest.mark.parametrize("module", ["htreval_core", *MODULES])
def test_examples_in_docstrings_are_true(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0
