"""Scores and texts as Parquet tables, and back. See docs/dev/run-format.md.

Strings are written plainly, not through dictionaries: what a file unpacks to is then what its
metadata says.
"""

import json
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from htreval_core.metrics.columns import COUNTS, MISSING, OPTIONAL, ScoreTable
from htreval_core.model import (
    BareRegion,
    FloatArray,
    Line,
    OrderGroup,
    Page,
    PageScores,
    Polygon,
    Transcript,
)

Table: TypeAlias = Any
"""A ``pyarrow.Table``, which has no types of its own."""
Content: TypeAlias = bytes

CONTENT_BYTES = 16
_LARGEST_SIDE = 10**9
_DEEPEST = 500
"""Groups within each other: as deep as XML is read."""
PAGES = pa.schema([
    pa.field("system", pa.string(), nullable=False),
    pa.field("page_id", pa.string(), nullable=False),
    *(pa.field(name, pa.int64(), nullable=name in OPTIONAL) for name in COUNTS),
    pa.field("content", pa.binary(CONTENT_BYTES), nullable=False),
    pa.field("block", pa.int32(), nullable=False),
])  # fmt: skip
TEXTS = pa.schema([
    pa.field("page_id", pa.string(), nullable=False), pa.field("system", pa.string()),
    pa.field("lines", pa.list_(pa.string())), pa.field("regions", pa.list_(pa.string())),
    pa.field("region_kinds", pa.list_(pa.string())),
    pa.field("polygons", pa.list_(pa.list_(pa.float64()))),
    pa.field("order_source", pa.string()), pa.field("page_width", pa.int64()),
    pa.field("page_height", pa.int64()), pa.field("image", pa.string()),
    pa.field("word_boxes", pa.list_(pa.list_(pa.float64()))),
    pa.field("unlisted", pa.list_(pa.string())), pa.field("order", pa.string()),
    pa.field("bare", pa.list_(pa.string())), pa.field("bare_boxes", pa.list_(pa.float64())),
])  # fmt: skip
THUMBNAILS = pa.schema(
    [pa.field("page_id", pa.string(), nullable=False), pa.field("jpeg", pa.binary())]
)


def writer(path: str, schema: Any, *, lasting: bool = True) -> Any:
    """A ``ParquetWriter`` whose bytes depend on nothing but what is written."""
    packed_by = (
        {"compression": "zstd", "compression_level": 3} if lasting else {"compression": "lz4"}
    )
    return pq.ParquetWriter(
        path, schema, use_dictionary=False, write_statistics=False, store_schema=False, **packed_by
    )


def content_of(page: Page) -> dict[str, Content]:
    """What identifies the texts of a page: a digest of the reference and each hypothesis."""
    reference = _digest(page.reference)
    return {
        system: blake2b(reference + _digest(output), digest_size=CONTENT_BYTES).digest()
        for system, output in page.hypotheses.items()
    }


def _digest(side: Transcript) -> bytes:
    """The digest of a side, over bytes as docs/dev/run-format.md writes them down."""
    width, height = side.page_size or (None, None)
    heads = side.order_source, side.image, width, height, len(side.unlisted), *side.unlisted
    digest = blake2b(b"".join(map(packed, (*heads, len(side.bare), len(side.lines)))))
    if side.order is not None:
        digest.update(packed(_order_text(side.order)))
    for region in side.bare:
        digest.update(packed(region.kind) + np.array(region.box).astype("<f8").tobytes())
    for line in side.lines:
        digest.update(packed(line.text) + packed(line.region) + packed(line.region_kind))
        for outline in (line.polygon, line.word_boxes):
            numbers = _numbers(outline)
            digest.update(packed(None if numbers is None else len(numbers)))
            if numbers is not None:
                digest.update(numbers.astype("<f8").tobytes())
    return digest.digest()


def packed(value: str | int | None) -> bytes:
    """A value as bytes that no other value has: a sign, eight bytes, and the UTF-8 of a text."""
    if value is None:
        return b"-" + bytes(8)
    if isinstance(value, int):
        return b"#" + struct.pack("<q", value)
    text = value.encode("utf-8", "surrogatepass")
    return b"$" + struct.pack("<q", len(text)) + text


def _numbers(polygon: Polygon | None) -> FloatArray | None:
    """x and y in turn, shape (2n,)."""
    return None if polygon is None else polygon.points.ravel()


def score_rows(rows: Sequence[tuple[PageScores, Content]], block: int) -> Table:
    """Scores as a table under ``PAGES``."""
    columns: dict[str, list[Any]] = {
        "system": [scores.system for scores, _ in rows],
        "page_id": [scores.page_id for scores, _ in rows],
        "content": [content for _, content in rows], "block": [block] * len(rows),
    }  # fmt: skip
    counts = ScoreTable.of([scores for scores, _ in rows]).counts
    for name in COUNTS:
        cells = counts[name]
        columns[name] = pa.array(cells, mask=cells == MISSING if name in OPTIONAL else None)
    return pa.table(columns, schema=PAGES)


def serialised(page: Page) -> bytes:
    """The rows of a page under ``TEXTS``, the reference first, as a record batch of Arrow.

    Raises:
        ValueError: Parquet cannot hold them: their text has half of a character pair.
    """
    sides = ((None, page.reference), *page.hypotheses.items())
    rows = [_text_row(page.page_id, system, side) for system, side in sides]
    columns = {name: [row[name] for row in rows] for name in TEXTS.names}
    try:
        batch = pa.RecordBatch.from_pydict(columns, schema=TEXTS)
    except (UnicodeError, pa.ArrowException, ValueError, OverflowError) as error:
        said = " ".join(str(error).split())[:120]
        raise ValueError(f"its text cannot be kept ({said})") from None
    written: bytes = batch.serialize().to_pybytes()
    return written


def _text_row(page_id: str, system: str | None, side: Transcript) -> dict[str, Any]:
    lines = side.lines
    width, height = side.page_size or (None, None)

    def told(cells: list[Any]) -> list[Any] | None:
        """Nothing at all where no line tells anything."""
        return cells if any(cell is not None for cell in cells) else None

    return {
        "page_id": page_id, "system": system, "lines": [line.text for line in lines],
        "regions": told([line.region for line in lines]),
        "region_kinds": told([line.region_kind for line in lines]),
        "polygons": told([_numbers(line.polygon) for line in lines]),
        "word_boxes": told([_numbers(line.word_boxes) for line in lines]),
        "unlisted": list(side.unlisted) or None,
        "order": None if side.order is None else _order_text(side.order),
        "bare": [region.kind for region in side.bare] or None,
        "bare_boxes": [number for region in side.bare for number in region.box] or None,
        "order_source": side.order_source, "page_width": width, "page_height": height,
        "image": side.image,
    }  # fmt: skip


def as_page(page_id: str, sides: Mapping[str | None, Transcript]) -> Page:
    """A page from its sides; the reference is that of no system."""
    return Page(
        page_id, sides[None], {name: side for name, side in sides.items() if name is not None}
    )


def transcript(row: Mapping[str, Any]) -> Transcript:
    """A side of a page from its row.

    Raises:
        ValueError: the row contradicts itself.
    """
    texts = row["lines"] or []
    blank: list[Any] = [None] * len(texts)
    regions, kinds = (row[name] or blank for name in ("regions", "region_kinds"))
    polygons, word_boxes = (
        [None if flat is None else _polygon(flat) for flat in row[name] or blank]
        for name in ("polygons", "word_boxes")
    )
    if None in texts or row["order_source"] is None:
        raise ValueError("a text is missing")
    lines = tuple(
        Line(*cells) for cells in zip(texts, regions, polygons, kinds, word_boxes, strict=True)
    )
    width, height = row["page_width"], row["page_height"]
    size = None if width is None or height is None else (width, height)
    if size and not all(0 < side < _LARGEST_SIDE for side in size):
        raise ValueError("a page has no size")
    unlisted = tuple(row["unlisted"] or ())
    if None in unlisted:
        raise ValueError("a region has no id")
    told = row["order"]
    order = None if told is None else _order(json.loads(told))
    bare, numbers = row["bare"] or (), np.array(row["bare_boxes"] or (), dtype=np.float64)
    if len(numbers) != 4 * len(bare) or not (abs(numbers) < _LARGEST_SIDE).all() or None in bare:
        raise ValueError("a region is damaged")
    boxes = zip(*numbers.reshape(-1, 4).T.tolist(), strict=True)
    return Transcript(
        lines, row["order_source"], size, row["image"], unlisted=unlisted, order=order,
        bare=tuple(map(BareRegion, bare, boxes)),
    )  # fmt: skip


def _order_text(order: OrderGroup) -> str:
    """The groups of a reading order as JSON: whether each is ordered, and its members."""
    return json.dumps(_order_list(order), ensure_ascii=False, separators=(",", ":"))


def _order_list(order: OrderGroup) -> list[Any]:
    members = (one if isinstance(one, str) else _order_list(one) for one in order.members)
    return [order.ordered, *members]


def _order(told: Any, depth: int = 0) -> OrderGroup:
    if not isinstance(told, list) or not told or not isinstance(told[0], bool) or depth > _DEEPEST:
        raise ValueError("a reading order is damaged")
    members = (one if isinstance(one, str) else _order(one, depth + 1) for one in told[1:])
    return OrderGroup(told[0], tuple(members))


def _polygon(flat: Sequence[float | None]) -> Polygon:
    # A missing number becomes NaN, which no comparison holds for.
    numbers = np.array(flat, dtype=np.float64)
    if len(numbers) % 2 or not (abs(numbers) < _LARGEST_SIDE).all():
        raise ValueError("a polygon is damaged")
    return Polygon(numbers)


def sides(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str | None, Transcript]]:
    """Page id, system and transcript of each row."""
    for row in rows:
        if not isinstance(row["page_id"], str):
            raise ValueError("a page has no id")
        yield row["page_id"], row["system"], transcript(row)
