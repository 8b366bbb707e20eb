"""Pages as language models write them: Markdown, HTML and JSON read as the page they show."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.model import SourceFile
from htreval_core.settings import ReadPolicy
from htreval_core.settings.written import USUAL_MARKUP
from htreval_core.show.telling.warnings import tell_warnings
from htreval_core.sources.readers.formulas import read_formula
from htreval_core.sources.readers.pieces import html_pieces, is_note, kept_lines, markdown_pieces
from htreval_core.sources.readers.table import as_text
from htreval_core.sources.transcripts import pages_in, read_kind, read_marked
from tests.conftest import ROOT, SHARED
from tests.tools import Tree, cases, pair_uploads, warned

PAGE = [
    "Executive Mansion,", "Washington City,", "January 15th, 1864",
    "Major General Hitchcock, Commissioner of Exchanges,", "is authorized and directed to offer",
    "Date Paid", "3 May £5", "1. He shall be punished & so on",
]  # fmt: skip
FORMS = {
    path.name.removeprefix("p."): path.read_text("utf-8")
    for path in sorted((ROOT / "tests" / "fixtures" / "forms").iterdir())
}


def read(name: str, text: str, policy: ReadPolicy | None = None) -> hv.Transcript:
    return hv.read_transcript(SourceFile(name, lambda: text.encode()), policy)


@pytest.mark.parametrize(("name", "written", "shown"), cases("marked_up"))
def test_what_a_format_says_of_words_is_no_word(name: str, written: str, shown: str) -> None:
    assert read(name, written).text == shown


@pytest.mark.parametrize(("written", "told"), cases("told_of_json"))
def test_text_that_is_not_read_or_may_be_none_is_told(written: str, told: str) -> None:
    found = read("p.xml" if written.startswith("<") else "p.json", written).warnings
    assert told in "".join(tell_warnings(found))
    assert told or not found


@pytest.mark.parametrize(("written", "told"), cases("suspected"))
def test_text_that_may_be_something_else_is_told(written: str, told: str) -> None:
    found = "".join(tell_warnings(hv.read_transcript(as_text("t.csv: p1", written)).warnings))
    assert told in found
    assert bool(told) == bool(found)


@pytest.mark.parametrize(("written", "pages"), cases("numbered"))
def test_pages_are_numbered_as_their_program_counts(written: str, pages: list[str]) -> None:
    name = "p.xml" if written[0] == "<" else "p.json"
    assert pages_in(SourceFile(name, written.encode), ReadPolicy()) == tuple(pages)


@pytest.mark.parametrize("form", FORMS)
def test_a_true_page_is_true_in_whatever_form_it_is_written(form: str) -> None:
    transcript = read(f"p.{form}", FORMS[form])
    assert [line.text for line in transcript.lines] == PAGE
    page = hv.score_page("\n".join(PAGE), transcript)
    assert (page.scores.wer.errors, page.scores.cer_errors) == (0, 0)


def test_the_same_page_is_nearly_all_wrong_where_markup_counts() -> None:
    page = hv.score_page("\n".join(PAGE), read("p.md", FORMS["md"], ReadPolicy(markup=())))
    assert page.scores.wer.errors > 0.8 * page.scores.n_ref_words


def test_boxes_and_kinds_of_blocks_are_kept() -> None:
    title, city, january, *_ = read("p.json", FORMS["blocks.json"]).lines
    assert title.region_kind == "heading"
    assert title.polygon
    assert title.polygon.box == (1, 1, 90, 20)
    # A block's lines share its box.
    assert city.polygon
    assert january.polygon
    assert (city.polygon.box[3], january.polygon.box[1]) == (30.5, 30.5)
    docling = read("p.json", FORMS["docling.json"])
    assert docling.lines[0].polygon
    assert docling.lines[0].polygon.box == (1, 10, 50, 20)
    assert docling.page_size == (100, 100)
    assert read("p.json", FORMS["mistral.json"]).page_size == (1000, 2000)
    chandra = read("p.html", '<div data-bbox="1 2 30 40" data-label="Page-Header"><p>12</p></div>')
    (line,) = chandra.lines
    assert (line.region_kind, line.polygon and line.polygon.box) == ("header", (1, 2, 30, 40))


def test_running_heads_are_text_unless_they_are_left_out(tree: Tree) -> None:
    blocks = [
        {"bbox": [1, 1, 9, 2], "category": "Page-header", "text": "Of Laws 12"},
        {"bbox": [1, 3, 9, 9], "category": "Text", "text": "He shall"},
    ]
    text = json.dumps(blocks)
    assert read("p.json", text).text == "Of Laws 12\nHe shall"
    policy = ReadPolicy(markup=(*USUAL_MARKUP, "heads"))
    assert read("p.json", text, policy).text == "He shall"
    # Running heads of page xml are left out likewise.
    page = (
        '<PcGts><Page><TextRegion id="a" type="header"><TextLine><TextEquiv><Unicode>Of Laws'
        '</Unicode></TextEquiv></TextLine></TextRegion><TextRegion id="b" type="paragraph">'
        "<TextLine><TextEquiv><Unicode>He shall</Unicode></TextEquiv></TextLine></TextRegion>"
        "</Page></PcGts>"
    )
    assert read("p.xml", page).text == "Of Laws\nHe shall"
    for kind in ("header", "Header", "PageNumber", "RunningTitleZone"):
        of_kind = page.replace('type="header"', f'custom="structure {{type:{kind};}}"')
        assert read("p.xml", of_kind, policy).text == "He shall"
    # What is left out of one side alone is said.
    files = {"reference/p.xml": page, "a/p.xml": page, "b/p.txt": "Of Laws", "c/p.txt": ""}
    for reading, told in ((ReadPolicy(), []), (policy, ["b"])):
        warnings = hv.pair_path(tree(files), reading=reading).warnings
        assert [name for one in warnings for name in one.detail] == told


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        *cases("markdown"),
        ("![](data:image/png;base64," + "A" * 6000 + ") ![x](img(1).png) word", "word"),
    ],
)
def test_signs_of_markdown_go_and_text_of_the_page_stays(written: str, shown: str) -> None:
    for end in ("\n", "\r\n", "\r"):
        lines = kept_lines(markdown_pieces(written.replace("\n", end)), USUAL_MARKUP)
        assert "\n".join(line.text for line in lines) == shown


@given(st.text(alphabet="ab1 \n*_`#|-[]()<>!$\\&;:.~^=/>tdr", max_size=120))
def test_nothing_is_lost_on_the_way(text: str) -> None:
    for pieces in (markdown_pieces(text), html_pieces(text)):
        assert "".join(piece.source for piece in pieces) == text
        # Without rules the text is what was written, but for blank lines and ends of lines.
        kept = kept_lines(pieces, ())
        assert "".join(line.text for line in kept).split() == text.replace("\n", "").split() or (
            "".join("".join(line.text.split()) for line in kept) == "".join(text.split())
        )


def test_rules_can_be_switched_one_by_one_and_have_a_version() -> None:
    text = "# *One*\n\n| a | b |\n|---|---|"
    for rule, shown in (
        ("headings", "# One\na b"),
        ("emphasis", "*One*\na b"),
        ("tables", "One\n| a | b |\n|---|---|"),
    ):
        kept = tuple(name for name in USUAL_MARKUP if name != rule)
        policy = ReadPolicy(markup=kept)
        assert read("p.md", text, policy).text == shown
        assert ReadPolicy.of_text(policy.as_text()) == policy
    # Rules of another version are refused.
    with pytest.raises(hv.ConfigError, match="version 1, here are those of version 6"):
        ReadPolicy.of_text({"markup": "1"})


def test_what_is_taken_off_can_be_shown() -> None:
    marked = read_marked(SourceFile("p.md", FORMS["md"].encode))
    assert "".join(piece.source for piece in marked.told(USUAL_MARKUP)) == FORMS["md"]
    off = {piece.rule for piece in marked.told(USUAL_MARKUP) if piece.rule}
    assert off == {
        "yaml", "fences", "headings", "emphasis", "formulas", "tags", "tables", "images",
        "escapes", "notes",
    }  # fmt: skip
    assert not any(piece.rule for piece in marked.told(()))


@pytest.mark.parametrize(("name", "text"), cases("unknown_json"))
def test_json_of_no_known_kind_is_an_error_that_says_what_was_looked_for(
    name: str, text: str
) -> None:
    with pytest.raises(hv.ReadError, match=rf"^{name}: .*Mistral.*dots\.ocr.*DoclingDocument"):
        read(name, text)


TREE = {
    "schema_name": "DoclingDocument",
    "texts": [{"self_ref": f"#/texts/{n}", "label": "text", "text": word}
              for n, word in enumerate(["left", "first"])],
    "body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/1"}]},
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *cases("answers"),
        # Numbers beyond any page are no corners.
        ('{"pages": [{"index": 1' + "0" * 400 + ', "markdown": "one"}]}', "one"),
        # What the tree of a document does not reach is read last.
        (json.dumps(TREE), "first\nleft"),
    ],
)
def test_json_as_models_answer_when_asked_for_it(text: str, shown: str) -> None:
    assert read("p.json", text).text == shown


@pytest.mark.parametrize(("text", "shown"), cases("with_heads"))
def test_services_mark_running_heads(text: str, shown: str) -> None:
    assert read("p.json", text, ReadPolicy(markup=(*USUAL_MARKUP, "heads"))).text == shown
    assert read("p.json", text).text.split()[-1] in ("three", "7", "12")


@pytest.mark.parametrize("text", ["{", "[" * 100_000, '{"a":' * 50_000, "nul", ""])
def test_damaged_json_is_refused_by_name(text: str) -> None:
    with pytest.raises(hv.ReadError, match=r"^p\.json: "):
        read("p.json", text)


def test_markdown_in_a_text_file_is_pointed_out_and_read_when_asked() -> None:
    text = "# Head\n\nSome **bold** words"
    transcript = read("p.txt", text)
    assert transcript.text == text
    (note,) = transcript.warnings
    assert note.kind == "looks like Markdown"
    assert note.remedy
    assert note.remedy.name == "markdown"
    assert read("p.txt", text, ReadPolicy(text_as="markdown")).text == "Head\nSome bold words"
    assert read("p.md", text, ReadPolicy(text_as="text")).text == text
    assert read("p.txt", "---\nlanguage: en\n---\none").warnings
    assert not read("p.txt", "No. 7 - he * shall\n- and so on\n1. one").warnings


@pytest.mark.parametrize(("latex", "shown"), [*cases("formulas"), ("{" * 3000, "")])
def test_formulas_are_read_as_their_signs(latex: str, shown: str) -> None:
    assert read_formula(latex) == shown


def test_notes_are_told_from_text_in_brackets() -> None:
    assert all(map(is_note, ("illegible", "...", "?", "two words torn", "1 ligne illisible")))
    assert not any(map(is_note, ("Punishments", "the", "12", "words of the king", "see fol. 3")))


def test_names_of_pages_and_runs_pair(tree: Tree) -> None:
    dataset = hv.pair_path(tree({
        "reference/1.txt": "one two", "reference/2.txt": "three four",
        "model/page_1.md": "# one two", "model/page_2.md": "three **four**",
    }))  # fmt: skip
    assert [page.hypotheses["model"].text for page in dataset.pages] == ["one two", "three four"]
    assert "numbers of pages" in dataset.rule
    dataset = hv.pair_path(tree({
        "reference/letter.txt": "one two", "model/letter_pg1_repeat1.md": "one two",
        "model/letter_pg1_repeat2.md": "one too", "other/letter_pg1_repeat1.md": "won two",
    }))  # fmt: skip
    assert dataset.systems == ("model#1", "model#2", "other")
    assert dataset.pages[0].hypotheses["model#2"].text == "one too"


def test_json_beside_text_is_passed_over_and_no_run_hides_another(tree: Tree) -> None:
    files = {"reference/p.txt": "one", "model/p.md": "# one", "model/p.json": FORMS["blocks.json"]}
    dataset = hv.pair_path(tree(files))
    assert dataset.pages[0].hypotheses["model"].text == "one"
    assert any("several forms (p); .md is read" in told for told in warned(dataset))
    dataset = hv.pair_path(tree({
        "reference/l.txt": "one two", "m/l_pg1_repeat1.md": "one two",
        "m/l_pg1_repeat2.md": "one too", "m#1/l.md": "won two",
    }))  # fmt: skip
    (page,) = dataset.pages
    assert page.hypotheses["m#1"].text == "won two"
    assert any("l_pg1_repeat2" in str(one) for one in dataset.warnings)


def test_a_column_called_markdown_holds_markdown() -> None:
    rows = [{"page_id": "1", "reference": "Of *Laws*", "x_markdown": "# Of *Laws*", "y": "# Of"}]
    content = "\n".join(map(json.dumps, rows)).encode()
    (page,) = pair_uploads("rows", [("rows.jsonl", content)]).pages
    texts = {name: text.text for name, text in page.hypotheses.items()}
    assert texts == {"x_markdown": "Of Laws", "y": "# Of"}
    assert page.reference.text == "Of *Laws*"


@pytest.mark.skipif(not SHARED.exists(), reason="the data of others are not here")
def test_pages_that_models_really_wrote_keep_no_sign_of_markdown() -> None:
    files = sorted((SHARED / "vlm" / "markdown").glob("*.md"))
    assert len(files) == 13
    for file in files:
        kind, transcript = read_kind(file)
        assert kind == "markdown"
        assert transcript.lines
        for line in transcript.lines:
            is_row = line.region_kind == "table"
            assert is_row or not line.text.startswith(("# ", "|", "```", "![", "---")), line.text
            assert not any(sign in line.text for sign in ("**", "<td", "<br", "\\frac", "$$"))


@pytest.mark.parametrize(
    ("written", "shown"),
    [*cases("html"), ('<p><img src="data:' + "A" * 6000 + '">text</p>', "text")],
)
def test_html_that_leaves_out_what_it_may(written: str, shown: str) -> None:
    assert read("p.html", written).text == shown


def test_a_small_file_cannot_grow_without_bounds() -> None:
    tables = [{"id": f"t{n}", "content": f"[t{n + 1}](t{n + 1})" * 2} for n in range(60)]
    page = {"markdown": "[t0](t0) " * 1000, "tables": tables}
    assert len(read("p.json", json.dumps({"pages": [page]})).text) < 10_000
    assert not read("p.json", json.dumps({"text": "<p>" + "\n" * 50_000})).text  # in an instant


@pytest.mark.parametrize(
    "text",
    [
        "---\n" + "- : x\n" * 50 + "end\n", "```" + " " * 100_000 + "!", "<style>" * 30_000,
        "<!--a" * 50_000, "![a](((" * 30_000,
    ],
)  # fmt: skip
def test_text_made_to_take_long_does_not(text: str) -> None:
    assert "".join(piece.source for piece in markdown_pieces(text)) == text
