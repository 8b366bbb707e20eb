"""Hostile words and names through every export: what is read back is the text, and nothing runs."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import astuple, replace
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import htreval_core as hv
from htreval_core.diagnosis import suspect_references
from htreval_core.run.read import open_run
from htreval_core.run.write import score_run
from htreval_core.scoring.ladder import score_ladder
from htreval_core.show import tables as report
from htreval_core.show.html import report_html
from htreval_core.show.tables.aligned import aligned_csv, aligned_json, aligned_words
from htreval_core.show.tables.comparison import comparison_csv
from htreval_core.show.tables.results import results_latex, results_markdown
from htreval_core.show.tables.study import study_parquet
from htreval_core.sources.dataset import Unpaired
from htreval_core.sources.readers.files import files_from_uploads
from htreval_core.sources.recognise import pair_files
from htreval_ui.sections.tables import frame_csv, own_columns
from tests.hostile import HOSTILE, NAMES, check_shown
from tests.tools import invoke

SETTINGS = hv.Settings(resamples=20)
# As much of a long name as keeps the files small; and words by the space alone, so that they may
# hold whatever else divides words.
SHORT = {name: text[:300] for name, text in NAMES.items()}
WORDS = " ".join(text for text in SHORT.values() if "\n" not in text)
BY_SPACE = hv.Settings(policy=hv.TextPolicy(form="none", words="space"), resamples=20)


@pytest.fixture(scope="module")
def evil() -> hv.Study:
    """A page of each name, read by two systems of hostile names."""
    systems = (SHORT["returns"], SHORT["formula"])
    backwards = " ".join(reversed(WORDS.split(" ")))
    pages = [
        hv.Page.from_text(name, WORDS, {systems[0]: backwards, systems[1]: f"{name} {WORDS}"})
        for name in dict.fromkeys(SHORT.values())
    ]
    return hv.score(pages, BY_SPACE)


@pytest.fixture(scope="module")
def named() -> hv.Study:
    """A small page read by a system of each name."""
    systems = dict.fromkeys(SHORT.values(), "b a d")
    return hv.score([hv.Page.from_text("p", "a b c", systems)], SETTINGS)


# --- what is read back


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for key, value in content.items():
            yield key
            yield from _texts(value)
    elif isinstance(content, list):
        for value in content:
            yield from _texts(value)


def _pairing() -> str:
    files = [("1.ref", b"a"), ("1.hyp", b"a")]
    names = [f"{n}.ref" for n in SHORT.values() if not re.search(r"[/\\\\\x00]|^\.", n)]
    return report.pairing_json(
        pair_files("x", files_from_uploads([*files, *((name, b"a") for name in names)]))
    )


def _warning(text: str) -> hv.DataWarning:
    return hv.DataWarning(text, hv.WarningKind.UNREADABLE, (text,))


JSON: dict[str, Callable[[hv.Study], str]] = {
    "study": lambda ev: "".join(
        report.study_json_pieces(
            replace(ev, dataset=replace(ev.dataset, warnings=tuple(map(_warning, SHORT.values()))))
        )
    ),
    "comparison": lambda ev: report.comparison_json(
        hv.compare_systems(ev, *ev.systems[:2], resamples=20),
        warnings=tuple(map(_warning, SHORT.values())),
    ),
    "diagnosis": lambda ev: report.diagnosis_json(
        ev.signature,
        [one for of in hv.diagnose(ev).values() for one in of],
        hv.take_census(hv.diagnose(ev)),
        suspect_references(ev.page_ids, hv.diagnose(ev), hv.diagnose(ev).upward),
    ),
    "alignment": lambda ev: aligned_json(
        (ev.look(page, system) for page in ev.page_ids for system in ev.systems), ev.signature
    ),
}


@pytest.mark.parametrize("kind", list(JSON))
def test_json_gives_every_text_back_and_holds_nothing_unseen(kind: str, evil: hv.Study) -> None:
    written = JSON[kind](evil)
    assert set(SHORT.values()) <= set(_texts(json.loads(written)))
    check_shown(written)
    assert json.loads(written.encode("utf-8")) == json.loads(written)


def test_other_json_gives_every_name_back(named: hv.Study) -> None:
    ladder = report.ladder_json(score_ladder(named.dataset, SETTINGS), ("wer",), SETTINGS)
    assert set(SHORT.values()) <= set(_texts(json.loads(ladder)))
    paired = [n for n in SHORT.values() if not re.search(r"[/\\\x00]|^\.", n)]
    found = set(_texts(json.loads(_pairing())))
    assert all(any(name in text for text in found) for name in paired)


def _back(text: str) -> str:
    """A text from a CSV cell, the apostrophe taken off that marks what is no formula."""
    return text[1:] if re.match("'[-=+@\t\r\n＝＋－＠]", text) else text


def _rows(written: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(written, newline="")))


def _check_csv(written: str, n_rows: int) -> list[list[str]]:
    rows = _rows(written)
    assert len(rows) == n_rows + 1
    assert {len(row) for row in rows} == {len(rows[0])}
    for row in rows:
        assert not any(re.match("[-=+@\t\r\n＝＋－＠]", one) for one in row if not _is_number(one))
    # Other readers see the same rows: none of them is ended by what stands in a text.
    whole = written.replace("\ud800", "?")
    frame = pd.read_csv(io.StringIO(whole, newline=""), dtype=str, keep_default_na=False)
    assert frame.to_numpy().tolist() == _rows(whole)[1:]
    return rows


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"-?[\d.]+(e-?\d+)?", text))


def test_csv_gives_every_text_back(evil: hv.Study, named: hv.Study) -> None:
    rows = _check_csv(report.study_csv(evil, ("wer",)), 2 * len(evil.page_ids))
    assert {_back(row[0]) for row in rows[1:]} == set(evil.systems)
    assert {_back(row[1]) for row in rows[1:]} == set(evil.page_ids)
    rows = _check_csv(report.study_csv(named, ("wer",)), len(named.systems))
    assert [_back(row[0]) for row in rows[1:]] == list(named.systems)
    look = evil.look("..", evil.systems[0])
    aligned = list(aligned_words(look))
    rows = _check_csv(aligned_csv([look]), len(aligned))
    for row, one in zip(rows[1:], aligned, strict=True):
        assert [_back(cell) for cell in row[4:6]] == [one.reference or "", one.hypothesis or ""]
        assert len(row) == len(astuple(one))
    compared = hv.compare_systems(evil, *evil.systems[:2], metrics=("wer",), resamples=20)
    rows = _check_csv(comparison_csv([compared]), 1)
    assert [_back(cell) for cell in rows[1][:2]] == list(evil.systems[:2])


def test_the_app_s_csv_gives_every_text_back() -> None:
    # pandas holds no half characters: whoever reads files has made them whole.
    texts = [name for name in SHORT.values() if name != SHORT["half a character"]]
    written = frame_csv(pd.DataFrame({"word": texts, "=x": [-1.5] * len(texts)}))
    rows = _check_csv(written.decode("utf-8"), len(texts))
    assert [_back(row[0]) for row in rows[1:]] == texts
    assert rows[0][1] == "'=x"
    assert {row[1] for row in rows[1:]} == {"-1.5"}


def test_systems_called_as_our_columns_are_keep_columns_of_their_own() -> None:
    names = ["page", "word", "page (system)", "x"]
    columns = own_columns(names, ("page", "word"))
    assert list(columns) == names
    assert len(set(columns.values()) | {"page", "word"}) == len(names) + 2
    assert columns["x"] == "x"


def test_parquet_gives_every_text_back(evil: hv.Study) -> None:
    table = pq.read_table(pa.BufferReader(study_parquet(evil, ("wer",))))
    whole = {name: name.encode("utf-8", "backslashreplace").decode() for name in SHORT.values()}
    assert set(table["page_id"].to_pylist()) == set(whole.values())
    assert sum(one != name for name, one in whole.items()) == 1  # half a character alone
    assert set(table["system"].to_pylist()) == set(evil.systems)


def test_a_bundle_gives_every_text_back(tmp_path: Path, evil: hv.Study) -> None:
    pages = [page for page in evil.dataset.pages if page.page_id != SHORT["half a character"]]
    texts = [{n: of.text.replace("\ud800", "?") for n, of in page.hypotheses.items()}
             for page in pages]  # fmt: skip
    kept = [hv.Page.from_text(page.page_id, page.reference.text.replace("\ud800", "?"), of)
            for page, of in zip(pages, texts, strict=True)]  # fmt: skip
    path = tmp_path / "x.htreval"
    score_run(hv.Dataset(SHORT["climbs"], tuple(kept), evil.systems), path, BY_SPACE)
    run = open_run(path)
    assert run.dataset.name == SHORT["climbs"]
    assert run.systems == evil.systems
    assert list(run.dataset.pages) == kept
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["x.htreval"]
    check_shown((path / "manifest.json").read_text("utf-8").replace("\t", ""))


# --- what other programs take commands from


def test_tables_for_documents_keep_their_rows(named: hv.Study) -> None:
    n = len(named.systems)
    markdown = [row for row in results_markdown(named).splitlines() if row.startswith("|")]
    assert len(markdown) == n + 2
    assert {row.count("|") for row in markdown} == {markdown[0].count("|")}
    assert not any("<" in row for row in markdown)
    pairwise = hv.compare_all(named, metrics=("wer", "cer"))
    for pair in pairwise.pairs.values():
        latex = report.comparison_latex(pair).splitlines()
        rows = [row for row in latex if row.endswith(r"\\")]
        assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {2}
        check_shown(report.comparison_table(pair))
    check_shown(report.pairwise_table(pairwise, named))
    latex = results_latex(named).splitlines()
    rows = [row for row in latex if row.endswith(r"\\")]
    assert len(rows) == n + 1
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {6}
    assert all(re.search(r"\\textbackslash|^\{\}|toprule|tabular|midrule|bottomrule|^%|Delta|^$",
                         row) for row in latex)  # fmt: skip
    assert not any(r"\input" in row or r"\def" in row for row in latex)


class Tags(HTMLParser):
    """The elements of a document, their attributes, and its text."""

    def __init__(self, document: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text: list[str] = []
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


_INERT = {"table", "thead", "tbody", "tr", "th", "td", "p", "bdi", "small", "caption"}


def test_notebooks_show_text_alone(named: hv.Study) -> None:
    found = Tags(named._repr_html_())
    assert set(found.tags) <= _INERT
    assert not found.attributes
    check_shown("".join(found.text))
    text = "".join(Tags(named._repr_html_()).text)
    for name in ("script", "handler", "picture", "latex", "formula", "xml"):
        assert HOSTILE.get(name, SHORT[name]) in text


def test_a_report_holds_no_element_that_a_text_brought(evil: hv.Study) -> None:
    noted = replace(
        evil.dataset,
        warnings=tuple(map(_warning, SHORT.values())),
        unpaired=Unpaired(tuple(SHORT.values()), {"a": tuple(SHORT.values())}),
    )
    written = report_html(replace(evil, dataset=noted), title=SHORT["style"])
    harmless = hv.Dataset.of(
        hv.Page.from_text(str(n), "a b c d", {"A": "b a d", "B": "x"}) for n in range(9)
    )
    known = replace(harmless, warnings=(_warning("w"),), unpaired=Unpaired(("q",), {}))
    ours = Tags(report_html(hv.score(known, SETTINGS)))
    found = Tags(written)
    assert set(found.tags) <= set(ours.tags) | {"ul", "li", "span", "path", "rect", "bdi"}
    assert "script" not in found.tags
    assert found.tags.count("style") == 1
    assert not [name for name, _ in found.attributes if name.startswith("on") or name == "src"]
    links = [value for name, value in found.attributes if name in ("href", "xlink:href")]
    assert links == ["data:,"]
    check_shown(re.sub(r"<style>.*?</style>", "", written, flags=re.DOTALL))
    text = "".join(found.text)
    for name in ("script", "handler", "picture", "latex", "formula", "command", "xml"):
        assert SHORT[name] in text


# --- names on the disk


def test_half_a_character_in_a_name_is_written_out(tmp_path: Path) -> None:
    table = tmp_path / "t.jsonl"
    table.write_text(r'{"page": "a\ud800", "reference": "a b", "s\udfff": "a c"}')
    found = hv.pair_path(table)
    assert [page.page_id for page in found.pages] == [r"a\ud800"]
    assert found.systems == (r"s\udfff",)
    assert list(hv.score(found.pages).to_frame()["page_id"]) == [r"a\ud800"]


# --- the terminal


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files whose names and words are hostile, as far as a disk takes the names."""
    path = tmp_path_factory.mktemp("hostile") / "set"
    text = " ".join(HOSTILE[name] for name in HOSTILE if name != "long")
    text += "\n" + " ".join(SHORT[name] for name in ("eight-bit control", "separators", "tags"))
    names = [n for n in SHORT.values() if not re.search(r"[/\x00]|^\.", n)]
    for number, side in enumerate(("reference", SHORT["ansi"], SHORT["eight-bit control"])):
        (path / side).mkdir(parents=True)
        for name in names:
            words = text.split(" ")
            content = " ".join(words[number:] + words[:number])
            file = os.path.join(os.fsencode(path / side), os.fsencode(_short(name)) + b".txt")
            with open(file, "wb") as out:
                out.write(content.encode())
    return path


def _short(name: str) -> str:
    return (
        name.replace("\ud800", "\udcff")
        .encode("utf-8", "surrogateescape")[:120]
        .decode("utf-8", "surrogateescape")
    )


def _on_terminal(arguments: list[str]) -> tuple[str, str, int]:
    """Run a command whose stdout is a terminal: what it wrote there, on stderr, and its code."""
    ours, theirs = pytest.importorskip("pty").openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "htreval_core.cli", *arguments], stdin=subprocess.DEVNULL,
        stdout=theirs, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(theirs)
    written = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        written += part
    told = process.stderr.read() if process.stderr else b""
    process.stderr.close()
    os.close(ours)
    # A terminal ends its lines with both signs.
    return written.decode().replace("\r\n", "\n"), told.decode(), process.wait()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "command",
    ["score", "score --format csv", "score --format latex", "compare", "diagnose",
     "diagnose --format json", "pairs", "ladder"],
)  # fmt: skip
def test_nothing_drives_a_terminal(command: str, folder: Path) -> None:
    name, *more = command.split(" ")
    written, told, code = _on_terminal([name, str(folder), *more])
    assert code == 0, told[-2000:]
    assert len(written) > 100
    check_shown(written.replace("\t", ""))
    check_shown(told)


@pytest.mark.slow
def test_a_text_on_a_terminal_is_shown_and_in_a_pipe_is_what_it_was(folder: Path) -> None:
    files = sorted(str(file) for file in (folder / "reference").iterdir())
    written, told, code = _on_terminal(["text", *files])
    assert code == 0, told
    check_shown(written)
    assert "\\x1b[31mred" in written
    piped = subprocess.run(
        [sys.executable, "-m", "htreval_core.cli", "text", files[0]],
        capture_output=True,
        check=True,
    )
    assert HOSTILE["ansi"] in piped.stdout.decode()


@pytest.mark.parametrize(
    "arguments",
    [["text", "\x1b[31m\u202ered"], ["score", "\x1b[31m\u202ered"], ["pairs", "x", "\x9b31mred"],
     ["\x1b[31mred"], ["report", "x", "-o", "x", "--systems", "a", "\x1b[31m"],
     ["score", "x", "--metrics", "\x1b[31m"], ["score", "x", "--mapping", "\x1b[31m\u202e"],
     ["score", "x", "--\x1b[31m"]],
)  # fmt: skip
def test_a_refusal_drives_no_terminal_either(arguments: list[str], tmp_path: Path) -> None:
    done = invoke(*arguments)
    assert done.exit_code in (2, 3)
    check_shown(done.output)
    assert "31m" in done.output or "-o" in arguments
