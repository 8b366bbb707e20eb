"""The pages of a bundle, their texts read when somebody looks at them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from threading import Lock
from typing import Any

from htreval_core.metrics.columns import Names
from htreval_core.model import IntArray, Page, StoredPages
from htreval_core.run import tables
from htreval_core.run.files import UNREADABLE, damaged
from htreval_core.run.names import TEXTS
from htreval_core.settings import Limits
from htreval_core.sources.readers.bounds import check_transcript

_MOST_UNPACKED = 2 * 2**30
"""Bytes of a row group."""
_ROWS_AT_ONCE = 32
_BYTES_AT_ONCE = 64 * 2**20
"""A text that many rows share is stored once: taken all at once they could fill memory."""
_BLOCKS_KEPT = 4


class BundlePages(StoredPages):
    """The pages of a bundle in order, their texts read when they are asked for.

    Args:
        file: texts.parquet, a row group a block.
        ids: shape (n,), the page ids.
        blocks: shape (n,), the row group that each page stands in.
        readers: the systems that have to have read the page at a place.
    """

    def __init__(
        self,
        bundle: str,
        file: Any,
        ids: Names,
        blocks: IntArray,
        limits: Limits,
        readers: Callable[[int], Collection[str]],
    ) -> None:
        if len(blocks) and int(blocks.max()) >= file.metadata.num_row_groups:
            raise damaged(bundle, TEXTS, "pages stand in blocks that it does not have")
        self.page_ids: Sequence[str] = ids.tolist()
        self._bundle = bundle
        self._file = file
        self._blocks = blocks
        self._limits = limits
        self._readers = readers
        self._kept: OrderedDict[int, dict[str, Page]] = OrderedDict()
        self._lock = Lock()

    def page_at(self, place: int) -> Page:
        """The page at a place in the order.

        Raises:
            ReadError: its texts are missing or damaged.
        """
        block, page_id = int(self._blocks[place]), self.page_ids[place]
        with self._lock:
            if block not in self._kept:
                self._kept[block] = self._read(block)
                while len(self._kept) > _BLOCKS_KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(block)
            page = self._kept[block].get(page_id)
        if page is None:
            raise damaged(self._bundle, TEXTS, f"page {page_id} is not where it should be")
        if not page.hypotheses.keys() >= set(self._readers(place)):
            raise damaged(self._bundle, TEXTS, f"page {page_id} lacks what a system read")
        return page

    def _read(self, block: int) -> dict[str, Page]:
        found: dict[str, dict[str | None, Any]] = {}
        try:
            unpacked = self._file.metadata.row_group(block).total_byte_size
            at_once = max(1, min(_ROWS_AT_ONCE, _BYTES_AT_ONCE // max(unpacked, 1)))
            for batch in self._file.iter_batches(batch_size=at_once, row_groups=[block]):
                if batch.nbytes > _MOST_UNPACKED:
                    raise ValueError("it unpacks to more than a run may hold")
                for page_id, system, side in tables.sides(batch.to_pylist()):
                    check_transcript(f"{self._bundle}: page {page_id}", side, self._limits)
                    found.setdefault(page_id, {})[system] = side
            return {page_id: tables.as_page(page_id, sides) for page_id, sides in found.items()}
        except UNREADABLE as error:
            raise damaged(self._bundle, TEXTS, error) from None
