"""The diagnoses of a bundle, kept beside its counts. Whoever wrote them is not trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from htreval_core.diagnosis.model import Confidence, Diagnosis, Event, EventKind, Span
from htreval_core.metrics.columns import ScoreTable
from htreval_core.model import Failure, PageScores, Parts
from htreval_core.run import tables
from htreval_core.run.disk import commit, sha256_of, write_bytes
from htreval_core.run.files import UNREADABLE, Archived, Folder, damaged, open_parquet
from htreval_core.run.lock import Lock
from htreval_core.run.manifest import Manifest, manifest_json, read_manifest
from htreval_core.run.names import DIAGNOSES, MANIFEST, PAGES
from htreval_core.scoring.diagnoses import Diagnoses
from htreval_core.version import __version__

_SCHEMA = pa.schema(
    [
        pa.field("page_id", pa.string(), nullable=False),
        pa.field("system", pa.string()),
        pa.field("found", pa.string(), nullable=False),
    ]
)
_ROWS = 4096
_MOST = 10**6
"""Events of a page, lines or groups of an event: more than any page has."""
_LONGEST = 10**6
"""Characters of a sentence or of a text."""


def keep_diagnoses(path: Path | str, found: Diagnoses) -> None:
    """Keep the diagnoses of all pages in their bundle, so that nobody has to find them again.

    Args:
        path: the folder of a finished bundle.
        found: what ``diagnose`` gave for the whole of it.

    Raises:
        ReadError: it is no finished bundle.
        ConfigError: somebody else is writing into it.
        OSError: it cannot be written into.
    """
    path = Path(path)
    with Lock(path):
        manifest = read_manifest(f"{path.name}/{MANIFEST}", Folder(path).read(MANIFEST))
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


def kept_diagnoses(
    files: Folder | Archived, manifest: Manifest, scores: Mapping[str, ScoreTable]
) -> Diagnoses | None:
    """The diagnoses that a bundle holds; None where it has none of this version and these counts.

    Args:
        scores: those of the bundle.

    Raises:
        ReadError: they are damaged.
    """
    if DIAGNOSES not in manifest.files or not files.has(DIAGNOSES):
        return None
    file = open_parquet(files, DIAGNOSES, manifest, _SCHEMA)
    about = file.schema_arrow.metadata or {}
    about |= file.metadata.metadata or {}
    if any(
        about.get(key.encode()) != value.encode() for key, value in _made_from(manifest).items()
    ):
        return None
    found: dict[str, dict[str, Diagnosis]] = {system: {} for system in scores}
    failures: list[Failure] = []
    upward: dict[str, tuple[int, ...]] = {}
    places = {
        system: {page_id: row for row, page_id in enumerate(table.page_ids)}
        for system, table in scores.items()
    }
    try:
        for batch in file.iter_batches(batch_size=_ROWS):
            for page_id, system, told in zip(
                *(batch.column(name).to_pylist() for name in _SCHEMA.names), strict=True
            ):
                raw = json.loads(told)
                if system is None:
                    upward[page_id] = tuple(_count(one, least=1) for one in _list(raw))
                elif isinstance(raw, str):
                    failures.append(Failure(page_id, system, _text(raw), scored=True))
                else:
                    row = places[system][page_id]
                    found[system][page_id] = _read(raw, scores[system][row])
        failed = {(one.page_id, one.system) for one in failures}
        by_system = {
            system: tuple(
                found[system][page_id]
                for page_id in scores[system].page_ids
                if (page_id, system) not in failed
            )
            for system in scores
        }
    except (*UNREADABLE, RecursionError) as error:
        raise damaged(files.name, DIAGNOSES, error) from None
    return Diagnoses(by_system, failures=tuple(failures), upward=upward)


def _made_from(manifest: Manifest) -> dict[str, str]:
    """What diagnoses depend on besides the texts, which the counts vouch for."""
    return {"htreval": __version__, "pages": manifest.files[PAGES][1]}


def _rows(found: Diagnoses) -> Iterator[dict[str, str | None]]:
    for of_system in found.values():
        for one in of_system:
            told = {
                "parts": [getattr(one.parts, name) for name in _PARTS],
                "course": list(one.course),
                "events": [_event(event) for event in one.events],
                "edges": [_event(event) for event in one.edges],
            }
            yield {"page_id": one.page_id, "system": one.system, "found": json.dumps(told)}
    for failure in found.failures:
        told_why = json.dumps(failure.reason)
        yield {"page_id": failure.page_id, "system": failure.system, "found": told_why}
    for page_id, lines in found.upward.items():
        yield {"page_id": page_id, "system": None, "found": json.dumps(lines)}


_PARTS = ("misread", "order", "coincidence", "doubt")


def _event(event: Event) -> list[Any]:
    return [
        event.kind.value, event.words, event.errors, list(event.reference),
        [list(span) for span in event.hypothesis], list(event.reference_lines),
        list(event.hypothesis_lines), event.confidence.value, event.sentence,
        list(event.groups), event.text, event.pieces, event.notes,
    ]  # fmt: skip


def _read(raw: object, scores: PageScores) -> Diagnosis:
    """The diagnosis of the page that has these scores.

    Raises:
        ValueError: it is none, or it is not of that page.
    """
    if not isinstance(raw, dict):
        raise ValueError("a diagnosis is no object")
    parts = Parts(*(_count(one) for one in _list(raw["parts"], len(_PARTS))))
    if parts.errors != scores.wer.errors or parts.misread != scores.bwer.errors:
        raise ValueError("a diagnosis does not add up to the errors of its page")
    n_ref, n_hyp = scores.n_ref_words, scores.n_hyp_words
    return Diagnosis(
        scores.page_id,
        scores.system,
        n_ref,
        parts,
        tuple(_read_event(one, n_ref, n_hyp) for one in _list(raw["events"])),
        tuple(_number(one) for one in _list(raw["course"])),
        n_hyp,
        tuple(_read_event(one, n_ref, n_hyp) for one in _list(raw["edges"])),
    )


def _read_event(raw: object, n_ref: int, n_hyp: int) -> Event:
    kind, words, errors, reference, hypothesis, *rest = _list(raw, 13)
    ref_lines, hyp_lines, confidence, sentence, groups, text, pieces, notes = rest
    return Event(
        EventKind(kind),
        _count(words),
        _count(errors),
        _span(reference, n_ref),
        tuple(_span(one, n_hyp) for one in _list(hypothesis)),
        tuple(_count(one, least=1) for one in _list(ref_lines)),
        tuple(_count(one, least=1) for one in _list(hyp_lines)),
        Confidence(confidence),
        _text(sentence),
        tuple(_count(one) for one in _list(groups)),
        _text(text),
        _count(pieces),
        _count(notes),
    )


def _list(value: object, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or len(value) > _MOST or length not in (None, len(value)):
        raise ValueError("a list is missing, or is too long")
    return value


def _count(value: object, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= 2**53:
        raise ValueError(f"{str(value)[:40]!r} is no count")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _MOST:
        raise ValueError(f"{str(value)[:40]!r} is no number")
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise ValueError("a sentence is missing, or is too long")
    return value


def _span(value: object, n_words: int) -> Span:
    start, stop = (_count(one) for one in _list(value, 2))
    if not start <= stop <= n_words:
        raise ValueError("a stretch of words that the page does not have")
    return start, stop
