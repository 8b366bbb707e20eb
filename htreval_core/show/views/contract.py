"""What a view and its host agree on: a payload goes in, wishes come out.

A view's scripts define ``show(host)``. A host calls it whenever there is another payload:

- ``host.payload``: what is drawn, as JSON;
- ``host.place``: the element that it is drawn in;
- ``host.takes(what)``: whether the host can fulfil such a wish; what it cannot is not offered;
- ``host.wish(what, value, page)``: what the user wants and the view cannot give;
- ``host.keep(marks)``: marks to be kept, where the host takes "mark".

A host's style defines ``--host-text``, ``--host-back``, ``--host-accent``, ``--host-font``, and
``--host-top``, the height of what it has above a view.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

ASSETS = Path(__file__).parent / "assets"


@dataclass(frozen=True, slots=True)
class View:
    """A view by its name and its files.

    Args:
        rooms: the folders of its scripts and styles. Each module stands in several files, which are
            joined in the order of rooms and names: there is no build step.
    """

    name: str
    rooms: tuple[Path, ...]

    @property
    def script(self) -> str:
        """The JavaScript, which defines ``show(host)``."""
        return self._joined("js")

    @property
    def style(self) -> str:
        """The CSS."""
        return self._joined("css")

    def _joined(self, kind: str) -> str:
        files = (file for room in self.rooms for file in sorted(room.glob(f"*.{kind}")))
        return "\n".join(file.read_text("utf-8") for file in files)


def _view(name: str, *rooms: str) -> View:
    return View(name, tuple(ASSETS / room for room in ("base", *rooms)))


OVERVIEW = _view("overview", "overview")
PAGE = _view("page", "linked", "page_view")
THREEWAY = _view("threeway", "linked", "threeway")
COMPARE = _view("compare", "compare")
ERRORS = _view("errors", "errors")
LEARN = _view("learn", "learn")


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user wants and the view cannot give.

    Args:
        what: by the name that the view gives it.
        value: whatever JSON holds.
        page: the page that was drawn, where the view shows one; keys may come faster than pages.
    """

    what: str
    value: Any = None
    page: str = ""
