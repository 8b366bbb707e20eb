"""Pages as language models write them: Markdown, HTML and JSON read as the page they show."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.model import SourceFile
from htreval_core.settings import ReadPolicy
from htreval_core.settings.written import USUAL_MARKUP
from htreval_core.sources.readers.formulas import read_formula
from htreval_core.sources.readers.pieces import html_pieces, is_note, kept_lines, markdown_pieces
from htreval_core.sources.transcripts import read_kind, read_marked
from tests.conftest import SHARED
from tests.tools import Tree, pair_uploads, warned

PAGE = [
    "Executive Mansion,",
    "Washington City,",
    "January 15th, 1864",
    "Major General Hitchcock, Commissioner of Exchanges,",
    "is authorized and directed to offer",
    "Date Paid",
    "3 May £5",
    "1. He shall be punished & so on",
]
AS_MARKDOWN = """```markdown
---
primary_language: en
is_rotation_valid: True
---
# Executive Mansion,

**Washington City,**

*January 15$^{th}$, 1864*

Major General Hitchcock, Commissioner of Exchanges,<br>is authorized and directed to offer

| Date | Paid |
|------|-----:|
| 3 May | £5 |

![seal of the mansion](seal.png)
1. He shall be punished &amp; so on [illegible]
```
"""
AS_HTML = (
    "<!DOCTYPE html><html><head><title>a page</title><style>p{color:red}</style></head><body>"
    "<h1>Executive Mansion,</h1><p><b>Washington City,</b></p>\n<p>January\n15<sup>th</sup>, 1864"
    "</p><p>Major General Hitchcock, Commissioner of Exchanges,<br/>is authorized and directed to "
    "offer</p><table><tr><th>Date</th><th>Paid</th></tr>\n<tr>\n<td>3 May</td><td>£5</td></tr>"
    "</table><!-- no text --><ol><li>1. He shall be punished &amp; so on</li></ol></body></html>"
)
AS_BLOCKS = [
    {"bbox": [1, 1, 90, 20], "category": "Title", "text": "# Executive Mansion,"},
    {"bbox": [1, 21, 90, 40], "category": "Text", "text": "Washington City,\nJanuary 15th, 1864"},
    {
        "bbox": [1, 41, 90, 70], "category": "Text",
        "text": "Major General Hitchcock, Commissioner of Exchanges,\nis authorized and "
                "directed to offer",
    },
    {
        "bbox": [1, 71, 90, 90], "category": "Table",
        "text": "<table><tr><td>Date</td><td>Paid</td></tr><tr><td>3 May</td><td>£5</td></tr>"
                "</table>",
    },
    {"bbox": [1, 91, 90, 95], "category": "Picture"},
    {"bbox": [1, 96, 90, 99], "category": "List-item", "text": "1. He shall be punished & so on"},
]  # fmt: skip
AS_MISTRAL = {
    "pages": [
        {
            "index": 0,
            "markdown": "# Executive Mansion,\n\nWashington City,\n\nJanuary 15th, 1864\n\nMajor "
            "General Hitchcock, Commissioner of Exchanges,\nis authorized and directed to offer\n\n"
            "[tbl-0.md](tbl-0.md)\n\n![img-0.jpeg](img-0.jpeg)\n\n1. He shall be punished & so on",
            "tables": [{"id": "tbl-0.md", "content": "| Date | Paid |\n|---|---|\n| 3 May | £5 |"}],
            "dimensions": {"dpi": 200, "width": 1000, "height": 2000},
        }
    ],
    "model": "mistral-ocr-latest",
}
AS_MINERU = [
    {"type": "text", "text": "Executive Mansion,", "text_level": 1, "page_idx": 0},
    {"type": "text", "text": "Washington City,\nJanuary 15th, 1864", "page_idx": 0},
    {
        "type": "text", "page_idx": 0,
        "text": "Major General Hitchcock, Commissioner of Exchanges,\nis authorized and "
                "directed to offer",
    },
    {
        "type": "table", "page_idx": 0, "img_path": "images/t.jpg", "table_caption": [],
        "table_body": "<table><tr><td>Date</td><td>Paid</td></tr><tr><td>3 May</td><td>£5</td></tr>"
                      "</table>",
    },
    {"type": "image", "img_path": "images/i.jpg", "img_caption": [], "page_idx": 0},
    {"type": "list", "list_items": ["1. He shall be punished & so on"], "page_idx": 0},
]  # fmt: skip
AS_DOCLING = {
    "schema_name": "DoclingDocument",
    "version": "1.3.0",
    "body": {
        "self_ref": "#/body",
        "children": [{"$ref": f"#/texts/{n}"} for n in range(5)]
        + [{"$ref": "#/tables/0"}, {"$ref": "#/groups/0"}, {"$ref": "#/texts/0"}],
    },
    "groups": [{"self_ref": "#/groups/0", "children": [{"$ref": "#/texts/5"}], "label": "list"}],
    "texts": [
        {
            "self_ref": f"#/texts/{n}",
            "label": label,
            "orig": text,
            "text": text,
            "prov": [
                {
                    "page_no": 1,
                    "bbox": {"l": 1, "t": 90, "r": 50, "b": 80, "coord_origin": "BOTTOMLEFT"},
                }
            ],
        }
        for n, (label, text) in enumerate(
            zip(
                ["section_header", "text", "text", "text", "text", "list_item"],
                [*PAGE[:5], PAGE[7]],
                strict=True,
            )
        )
    ],
    "tables": [
        {
            "self_ref": "#/tables/0",
            "label": "table",
            "data": {
                "table_cells": [
                    {"text": text, "start_row_offset_idx": row, "start_col_offset_idx": column}
                    for row, column, text in (
                        (0, 1, "Paid"), (0, 0, "Date"), (1, 0, "3 May"), (1, 1, "£5"),
                    )
                ]
            },
        }
    ],
    "pages": {"1": {"page_no": 1, "size": {"width": 100, "height": 100}}},
}  # fmt: skip
FORMS: dict[str, str] = {
    "md": AS_MARKDOWN,
    "html": AS_HTML,
    "blocks.json": json.dumps(AS_BLOCKS),
    "mistral.json": json.dumps(AS_MISTRAL),
    "mineru.json": json.dumps(AS_MINERU),
    "docling.json": json.dumps(AS_DOCLING),
}


def read(name: str, text: str, policy: ReadPolicy | None = None) -> hv.Transcript:
    return hv.read_transcript(SourceFile(name, lambda: text.encode()), policy)


@pytest.mark.parametrize("form", FORMS)
def test_a_true_page_is_true_in_whatever_form_it_is_written(form: str) -> None:
    transcript = read(f"p.{form}", FORMS[form])
    assert [line.text for line in transcript.lines] == PAGE
    page = hv.score_page("\n".join(PAGE), transcript)
    assert (page.scores.wer.errors, page.scores.cer_errors) == (0, 0)


def test_the_same_page_is_nearly_all_wrong_where_markup_counts() -> None:
    transcript = read("p.md", AS_MARKDOWN, ReadPolicy(markup=()))
    page = hv.score_page("\n".join(PAGE), transcript)
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


def test_running_heads_are_text_unless_they_are_left_out() -> None:
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
    assert read("p.xml", page, policy).text == "He shall"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("snake_case_word and 5*3*2", "snake_case_word and 5*3*2"),
        ("__bold__ and _so\non_ and ***all***", "bold and so\non and all"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("a ~~gone~~ b", "a gone b"),
        ("____ to fill in ____", "____ to fill in ____"),
        (r"\*starred\* and \_", "*starred* and _"),
        ("- a bullet\n- [x] a box\n* one\n-", "a bullet\na box\none\n-"),
        ("1. one\n1986. A year", "1. one\n1986. A year"),
        ("> quoted\n>> twice", "quoted\ntwice"),
        ("Title\n=====\ntext\n---\n***", "Title\ntext"),
        ("# head #\n#no head", "head\n#no head"),
        ("a [link](http://x.y) <http://z.w>", "a link http://z.w"),
        ("text[^1]\n\n[^1]: the note", "text\nthe note"),
        ("[Punishments?] [illegible] [2 words illegible] [unleserlich]", "[Punishments?]"),
        ("£5 and $6 or $7", "£5 and $6 or $7"),
        ("M$^{r}$ and M^r^ and 1^{st}", "Mr and Mr and 1^{st}"),
        ("| a | b |\n|---|\n| c | d | e |", "a b\nc d e"),
        ("a | b", "a | b"),
        ("```python\n# kept *as* it is\n```", "# kept *as* it is"),
        ("~~~\nopen to the *end*", "open to the end"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<unk> and <gap/> stay", "<unk> and <gap/> stay"),
        ("hard\\\nbreak  \nhere", "hard\nbreak\nhere"),
        ("AT&T &amp; &c. &nosuch;", "AT&T & &c. &nosuch;"),
        ("\\[\n\\frac{1}{2}\n\\]\nand \\(x^2\\)", "1/2\nand x2"),
        ("<!-- a -->text<!-- b\n-->", "text<!-- b\n-->"),
        ("`tis so and so", "`tis so and so"),
        ("a `code` and ``an ` in it``", "a code and ``an ` in it``"),
        # What a person would read otherwise than a grammar does.
        (r"\[Seal\] and \[x = 2\] and \(a\)", "[Seal] and x = 2 and a"),
        (r"\[illegible\] end", "end"),
        (r"\textit{foo} M\textsuperscript{r} \underline{Herr}\hfill x", "foo Mr Herr x"),
        ("Haus [illegible] [blank].", "Haus."),
        ("todo [ ] done [rayé] [durchgestrichen]", "todo [ ] done"),
        ("<unclear>wort</unclear> <math><mi>x</mi><mo>+</mo></math>", "wort x+"),
        (r"$s \in R$ and $\lambda x$", "s ∈ R and λx"),
        ("paid $5 to A and $6 to B, 10$/yd", "paid $5 to A and $6 to B, 10$/yd"),
        ("<td>USD ($)<br/>in $, <b>4</b> $</td>", "USD ($)\nin $, 4 $"),
        ("<tr><td>($)<br/>a</td><td>b</td></tr>", "($) a b"),
        (
            r"$5 0 \%$ of $1 0 0 0 ~ \mathrm { m g }$, $( h , r )$ $p < 0 . 0 1 $",
            "50% of 1000 mg, (h, r) p < 0.01",
        ),
        (r"$\n \gamma\n $ for $N_h $and $5 or $x_1$", "γ for Nh and $5 or x1"),
        (r"[\[20\]](#p-8) and [\[18,](#p-8)[28\]](#p-9).", "[20] and [18,28]."),
        ("<head>Chapter I</head> It was", "Chapter I It was"),
        ("---\nMonday: rain\nTuesday: sun\n---\n", "Monday: rain\nTuesday: sun"),
        ("---\nis_table: False\n---\n", ""),
        ("x\n<!-- a\nb -->\n<style>\np {}\n</style>\ny", "x\ny"),
        ("![](data:image/png;base64," + "A" * 6000 + ") ![x](img(1).png) word", "word"),
        ("a \\", "a \\"),
    ],
)
def test_signs_of_markdown_go_and_text_of_the_page_stays(written: str, shown: str) -> None:
    lines = kept_lines(markdown_pieces(written), USUAL_MARKUP)
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
        settings, notes = hv.read_signature(hv.Settings(reading=policy).signature())
        assert settings.reading.markup == kept
        assert not notes
    # Rules of another version are refused.
    signature = hv.Settings().signature().replace("markup:2", "markup:1")
    with pytest.raises(hv.ConfigError, match="version 1, here are those of version 2"):
        hv.read_signature(signature)


def test_what_is_taken_off_can_be_shown() -> None:
    marked = read_marked(SourceFile("p.md", AS_MARKDOWN.encode))
    assert "".join(piece.source for piece in marked.told(USUAL_MARKUP)) == AS_MARKDOWN
    off = {piece.rule for piece in marked.told(USUAL_MARKUP) if piece.rule}
    assert off == {
        "yaml", "fences", "headings", "emphasis", "formulas", "tags", "tables", "images",
        "escapes", "notes",
    }  # fmt: skip
    assert not any(piece.rule for piece in marked.told(()))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.json", '{"foo": 1}'),
        ("p.json", "[1, 2]"),
        ("p.json", '"text"'),
        ("p.json", '{"pages": [{"text": "no markdown"}]}'),
        ("p.txt", '{"result": "a page?"}'),
    ],
)
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
        ("[]", ""),
        ('{"transcription": "# one *two*"}', "one two"),
        ('```json\n{"text": "one two", "language": "en"}\n```', "one two"),
        ('{"pages": [{"blocks": [{"type": "text", "text": "one two"}]}]}', "one two"),
        # Numbers beyond any page are none.
        ('{"pages": [{"index": 1' + "0" * 400 + ', "markdown": "one"}]}', "one"),
        ('[{"category": "Text", "text": ["a", "b"]}]', "a\nb"),
        ('[{"category": "Text", "content": {"text": "a"}}]', "a"),
        ('[{"category": "Text", "text": "", "content": "real"}]', "real"),
        # What the tree of a document does not reach is read last.
        (json.dumps(TREE), "first\nleft"),
    ],
)
def test_json_as_models_answer_when_asked_for_it(text: str, shown: str) -> None:
    assert read("p.json", text).text == shown


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
    assert not read("p.txt", "No. 7 - he * shall\n- and so on\n1. one").warnings


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (r"1^{st}", "1st"),
        (r"\frac{1}{2} \text{ yard}", "1/2 yard"),
        (r"\frac{\partial \mathbf{E}}{\partial t}", "∂E/∂t"),
        (r"\{\lambda_g\}", "{λg}"),
        (r"e^{i\pi} + 1 = 0", "eiπ + 1 = 0"),
        (r"\unknown{x}", "unknownx"),
        (r"50\,\%", "50 %"),
        (r"\mathbf { L i u } ^ { 1 * }", "Liu1*"),
        (r"\$ 1 , 0 0 0 \uparrow x", "$1,000 ↑x"),
        (r"\mathrm { c o n t r a }", "contra"),
        ("{" * 3000, ""),
    ],
)
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
    [
        ("<html><head><title>x</title><body><p>All the text</p></body></html>", "All the text"),
        ("<p>a</p><svg><p>no end</p>", "a\nno end"),
        ("<p>a</p><SVG><text>b</text></SVG><p>c</p>", "a\nc"),
        ('<p title="a > b">text</p>', "text"),
        ('<p><img src="data:' + "A" * 6000 + '">text</p>', "text"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "a b\nc"),
        ("<details><summary>S</summary>t</details>", "S\nt"),
    ],
)
def test_html_that_leaves_out_what_it_may(written: str, shown: str) -> None:
    assert read("p.html", written).text == shown


def test_a_small_file_cannot_grow_without_bounds() -> None:
    tables = [{"id": f"t{n}", "content": f"[t{n + 1}](t{n + 1})" * 2} for n in range(60)]
    page = {"markdown": "[t0](t0)" * 1000, "tables": tables}
    assert len(read("p.json", json.dumps({"pages": [page]})).text) < 10_000


@pytest.mark.parametrize(
    "text",
    [
        "---\n" + "- : x\n" * 50 + "end\n",
        "```" + " " * 100_000 + "!",
        "<style>" * 30_000,
        "<!--a" * 50_000,
        "![a](((" * 30_000,
    ],
)
def test_text_made_to_take_long_does_not(text: str) -> None:
    pieces = markdown_pieces(text)
    assert "".join(piece.source for piece in pieces) == text
