"""A study as one HTML file that needs nothing else: no network, no libraries."""

import base64
from collections import Counter
from collections.abc import Sequence
from datetime import date
from functools import cache
from importlib.resources import files

from htreval_core.compare import Pairwise, compare_all
from htreval_core.diagnosis import count_catastrophes, take_census
from htreval_core.errors import HtrEvalError
from htreval_core.markup import Child, Html, join, shorten, tag
from htreval_core.model import DataWarning
from htreval_core.run.marks import Mark
from htreval_core.scoring.diagnoses import diagnose
from htreval_core.scoring.found import Diagnoses
from htreval_core.scoring.study import Study
from htreval_core.settings import short_signature
from htreval_core.settings.version import __version__
from htreval_core.show.html import sections
from htreval_core.show.html.corpus_pictures import hatch, system_mark
from htreval_core.show.html.font import font_css, needs_font
from htreval_core.show.html.sections import name, table
from htreval_core.show.palette import KIND_COLOURS, PARTS, SYSTEM_COLOURS
from htreval_core.show.tables.marks import MARK_COLUMNS, mark_rows
from htreval_core.show.telling.decision import RESAMPLES, diagnosed_on
from htreval_core.show.telling.pages import tell_pages
from htreval_core.show.telling.warnings import tell_unread, tell_warnings
from htreval_core.sources.dataset import Unpaired
from htreval_core.words.confusions import char_confusions, confusions_of, find_errors
from htreval_core.words.crops import word_crops
from htreval_core.words.outcomes import WordOutcomes, word_outcomes

_MOST_WARNINGS = 100


def report_html(
    study: Study, *, title: str | None = None, day: date | None = None,
    diagnoses: Diagnoses | None = None, pairwise: Pairwise | None = None, all_pages: bool = False,
    marks: Sequence[Mark] = (),
) -> str:  # fmt: skip
    """A report on a study as one file that opens offline and prints well.

    Args:
        title: the name of the data; that of the data set by default.
        day: the date to put on it; today by default.
        diagnoses: as ``diagnose`` gives them, where they are at hand; empty to leave the census
            out, which looks at every page. Pages that they keep are not looked at again.
        pairwise: as ``compare_all`` gives it, where it is at hand; used where it is of the pages
            that the values are of.
        all_pages: values of each system on all of its pages, not on those that all have read.
        marks: what people said of pages; those of others are left out.
    """
    title = study.dataset.name if title is None else title
    if diagnoses is None:
        diagnoses = diagnose(study)
    study = study.with_parts(diagnoses)
    found = {
        (one.page_id, one.system): one for of_system in diagnoses.values() for one in of_system
    }
    corpus = study if all_pages else study.on_common_pages()
    of_pages = tell_pages(study, all_pages=all_pages)
    if not corpus.shares_pages:
        pairwise = None
    elif pairwise is None or any(
        frozenset(one.page_ids) != corpus.pages_of(a) & corpus.pages_of(b)
        for (a, b), one in pairwise.pairs.items()
    ):
        pairwise = compare_all(corpus, resamples=RESAMPLES)
    faults = take_census(diagnosed_on(diagnoses, corpus))
    # Which system is best can only be said of the pages that all have read.
    common, best_of, best_by = study.on_common_pages(), faults, pairwise
    if corpus is not common:
        best_of = take_census(diagnosed_on(diagnoses, common))
        best_by = compare_all(common, resamples=RESAMPLES) if common.shares_pages else None
    systems = study.systems
    said = mark_rows(one for one in marks if one.target.page_id in study.dataset)
    rows = count_catastrophes(diagnosed_on(diagnoses, corpus))
    taken_over = sections.catastrophes(rows, systems)
    confused = confusions(corpus, diagnoses)
    costs = sections.census(faults, systems)
    returned = sections.send_back(study, diagnoses, marks)
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
                tag("p", of_pages, ".", class_="pages") if of_pages else None,
                sections.verdicts(corpus, faults),
                _part("Results", sections.results(corpus, pairwise)),
                sections.pictures(corpus),
                _part("Catastrophic pages", taken_over) if taken_over else None,
                _part("What each fault costs", costs) if diagnoses else None,
                _part("What is read as what", confused) if confused else None,
                _part("Systems compared", sections.comparison(pairwise)) if pairwise else None,
                _part("Pages, largest ΔWER first", sections.ranking(study, found)),
                _part("Marks", sections.table(MARK_COLUMNS, said)) if said else None,
                _part("How to read this", sections.glossary(), class_="keep"),
                _notes((*study.warnings, *diagnoses.warnings), study.dataset.unpaired),
                tag(
                    "footer", tag("p", short_signature(study.signature)),
                    tag("p", "Signature ", tag("code", study.signature), class_="signature"),
                ),
            ),
        ]
    )  # fmt: skip
    return _file(f"{shorten(title, 80)}: htreval report", body)


def _header(study: Study, title: str, day: date) -> Html:
    systems = len(study.systems)
    return tag(
        "header",
        tag("h1", sections.name(title)),
        tag(
            "p",
            f"{len(study.page_ids):,} page{'s' * (len(study.page_ids) != 1)}, "
            f"{study.n_ref_words:,} reference words, {systems} system{'s' * (systems != 1)} · "
            f"{day.isoformat()} · htreval {__version__}",
        ),
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
    """The whole file. It may load nothing but what is written in it, and run nothing."""
    style = _style()
    if needs_font(str(body)):
        style = font_css() + style
    policy = (
        "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = join(
        [
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=policy),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="generator", content=f"htreval {__version__}"),
            tag("link", rel="icon", href="data:,"), tag("title", title),
            Html(f"<style>{style}</style>"),
        ]
    )  # fmt: skip
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>{head}</head>\n<body>\n{body}\n'
        "</body>\n</html>\n"
    )


@cache
def _style() -> str:
    colours = {part: style.colour for part, style in PARTS.items()}
    colours |= {f"k{int(kind)}": colour for kind, colour in KIND_COLOURS.items()}
    colours |= {f"s{number}": colour for number, colour in enumerate(SYSTEM_COLOURS)}
    variables = "".join(f"--{name}:{colour};" for name, colour in colours.items())
    classes = "".join(f".{name}{{--own:var(--{name})}}" for name in colours)
    sheet = files(__package__).joinpath("report.css").read_text("utf-8")
    return f":root{{{variables}}}{classes}\n{sheet}"


_ROWS = 10
_WORDS = 2
_MOST_PAGES = 2000
"""Pages, times systems, of which every word is followed: it takes a few milliseconds each."""


def confusions(study: Study, diagnoses: Diagnoses) -> Html | None:
    """What is most often read as what by any system; nothing where nothing is, or on many pages.

    Characters left out or added are not among them: most are those of words divided or joined.
    """
    if sum(map(len, study.scores.values())) > _MOST_PAGES:
        return None
    followed: dict[str, WordOutcomes] = {}
    times: Counter[tuple[str, str]] = Counter()
    of_system: dict[str, Counter[tuple[str, str]]] = {}
    for system in study.systems:
        try:
            followed[system] = word_outcomes(study, [system], diagnoses=diagnoses or None)
        except HtrEvalError:  # none of its pages can be read any more
            continue
        found = char_confusions(followed[system], system)
        both = (one for one in found if one.reference and one.read_as)
        of_system[system] = Counter({(one.reference, one.read_as): one.count for one in both})
        times += of_system[system]
    ranked = sorted(times, key=lambda pair: (-times[pair], pair))[:_ROWS]
    if not ranked:
        return None
    rows: list[list[Child]] = []
    for ref, hyp in ranked:
        most = max(of_system, key=lambda system: of_system[system][ref, hyp])
        numbers = (f"{of_system[system][ref, hyp]:,}" for system in of_system)
        example = _words(followed[most], most, f"{ref}→{hyp}")
        rows.append([tag("bdi", ref), tag("bdi", hyp), *numbers, example])
    heads = [join([system_mark(study.systems.index(one)), name(one)]) for one in of_system]
    return table(["reference", "read as", *heads, "for example"], rows, "numbers confusions")


def _words(outcomes: WordOutcomes, system: str, wanted: str) -> Html:
    """A few words that show a confusion and little else, with their ink where it is known."""
    read = outcomes.read_words[outcomes.system_at(system)]
    policy = outcomes.settings.policy
    # Of words as clear as each other those of different pages.
    pages: Counter[int] = Counter()
    ranked = []
    for one in find_errors(outcomes, system, wanted).tolist():
        page = int(outcomes.page_of[one])
        others = confusions_of(outcomes.words[one], read[one] or "", policy).total()
        ranked.append((others, pages[page], one))
        pages[page] += 1
    chosen = [one for *_, one in sorted(ranked)[:_WORDS]]
    ink = {one: base64.b64encode(jpeg) for one, jpeg in word_crops(outcomes, chosen).items()}
    return join(
        [
            tag(
                "figure",
                tag("img", src=f"data:image/jpeg;base64,{ink[one].decode()}", alt="")
                if one in ink else None,
                tag("figcaption", tag("bdi", shorten(outcomes.words[one], 40)), " → ",
                    tag("bdi", shorten(read[one] or "", 40))),
                class_="ink",
            )
            for one in chosen
        ]
    )  # fmt: skip
