"""What a reader had to decide or leave out in one file, summed up by kind."""

from htreval_core.model import DataWarning, WarningKind


class Notes:
    """The warnings of one file while it is read."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._found: dict[WarningKind, tuple[list[str], int]] = {}

    def add(self, kind: WarningKind, *detail: str, count: int = 1) -> None:
        """One more of a kind; ``detail`` names what is concerned."""
        named, before = self._found.setdefault(kind, ([], 0))
        named.extend(detail)
        self._found[kind] = (named, before + count)

    def warnings(self) -> tuple[DataWarning, ...]:
        """A warning a kind."""
        return tuple(
            DataWarning(self._file, kind, tuple(named), count)
            for kind, (named, count) in self._found.items()
        )
