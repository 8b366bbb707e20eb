"""A run in blocks of pages: each is scored, written and vouched for by itself."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from htreval_core.errors import ConfigError
from htreval_core.markup import whole
from htreval_core.model import Failure, Page, PageScores
from htreval_core.run import tables
from htreval_core.run.disk import write_table
from htreval_core.run.names import WORK
from htreval_core.scoring.score import PageResult, page_size, score_stream
from htreval_core.scoring.workers import Workers
from htreval_core.settings import Settings

Known: TypeAlias = Callable[[str, str, bytes], PageScores | None]
"""The scores of a page id and system with texts of this digest, where they are known already."""

_BLOCK_PAGES = 512

_BLOCK_CHARS = 8_000_000


@dataclass(slots=True)
class _Block:
    """Pages that are written together."""

    number: int
    pages: list[Page]
    content: list[dict[str, bytes]]
    known: list[list[PageScores]]
    """Of each page, the scores that need not be computed."""
    failures: list[Failure]
    results: list[PageResult] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """Identifies the pages and texts of the block."""
        digest = blake2b()
        for page, content in zip(self.pages, self.content, strict=True):
            digest.update(tables.packed(page.page_id))
            for system, one in sorted(content.items()):
                digest.update(tables.packed(system) + one)
        return digest.hexdigest()


class Blocks:
    """The blocks of a run on their way into the folder ``work``."""

    def __init__(
        self,
        path: Path,
        known: Known | None,
        progress: Callable[[int], None],
        failures: Sequence[Failure] = (),
    ) -> None:
        self._work = path / WORK
        self._known = known or (lambda *_: None)
        self._failed = {(one.page_id, one.system): one for one in failures}
        self._progress = progress
        self._open: deque[_Block] = deque()
        self.seen: set[str] = set()
        self.blocks: list[Path] = []
        self.n_pages = 0
        self.done = 0

    def go(self, pages: Iterable[Page], settings: Settings, workers: Workers | None) -> None:
        for result in score_stream(self._to_score(pages), settings, workers):
            block = self._open[0]
            block.results.append(result)
            self._advance(1)
            if len(block.results) == len(block.pages):
                self._open.popleft()
                self._keep(block)

    def _advance(self, n: int) -> None:
        self.done += n
        self._progress(self.done)

    def _to_score(self, pages: Iterable[Page]) -> Iterator[Page]:
        """The pages of all blocks that are not there yet, less what is known of them."""
        for block in self._blocks(pages):
            if not block.pages or self._is_there(block):
                self._advance(len(block.pages))
                if not block.pages:
                    self._keep(block)
                continue
            for page, content in zip(block.pages, block.content, strict=True):
                found = (
                    self._known(page.page_id, system, digest) for system, digest in content.items()
                )
                block.known.append([scores for scores in found if scores is not None])
            self._open.append(block)
            for page, known in zip(block.pages, block.known, strict=True):
                have = {scores.system for scores in known}
                left = {
                    name: text
                    for name, text in page.hypotheses.items()
                    if name not in have and (page.page_id, name) not in self._failed
                }
                yield page if len(left) == len(page.hypotheses) else replace(page, hypotheses=left)

    def _blocks(self, pages: Iterable[Page]) -> Iterator[_Block]:
        gathered: list[Page] = []
        chars = 0
        for page in pages:
            if page.page_id in self.seen:
                raise ConfigError(f"page {page.page_id!r} occurs twice: give each its own id")
            self.seen.add(page.page_id)
            gathered.append(page)
            chars += page_size(page)
            if len(gathered) == _BLOCK_PAGES or chars > _BLOCK_CHARS:
                yield self._block(gathered)
                gathered, chars = [], 0
        if gathered:
            yield self._block(gathered)

    def _block(self, pages: list[Page]) -> _Block:
        self.n_pages += len(pages)
        failures = tables.unwritable(pages)
        damaged = {failure.page_id for failure in failures}
        kept = [page for page in pages if whole(page.page_id) not in damaged]
        number = len(self.blocks)
        self.blocks.append(self._work / f"{number:08d}")
        return _Block(number, kept, [tables.content_of(page) for page in kept], [], failures)

    def _is_there(self, block: _Block) -> bool:
        try:
            told = pq.read_metadata(counts_of(self.blocks[block.number])).metadata
        except (OSError, pa.ArrowException):
            return False
        return bool(told) and told.get(b"block") == block.digest.encode()

    def _keep(self, block: _Block) -> None:
        """Write a block that is scored: the texts, then the counts that vouch for them."""
        place = self.blocks[block.number]
        rows: list[tuple[PageScores, bytes]] = []
        failures = list(block.failures)
        for page, content, known, result in zip(
            block.pages, block.content, block.known, block.results, strict=True
        ):
            scores = {one.system: one for one in (*known, *result.scores)}
            rows += [(scores[name], content[name]) for name in page.hypotheses if name in scores]
            failures += result.failures
            failed = ((page.page_id, name) for name in page.hypotheses if name not in scores)
            failures += [self._failed[one] for one in failed if one in self._failed]
        write_table(texts_of(place), tables.text_rows(block.pages), tables.TEXTS)
        told = [[one.page_id, one.system, one.reason] for one in failures]
        about = {"block": block.digest, "failures": json.dumps(told)}
        write_table(counts_of(place), tables.score_rows(rows, block.number), tables.PAGES, about)


def texts_of(block: Path) -> Path:
    return block.with_suffix(".texts")


def counts_of(block: Path) -> Path:
    return block.with_suffix(".counts")
