"""The parts of a report about the whole corpus."""

import math
from collections.abc import Mapping, Sequence

from htreval_core.compare import Comparison, PairedDifference, Pairwise
from htreval_core.diagnosis import CatastropheRow, CensusRow, Diagnosis
from htreval_core.markup import Child, Html, join, shorten, tag
from htreval_core.metrics.catalog import METRICS, TABLE_METRICS
from htreval_core.metrics.values import page_value
from htreval_core.model import PageScores, PageUnder
from htreval_core.run.marks import REFERENCE_WRONG, SEND_BACK, Mark, remarks_on
from htreval_core.scoring.send_back import ABOVE, pages_to_send_back
from htreval_core.scoring.study import Study
from htreval_core.show.html.corpus_pictures import (
    draw_cost,
    draw_difference,
    draw_forest_axis,
    draw_share,
    draw_systems,
    forest_scale,
    part_class,
    part_name,
    system_mark,
)
from htreval_core.show.html.draw import Scale
from htreval_core.show.pictograms import pictogram
from htreval_core.show.pictures.corpus import picture_systems, wer_parts
from htreval_core.show.telling.clusters import exchanges, tell_clusters, tell_few, tell_tests
from htreval_core.show.telling.counting import (
    counted,
    interval_text,
    p_text,
    shown_value,
    signed_value,
)
from htreval_core.show.telling.decision import best_system, decide
from htreval_core.show.telling.events import tell_catastrophe
from htreval_core.show.telling.letter import tell_reason
from htreval_core.show.telling.verdicts import (
    TERMS,
    comparison_verdict,
    every_other,
    headline,
    tell_catastrophes,
    tell_tail,
    verdict,
)
from htreval_core.show.telling.warnings import tell_warnings

_RANKED = ("wer", "bwer", "delta_wer", "order_cost", "nsfd")
MOST_ROWS = 300
"""The most ranked pages that are listed; the file has to stay small."""
_MOST_PAIRS = 6
"""The most pairs of systems that have a forest plot of their own."""


def name(text: str) -> Html:
    """The name of a page or a system: cut, and its direction kept to itself."""
    return tag("bdi", shorten(text))


def _note(text: str) -> Html:
    return tag("p", text, class_="note")


def table(head: Sequence[Child], rows: Sequence[Sequence[Child]], class_: str = "") -> Html:
    """A table whose cells are values unless its class says otherwise."""
    return tag(
        "div",
        tag(
            "table", tag("thead", tag("tr", *(tag("th", cell) for cell in head))),
            tag("tbody", *(tag("tr", *(tag("td", cell) for cell in row)) for row in rows)),
            class_=class_ or None,
        ),
        class_="wide",
    )  # fmt: skip


def decision(
    study: Study, shown: Study, census: Sequence[CensusRow], pairwise: Pairwise | None
) -> Html | None:
    """The first paragraph, for whoever decides: what for, because, what to do, how sure.

    Args:
        study: with all pages, so that those without output are named.
        shown: of which the values of the report are.
        census: the faults on the pages that all systems have read.
        pairwise: the systems compared on these pages.
    """
    made = decide(study, census, lambda system: shorten(system, 40))
    if made is None:
        return None
    best = headline(shown, pairwise, lambda system: shorten(system, 40))
    several = len(study.systems) > 1
    return tag(
        "section",
        tag("p", best) if best else None,
        tag("p", tag("b", tag("bdi", made.system), ": ") if several else None,
            tag("b", made.usable, ". "), *(f"{one}. " for one in made.sentences[1:])),
        class_="decision",
    )  # fmt: skip


_MOST_RETURNED = 12
"""Pages to send back that stand on the first page of a report."""


def send_back(
    study: Study, diagnoses: Mapping[str, Sequence[Diagnosis]], marks: Sequence[Mark]
) -> Html | None:
    """The pages to send back of the system with the fewest word errors, with the reason."""
    system = best_system(study)
    found = pages_to_send_back(
        study, system, diagnoses, marked=remarks_on(marks, SEND_BACK, system),
        wrong=remarks_on(marks, REFERENCE_WRONG, system),
    )  # fmt: skip
    if not found:
        return None
    rows: list[list[Child]] = []
    for one in found[:_MOST_RETURNED]:
        cer = "" if math.isnan(one.cer) else f"{100 * one.cer:.1f}"
        rows.append([name(one.page_id), one.reason.value, cer, tell_reason(one)])
    more = len(found) - len(rows)
    whose = f" of {shorten(system, 40)}" if len(study.systems) > 1 else ""
    return join(
        [
            tag("p", f"Pages{whose} with more than {100 * ABOVE:g} errors per 100 characters,"
                     " without output, marked, or with a doubtful reference."),
            table(["page", "reason", "CER", "why"], rows, "returned"),
            _note(f"{counted(more, 'more page')}.") if more else None,
        ]
    )  # fmt: skip


def verdicts(study: Study, census: Sequence[CensusRow]) -> Html:
    """What kind of bad each system is, in a sentence each."""
    said = [
        tag(
            "li", system_mark(n), tag("b", name(system)), ": ",
            verdict(corpus, [row for row in census if row.system == system]),
        )
        for n, (system, corpus) in enumerate(study.corpora.items())
    ]  # fmt: skip
    return tag("ul", *said, class_="verdicts")


def results(study: Study, pairwise: Pairwise | None) -> Html:
    """The paper's results table: every system with 95 % intervals."""
    rows: list[list[Child]] = []
    for number, (system, corpus) in enumerate(study.corpora.items()):
        row: list[Child] = [
            join([system_mark(number), name(system)]), f"{corpus.n_pages:,}",
            f"{corpus.n_ref_words:,}",
        ]  # fmt: skip
        for metric in study.table_metrics:
            e = corpus.estimates[metric]
            best = pairwise and metric in pairwise.p_pairs and pairwise.best(metric) == system
            low, high = (shown_value(metric, end) for end in (e.low, e.high))
            # Where there is no room it breaks behind the dash.
            interval = "" if math.isnan(e.low) else f"{low}\N{NO-BREAK SPACE}– {high}"
            figure = tag("b" if best else "span", shown_value(metric, e.value))
            mark = tag("span", " ★", class_="star") if best else None
            row.append(join([figure, mark, tag("span", interval, class_="interval")]))
        rows.append(row)
    head = ["system", "pages", "words", *(METRICS[metric].label for metric in study.table_metrics)]
    star = (
        f" ★ is significantly better than {every_other(len(pairwise.systems))}: "
        f"{tell_tests(pairwise)}."
        if pairwise
        else ""
    )
    return join(
        [
            table(head, rows, "numbers results"),
            _note(
                "In percent, over all words of the corpus; below each value its 95 % interval. "
                f"{tell_clusters(study) or 'Intervals come from resampling whole pages.'}{star}"
            ),
            *map(_note, filter(None, (tell_few(study), *_tails(study)))),
        ]
    )


def _tails(study: Study) -> list[str]:
    """Mean and median of the pages of each system, and the pages that pull its value."""
    said = []
    for system, corpus in study.corpora.items():
        of_pages = corpus.estimates["wer"]
        mean, median = (shown_value("wer", one) for one in (of_pages.macro, of_pages.median))
        line = f"{shorten(system)}: WER of pages {mean} on average, {median} at the median."
        said.append(f"{line} {tell_tail(corpus, show=shorten)}".rstrip())
    return said


def pictures(study: Study) -> Html:
    """A stacked bar for each system."""
    bars = picture_systems(study.corpora)
    parts = dict.fromkeys(part for bar in bars for part in bar.parts)
    return tag(
        "figure",
        tag("figcaption", "What the errors of WER come from"),
        tag(
            "p",
            *(
                tag("span", tag("span", class_=f"swatch {part_class(part)}"), part_name(part),
                    class_="key")
                for part in parts if any(bar.parts[part] for bar in bars)
            ),
            tag("span", "├─┤ 95 % interval of WER", class_="key"),
            class_="keys",
        ),
        draw_systems(study.corpora),
    )  # fmt: skip


def census(rows: Sequence[CensusRow], systems: Sequence[str]) -> Html:
    """Which layout fault costs most."""
    if not rows:
        return tag("p", "No layout fault was found on any page.")
    most = max(row.errors for row in rows)
    numbers = {system: number for number, system in enumerate(systems)}
    cells: list[list[Child]] = [
        [
            join([pictogram(row.kind), row.kind.value]),
            join([system_mark(numbers[row.system]), name(row.system)]), f"{row.pages:,}",
            f"{row.events:,}", f"{row.words:,}", f"{row.errors:,}", draw_cost(row.errors, most),
            f"{shown_value('wer', row.wer)} → {shown_value('wer', row.wer_without)}",
        ]
        for row in rows
    ]  # fmt: skip
    head = ["fault", "system", "pages", "times", "words", "errors", "", "WER → without it, %"]
    return table(head, cells, "census")


_MOST_CATASTROPHES = 30


def catastrophes(rows: Sequence[CatastropheRow], systems: Sequence[str]) -> Html | None:
    """The pages that one fault took over, with what it was; nothing if there was no such page."""
    if not any(row.pages for row in rows):
        return None
    numbers = {system: number for number, system in enumerate(systems)}
    said = [
        tag("li", system_mark(numbers[row.system]), tag("b", name(row.system)), ": ",
            tell_catastrophes(row))
        for row in rows if row.pages
    ]  # fmt: skip
    cells: list[list[Child]] = [
        [
            join([system_mark(numbers[row.system]), name(row.system)]), name(page_id),
            one.kind.value, tell_catastrophe(one),
        ]
        for row in rows
        for page_id, one in row.pages.items()
    ]  # fmt: skip
    more = len(cells) - _MOST_CATASTROPHES
    listed = table(["system", "page", "what took it over", ""], cells[:_MOST_CATASTROPHES])
    note = _note(f"and {more:,} more") if more > 0 else None
    return join([tag("ul", *said, class_="verdicts"), listed, note])


def comparison(pairwise: Pairwise) -> Html:
    """Every pair of systems as a forest plot, and the ranking of more than two."""
    pairs = list(pairwise.pairs.values())
    more = f"{len(pairs) - _MOST_PAIRS} more pairs: htreval compare shows them."
    return join(
        [
            _ranks(pairwise) if len(pairwise.systems) > 2 else None,
            *(_pair(one, pairwise.systems) for one in pairs[:_MOST_PAIRS]),
            _note(more) if len(pairs) > _MOST_PAIRS else None,
            *(tag("p", one, class_="warning") for one in tell_warnings(pairwise.warnings)[:20]),
        ]
    )


def _ranks(pairwise: Pairwise) -> Html:
    rows: list[list[Child]] = [
        [
            join([system_mark(number), name(system)]),
            *(str(ranks.get(system, "–")) for ranks in pairwise.ranks.values()),
        ]
        for number, system in enumerate(pairwise.systems)
    ]
    head = ["rank", *(METRICS[metric].label for metric in pairwise.ranks)]
    return join(
        [
            table(head, rows, "numbers"),
            _note(
                "1 + the number of systems that are significantly better after Holm's correction "
                "for all pairs; systems that the test cannot tell apart share a rank."
            ),
        ]
    )


def _pair(one: Comparison, systems: Sequence[str]) -> Html:
    a, b = (shorten(system, 40) for system in one.systems)
    x = forest_scale(one)
    at = systems.index(one.systems[0]), systems.index(one.systems[1])
    rows = [_difference(row, x, at) for row in one.metrics.values()]
    axis = tag(
        "div",
        tag("div", tag("span", f"◀ {b} better"), tag("span", f"{a} better ▶"), class_="ends"),
        draw_forest_axis(x),
    )
    head: list[Child] = ["", a, b, "difference", axis, "95 % interval", "p", "p corrected",
                         f"pages {b} better / = / worse"]  # fmt: skip
    is_told = {"bwer", "delta_wer"} <= set(one.metrics)
    said = " ".join(comparison_verdict(one, a, b)) if is_told else ""
    return tag(
        "div",
        tag("h3", name(one.systems[1]), " against ", name(one.systems[0])),
        tag("p", said) if said else None,
        table(head, rows, "numbers compare"),
        _note(
            f"Differences in points on {counted(one.n_pages, 'page')}, "
            f"{exchanges(one)}. Interval and p come from one "
            "test, for each metric alone. Grey: it may be chance. Filled: shown, for WER, the "
            "question itself, by that p, for the others by p corrected for "
            f"{counted(len(one.metrics), 'metric')}."
        ),
        class_="keep",
    )


def _difference(d: PairedDifference, x: Scale, systems: tuple[int, int]) -> list[Child]:
    interval = interval_text(d.metric, d.low, d.high, signed=True).replace(" – ", " to ")
    return [
        METRICS[d.metric].label, shown_value(d.metric, d.a), shown_value(d.metric, d.b),
        tag("b" if d.shown else "span", signed_value(d.metric, d.difference)),
        draw_difference(d, x, systems),
        interval, p_text(d.p), p_text(d.p_holm), f"{d.wins} / {d.ties} / {d.losses}",
    ]  # fmt: skip


def rank_pages(study: Study) -> list[PageScores]:
    """Every page under every system: largest ΔWER first, then largest WER."""

    def badness(page: PageScores) -> list[float]:
        # What has no rate at all, for want of a reference, comes last.
        values = page_value(page, "delta_wer"), page_value(page, "wer")
        return [math.inf if math.isnan(value) else -value for value in values]

    return sorted((one for of_system in study.scores.values() for one in of_system), key=badness)


def ranking(study: Study, diagnoses: Mapping[PageUnder, Diagnosis]) -> Html:
    """Pages by what order costs them, with the costliest fault of each."""
    ranked = rank_pages(study)
    numbers = {system: number for number, system in enumerate(study.systems)}
    listed = ranked[:MOST_ROWS]
    parts = [{name: errors / max(page.n_ref_words, 1)
              for name, errors in wer_parts(page.bwer, page.wer.errors, page.parts).items()}
             for page in listed]  # fmt: skip
    most = max((sum(shares.values()) for shares in parts), default=1.0)
    rows: list[list[Child]] = []
    for place, (page, shares) in enumerate(zip(listed, parts, strict=True), start=1):
        rows.append(
            [
                str(place), name(page.page_id),
                join([system_mark(numbers[page.system]), name(page.system)]),
                f"{page.n_ref_words:,}", draw_share(shares, most),
                *(shown_value(m, page_value(page, m)) for m in _RANKED),
                _first(diagnoses.get((page.page_id, page.system))),
            ]
        )  # fmt: skip
    labels = [METRICS[m].label for m in _RANKED]
    head = ["", "page", "system", "words", "", *labels, "costliest fault"]
    left_out = len(ranked) - len(listed)
    more = _note(f"{left_out:,} more pages are not listed.")
    return join([table(head, rows, "ranking"), more if left_out else None])


def _first(diagnosis: Diagnosis | None) -> str:
    if diagnosis is None or not diagnosis.events:
        return ""
    event = diagnosis.events[0]
    return f"{event.kind.value} ({counted(event.errors, 'error')})"


def glossary() -> Html:
    """What every value of the report says."""
    return tag(
        "dl",
        *(
            child
            for metric in METRICS
            if metric in TABLE_METRICS or metric == "order_cost"
            for child in (
                tag("dt", METRICS[metric].label),
                tag("dd", METRICS[metric].plain, " ", tag("code", METRICS[metric].formula)),
            )
        ),
        *(child for name, said in TERMS.items() for child in (tag("dt", name), tag("dd", said))),
    )
