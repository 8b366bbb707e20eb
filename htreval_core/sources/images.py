"""Page images made small, and pieces cut out of them."""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from htreval_core.errors import ReadError
from htreval_core.model import Box, SourceFile

if TYPE_CHECKING:
    from PIL.Image import Exif, Image

SIDE = 1000
_PIXELS = 150_000_000
_FORMATS = ("JPEG", "PNG", "TIFF", "WEBP", "GIF", "BMP", "JPEG2000")
"""Pillow knows many more, some of which it hands to other programs."""
_UNREADABLE = (ReadError, OSError, ValueError, SyntaxError, struct.error)
_COPYRIGHT = 0x8298
"""The Exif tag of it (Exif 2.32, 4.6.4)."""
_LONGEST_CREDIT = 200
_LEAST = 3
"""Pixels across and down below which a piece shows nothing."""
_WIDEST = 24
"""A piece is at most this many times as wide as it is high: a longer line is made smaller."""


def _decoded(
    image: SourceFile, wanted: Callable[[int, int], tuple[int, int]]
) -> tuple[Image, Exif] | None:
    """The pixels of an image and what it says of itself; None where it cannot be shown.

    Args:
        wanted: from its width and height the least that is needed; a JPEG is decoded no larger
            than that asks for.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(image.read()), formats=_FORMATS) as opened:
            if opened.width * opened.height > _PIXELS:
                return None
            opened.draft("RGB", wanted(opened.width, opened.height))
            return opened.convert("RGB"), opened.getexif()
    except (*_UNREADABLE, Image.DecompressionBombError):
        # An image that cannot be shown takes nothing away from the text.
        return None


def _jpeg(image: Image, quality: int, exif: Exif | bytes = b"") -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality, exif=exif)
    return out.getvalue()


def thumbnail(image: SourceFile, side: int = SIDE) -> bytes | None:
    """The image as JPEG, made small; None where it cannot be shown."""
    from PIL import Image

    found = _decoded(image, lambda *_: (side, side))
    if found is None:
        return None
    (small, about), kept = found, Image.Exif()
    small.thumbnail((side, side))
    if _COPYRIGHT in about:
        kept[_COPYRIGHT] = str(about[_COPYRIGHT])
    return _jpeg(small, 82, kept)


def image_credit(small: bytes) -> str:
    """Whom an image is from and how it may be used, as the Exif data say that ``thumbnail`` kept.

    Empty where they do not.
    """
    from PIL import Image

    with Image.open(io.BytesIO(small), formats=("JPEG",)) as opened:
        said = opened.getexif().get(_COPYRIGHT, "")
    return " ".join(str(said).replace("\0", " ").split())[:_LONGEST_CREDIT]


def cut_out(image: SourceFile, boxes: Sequence[Box], height: int) -> list[bytes | None]:
    """Pieces of an image as JPEG, each at most ``height`` pixels high; it is decoded once.

    Args:
        boxes: in shares of the image's width and height; what lies outside it is left off.

    Returns:
        None for boxes that hold nothing of the image, and for all of an image that cannot be shown.
    """
    within = [
        (max(left, 0.0), max(top, 0.0), min(right, 1.0), min(bottom, 1.0))
        if all(map(math.isfinite, (left, top, right, bottom)))
        else (0.0, 0.0, 0.0, 0.0)
        for left, top, right, bottom in boxes
    ]
    lowest = min((bottom - top for _, top, _, bottom in within if bottom > top), default=1.0)

    def needed(across: int, down: int) -> tuple[int, int]:
        share = min(height / (lowest * down), 1.0)
        return math.ceil(share * across), math.ceil(share * down)

    found = _decoded(image, needed)
    if found is None:
        return [None] * len(boxes)
    page, _ = found
    pieces: list[bytes | None] = []
    for left, top, right, bottom in within:
        edges = (
            math.floor(left * page.width), math.floor(top * page.height),
            math.ceil(right * page.width), math.ceil(bottom * page.height),
        )  # fmt: skip
        if edges[2] - edges[0] < _LEAST or edges[3] - edges[1] < _LEAST:
            pieces.append(None)
            continue
        piece = page.crop(edges)
        piece.thumbnail((_WIDEST * height, height))
        pieces.append(_jpeg(piece, 72))
    return pieces
