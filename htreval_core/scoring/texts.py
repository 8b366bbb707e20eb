"""Files read by several processes for what they tell: their texts are read again when needed."""

from collections.abc import Callable, Sequence

from htreval_core.model import DataWarning, WarningKind
from htreval_core.scoring.score import over_pages
from htreval_core.scoring.stream import DIED
from htreval_core.scoring.workers import Processes
from htreval_core.sources.dataset import Dataset, Receipt
from htreval_core.sources.reading import FiledPage, Reading


def read_texts(
    reading: Reading, workers: Processes | None = None, *,
    progress: Callable[[int, int], None] | None = None,
) -> Dataset:  # fmt: skip
    """All pages of a pairing that can be read, in their order; their texts are not held.

    Args:
        reading: the paired files.
        workers: where they are read; in this process by default.
        progress: told how many files are done, and how many there are.

    Raises:
        PairingError: not a single page could be read.
    """
    items = tuple(reading.items)
    found: list[Receipt] = []
    done = 0
    sent = (item.sendable() for item in items)
    results = over_pages(_read_batch, sent, workers, lost=_lost)
    for item, receipt in zip(items, results, strict=True):
        found.append(receipt)
        done += len(item.files)
        if progress:
            progress(done, reading.n_files)
    return reading.dataset(found)


def _read_batch(items: Sequence[FiledPage]) -> list[Receipt]:
    return [item.read()[1] for item in items]


def _lost(item: FiledPage) -> Receipt:
    files = (file.name for _, file in item.files)
    warnings = tuple(DataWarning(name, WarningKind.UNREADABLE, (DIED,)) for name in files)
    return Receipt(item.page_id, warnings=warnings)
