"""Seconds to read 843 PAGE files of 150 kB and one ALTO file of 1 MB, on one process.

Run: python benchmarks/reading.py
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from htreval_core.sources.readers import SourceFile, read_transcript

N_PAGES = 843
PAGE_BYTES = 150_000
ALTO_BYTES = 1_000_000
_LETTERS = "eeenniissrraattdhulcgmobwfkzpvüäößſ"


def _word(rng: random.Random) -> str:
    return "".join(rng.choices(_LETTERS, k=rng.randint(2, 12)))


def _points(rng: random.Random, n: int) -> str:
    return " ".join(f"{rng.randint(0, 3000)},{rng.randint(0, 4000)}" for _ in range(n))


def page_file(seed: int, size: int = PAGE_BYTES) -> bytes:
    """A PAGE file of about the size: regions in a reading order, lines, words, polygons."""
    rng = random.Random(seed)
    regions: list[str] = []
    written = 0
    while written < size:
        lines = []
        for number in range(12):
            words = [_word(rng) for _ in range(7)]
            boxes = "".join(
                f'<Word><Coords points="{_points(rng, 4)}"/><TextEquiv><Unicode>{word}</Unicode>'
                "</TextEquiv></Word>"
                for word in words
            )
            lines.append(
                f'<TextLine id="l{len(regions)}_{number}" '
                f'custom="readingOrder {{index:{number};}}"><Coords points="{_points(rng, 12)}"/>'
                f'<Baseline points="{_points(rng, 6)}"/>{boxes}'
                f"<TextEquiv><Unicode>{' '.join(words)}</Unicode></TextEquiv></TextLine>"
            )
        regions.append(
            f'<TextRegion id="r{len(regions)}" type="paragraph">'
            f'<Coords points="{_points(rng, 4)}"/>{"".join(lines)}</TextRegion>'
        )
        written += len(regions[-1].encode())
    order = list(range(len(regions)))
    rng.shuffle(order)
    refs = "".join(
        f'<RegionRefIndexed index="{place}" regionRef="r{region}"/>'
        for place, region in enumerate(order)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><PcGts xmlns='
        '"http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">'
        f'<Page imageFilename="{seed}.jpg" imageWidth="3000" imageHeight="4000"><ReadingOrder>'
        f'<OrderedGroup id="ro">{refs}</OrderedGroup></ReadingOrder>'
        f"{''.join(regions)}</Page></PcGts>"
    ).encode()


def alto_file(seed: int, size: int = ALTO_BYTES) -> bytes:
    """An ALTO file of about the size: blocks of lines of words with boxes."""
    rng = random.Random(seed)
    blocks: list[str] = []
    written = 0
    while written < size:
        lines = []
        for _ in range(12):
            strings = "<SP/>".join(
                f'<String ID="s{rng.randint(0, 9**9)}" HPOS="{rng.randint(0, 3000)}" VPOS="10" '
                f'WIDTH="90" HEIGHT="40" WC="0.9" CONTENT="{_word(rng)}"/>'
                for _ in range(7)
            )
            lines.append(
                f'<TextLine HPOS="10" VPOS="10" WIDTH="900" HEIGHT="40"><Shape><Polygon POINTS="'
                f'{_points(rng, 12)}"/></Shape>{strings}</TextLine>'
            )
        blocks.append(f'<TextBlock ID="b{len(blocks)}">{"".join(lines)}</TextBlock>')
        written += len(blocks[-1].encode())
    return (
        '<?xml version="1.0" encoding="UTF-8"?><alto xmlns='
        '"http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page WIDTH="3000" HEIGHT="4000">'
        f"<PrintSpace>{''.join(blocks)}</PrintSpace></Page></Layout></alto>"
    ).encode()


def _seconds(read: Callable[[], object]) -> float:
    start = time.perf_counter()
    read()
    return time.perf_counter() - start


def _source(name: str, content: bytes) -> SourceFile:
    return SourceFile(name, lambda: content)


def main() -> None:
    """Print the seconds, the best of five for the single file."""
    # A few different files stand for all of them: nothing is kept from one reading to the next.
    files = [_source(f"{seed}.xml", page_file(seed)) for seed in range(20)]
    size = sum(len(file.read()) for file in files) / len(files)
    pages = _seconds(lambda: [read_transcript(files[n % len(files)]) for n in range(N_PAGES)])
    print(f"{N_PAGES} PAGE files of {size / 1000:.0f} kB: {pages:.2f} s")
    alto = _source("a.xml", alto_file(1))
    best = min(_seconds(lambda: read_transcript(alto)) for _ in range(5))
    print(f"ALTO of {len(alto.read()) / 1e6:.2f} MB: {best:.3f} s")


if __name__ == "__main__":
    main()
