"""A run in blocks of pages: each is scored, written and vouched for by itself.

Pages are read, scored, digested and made into rows where the work is done; this process holds what
is needed to write a block, and between blocks nothing of a page but its id.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from htreval_core.errors import ConfigError, ReadError
from htreval_core.markup import whole
from htreval_core.model import Failure, Page, PageScores
from htreval_core.run import tables
from htreval_core.run.disk import write_table
from htreval_core.run.facts import facts_json, read_fact
from htreval_core.run.manifest import Shard
from htreval_core.run.names import WORK
from htreval_core.run.read import KnownScores
from htreval_core.scoring.score import (
    PageResult,
    failures_of,
    item_size,
    lost_item,
    over_pages,
    read_item,
    score_one,
    sendable,
)
from htreval_core.scoring.stream import each
from htreval_core.scoring.workers import Processes
from htreval_core.settings import Settings
from htreval_core.sources.dataset import PageItem, Receipt
from htreval_core.sources.reading import identity_of

_BLOCK_PAGES = 512
_BLOCK_BYTES = 8_000_000
"""What a block may hold: all of it is written, and read again for a page of it, at once."""
_BLOCKS = 128
"""A run has as many if its pages suffice, so that as many machines can share it."""
_FEWEST_PAGES = 16
"""The fewest pages of a block: writing one takes half as long as scoring this many."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A page that is to be read, scored unless it is known, and made into rows."""

    item: PageItem
    known: Mapping[str, bytes | None]
    failed: frozenset[str]
    """Systems under which it could not be scored, which is known, too."""


@dataclass(frozen=True, slots=True)
class _Done:
    """What came of it.

    Args:
        identity: a digest of all bytes that the page was made from; empty where that is not known.
        systems: those that have read the page, in order; none where it could not be read.
        known: systems whose scores are there already.
        content: by system the digest of the texts.
        rows: the rows of texts.parquet, as Arrow writes them.
    """

    result: PageResult
    identity: bytes = b""
    systems: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    content: Mapping[str, bytes] = field(default_factory=dict)
    rows: bytes = b""


@dataclass(slots=True)
class _Block:
    """Pages that are written together."""

    number: int
    path: Path
    items: list[PageItem]
    done: list[_Done] = field(default_factory=list)


def pages_in(blocks: Iterable[Path]) -> int:
    """How many pages of some blocks could be read."""
    return sum(int(told[b"pages"]) for told in _told(blocks))


def failures_in(blocks: Iterable[Path]) -> list[Failure]:
    """The pages that could not be scored, in their order."""
    return [Failure(*one) for told in _told(blocks) for one in json.loads(told[b"failures"])]


def receipts_in(blocks: Iterable[Path]) -> Iterator[Receipt]:
    """What came of the files of each page, in their order."""
    for told in _told(blocks):
        yield from (read_fact(one, Receipt) for one in json.loads(told[b"receipts"]))


def _told(blocks: Iterable[Path]) -> Iterator[Mapping[bytes, bytes]]:
    """What each block tells besides its rows."""
    return (pq.read_metadata(counts_of(path)).metadata for path in blocks)


class Blocks:
    """The blocks of a run on their way into the folder ``work``."""

    def __init__(
        self, path: Path, known: KnownScores | None, progress: Callable[[int], None],
        failures: Sequence[Failure] = (), n_pages: int = 0, shard: Shard | None = None,
    ) -> None:  # fmt: skip
        self.paths: list[Path] = []
        self._most = min(_BLOCK_PAGES, max(_FEWEST_PAGES, n_pages // _BLOCKS))
        self._shard = shard
        self._work = path / WORK
        self._known = known
        self._failed: dict[str, dict[str, Failure]] = {}
        for one in failures:
            self._failed.setdefault(one.page_id, {})[one.system] = one
        self._progress = progress
        self._open: deque[_Block] = deque()
        self.seen: set[str] = set()
        """The ids of all pages, those of other shards too."""
        self.data = blake2b(digest_size=32)
        """Their names and sizes."""
        self.done = 0

    def go(self, items: Iterable[PageItem], settings: Settings, workers: Processes | None) -> None:
        """Write all blocks that are not there yet."""
        work = each(partial(_do, settings=settings))
        tasks = (self._task(item, workers) for item in self._to_do(items))
        for done in over_pages(work, tasks, workers, item=lambda one: one.item, lost=_lost):
            block = self._open[0]
            block.done.append(done)
            self._advance(1)
            if len(block.done) == len(block.items):
                self._open.popleft()
                self._keep(block)

    def _advance(self, n: int) -> None:
        self.done += n
        self._progress(self.done)

    def _to_do(self, items: Iterable[PageItem]) -> Iterator[PageItem]:
        """The pages of all blocks that are not there yet."""
        for number, gathered in enumerate(self._blocks(items)):
            if self._shard and number % self._shard.of != self._shard.number - 1:
                self._advance(len(gathered))
                continue
            block = _Block(number, self._work / f"{number:08d}", gathered)
            self.paths.append(block.path)
            if self._is_there(block):
                self._advance(len(block.items))
            else:
                self._open.append(block)
                yield from block.items

    def _task(self, item: PageItem, workers: Processes | None) -> _Task:
        page_id = item.page_id
        known = {} if self._known is None else self._known.digests(page_id)
        return _Task(sendable(item, workers), known, frozenset(self._failed.get(page_id, ())))

    def _blocks(self, items: Iterable[PageItem]) -> Iterator[list[PageItem]]:
        """The pages in blocks, which depend on nothing but the files: a run may be gone on with."""
        gathered: list[PageItem] = []
        size = 0
        for item in items:
            if item.page_id in self.seen:
                raise ConfigError(f"page {item.page_id!r} occurs twice: give each its own id")
            self.seen.add(item.page_id)
            gathered.append(item)
            size += (bulk := item_size(item))
            self.data.update(tables.packed(item.page_id) + tables.packed(bulk))
            if len(gathered) == self._most or size > _BLOCK_BYTES:
                yield gathered
                gathered, size = [], 0
        if gathered:
            yield gathered

    def _is_there(self, block: _Block) -> bool:
        try:
            told = pq.read_metadata(counts_of(block.path)).metadata
        except (OSError, pa.ArrowException):
            return False
        return bool(told) and told.get(b"block") == _digest(map(_identity, block.items))

    def _keep(self, block: _Block) -> None:
        """Write a block that is scored: the texts, then the counts that vouch for them."""
        rows: list[tuple[PageScores, bytes]] = []
        failures: list[Failure] = []
        parts: list[Any] = []
        for item, done in zip(block.items, block.done, strict=True):
            failures += done.result.failures
            failed = self._failed.get(item.page_id, {})
            failures += [failed[name] for name in done.systems if name in failed]
            scores = {one.system: one for one in self._scores(item.page_id, done)}
            rows += [(scores[n], done.content[n]) for n in done.systems if n in scores]
            if done.rows:
                parts.append(pa.ipc.read_record_batch(pa.py_buffer(done.rows), tables.TEXTS))
        receipts = [facts_json(one.result.receipt) for one in block.done if one.result.receipt]
        about: dict[str, str | bytes] = {
            "block": _digest(one.identity for one in block.done),
            "pages": str(sum(bool(one.systems) for one in block.done)),
            "failures": json.dumps([[one.page_id, one.system, one.reason] for one in failures]),
            "receipts": json.dumps(receipts),
        }
        write_table(texts_of(block.path), pa.Table.from_batches(parts, tables.TEXTS), tables.TEXTS)
        write_table(
            counts_of(block.path), tables.score_rows(rows, block.number), tables.PAGES, about
        )

    def _scores(self, page_id: str, done: _Done) -> tuple[PageScores, ...]:
        """The scores of a page, those that were found now and those that were there."""
        if self._known is None or not done.known:
            return done.result.scores
        known = [self._known.scores(page_id, system) for system in sorted(done.known)]
        return (*known, *done.result.scores)


def texts_of(block: Path) -> Path:
    return block.with_suffix(".texts")


def counts_of(block: Path) -> Path:
    return block.with_suffix(".counts")


def _do(task: _Task, settings: Settings) -> _Done:
    """What a worker does. Nothing that a page holds makes it raise."""
    if not isinstance(task.item, Page) and task.failed.issuperset(task.item.systems):
        # It may have killed the process that read it.
        return _Done(PageResult(()), systems=task.item.systems)
    try:
        page, receipt = read_item(task.item)
    except ReadError as error:
        return _Done(PageResult((), failures_of(task.item, str(error))))
    content = {} if page is None else tables.content_of(page)
    identity = _identity_of(task.item.page_id, receipt, content)
    if page is None:
        return _Done(PageResult((), receipt=receipt), identity)
    systems = tuple(page.hypotheses)
    try:
        rows = tables.serialised(page)
    except ValueError as error:
        failures = tuple(Failure(whole(page.page_id), whole(name), str(error)) for name in systems)
        return _Done(PageResult((), failures, receipt=receipt), identity, systems)
    known = frozenset(
        name
        for name, of in task.known.items()
        if name in content and of in (None, content[name]) and name not in task.failed
    )
    left = {
        name: text
        for name, text in page.hypotheses.items()
        if name not in known and name not in task.failed
    }
    result = score_one(replace(page, hypotheses=left), settings) if left else PageResult(())
    result = replace(result, receipt=receipt)
    return _Done(result, identity, systems, known, content, rows)


def _identity(item: PageItem) -> bytes:
    """What ``_Done.identity`` is, without reading the texts."""
    if isinstance(item, Page):
        return _identity_of(item.page_id, None, tables.content_of(item))
    return _packed_identity(item.page_id, item.identity())


def _identity_of(page_id: str, receipt: Receipt | None, content: Mapping[str, bytes]) -> bytes:
    """A digest of the bytes that a page was made from, or of its texts where these were given."""
    texts = (tables.packed(name) + one for name, one in sorted(content.items()))
    made_from = b"".join(texts) if receipt is None else identity_of(receipt.files)
    return _packed_identity(page_id, made_from)


def _packed_identity(page_id: str, of_texts: bytes) -> bytes:
    return blake2b(tables.packed(page_id) + of_texts, digest_size=32).digest()


def _digest(identities: Iterable[bytes]) -> bytes:
    """Identifies the pages of a block and what they were made from."""
    return blake2b(b"".join(identities)).hexdigest().encode()


def _lost(task: _Task) -> _Done:
    lost = lost_item(task.item)
    return _Done(lost, systems=tuple(failure.system for failure in lost.failures))
