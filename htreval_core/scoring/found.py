"""What was found on every page of a study, and where a run bundle keeps it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from htreval_core.diagnosis.model import Diagnosis
from htreval_core.markup import listed
from htreval_core.model import DataWarning, Failure


@dataclass(frozen=True, eq=False)
class Diagnoses(Mapping[str, tuple[Diagnosis, ...]]):
    """The diagnoses of the pages of each system, in the order of the scores.

    Args:
        by_system: the diagnoses.
        failures: pages that were scored but could not be diagnosed.
        upward: by page id, the lines of the reference that stand above the line before them, for
            pages that have any (``suspect.lines_upward``).
        damage: of those that a bundle kept, so that these were found again.
    """

    by_system: Mapping[str, tuple[Diagnosis, ...]]
    failures: tuple[Failure, ...] = ()
    upward: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    damage: DataWarning | None = None

    @property
    def warnings(self) -> tuple[DataWarning, ...]:
        """What a reader of the diagnoses should know."""
        failed = tuple(one.warning for one in self.failures)
        return failed if self.damage is None else (self.damage, *failed)

    def __repr__(self) -> str:
        counts = listed(f"{system}: {len(found):,}" for system, found in self.items())
        return f"<Diagnoses of pages by system: {counts}>"

    def __getitem__(self, system: str) -> tuple[Diagnosis, ...]:
        return self.by_system[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_system)

    def __len__(self) -> int:
        return len(self.by_system)


class KeptDiagnoses(Protocol):
    """Where a run bundle keeps the diagnoses of its pages."""

    def read(self) -> Diagnoses | DataWarning | None:
        """Those that it keeps, or their damage; None where it keeps none of this build and of these
        scores.
        """
        ...

    def keep(self, found: Diagnoses) -> None:
        """Keep them, unless they are kept or say nothing of conventions.

        Raises:
            ConfigError: the bundle is not the one that was opened.
            WriteError: it is being written into.
            OSError: it cannot be written into.
        """
        ...
