"""How well the diagnosis names made failures: confusion, spans, false alarms, time.

python benchmarks/diagnosis.py --seeds 1000 1200
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import htreval_core as hv
from htreval_core.diagnosis import ORDER_FREE, Diagnosis, EventKind
from htreval_core.lab.simulate import FAILURES, Truth, as_transcript, in_order, make_sheet
from htreval_core.model import Line, Polygon, Transcript

ROOT = Path(__file__).parent.parent
COARSE = {
    EventKind.LINES_SWAPPED: {"local swap", "block moved"},
    EventKind.SUFFIX_FIRST: {"local swap", "block moved"},
    EventKind.SUFFIX_LATE: {"local swap", "block moved"},
    EventKind.PREFIX_LATE: {"local swap", "block moved"},
    EventKind.MOVED: {"block moved", "local swap"},
    EventKind.MARGINALIA: {"columns interleaved", "block moved", "local swap"},
    EventKind.COLUMNS_BY_LINE: {"columns interleaved"},
    EventKind.COLUMNS_ACROSS: {"columns interleaved"},
    EventKind.COLUMNS_IN_ZONES: {"columns interleaved", "block moved"},
    EventKind.DOUBLE_PAGE: {"columns interleaved"},
}


def corpus() -> list[str]:
    """The words of the letter-book, from which pages are made."""
    pages = hv.pair_path(ROOT / "sample_data" / "letterbook").pages
    return [w for page in pages for line in page.reference.lines for w in line.text.split()]


def make_page(words: list[str], layout: str, rng: np.random.Generator) -> Transcript:
    """A page of the given layout with lines, regions and polygons."""
    at = int(rng.integers(0, len(words) - 700))
    stream = iter(words[at:] + words)
    lines: list[Line] = []

    def box(x: float, y: float, w: float) -> Polygon:
        return Polygon.from_box(x, y, x + w, y + 20)

    def block(region: str, kind: str, n: int, size: tuple[int, int], x: float, w: float) -> None:
        y = 100 + 30 * len([ln for ln in lines if ln.region == region])
        for number in range(n):
            text = " ".join(next(stream) for _ in range(int(rng.integers(*size))))
            lines.append(Line(text, region, box(x, y + 30 * number, w), kind))

    width, height = 1000, 1400
    if layout == "single":
        block("a", "paragraph", int(rng.integers(15, 30)), (6, 11), 100, 800)
    elif layout == "marginalia":
        block("a", "paragraph", int(rng.integers(15, 28)), (6, 10), 300, 650)
        block("m", "marginalia", int(rng.integers(3, 6)), (2, 4), 40, 200)
    elif layout == "columns":
        block("h", "heading", 2, (4, 8), 200, 600)
        n = int(rng.integers(12, 22))
        block("l", "paragraph", n, (4, 7), 60, 420)
        block("r", "paragraph", n + int(rng.integers(-1, 2)), (4, 7), 520, 420)
    elif layout == "double":
        width = 2000
        n = int(rng.integers(14, 22))
        block("l", "paragraph", n, (6, 10), 100, 800)
        block("r", "paragraph", n, (6, 10), 1100, 800)
    else:
        n = int(rng.integers(12, 20))
        block("l", "paragraph", n, (2, 5), 60, 420)
        block("r", "paragraph", n, (2, 4), 520, 420)
    return Transcript(tuple(lines), "ReadingOrder", (width, height), None)


LAYOUTS = ("single", "marginalia", "columns", "double", "table")
NATURAL = {
    "single": [EventKind.LINES_SWAPPED, EventKind.SUFFIX_FIRST, EventKind.SUFFIX_LATE,
               EventKind.PREFIX_LATE, EventKind.MOVED, EventKind.MISSING, EventKind.REPEATED,
               EventKind.INVENTED],
    "marginalia": [EventKind.MARGINALIA, EventKind.MARGINALIA, EventKind.LINES_SWAPPED,
                   EventKind.MOVED],
    "columns": [EventKind.COLUMNS_BY_LINE, EventKind.COLUMNS_ACROSS, EventKind.COLUMNS_IN_ZONES],
    "double": [EventKind.DOUBLE_PAGE],
    "table": [EventKind.COLUMNS_ACROSS, EventKind.COLUMNS_BY_LINE],
}  # fmt: skip


def overlap(a: tuple[int, int], b: tuple[int, int]) -> float:
    inter = max(0, min(a[1], b[1]) - max(a[0], b[0]))
    union = max(a[1], b[1]) - min(a[0], b[0])
    return inter / union if union else 0.0


def best_overlap(truth: Truth, diagnosis: Diagnosis, named: str) -> float:
    """How well the event's span fits what was moved, or either neighbour of it."""
    spans = [e.reference for e in diagnosis.events if e.kind.value == named]
    return max((overlap(s, t) for s in spans for t in (*truth.spans, truth.touched)), default=0.0)


PAIRS = [
    ("single", EventKind.LINES_SWAPPED, "columns", EventKind.COLUMNS_BY_LINE),
    ("single", EventKind.MOVED, "single", EventKind.MISSING),
    ("columns", EventKind.COLUMNS_ACROSS, "single", EventKind.SUFFIX_FIRST),
    ("single", EventKind.SUFFIX_LATE, "single", EventKind.MOVED),
    ("marginalia", EventKind.MARGINALIA, "single", EventKind.LINES_SWAPPED),
    ("single", EventKind.PREFIX_LATE, "single", EventKind.INVENTED),
]


def two_failures(words: list[str], seeds: range) -> tuple[Counter[bool], list[float]]:
    """Two failures on one page, one above the other: how many are named, and ΔWER explained."""
    named: Counter[bool] = Counter()
    explained: list[float] = []
    for seed in seeds:
        for number, (above, kind_above, below, kind_below) in enumerate(PAIRS):
            rng = np.random.default_rng([seed, 99, number])
            upper = make_sheet(make_page(words, above, rng))
            lower = make_sheet(make_page(words, below, rng))
            first, second = FAILURES[kind_above](upper, rng), FAILURES[kind_below](lower, rng)
            if first is None or second is None:
                continue
            shift = len(upper.words)
            lines = (
                *upper.transcript.lines,
                *(replace(line, region=f"lower {line.region}", polygon=Polygon(
                    np.add(line.polygon.points, (0, 1000)) if line.polygon else ()
                )) for line in lower.transcript.lines),
            )  # fmt: skip
            sheet = make_sheet(Transcript(lines, "ReadingOrder", (1000, 2400)))
            output = [
                *first[0],
                *([n + shift if n >= 0 else n for n in line] for line in second[0]),
            ]
            noise = float(rng.choice([0.0, 0.1, 0.2, 0.3]))
            hypothesis = as_transcript(sheet, output, noise, rng)
            found = hv.diagnose_page(
                hv.score_page(sheet.transcript, hypothesis), sheet.transcript, hypothesis
            )
            kinds = {event.kind for event in found.events}
            named[kind_above in kinds] += 1
            named[kind_below in kinds] += 1
            if found.delta_wer:
                explained.append(found.parts.order / found.delta_wer)
    return named, explained


def report(seeds: tuple[int, int]) -> Iterator[str]:
    """The lines of the report, for pages made from the given range of seeds."""
    words = corpus()
    confusion: dict[str, Counter[str]] = defaultdict(Counter)
    overlaps: dict[str, list[float]] = defaultdict(list)
    explained: list[float] = []
    coarse = Counter[bool]()
    seconds: list[float] = []
    for seed in range(*seeds):
        for layout in LAYOUTS:
            for kind in NATURAL[layout]:
                rng = np.random.default_rng(
                    [seed, LAYOUTS.index(layout), list(EventKind).index(kind)]
                )
                sheet = make_sheet(make_page(words, layout, rng))
                made = FAILURES[kind](sheet, rng)
                if made is None:
                    continue
                output, truth = made
                noise = float(rng.choice([0.0, 0.1, 0.2, 0.3]))
                hypothesis = as_transcript(sheet, output, noise, rng)
                page = hv.score_page(sheet.transcript, hypothesis)
                start = time.perf_counter()
                found = hv.diagnose_page(page, sheet.transcript, hypothesis)
                seconds.append(time.perf_counter() - start)
                assert found.parts.errors == page.scores.wer.errors
                wanted = [e for e in found.events if (e.kind in ORDER_FREE) == (kind in ORDER_FREE)]
                named = max(wanted, key=lambda e: e.errors).kind.value if wanted else "nothing"
                confusion[kind.value][named] += 1
                if named == kind.value and truth.spans and kind is not EventKind.REPEATED:
                    overlaps[named].append(best_overlap(truth, found, named))
                if kind not in ORDER_FREE and found.delta_wer:
                    explained.append(found.parts.order / found.delta_wer)
                    flat = as_transcript(sheet, output, noise, rng, lines=False)
                    no_lines = Transcript((Line(" ".join(sheet.words)),))
                    blind = hv.diagnose_page(hv.score_page(no_lines, flat), no_lines, flat)
                    moved = [e for e in blind.events if e.kind not in ORDER_FREE]
                    name = max(moved, key=lambda e: e.errors).kind.value if moved else "nothing"
                    coarse[name in COARSE[kind]] += 1
    total = sum(sum(row.values()) for row in confusion.values())
    right = sum(row[kind] for kind, row in confusion.items())
    yield (f"named right: {right} of {total} = {100 * right / total:.1f} %")
    for kind, row in confusion.items():
        n = sum(row.values())
        others = ", ".join(f"{name} {count}" for name, count in row.most_common() if name != kind)
        yield (f"  {kind:<28}{100 * row[kind] / n:6.1f} % of {n:<5} {others}")
    every = [value for values in overlaps.values() for value in values]
    yield (f"span overlap (IoU): mean {np.mean(every):.3f}, median {np.median(every):.3f}")
    for name, values in overlaps.items():
        yield (f"  {name:<28}{np.mean(values):.3f}")
    yield (f"explained share of ΔWER: mean {100 * np.mean(explained):.1f} %")
    yield (f"coarse names without lines: {100 * coarse[True] / coarse.total():.1f} %")
    both, of_both = two_failures(words, range(*seeds))
    yield (
        f"two failures a page: {100 * both[True] / both.total():.1f} % of {both.total()} named "
        f"right, {100 * np.mean(of_both):.1f} % of ΔWER explained"
    )
    alarms = Counter[float]()
    for seed in range(seeds[0], seeds[0] + 200):
        for noise in (0.0, 0.3, 0.5):
            rng = np.random.default_rng([seed, int(noise * 10)])
            layout = LAYOUTS[seed % len(LAYOUTS)]
            sheet = make_sheet(make_page(words, layout, rng))
            hypothesis = as_transcript(sheet, in_order(sheet), noise, rng)
            found = hv.diagnose_page(
                hv.score_page(sheet.transcript, hypothesis), sheet.transcript, hypothesis
            )
            alarms[noise] += any(e.errors >= 3 for e in found.events)
    yield ("false alarms on 200 pages in order: " + ", ".join(
        f"{alarms[noise]} at {100 * noise:.0f} % word error" for noise in (0.0, 0.3, 0.5)
    ))  # fmt: skip
    yield (f"time a page: median {1000 * np.median(seconds):.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", nargs=2, type=int, default=(1000, 1200))
    parser.add_argument("--write", action="store_true", help="put the report into the docs")
    arguments = parser.parse_args()
    lines = []
    for line in report(tuple(arguments.seeds)):
        print(line)
        lines.append(line)
    if arguments.write:
        document = ROOT / "docs" / "diagnosis.md"
        before, _, rest = document.read_text("utf-8").partition("<!-- values -->")
        _, end, after = rest.partition("<!-- end -->")
        figures = "\n".join(f"    {line}".rstrip() for line in lines)
        head = f"Seeds {arguments.seeds[0]} to {arguments.seeds[1] - 1}:"
        document.write_text(
            f"{before}<!-- values -->\n{head}\n\n{figures}\n\n{end}{after}", "utf-8"
        )


if __name__ == "__main__":
    main()
