"""Page images made small."""

from __future__ import annotations

import io
import struct

from htreval_core.errors import ReadError
from htreval_core.model import SourceFile

SIDE = 1000
_PIXELS = 150_000_000
_FORMATS = ("JPEG", "PNG", "TIFF", "WEBP", "GIF", "BMP", "JPEG2000")
"""Pillow knows many more, some of which it hands to other programs."""
_UNREADABLE = (ReadError, OSError, ValueError, SyntaxError, struct.error)
_COPYRIGHT = 0x8298
"""The Exif tag of it (Exif 2.32, 4.6.4)."""
_LONGEST_CREDIT = 200


def thumbnail(image: SourceFile, side: int = SIDE) -> bytes | None:
    """The image as JPEG, made small; None where it cannot be shown."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(image.read()), formats=_FORMATS) as opened:
            if opened.width * opened.height > _PIXELS:
                return None
            opened.draft("RGB", (side, side))
            small = opened.convert("RGB")
            small.thumbnail((side, side))
            about, kept = opened.getexif(), Image.Exif()
    except (*_UNREADABLE, Image.DecompressionBombError):
        # An image that cannot be shown takes nothing away from the text.
        return None
    if _COPYRIGHT in about:
        kept[_COPYRIGHT] = str(about[_COPYRIGHT])
    out = io.BytesIO()
    small.save(out, "JPEG", quality=82, exif=kept)
    return out.getvalue()


def image_credit(small: bytes) -> str:
    """Whom an image is from and how it may be used, as the Exif data say that ``thumbnail`` kept.

    Empty where they do not.
    """
    from PIL import Image

    with Image.open(io.BytesIO(small), formats=("JPEG",)) as opened:
        said = opened.getexif().get(_COPYRIGHT, "")
    return " ".join(str(said).replace("\0", " ").split())[:_LONGEST_CREDIT]
