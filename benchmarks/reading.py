"""Seconds to read PAGE and ALTO, against a bare parse of the same bytes by lxml, in one process.

Whole, with the outlines of lines and words, and as they are read to be scored, without.

Run: python -m benchmarks.reading [FOLDER ...]
"""

import math
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from lxml import etree

from htreval_core.errors import HtrEvalError
from htreval_core.model import SourceFile
from htreval_core.settings import ReadPolicy
from htreval_core.sources.transcripts import read_transcript

PAGE_BYTES = 150_000
ALTO_BYTES = 1_000_000
_WITHOUT_OUTLINES = replace(ReadPolicy(), outlines=False)
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


def _seconds(read: Callable[[SourceFile], object], files: Sequence[SourceFile]) -> float:
    """Processor seconds to read all, the best of three."""
    best = math.inf
    for _ in range(3):
        start = time.process_time()
        for file in files:
            read(file)
        best = min(best, time.process_time() - start)
    return best


def _parse(file: SourceFile) -> None:
    etree.fromstring(file.read())


def _scored(file: SourceFile) -> None:
    read_transcript(file, _WITHOUT_OUTLINES)


def _source(name: str, content: bytes) -> SourceFile:
    return SourceFile(name, lambda: content)


def _transcripts(folder: Path) -> list[SourceFile]:
    """The XML files below a folder that hold a transcript."""
    found = []
    for path in sorted(folder.rglob("*.xml")):
        file = _source(path.name, path.read_bytes())
        with suppress(HtrEvalError):
            read_transcript(file)
            found.append(file)
    return found


def measure(folders: Sequence[str]) -> Iterator[tuple[str, int, int, float, float]]:
    """Of each set of files its name, how many and how large they are, and both ratios."""
    sets = {
        "made PAGE": [_source(f"{seed}.xml", page_file(seed)) for seed in range(20)],
        "made ALTO": [_source("a.xml", alto_file(1))],
        **{f"real files of {Path(folder).name}": _transcripts(Path(folder)) for folder in folders},
    }
    for name, files in sets.items():
        size = sum(len(file.read()) for file in files)
        read, scored, bare = (_seconds(way, files) for way in (read_transcript, _scored, _parse))
        yield name, len(files), size, read / bare, scored / bare


def main(folders: Sequence[str]) -> None:
    """Print how many times longer each set takes to be read than to be parsed."""
    for name, n_files, size, ratio, scored in measure(folders):
        told = f"{ratio:.2f} times a bare parse, to be scored {scored:.2f} times"
        print(f"{name}: {n_files} files, {size / 1e6:.1f} MB, {told}")


if __name__ == "__main__":
    main(sys.argv[1:])
