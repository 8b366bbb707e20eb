"""The app without a browser: pages run, widgets reach the scores, nothing unsafe is used."""

import ast
import re
import subprocess
import sys
import tomllib
from typing import Any

import pytest

import htreval_core as hv
from htreval_core.settings.file import settings_toml
from htreval_core.show.views.errors import AT_ONCE
from htreval_ui.web.security import policy
from tests.conftest import ROOT
from tests.tools import SCRIPTS, drawn, has_heading, open_app, signature_of, write_tree

SOURCES = [
    path
    for folder in ("htreval_ui", "htreval_core", "pages")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".js")
]


@pytest.mark.slow
@pytest.mark.parametrize("page", SCRIPTS)
@pytest.mark.parametrize("data", ["letterbook", "models", "seite0418", "examples"])
def test_every_page_runs_on_every_sample(page: str, data: str) -> None:
    app = open_app(page, data=data)
    assert has_heading(app) or "second one" in app.info[0].value


def test_a_run_changes_nothing_about_where_modules_are_found() -> None:
    code = """if True:
        import runpy, sys, app
        from importlib.machinery import PathFinder
        from htreval_ui.places import MAIN
        from streamlit.runtime.scriptrunner.exec_code import modified_sys_path
        before = list(sys.path)
        with modified_sys_path(str(MAIN)):
            assert sys.path == before
            assert str(MAIN.parent) not in PathFinder.find_spec("html").origin
            runpy.run_path(str(MAIN))
            assert sys.path == before"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_strip_shows_what_the_address_says() -> None:
    app = open_app("", data="seite0418", system="SPAN", gamma="2", ignore_case="yes")
    assert app.selectbox(key="edit_data").value == "seite0418"
    assert app.selectbox(key="edit_system").value == "SPAN"
    assert "ignore-case:yes" in signature_of(app)
    assert "gamma:2" in signature_of(app)


def test_settings_come_from_a_file_and_go_into_one() -> None:
    wanted = hv.Settings(gamma=2, policy=hv.TextPolicy(ignore_case=True, mapping=(("a", "b"),)))
    app = open_app("overview.py")
    app.file_uploader(key="settings_file").set_value(
        ("study.toml", settings_toml(wanted).encode(), "application/toml")
    ).run()
    assert "mapping of characters is left out" in " ".join(one.value for one in app.warning)
    app.button(key="adopt_file").click().run()
    assert not app.exception
    assert "ignore-case:yes" in signature_of(app)
    assert "gamma:2" in signature_of(app)


def test_a_switch_changes_the_signature() -> None:
    app = open_app()
    assert "ignore-punctuation:no" in signature_of(app)
    app.toggle(key="edit_ignore_punctuation").set_value(True).run()
    assert "ignore-punctuation:yes" in signature_of(app)


def test_what_is_shared_names_the_data_and_can_be_cited() -> None:
    link, short, full, methods, citation = (
        one.value for one in open_app(data="letterbook").code[:5]
    )
    assert "data=letterbook" in link
    assert re.fullmatch(r"htreval \S+ · as written · γ 1 · [0-9a-f]{6}", short)
    assert full.startswith("htreval:")
    assert short in methods
    assert "24 pages with 6,071 reference words" in methods
    assert "10.1016/j.patcog.2023.109695" in citation


def test_nothing_unsafe_is_used() -> None:
    banned = re.compile(
        r"unsafe_allow_html|unsafe_allow_javascript|innerHTML|outerHTML|insertAdjacentHTML|"
        r"document\.write|createContextualFragment|\bjavascript:|"
        r"\beval\(|(?<![.\w])exec\(|new Function\(|\bpickle\b|\bmarshal\b|\bshelve\b|yaml\.load|"
        r"shell=True|os\.system|os\.popen|\bmktemp\("
    )
    assert len(SOURCES) > 30
    for path in SOURCES:
        found = banned.search(path.read_text("utf-8"))
        assert not found, f"{path}: {found.group()}"


def test_no_bare_string_stands_in_a_page() -> None:
    """Streamlit would show it, wherever its configuration is not ours."""
    for path in (ROOT / "pages").glob("*.py"):
        body = ast.parse(path.read_text("utf-8")).body[1:]
        bare = [node for node in body if isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)]  # fmt: skip
        assert not bare, f"{path}:{bare[0].lineno}"


def test_only_the_engine_s_and_the_app_s_door_to_markup_escape() -> None:
    escapes = re.compile(r"^(import html|from html import|.*markupsafe)", re.MULTILINE)
    users = [path.name for path in SOURCES if escapes.search(path.read_text("utf-8"))]
    assert sorted(users) == ["html.py", "markup.py"]


def test_the_policy_allows_nothing_inline_and_nothing_remote() -> None:
    for told in (policy(), policy("127.0.0.1:8501")):
        parts = dict(part.split(" ", 1) for part in told.split("; "))
        assert "unsafe-inline" not in parts["script-src"]
        assert "http" not in told
        sockets = [source for source in parts["connect-src"].split() if source != "'self'"]
        assert {*sockets} <= {"ws://127.0.0.1:8501", "wss://127.0.0.1:8501"}


def test_assets_are_text_that_a_wheel_can_carry() -> None:
    folders = [ROOT / "htreval_ui" / "assets", ROOT / "htreval_core" / "show" / "views" / "assets"]
    files = [file for one in folders for kind in ("js", "css") for file in one.rglob(f"*.{kind}")]
    assert {file.name for file in files} >= {"1-pane.js", "5-view.js", "style.css", "app.css"}
    for file in files:
        assert file.read_text("utf-8").strip()


def test_the_first_start_asks_for_nothing_and_sends_nothing() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["server"]["showEmailPrompt"] is False
    assert config["server"]["address"] == "127.0.0.1"
    assert config["browser"]["gatherUsageStats"] is False


def test_two_systems_of_the_paper_differ_in_order_only() -> None:
    app = open_app("compare.py", data="seite0418", system="RPN+CRNN", other="SPAN")
    told = " ".join(drawn(app, "compare")["lines"])
    assert "Both make the same number of errors of recognition (bWER)" in told
    assert "errors of recognition (bWER), 31.4 %." in told
    assert "1.4 against 10.0 %" in told
    # One page allows no test, and the page says so.
    assert any("only 1 page" in html_text for html_text in _plain(app.warning))


def _plain(elements: object) -> list[str]:
    return [re.sub(r"&#(\d+);", lambda m: chr(int(m[1])), one.value) for one in elements]


def test_a_data_set_with_one_system_says_what_to_bring(tmp_path, monkeypatch) -> None:
    write_tree(tmp_path, {"reference/1.txt": "one two", "alone/1.txt": "one too"})
    monkeypatch.setenv("HTREVAL_OPEN", str(tmp_path))
    app = open_app("compare.py", data="path-1")
    assert "Bring the output of a second one" in app.info[0].value


def errors_of(**chosen: str) -> Any:
    return drawn(open_app("errors.py", **chosen), "errors")


def test_an_error_is_found_and_shown_with_its_ink() -> None:
    every = errors_of(data="berlin", system="tesseract-default-model")
    assert len(every["tiles"]) == AT_ONCE < every["total"]
    assert all(one["crop"].startswith("data:image/jpeg;base64,") for one in every["tiles"])
    matrix = every["matrix"]
    at = [text for text, *_ in matrix["rows"]].index("e")
    to = [text for text, _ in matrix["columns"]].index("c")
    found = errors_of(data="berlin", system="tesseract-default-model", find="e→c", tab="words")
    assert 0 < found["total"] <= matrix["counts"][at][to]
    for one in found["tiles"]:
        assert "e" in "".join(text for text, differs in one["word"] if differs)
        assert "c" in "".join(text for text, differs in one["reads"][0] if differs)
    assert found["words"][0][3] >= found["words"][-1][3]
    often = errors_of(
        data="berlin", system="tesseract-default-model", sort="often", which="misread"
    )
    first, second = ([one["word"], one["reads"]] for one in often["tiles"][:2])
    assert first == second
    assert often["total"] == dict(every["kinds"])["misread"]


def test_words_without_an_image_stand_in_their_lines_and_two_systems_beside_each_other() -> None:
    shown = errors_of(data="seite0418", both="yes", which="a")
    assert any(any(one["around"]) for one in shown["tiles"])
    assert len(shown["systems"]) == 2
    assert shown["total"] == dict(shown["kinds"])["a"]
    for one in shown["tiles"]:
        assert one["crop"] is None
        right, wrong = ("".join(text for text, _ in read) for read in one["reads"])
        assert right == "".join(text for text, _ in one["word"]) != wrong


def test_errors_are_shown_line_by_line() -> None:
    lines = errors_of(data="letterbook", system="skips-margins", tab="lines")["lines"]
    errors = [one["errors"] for one in lines]
    assert errors == sorted(errors, reverse=True)
    assert "The Harbour The inventory" in lines[0]["reads"][0]
    assert lines[0]["page"] == "LB05"
    assert lines[0]["crop"]
