"""One page that cannot be scored, or not be diagnosed, costs itself alone, wherever it is met."""

import json
from pathlib import Path
from typing import Any

import pytest

import htreval_core as hv
from htreval_core.diagnosis import look
from htreval_core.metrics import page as page_metrics
from htreval_core.metrics.page import ScoredPage
from htreval_core.model import Line, Transcript
from htreval_core.scoring import diagnoses
from htreval_core.scoring.workers import Processes
from tests.tools import folder_of, invoke, made, open_app

BAD = "p0003"
REASON = "a page that nothing can be done with"


def _fail_at(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, bad: str, system: str
) -> None:
    """Let a function of the engine raise at one page under one system."""
    real = getattr(module, name)

    def failing(*given: Any, **named: Any) -> Any:
        page, under = given[:2]
        if isinstance(page, ScoredPage):
            page, under = page.scores.page_id, page.scores.system
        if (page, under) == (bad, system):
            raise ZeroDivisionError(REASON)
        return real(*given, **named)

    monkeypatch.setattr(module, name, failing)


@pytest.mark.parametrize("workers", [0, 2])
def test_the_engine_names_it_and_goes_on(workers: int) -> None:
    # A text of bytes is no text: whoever splits it into words fails.
    broken = Transcript((Line(b"a b"),))  # type: ignore[arg-type]
    pages = made(6)
    pages[3] = hv.Page(BAD, pages[3].reference, {**pages[3].hypotheses, "B": broken})
    if workers:
        with Processes(workers) as pool:
            study = hv.score(pages, workers=pool)
    else:
        study = hv.score(pages)
    (failure,) = study.failures
    assert (failure.page_id, failure.system) == (BAD, "B")
    assert failure.reason.startswith("TypeError")
    assert list(study.scores["A"].page_ids) == [f"p{n:04}" for n in range(6)]
    assert list(study.scores["B"].page_ids) == [f"p{n:04}" for n in range(6) if n != 3]
    assert failure.warning in study.warnings


SCORES, DIAGNOSES = (page_metrics, "score_words"), (diagnoses, "diagnose_layout")


@pytest.mark.parametrize(
    ("command", "fails"),
    [(command, SCORES) for command in ("score", "compare", "diagnose", "ladder", "report", "align")]
    + [(command, DIAGNOSES) for command in ("diagnose", "report")],
    ids=lambda value: value if isinstance(value, str) else value[1],
)
def test_a_command_names_a_page_that_nothing_can_be_done_with(
    command: str, fails: tuple[Any, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path / "data", made(6))
    _fail_at(monkeypatch, *fails, BAD, "B")
    done = invoke(command, folder, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert BAD in done.stderr
    assert REASON in done.stderr
    assert (tmp_path / "out").stat().st_size


def test_json_and_bundles_have_it_under_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path / "data", made(6))
    _fail_at(monkeypatch, *SCORES, BAD, "B")
    for command in ("score", "ladder", "diagnose"):
        told = json.loads(invoke(command, folder, "--format", "json").stdout)
        assert REASON in str(told["warnings"][BAD]), command
    bundle = tmp_path / "x.htreval"
    assert invoke("score", folder, "-o", bundle, "--jobs", "1").exit_code == 0
    (failure,) = hv.open_run(bundle).failures
    assert (failure.page_id, failure.system) == (BAD, "B")


@pytest.mark.slow
@pytest.mark.parametrize("page", ["overview.py", "compare.py", "errors.py"])
def test_the_app_goes_on(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _fail_at(monkeypatch, page_metrics, "score_words", "LB08", "reads-across")
    for place in (look, diagnoses):
        _fail_at(monkeypatch, place, "diagnose_layout", "LB09", "reads-across")
    # Settings of its own: what was scored under others is kept.
    app = open_app(page, data="letterbook", system="reads-across", gamma="1.37")
    assert not app.error
    told = " ".join(one.value for one in [*app.warning, *app.markdown, *app.caption])
    if page == "overview.py":
        assert "LB08" in told
        assert "LB09" in told


def test_a_page_that_cannot_be_followed_leaves_the_words_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = hv.score(made(6))
    _fail_at(monkeypatch, page_metrics, "score_words", BAD, "B")
    found = hv.word_outcomes(study)
    assert BAD not in found.page_ids
    assert len(found.page_ids) == 5
    assert {one.page_id for one in found.failures} == {BAD}


@pytest.mark.parametrize("workers", [0, 2])
def test_one_pass_finds_what_two_passes_find(workers: int, tmp_path: Path) -> None:
    pages = made(6)
    broken = Transcript((Line(b"a b"),))  # type: ignore[arg-type]
    pages[3] = hv.Page(BAD, pages[3].reference, {**pages[3].hypotheses, "B": broken})
    study = hv.score(pages)
    found = hv.diagnose(study)
    if workers:
        with Processes(workers) as pool:
            again, at_once = diagnoses.score_and_diagnose(pages, workers=pool)
    else:
        again, at_once = diagnoses.score_and_diagnose(pages)
    assert again.scores == study.scores
    assert again.failures == study.failures
    assert dict(at_once) == dict(found)
    assert at_once.upward == found.upward
