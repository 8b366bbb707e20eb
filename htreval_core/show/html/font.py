"""A font for signs of early prints and manuscripts that hardly any computer has."""

import base64
import re
from functools import cache
from importlib.resources import files

FAMILY = "htreval signs"
"""Its name; it stands last, so that only signs that no other font has are drawn with it."""
_RARE = re.compile("[\u0363-\u036f\u1dc0-\u1dff\u2e00-\u2e5d\ua720-\ua7ff\ue000-\uf8ff]")
"""Signs that systems bring no font for: letters above letters, old marks, MUFI's private signs."""


def needs_font(text: str) -> bool:
    """Whether a text has signs that a computer may have no font for."""
    return bool(_RARE.search(text))


def font_license() -> bytes:
    """The licence that goes with it."""
    return files("htreval_core.show.html").joinpath("signs.LICENSE.txt").read_bytes()


@cache
def font_css() -> str:
    """The font as a rule of CSS, with all that it needs: Junicode Two under the OFL, in part."""
    content = files("htreval_core.show.html").joinpath("signs.woff2").read_bytes()
    data = base64.b64encode(content).decode("ascii")
    return (
        f'@font-face{{font-family:"{FAMILY}";font-display:swap;'
        f'src:url(data:font/woff2;base64,{data}) format("woff2")}}'
    )
