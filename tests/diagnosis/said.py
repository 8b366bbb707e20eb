"""What is counted and named on made pages and on the sample data, in a file; sentences in another.

``python -m tests.diagnosis.said`` writes both files anew. Their difference to those before is what
a change of the metrics, the diagnosis or the telling does; every line of it has to be wanted.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np

import htreval_core as hv
from htreval_core.diagnosis.corpus.census import take_census
from htreval_core.metrics.columns import COUNTS, page_counts
from htreval_core.show.telling.events import tell_event
from htreval_core.words.confusions import char_confusions
from htreval_core.words.outcomes import word_outcomes
from tests import written
from tests.conftest import ROOT, SAMPLES
from tests.made import FAILURES, KNOWN, LAYOUTS, MINGLED, Made, letterbook, make, sides
from tests.sheets import misread
from tests.tools import look_at

FILE = ROOT / "tests" / "fixtures" / "said.txt"
SENTENCES = ROOT / "tests" / "fixtures" / "sentences.txt"
RATES = (0.0, 0.1, 0.2, 0.3)
RULES = {
    "notes float": hv.OrderRules(
        floats=hv.RegionRule(kinds=("header", "marginalia", "catch-word", "footer", "heading"))
    ),
    "all float": hv.OrderRules(floats=hv.RegionRule(names=("*",))),
    "heads left out": hv.OrderRules(left_out=hv.RegionRule(kinds=("header", "marginalia"))),
    "partial": hv.OrderRules(partial=True),
}
_SECTION = "== "


def sections() -> Mapping[str, Callable[[], Iterator[str]]]:
    """The parts of the file by their names, and what makes their lines."""
    return {
        "columns of the counts": lambda: iter([" ".join(COUNTS)]),
        **{layout: partial(_single, layout) for layout in FAILURES},
        **{f"mingled {known}": partial(_mingled, known) for known in KNOWN},
        **{f"orders: {name}": partial(_ordered, name) for name in RULES},
        **{f"many {known}": partial(_many, known) for known in KNOWN},
        "references in doubt": _doubted,
        "words of the letter-book": _of_words,
        "whole": _whole,
        "written": _written,
        **{folder: partial(_sample, folder) for folder in ("letterbook", "models", "seite0418")},
    }


def stored() -> dict[str, list[str]]:
    """The lines of each part of the file."""
    found: dict[str, list[str]] = {}
    for section in FILE.read_text("utf-8").split(_SECTION)[1:]:
        name, *lines = section.splitlines()
        found[name] = lines
    return found


def _single(layout: str) -> Iterator[str]:
    """One failure a page."""
    words = letterbook()
    for number, fail in enumerate(FAILURES[layout]):
        for known in KNOWN:
            for seed in range(2 if layout == "single" else 5):
                rng = np.random.default_rng([seed, list(LAYOUTS).index(layout), number])
                made = make(layout, words, rng)
                if fail(made):
                    yield from _made(made, f"{fail.__name__} {known} {seed}", known)


def _mingled(known: str) -> Iterator[str]:
    """Several failures a page."""
    words = letterbook()
    for number, (layout, failures) in enumerate(MINGLED):
        for seed in range(3):
            made = make(layout, words, np.random.default_rng([seed, 100 + number]))
            if all(fail(made) for fail in failures):
                names = "+".join(fail.__name__ for fail in failures)
                yield from _made(made, f"{names} {seed}", known)


def _ordered(rules: str) -> Iterator[str]:
    """Pages whose regions may stand elsewhere."""
    words = letterbook()
    layouts = ("head", "note", "columns", "feuilleton", "table", "double")
    for number, layout in enumerate(layouts):
        for at, fail in enumerate(FAILURES[layout]):
            for seed in range(3):
                made = make(layout, words, np.random.default_rng([seed, 300 + number, at]))
                if not fail(made):
                    continue
                look = look_at(*sides(made, 0.05 * seed, "tags"), orders=RULES[rules])
                best = look.page.admissible
                yield from _told(f"{layout} {fail.__name__} {seed}", look.diagnosis)
                yield f"  {_counted(look.page.scores)}"
                order = " ".join(map(str, best.order))
                yield f"  {best.strict} or {best.errors}, at least {best.bound}, by {order}"


def _whole() -> Iterator[str]:
    """No failure, but words that are misread, half of them at the most."""
    words = letterbook()
    for number, layout in enumerate(LAYOUTS):
        for known in KNOWN:
            made = make(layout, words, np.random.default_rng([0, 200 + number]))
            yield from _made(made, f"{layout} {known}", known, 0.15 * number / 2)


def _made(made: Made, name: str, known: str, rate: float | None = None) -> Iterator[str]:
    chosen = float(made.rng.choice(RATES)) if rate is None else rate
    look = look_at(*sides(made, chosen, known))
    yield from _told(f"{name} {chosen:.2f}", look.diagnosis)
    yield f"  {_counted(look.page.scores)}"
    for event_number, event in enumerate(look.diagnosis.events[:2]):
        if event.of_order:
            mended = look.put_right([event_number])
            yield f"  mended {event_number}: {mended.page.scores.wer.errors}"


def _written() -> Iterator[str]:
    """What language models write."""
    for name, seed, made in _all_written():
        yield from _told(f"{name} {seed}", written.diagnosed(made))


def _all_written() -> Iterator[tuple[str, int, written.Written]]:
    return written.all_made(str(SAMPLES / "letterbook"), range(3))


def _many(known: str) -> Iterator[str]:
    """Many more pages, of which only a digest tells whether as much is said of them.

    Every third is turned round: there the reference is the side that is out of order.
    """
    words = letterbook()
    for layout, failures in FAILURES.items():
        for number, fail in enumerate(failures):
            for seed in range(10, 18):
                made = make(layout, words, np.random.default_rng([seed, number]))
                if not fail(made):
                    continue
                rate = float(made.rng.choice((*RATES, 0.6)))
                both = sides(made, rate, known)
                look = look_at(*(both if seed % 3 else both[::-1]))
                said = "\n".join((*_told("", look.diagnosis), _counted(look.page.scores)))
                kinds = ", ".join(event.kind for event in look.diagnosis.events)
                yield f"{fail.__name__} {seed} {rate}: {_digest(said)} {kinds}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def _doubted() -> Iterator[str]:
    """References that are out of order themselves, against three systems that are not."""
    words = letterbook()
    for layout, failures in FAILURES.items():
        pages = []
        for number, fail in enumerate(failures):
            for seed in range(3):
                made = make(layout, words, np.random.default_rng([seed, 400 + number]))
                if fail(made):
                    right, wrong = sides(made, 0.0, "tags" if seed else "shapes")
                    text = right.text.split("\n")
                    systems = {
                        name: "\n".join(
                            " ".join(misread(line.split(), rate, made.rng)) for line in text
                        )
                        for name, rate in (("A", 0.02), ("B", 0.05), ("C", 0.1))
                    }
                    as_read = {name: hv.Transcript.from_text(one) for name, one in systems.items()}
                    pages.append(hv.Page(f"{number}-{seed}", wrong if seed else right, as_read))
        study = hv.score(pages, hv.Settings(resamples=10))
        found = hv.diagnose(study)
        for one in hv.suspect_references(study.page_ids, found, found.upward):
            yield f"{layout}: {one.page_id} {_lines(one.reference_lines)} {one.errors}"
        for row in take_census(found):
            yield f"{layout}: {row}"
        for diagnoses in found.values():
            for diagnosis in diagnoses:
                yield from _told(f"{layout} {diagnosis.system} {diagnosis.page_id}", diagnosis)


def _of_words() -> Iterator[str]:
    """What became of the words, and which characters were confused."""
    study = hv.score(hv.pair_path(SAMPLES / "letterbook"), hv.Settings(resamples=10))
    systems = ("misreads", "reads-across")
    outcomes = word_outcomes(study, systems)
    for system in systems:
        for confusion in char_confusions(outcomes, system):
            yield f"{system}: {confusion}"
    for example in outcomes.examples(range(0, len(outcomes), 97)):
        yield f"{example}"


def _sample(folder: str) -> Iterator[str]:
    """The sample data, summed up as well."""
    study = hv.score(hv.pair_path(SAMPLES / folder), hv.Settings(resamples=10))
    for system, found in hv.diagnose(study).items():
        for diagnosis in found:
            yield from _told(f"{system} {diagnosis.page_id}", diagnosis)
        for scores in study.scores[system]:
            yield f"{system} {scores.page_id}: {_counted(scores)}"


def _told(name: str, found: hv.Diagnosis) -> Iterator[str]:
    parts = found.parts
    yield (
        f"{name}: {parts.misread} misread, {parts.order} order, {parts.doubt} doubt, "
        f"{parts.coincidence} coincidence of {found.n_ref_words}"
    )
    for event in (*found.events, *found.edges):
        at = " ".join(f"{first}–{last}" for first, last in (event.reference, *event.hypothesis))
        numbers = (event.words, event.errors, event.pieces, event.notes, event.convention)
        yield f"  {event.kind}, {event.confidence}: {' '.join(map(str, numbers))} at {at}"
        yield f"    lines {_lines(event.reference_lines)} read {_lines(event.hypothesis_lines)}"


def _counted(scores: hv.PageScores) -> str:
    counts = page_counts(scores)
    return " ".join(str(counts[name]) for name in COUNTS)


def _lines(numbers: tuple[int, ...]) -> str:
    return f"{numbers[0]}–{numbers[-1]} ({len(numbers)})" if numbers else "none"


def sentences() -> list[str]:
    """A sentence for each kind of event and of facts about it, the first that comes up."""
    found: dict[str, str] = {}
    for diagnosis in _some_of_each():
        for event in (*diagnosis.events, *diagnosis.edges):
            facts = event.facts
            detail = getattr(facts, "detail", None)
            about = [type(one).__name__ for one in (facts, detail) if one is not None]
            convention = ["convention"] if event.convention else []
            key = ", ".join((event.kind.value, *about, *convention))
            found.setdefault(key, " ".join(tell_event(event).split()))
    return [f"{key}: {found[key]}" for key in sorted(found)]


def _some_of_each() -> Iterator[hv.Diagnosis]:
    words = letterbook()
    for layout, failures in FAILURES.items():
        for number, fail in enumerate(failures):
            for seed, known in enumerate(KNOWN):
                made = make(layout, words, np.random.default_rng([seed, 500 + number]))
                if fail(made):
                    yield look_at(*sides(made, 0.1, known), orders=RULES["notes float"]).diagnosis
    yield from (written.diagnosed(made) for _, _, made in _all_written())
    for folder in ("letterbook", "models", "seite0418"):
        study = hv.score(hv.pair_path(SAMPLES / folder), hv.Settings(resamples=10))
        for of_system in hv.diagnose(study).values():
            yield from of_system


def write(path: Path = FILE) -> None:
    """Everything that is said today."""
    SENTENCES.write_text("\n".join((*sentences(), "")), "utf-8")
    with path.open("w", encoding="utf-8") as out:
        for name, lines in sections().items():
            out.write("\n".join((f"{_SECTION}{name}", *lines(), "")))


if __name__ == "__main__":
    write()
