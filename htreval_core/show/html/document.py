"""A study as one HTML file that needs nothing else: no network, no libraries."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from importlib.resources import files

from htreval_core.compare import Pairwise, compare_all
from htreval_core.diagnosis import count_catastrophes, take_census
from htreval_core.markup import Child, Html, join, shorten, tag
from htreval_core.model import DataWarning
from htreval_core.run.marks import Mark
from htreval_core.scoring.diagnoses import diagnose
from htreval_core.scoring.found import Diagnoses
from htreval_core.scoring.study import Study
from htreval_core.settings import short_signature
from htreval_core.settings.version import __version__
from htreval_core.show.html import sections
from htreval_core.show.html.choose import choose_pages, rank_pages
from htreval_core.show.html.confusions import confusions
from htreval_core.show.html.corpus_pictures import hatch, system_mark
from htreval_core.show.html.font import font_css, needs_font
from htreval_core.show.html.images import page_images
from htreval_core.show.html.pages import page_section
from htreval_core.show.html.texts import legend
from htreval_core.show.palette import EVENT_COLOURS, KIND_COLOURS, PARTS, SYSTEM_COLOURS
from htreval_core.show.tables.marks import MARK_COLUMNS, mark_rows
from htreval_core.show.telling.decision import RESAMPLES, diagnosed_on
from htreval_core.show.telling.pages import tell_pages
from htreval_core.show.telling.warnings import tell_unread, tell_warnings
from htreval_core.sources.dataset import Unpaired

_MOST_WARNINGS = 100


def report_html(
    study: Study,
    *,
    title: str | None = None,
    day: date | None = None,
    pages: str = "worst:20",
    diagnoses: Diagnoses | None = None,
    pairwise: Pairwise | None = None,
    all_pages: bool = False,
    marks: Sequence[Mark] = (),
) -> str:
    """A report on a study as one file that opens offline and prints well.

    Args:
        title: the name of the data; that of the data set by default.
        day: the date to put on it; today by default.
        pages: those shown in full: "worst:N", "all", or ids with commas between.
        diagnoses: as ``diagnose`` gives them, where they are at hand; empty to leave the census
            out, which looks at every page. Pages that they keep are not looked at again.
        pairwise: as ``compare_all`` gives it, where it is at hand; used where it is of the pages
            that the values are of.
        all_pages: values of each system on all of its pages, not on those that all have read.
        marks: what people said of pages; those of others are left out.

    Raises:
        ConfigError: a page that is asked for does not exist.
    """
    title = study.dataset.name if title is None else title
    ranked = rank_pages(study)
    chosen = choose_pages(study, pages, ranked)
    anchors = {at: f"page-{number}" for number, at in enumerate(chosen, start=1)}
    if diagnoses is None:
        diagnoses = diagnose(study)
    study = study.with_parts(diagnoses)
    ranked = rank_pages(study)
    failed = diagnoses.failures
    found = {
        (one.page_id, one.system): one for of_system in diagnoses.values() for one in of_system
    }
    corpus = study if all_pages else study.on_common_pages()
    if not corpus.shares_pages:
        pairwise = None
    elif pairwise is None or not _is_of(pairwise, corpus):
        pairwise = compare_all(corpus, resamples=RESAMPLES)
    places = {(one.page_id, one.system): place for place, one in enumerate(ranked, start=1)}
    undrawn = {(one.page_id, one.system) for one in failed}
    images = page_images(study, [at for at in chosen if at not in undrawn], anchors)
    shown: list[Child] = [
        page_section(
            replace(study.look(*at), told=found.get(at)),
            anchors[at],
            f"number {places[at]} of {len(ranked)} by ΔWER",
            system_mark(study.systems.index(at[1])),
            images.get(at),
        )
        for at in chosen
        if at not in undrawn
    ]
    failures = take_census(diagnosed_on(diagnoses, corpus))
    # Which system is best can only be said of the pages that all have read.
    common, best_of, best_by = study.on_common_pages(), failures, pairwise
    if corpus is not common:
        best_of = take_census(diagnosed_on(diagnoses, common))
        best_by = compare_all(common, resamples=RESAMPLES) if common.shares_pages else None
    systems = study.systems
    said = mark_rows(one for one in marks if one.target.page_id in study.dataset)
    rows = count_catastrophes(diagnosed_on(diagnoses, corpus))
    taken_over = sections.catastrophes(rows, systems, anchors)
    confused = confusions(corpus, diagnoses)
    returned = sections.send_back(study, diagnoses, marks, anchors)
    body = join(
        [
            tag("svg", hatch(), class_="defs", aria_hidden="true"),
            tag(
                "main",
                _header(study, title, day or date.today()),
                *(tag("p", one, ".", class_="warning") for one in tell_unread(study)),
                sections.decision(study, corpus, best_of, best_by),
                _part("What to send back", returned) if returned else None,
                tag("h2", "Appendix", class_="appendix"),
                _said(tell_pages(study, all_pages=all_pages)),
                sections.verdicts(corpus, failures),
                _part("Results", sections.results(corpus, pairwise)),
                sections.pictures(corpus),
                _part("Catastrophic pages", taken_over) if taken_over else None,
                _part("What each failure costs", sections.census(failures, systems))
                if diagnoses
                else None,
                _part("What is read as what", confused) if confused else None,
                _part("Systems compared", sections.comparison(pairwise)) if pairwise else None,
                _part(
                    "Pages, largest ΔWER first",
                    sections.ranking(ranked, anchors, found, systems),
                ),
                _part("Marks", sections.table(MARK_COLUMNS, said)) if said else None,
                _part(f"{len(chosen)} pages in full", *shown) if shown else None,
                _part("How to read this", legend(), sections.glossary(),
                      class_="keep"),
                _notes((*study.warnings, *(one.warning for one in failed)), study.dataset.unpaired),
                tag(
                    "footer",
                    tag("p", short_signature(study.signature)),
                    tag("p", "Signature ", tag("code", study.signature), class_="signature"),
                ),
            ),
        ]
    )  # fmt: skip
    return _file(f"{shorten(title, 80)}: htreval report", body)


def _header(study: Study, title: str, day: date) -> Html:
    systems = len(study.systems)
    words = max((corpus.n_ref_words for corpus in study.corpora.values()), default=0)
    return tag(
        "header",
        tag("h1", sections.name(title)),
        tag(
            "p",
            f"{len(study.page_ids):,} page{'s' * (len(study.page_ids) != 1)}, "
            f"{words:,} reference words, {systems} system{'s' * (systems != 1)} · "
            f"{day.isoformat()} · htreval {__version__}",
        ),
    )


def _said(sentence: str) -> Html | None:
    return tag("p", sentence, ".", class_="pages") if sentence else None


def _is_of(pairwise: Pairwise, study: Study) -> bool:
    return all(
        frozenset(one.page_ids) == study.pages_of(a) & study.pages_of(b)
        for (a, b), one in pairwise.pairs.items()
    )


def _part(title: str, *children: Child, class_: str | None = None) -> Html:
    return tag("section", tag("h2", title), *children, class_=class_)


def _notes(warnings: Sequence[DataWarning], unpaired: Unpaired) -> Html | None:
    told = tell_warnings(warnings)
    said = told[:_MOST_WARNINGS]
    if len(told) > _MOST_WARNINGS:
        said.append(f"… and {len(told) - _MOST_WARNINGS:,} more")
    if unpaired.reference:
        named = ", ".join(shorten(page) for page in unpaired.reference[:20])
        said.append(f"{len(unpaired.reference):,} references without any output: {named}")
    for system, pages in unpaired.hypothesis.items():
        if pages:
            named = ", ".join(shorten(page) for page in pages[:20])
            said.append(f"{len(pages):,} pages of {shorten(system)} without a reference: {named}")
    if not said:
        return None
    return _part("Notes on the data", tag("ul", *(tag("li", shorten(one, 600)) for one in said)))


def _file(title: str, body: Html) -> str:
    """The whole file. What it may load and run is nothing but what is written in it."""
    style, script = _style(), _asset("report.js")
    if needs_font(str(body)):
        style = font_css() + style
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    policy = (
        "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    head = join(
        [
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=policy),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="generator", content=f"htreval {__version__}"),
            tag("link", rel="icon", href="data:,"),
            tag("title", title),
            Html(f"<style>{style}</style>"),
        ]
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>{head}</head>\n<body>\n{body}\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


@cache
def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _style() -> str:
    """The style sheet, with the palette as its variables."""
    colours = {part: style.colour for part, style in PARTS.items()}
    colours |= {f"k{int(kind)}": colour for kind, colour in KIND_COLOURS.items()}
    colours |= {f"s{number}": colour for number, colour in enumerate(SYSTEM_COLOURS)}
    colours |= {f"e-{look}": colour for look, colour in EVENT_COLOURS.items()}
    variables = "".join(f"--{name}:{colour};" for name, colour in colours.items())
    classes = "".join(f".{name}{{--own:var(--{name})}}" for name in colours)
    return f":root{{{variables}}}{classes}\n{_asset('report.css')}"


def picture_file(picture: Html) -> str:
    """A picture of the report as an SVG file of its own, with its colours."""
    head, end, rest = str(picture).partition(">")
    head = head.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return f"{head}{end}<style><![CDATA[{_style()}]]></style>{hatch()}{rest}"
