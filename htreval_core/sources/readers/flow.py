"""Running text gathered from a tree of elements: lines with their region, kind and outline."""

from dataclasses import dataclass, field
from itertools import takewhile

from htreval_core.model import Line, Polygon
from htreval_core.settings import Limits
from htreval_core.sources.readers.bounds import check_lines


@dataclass(slots=True)
class Flow:
    """Text on its way from a file to lines; white space runs are one space."""

    name: str
    limits: Limits
    lines: list[Line] = field(default_factory=list)
    region: str | None = None
    kind: str | None = None
    outline: Polygon | None = None
    page: int = 0
    _text: list[str] = field(default_factory=list)
    _joins: bool = False

    def add(self, text: str | None) -> None:
        """Text of the line that is being read."""
        if text and self._joins:
            text = text.lstrip()
        if text:
            self._text.append(text)
            self._joins = False

    @property
    def so_far(self) -> str:
        """How the line so far ends."""
        n_blank = len([*takewhile(str.isspace, reversed(self._text))])
        return "".join(self._text[-n_blank - 1 :])

    def rejoin(self, after: bool = True) -> None:
        """What follows belongs to the word that the line so far ends in.

        Args:
            after: whether white space that follows is passed over too.
        """
        while self._text and self._text[-1].isspace():
            self._text.pop()
        self._text[-1:] = [text.rstrip() for text in self._text[-1:]]
        self._joins = after

    def end(self) -> None:
        """The end of a line, if there is one."""
        text = " ".join("".join(self._text).split())
        self._text.clear()
        self._joins = False
        if text:
            self.lines.append(Line(text, self.region, self.outline, self.kind, page=self.page))
            if len(self.lines) % 1000 == 0:
                check_lines(self.name, len(self.lines), self.limits)
        self.outline = None
