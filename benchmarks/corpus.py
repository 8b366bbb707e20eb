"""Makes a large set of PAGE files out of a few real ones, to measure what archives have.

    python -m benchmarks.corpus SOURCE FOLDER --pages 2000 --size 300000

SOURCE is a folder of pages whose reference and output are PAGE files larger than the size: each
made page is a band across one of them, as high as makes its reference that large, with the regions
of both sides that stand in the band. The same seed makes the same bytes.
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from htreval_core.sources.recognise import find_pairs


@dataclass(frozen=True)
class Source:
    """A real page: both sides as they were read, and the middle of each region of text."""

    sides: tuple[bytes, bytes]
    size: int
    height: float


def sources_in(folder: Path, least: int) -> list[Source]:
    """The pages below a folder whose reference is large enough."""
    found = []
    for page in find_pairs(folder).pages:
        sides = page.reference.read(), next(iter(page.hypotheses.values())).read()
        if all(b"PcGts" in side for side in sides) and len(sides[0]) >= least:
            height = max(_middle(one) for one in _regions(etree.fromstring(sides[0])))
            found.append(Source(sides, len(sides[0]), height))
    return found


def _regions(root: Any) -> list[Any]:
    return [one for one in root.iter("{*}TextRegion") if one.find("{*}Coords") is not None]


def _middle(region: Any) -> float:
    points = region.find("{*}Coords").get("points").split()
    rows = [float(point.split(",")[1]) for point in points]
    return sum(rows) / len(rows)


def band(side: bytes, top: float, bottom: float) -> bytes:
    """The page with the regions alone whose middle stands in a band."""
    root = etree.fromstring(side)
    gone = set()
    for region in _regions(root):
        if not top <= _middle(region) < bottom and region.getparent() is not None:
            gone.update(one.get("id") for one in region.iter("{*}TextRegion"))
            region.getparent().remove(region)
    for ref in [*root.iter("{*}RegionRefIndexed"), *root.iter("{*}RegionRef")]:
        if ref.get("regionRef") in gone:
            ref.getparent().remove(ref)
    written: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return written


def made_page(sources: Sequence[Source], size: int, seed: int) -> tuple[bytes, bytes]:
    """Both sides of a page whose reference has about so many bytes."""
    rng = random.Random(seed)
    source = rng.choice(sources)
    share = min(1.0, size / source.size)
    for _ in range(6):
        top = rng.random() * (1 - share) * source.height
        reference = band(source.sides[0], top, top + share * source.height + 1)
        if 0.9 * size <= len(reference) <= 1.1 * size:
            break
        share = min(1.0, share * size / max(len(reference), size // 10))
    return reference, band(source.sides[1], top, top + share * source.height + 1)


def make_corpus(source: Path, folder: Path, n_pages: int, size: int) -> str:
    """Make the pages that are not there yet, and say what they are.

    Raises:
        SystemExit: none of the real pages is large enough.
    """
    sources = sources_in(source, size)
    if not sources:
        raise SystemExit(f"{source}: no PAGE files of {size:,} bytes on both sides")
    for seed in range(n_pages):
        paths = [folder / side / f"{seed:06d}.xml" for side in ("reference", "made")]
        if all(path.exists() for path in paths):
            continue
        for path, content in zip(paths, made_page(sources, size, seed), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    mean = sum(path.stat().st_size for path in folder.rglob("*.xml")) / (2 * n_pages)
    return f"{n_pages:,} pages made of {len(sources)} real ones, {mean / 1e3:,.0f} kB a file"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--size", type=int, default=300_000)
    given = parser.parse_args()
    print(make_corpus(given.source, given.folder, given.pages, given.size))


if __name__ == "__main__":
    main()
