"""Page images made small."""

from __future__ import annotations

import io

from htreval_core.errors import ReadError
from htreval_core.model import SourceFile

SIDE = 1000
_PIXELS = 150_000_000
_FORMATS = ("JPEG", "PNG", "TIFF", "WEBP", "GIF", "BMP", "JPEG2000")
"""Pillow knows many more, some of which it hands to other programs."""


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
    except (ReadError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        # An image that cannot be shown takes nothing away from the text.
        return None
    out = io.BytesIO()
    small.save(out, "JPEG", quality=82)
    return out.getvalue()
