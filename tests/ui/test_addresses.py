"""Addresses that somebody wrote to do harm: every key, hostile, endless and of the wrong kind."""

from dataclasses import fields

import pytest

import htreval_core as hv
from htreval_ui.web.state import Selection, with_address
from tests.hostile import HOSTILE
from tests.tools import SCRIPTS, drawn, has_heading, open_app

pytestmark = pytest.mark.slow

KEYS = [one.name for one in fields(Selection)]
VALUES = {
    "script": HOSTILE["script"],
    "marks": HOSTILE["handler"] + HOSTILE["picture"] + HOSTILE["emoji"] + HOSTILE["latex"],
    "controls": HOSTILE["ansi"] + HOSTILE["right to left"] + HOSTILE["no width"],
    "long": "x" * 60_000, "digits": "9" * 5_000, "negative": "-1", "power": "1e999999999",
    "endless": "1." + "0" * 4_000, "quotient": "1/" + "9" * 4_000,
    "word of digits": "ref:" + "9" * 5_000, "word beyond": "hyp:999999999",
    "many numbers": "1+999999999+" + "9" * 5_000 + "+0+-1+x",
    "other digits": "ref:٣", "raised": "²", "path": "../../../etc/passwd", "nothing": "",
}  # fmt: skip


@pytest.mark.parametrize("value", list(VALUES))
def test_every_page_stands_every_key_of_an_address(value: str) -> None:
    # Those that read the address most by every value, the others by what is worst.
    most = SCRIPTS if value in ("marks", "digits") else ["overview.py", "page.py"]
    for page in most:
        query = dict.fromkeys(KEYS, VALUES[value]) | {"data": "seite0418"}
        app = open_app(page, **query)
        assert has_heading(app)
        assert not app.error
        for text in (*app.info, *app.warning, *app.markdown, *app.caption):
            assert len(text.value) < 5_000
            assert HOSTILE["script"] not in text.value
            assert HOSTILE["picture"] not in text.value
        sliders = app.select_slider
        assert all(len(option) < 40 for slider in sliders for option in slider.options)


@pytest.mark.parametrize("value", ["script", "controls", "long", "path", "nothing"])
def test_data_that_is_not_there_is_said_so(value: str) -> None:
    app = open_app("page.py", data=VALUES[value])
    if VALUES[value]:
        assert [("not open here" in error.value) for error in app.error] == [True]
    else:
        assert not app.error


READING = ("level", "order", "markup", "edition", "text_as")


@pytest.mark.parametrize("value", list(VALUES))
def test_unknown_settings_leave_the_values_as_they_are(value: str) -> None:
    kept = ("gamma", "solver")
    switches = dict.fromkeys(("form", "join_hyphens", "words", "characters"), VALUES[value])
    selection = Selection(
        **dict.fromkeys(kept, VALUES[value]),  # type: ignore[arg-type]
        text=with_address(hv.TextPolicy(), switches)[0],
        reading=with_address(hv.ReadPolicy(), dict.fromkeys(READING, VALUES[value]))[0],
    )
    # The streamlit session outside of a running app is empty: no mapping is chosen.
    assert selection.settings().signature() == hv.Settings().signature()
    assert selection.picked is None or selection.picked[1] < 10**9
    assert Selection(repaired=VALUES[value]).events_put_right <= {0, 10**9 - 2}


def test_numbers_in_an_address_are_read() -> None:
    assert Selection(word="ref:12").picked == ("ref", 12)
    assert Selection(word="hyp:" + "9" * 5_000).picked is None
    assert Selection(event="3").event_number == 2
    assert Selection(event="0").event_number is None
    assert Selection(event="9" * 5_000).event_number is None
    assert Selection(repaired="1+3").events_put_right == {0, 2}
    assert Selection(repaired="0+x+" + "9" * 5_000).events_put_right == frozenset()


def test_settings_that_do_not_exist_are_named() -> None:
    app = open_app("overview.py", data="letterbook", form="XXX", gamma="-3", orders="{broken")
    assert ["form" in one.value and "gamma" in one.value for one in app.warning] == [True]
    app = open_app("overview.py", data="letterbook", form="NFC", gamma="1.0")
    assert not app.warning


def test_groups_that_cannot_be_had_leave_no_interval() -> None:
    app = open_app("overview.py", data="letterbook", cluster="writer")
    assert ["LB03" in one.value for one in app.warning] == [True]
    row = drawn(app, "overview")["rows"][0]
    assert not row["interval"]
    assert not row["cells"]["wer"]["interval"]
