"""The diagnoses of a bundle, kept beside its counts. Whoever wrote them is not trusted."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import pyarrow as pa

from htreval_core.diagnosis.model import Diagnosis, Elsewhere, Event, Passage, ReadAlike
from htreval_core.errors import ConfigError, ReadError
from htreval_core.metrics.columns import ScoreTable
from htreval_core.metrics.spaces import Regrouping
from htreval_core.model import DataWarning, Failure, PageScores, Parts, WarningKind
from htreval_core.run import tables
from htreval_core.run.disk import commit, sha256_of, write_bytes
from htreval_core.run.facts import facts_json, read_fact
from htreval_core.run.files import UNREADABLE, Archived, Folder, batches_of, open_parquet
from htreval_core.run.lock import Lock
from htreval_core.run.manifest import Manifest, manifest_json, read_manifest
from htreval_core.run.names import DIAGNOSES, MANIFEST, PAGES
from htreval_core.scoring.found import Diagnoses
from htreval_core.settings.version import build

_SCHEMA = pa.schema([
    pa.field("page_id", pa.string(), nullable=False),
    pa.field("system", pa.string()),
    pa.field("found", pa.string(), nullable=False),
])  # fmt: skip
_ROWS = 256
_LONGEST = 4_000_000
"""Characters of a diagnosis: a hundred times what the worst page has."""


@dataclass(frozen=True, eq=False)
class BundleDiagnoses:
    """Where a bundle keeps the diagnoses of its pages.

    Args:
        files: of the bundle.
        manifest: as it was when the bundle was opened.
        scores: those of the bundle.
    """

    files: Folder | Archived
    manifest: Manifest
    scores: Mapping[str, ScoreTable]

    def read(self) -> Diagnoses | DataWarning | None:
        """Those that it keeps; None where it keeps none of this build and of these scores.

        What is damaged, or says what no page can have, is a warning: it has to be found again.
        """
        if not self.files.has(DIAGNOSES):
            return None
        try:
            # The bundle may keep them only since it was opened.
            file = open_parquet(self.files, DIAGNOSES, _manifest_of(self.files), _SCHEMA)
            about = file.metadata.metadata or {}
            made_from = _made_from(self.manifest).items()
            if all(about.get(key.encode()) == value.encode() for key, value in made_from):
                return _read_all(file, self.scores)
        except (ReadError, RecursionError, *UNREADABLE):
            return DataWarning(f"{self.files.name}/{DIAGNOSES}", WarningKind.FOUND_AGAIN)
        return None

    def keep(self, found: Diagnoses) -> None:
        """Keep them, unless they are kept or say nothing of conventions; in an archive nothing is.

        Raises:
            ConfigError: the bundle was scored again since it was opened.
            WriteError: it is being written into.
            OSError: it cannot be written into.
        """
        whole = all(one.admissible for of_system in found.values() for one in of_system)
        if not whole or not isinstance(self.files, Folder) or isinstance(self.read(), Diagnoses):
            return
        path = self.files.path
        with Lock(path):
            manifest = _manifest_of(self.files)
            if _made_from(manifest) != _made_from(self.manifest):
                raise ConfigError(f"{path}: was scored again since it was opened; open it again")
            temporary = path / f"{DIAGNOSES}.part"
            with tables.writer(str(temporary), _SCHEMA) as out:
                rows = list(_rows(found))
                for start in range(0, max(len(rows), 1), _ROWS):
                    part = pa.Table.from_pylist(rows[start : start + _ROWS], _SCHEMA)
                    out.write_table(part, row_group_size=_ROWS)
                out.add_key_value_metadata(_made_from(manifest))
            told = temporary.stat().st_size, sha256_of(temporary)
            commit(temporary, path / DIAGNOSES)
            files = {**manifest.files, DIAGNOSES: told}
            write_bytes(path / MANIFEST, manifest_json(replace(manifest, files=files)))


def _manifest_of(files: Folder | Archived) -> Manifest:
    return read_manifest(f"{files.name}/{MANIFEST}", files.read(MANIFEST))


def _read_all(file: Any, scores: Mapping[str, ScoreTable]) -> Diagnoses:
    """The diagnoses in a file; ValueError if they are not those of the pages with these scores."""
    places = {
        system: {page_id: row for row, page_id in enumerate(table.page_ids)}
        for system, table in scores.items()
    }
    pages = frozenset(page_id for of_system in places.values() for page_id in of_system)
    found: dict[str, dict[str, Diagnosis | Failure]] = {system: {} for system in scores}
    upward: dict[str, tuple[int, ...]] = {}
    cells = (
        cell for group in range(file.metadata.num_row_groups)
        for batch in batches_of(file, group, _ROWS)
        for cell in zip(*(batch.column(n).to_pylist() for n in _SCHEMA.names), strict=True)
    )  # fmt: skip
    for page_id, system, told in cells:
        if len(told) > _LONGEST or page_id not in pages:
            raise ValueError("a diagnosis belongs to no page, or is too long")
        raw = json.loads(told)
        if system is None:
            upward[page_id] = tuple(_count(one, least=1) for one in _list(raw))
        elif page_id in found[system]:
            raise ValueError("a page is diagnosed twice")
        elif isinstance(raw, str):
            found[system][page_id] = Failure(page_id, system, raw, scored=True)
        else:
            found[system][page_id] = _read(raw, scores[system][places[system][page_id]])
    in_order = {
        system: [found[system][page_id] for page_id in table.page_ids]
        for system, table in scores.items()
    }
    return Diagnoses(
        {
            system: tuple(one for one in of if isinstance(one, Diagnosis))
            for system, of in in_order.items()
        },
        failures=tuple(one for of in in_order.values() for one in of if isinstance(one, Failure)),
        upward=upward,
    )


def _made_from(manifest: Manifest) -> dict[str, str]:
    """What diagnoses depend on besides the texts, which the counts vouch for."""
    return {"build": build(), "pages": manifest.files[PAGES][1]}


def _rows(found: Diagnoses) -> Iterator[dict[str, str | None]]:
    for of_system in found.values():
        for one in of_system:
            told = {
                "parts": [getattr(one.parts, name) for name in _PARTS],
                "events": [facts_json(event)[1:] for event in one.events],
                "edges": [facts_json(event)[1:] for event in one.edges],
                "admissible": one.admissible,
                "regroupings": [[each.ref, each.hyp] for each in one.regroupings],
            }
            yield {"page_id": one.page_id, "system": one.system, "found": json.dumps(told)}
    for failure in found.failures:
        told_why = json.dumps(failure.reason)
        yield {"page_id": failure.page_id, "system": failure.system, "found": told_why}
    for page_id, lines in found.upward.items():
        yield {"page_id": page_id, "system": None, "found": json.dumps(lines)}


_PARTS = tuple(entry.name for entry in fields(Parts))


def _read(raw: object, scores: PageScores) -> Diagnosis:
    """The diagnosis of the page that has these scores; ValueError if it is not that."""
    if not isinstance(raw, dict):
        raise ValueError("a diagnosis is not an object")
    parts = Parts(*(_count(one) for one in _list(raw["parts"], len(_PARTS))))
    if parts.errors != scores.wer.errors or parts.bag_errors != scores.bwer.errors:
        raise ValueError("a diagnosis does not add up to the errors of its page")
    n_ref, n_hyp = scores.n_ref_words, scores.n_hyp_words
    return Diagnosis(
        scores.page_id, scores.system, n_ref, parts,
        tuple(_read_event(one, n_ref, n_hyp) for one in _list(raw["events"])), n_hyp,
        tuple(_read_event(one, n_ref, n_hyp) for one in _list(raw["edges"])),
        None if raw["admissible"] is None else _admissible(raw["admissible"], parts.errors),
        tuple(_read_regrouping(one, n_ref, n_hyp) for one in _list(raw["regroupings"])),
    )  # fmt: skip


def _read_regrouping(raw: object, n_ref: int, n_hyp: int) -> Regrouping:
    ref, hyp = (tuple(map(_count, _list(side))) for side in _list(raw, 2))
    if not ref or not hyp or max(ref) >= n_ref or max(hyp) >= n_hyp:
        raise ValueError("words that the page does not have")
    return Regrouping(ref, hyp)


def _admissible(raw: object, errors: int) -> tuple[int, int]:
    least, bound = (_count(one, most=errors) for one in _list(raw, 2))
    if bound > least:
        raise ValueError("fewer errors than any order has")
    return least, bound


def _read_event(raw: object, n_ref: int, n_hyp: int) -> Event:
    event = read_fact(["Event", *_list(raw)], Event)
    # No failure is of more words, or in more pieces, than both sides have.
    _count(max(event.words, event.errors, event.pieces, event.notes), most=n_ref + n_hyp)
    _count(event.convention, most=event.errors)
    _count(min((*event.reference_lines, *event.hypothesis_lines), default=1), least=1)
    spans = ((event.reference, n_ref), *((one, n_hyp) for one in event.hypothesis))
    if not all(start <= stop <= n_words for (start, stop), n_words in spans):
        raise ValueError("a stretch of words that the page does not have")
    if isinstance(event.facts, Passage if event.of_order else Elsewhere | ReadAlike):
        raise ValueError("facts of another kind of event")
    if event.of_order and event.reference[0] == event.reference[1]:
        raise ValueError("text of the reference is out of order that it does not have")
    return event


def _list(value: object, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or length not in (None, len(value)):
        raise ValueError("a list is missing, or has another length")
    return value


def _count(value: object, least: int = 0, most: int = 2**53) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{str(value)[:40]!r} is not a count")
    return value
