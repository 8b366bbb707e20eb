"""The pages of a bundle, their texts read when somebody looks at them."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from htreval_core.metrics.columns import Names
from htreval_core.model import IntArray, Page, Transcript
from htreval_core.run import tables
from htreval_core.run.files import UNREADABLE, batches_of, damaged
from htreval_core.run.names import TEXTS
from htreval_core.settings import Limits
from htreval_core.sources.dataset import PageItem, StoredPages, without_outlines
from htreval_core.sources.readers.bounds import check_transcript

_ROWS_AT_ONCE = 32
_BYTES_KEPT = 16 * 2**20
"""Blocks that were read last are held up to so much, and the very last one in any case."""


@dataclass(frozen=True, slots=True)
class _Block:
    """The rows of a block as Arrow holds them: those of a page become text when it is asked for."""

    batches: list[Any]
    rows: Mapping[str, list[tuple[int, int]]]
    size: int

    def of_page(self, page_id: str, columns: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        for batch, row in self.rows.get(page_id, ()):
            yield self.batches[batch].slice(row, 1).select(columns).to_pylist()[0]


class BundlePages(StoredPages):
    """The pages of a bundle in order, their texts read when they are asked for.

    Args:
        file: texts.parquet, a row group a block.
        ids: shape (n,), the page ids.
        blocks: shape (n,), the row group that each page stands in.
        readers: the systems that have to have read the page at a place, each with the digest of
            the texts.
        whole: compares the whole file with its digest, where a text has none.
    """

    def __init__(
        self, bundle: str, file: Any, ids: Names, blocks: IntArray, limits: Limits,
        readers: Callable[[int], Mapping[str, bytes]], *, whole: Callable[[], None],
    ) -> None:  # fmt: skip
        if len(blocks) and int(blocks.max()) >= file.metadata.num_row_groups:
            raise damaged(bundle, TEXTS, "pages stand in blocks that it does not have")
        self.page_ids: Sequence[str] = ids.tolist()
        self._bundle = bundle
        self._file = file
        self._blocks = blocks
        self._limits = limits
        self._readers = readers
        self._whole = whole
        self._whole_checked = False
        self._columns: Sequence[str] = file.schema_arrow.names
        self._kept: OrderedDict[int, _Block] = OrderedDict()
        self._lock = Lock()

    def page_at(self, place: int) -> Page:
        """The page at a place in the order.

        Raises:
            ReadError: its texts are missing or damaged.
        """
        return self._page(place)

    def item(self, place: int, *, bare: bool = False) -> PageItem:
        """The same, without outlines where these may be left out: they are most of its bytes."""
        page = self._page(place)
        return without_outlines(page) if bare else page

    def _page(self, place: int) -> Page:
        number, page_id = int(self._blocks[place]), self.page_ids[place]
        with self._lock:
            block = self._block(number)
        sides: dict[str | None, Transcript] = {}
        try:
            for _, system, side in tables.sides(block.of_page(page_id, self._columns)):
                check_transcript(f"{self._bundle}: page {page_id}", side, self._limits)
                sides[system] = side
            if None not in sides:
                raise ValueError(f"page {page_id} is not where it should be")
            readers = self._readers(place)
            if not sides.keys() >= set(readers):
                raise ValueError(f"page {page_id} lacks what a system read")
            page = tables.as_page(page_id, sides)
            content = tables.content_of(page)
            if any(content[system] != digest for system, digest in readers.items()):
                raise ValueError(f"the texts of page {page_id} are not those that were scored")
        except UNREADABLE as error:
            raise damaged(self._bundle, TEXTS, error) from None
        if readers.keys() != page.hypotheses.keys():
            # Of a text that could not be scored there is no other digest.
            with self._lock:
                if not self._whole_checked:
                    self._whole()
                    self._whole_checked = True
        return page

    def _block(self, number: int) -> _Block:
        block = self._kept.pop(number, None) or self._read(number)
        self._kept[number] = block
        while len(self._kept) > 1 and sum(one.size for one in self._kept.values()) > _BYTES_KEPT:
            self._kept.popitem(last=False)
        return block

    def _read(self, number: int) -> _Block:
        batches: list[Any] = []
        rows: dict[str, list[tuple[int, int]]] = {}
        size = 0
        try:
            for batch in batches_of(self._file, number, _ROWS_AT_ONCE):
                size += batch.nbytes
                for row, page_id in enumerate(batch.column("page_id").to_pylist()):
                    rows.setdefault(page_id, []).append((len(batches), row))
                batches.append(batch)
        except UNREADABLE as error:
            raise damaged(self._bundle, TEXTS, error) from None
        return _Block(batches, rows, size)
