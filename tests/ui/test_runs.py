"""The app on run bundles, and on more pages than a browser should be sent."""

import json
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.model import Line, Transcript
from htreval_core.run.write import score_run
from htreval_core.settings.started import OPEN_VARIABLE
from htreval_ui.sections import ranking
from htreval_ui.sections.orders import rules_payload, with_region
from htreval_ui.studies import opening
from tests.tools import dataset_of, made, open_app, signature_of

pytestmark = pytest.mark.slow


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "mine.htreval"
    settings = hv.Settings(policy=hv.TextPolicy(ignore_case=True), resamples=50, seed=3)
    score_run(dataset_of(made(30)), path, settings)
    monkeypatch.setenv(OPEN_VARIABLE, str(path))
    return path


@pytest.mark.parametrize("page", ["overview.py", "page.py", "compare.py"])
def test_a_bundle_opens_under_its_own_settings(
    bundle: Path, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scored_again(*_: object, **__: object) -> None:
        raise AssertionError("what the bundle holds was computed again")

    monkeypatch.setattr("htreval_ui.studies.scoring.score", scored_again)
    assert "ignore-case:yes" in signature_of(open_app(page))


def test_another_setting_is_scored_from_the_texts_of_the_bundle(bundle: Path) -> None:
    app = open_app(more="pages", gamma="0")
    assert "gamma:0" in signature_of(app)
    assert len(app.dataframe[0].value) == 60


def test_of_very_many_rows_a_part_is_sent(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MANY", 10)
    monkeypatch.setattr(ranking, "ROWS", 7)
    app = open_app(more="pages")
    assert len(app.dataframe[0].value) == 7
    first = app.dataframe[0].value
    assert first["ΔWER"].is_monotonic_decreasing
    monkeypatch.setattr(opening, "MANY", 100)
    assert list(open_app(more="pages").dataframe[0].value["page"][:7]) == list(first["page"])


REFERENCE = Transcript(tuple(Line(name, name) for name in ("a", "b", "c", "d")))
NONE = hv.OrderRules()


def test_clicks_make_rules_and_take_them_back() -> None:
    # A click makes a rule and the next takes it back.
    for what, rule in (
        ("float", hv.PageRule(floats=("b",))),
        ("leave-out", hv.PageRule(left_out=("b",))),
    ):
        clicked = with_region(NONE, "p", REFERENCE, what, "b")
        assert clicked.of_page("p") == rule
        assert with_region(clicked, "p", REFERENCE, what, "b") == NONE
    # Two clicks let either come first with what stands between.
    clicked = with_region(NONE, "p", REFERENCE, "either", ["d", "b"])
    assert clicked.of_page("p").either == ((("b", "c"), ("d",)),)
    assert with_region(clicked, "p", REFERENCE, "either", ["b", "d"]) == NONE
    assert with_region(NONE, "p", REFERENCE, "either", ["b", "gone"]) == NONE
    told = rules_payload(clicked.of_page("p"))
    assert told == {"float": [], "leave-out": [], "either": [["b", "c", "d"]]}
    # Rules of other pages stay.
    one = with_region(NONE, "p", REFERENCE, "float", "a")
    assert set(with_region(one, "q", REFERENCE, "float", "a").pages) == {"p", "q"}


def test_an_address_holds_the_rules_and_damaged_ones_are_none() -> None:
    sound = json.dumps({"float": {"kinds": ["marginalia"]}})
    for orders, signed in ((sound, "orders:rules-"), ('{"float": 3}', "orders:file")):
        app = open_app("", data="letterbook", orders=orders)
        assert not app.exception
        signature = next(code.value for code in app.code if "htreval:" in code.value)
        assert signed in signature
        assert "delta" not in signature
