"""Which columns of a table are page ids, references and outputs: found by name, and changeable."""

import json
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from htreval_core.errors import ReadError
from htreval_core.markup import whole
from htreval_core.sources.faults import unreadable
from htreval_core.sources.names import named

ID_COLUMNS = named("ids")
FILE_COLUMNS = frozenset(named("files"))
"""Ids that name pages as their files do: ``page`` and ``id`` may count something else."""
REFERENCE_COLUMNS, SYSTEM_COLUMNS = named("references"), named("systems")
REFERENCE_NAMES = frozenset(named("reference_names"))
Rows: TypeAlias = Sequence[Mapping[str, str | None]]
_ALL_IDS = (*ID_COLUMNS, *named("row_ids"))
_ALL_REFERENCES = (*REFERENCE_COLUMNS, *named("row_references"))
_SIDE_TEXTS = named("side_texts")
_TRUTH, _MADE = frozenset(named("truth_words")), frozenset(named("made_words"))
_FORMS = frozenset(named("forms"))
_NO_OUTPUT = {*named("retold"), *REFERENCE_COLUMNS} - {*named("weak_side_texts")}
_CORRECTED = {"correct", "corrected"}
_TRUTH_ALONE = _TRUTH.union(named("weak_side_texts"), named("of_truth"))
_NO_OUTPUTS = frozenset((*_ALL_IDS, *SYSTEM_COLUMNS))
_NO_TEXT_ENDS = frozenset(named("no_text_ends"))
_NAMED = {
    "ocr_hypothesis.transcription_unit": "input",
    "ocr_postcorrection_output.transcription_unit": "output",
}
"""Columns of HIPE's records that have a name of their own: the text before and after correction."""
_NUMBER, _FEWEST = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?\s?%?"), 2
_SENTENCE = 3
"""A column of single words beside references that all have more says a language, a hand, a file."""
_ALIKE, _AS_LONG = 0.2, 0.5
"""Sequences of four letters that a column shares with the references: other texts have under a
tenth of them in common, one with a quarter of its letters misread a third. And the length from
which on a column is no title or remark."""
_LOOKED_AT, _LETTERS = 20, 4000
"""The rows and letters that tell."""
_CALL_NUMBER = 4
"""How many times longer a text is than what a catalogue calls it."""
_LONGEST_LABEL = 30
"""Letters of a language, a hand or the title of a file."""
_MOST_SYSTEMS = 200
"""A table of more is one of numbers, say, and each page would be scored under every column."""
INFERENCE = "inference_info"
DOLMA_ID = "metadata.source-file"
"""The document that a row of olmOCR was read from; its own id is a digest."""
HIPE_OUTPUT = "ocr_postcorrection_output.transcription_unit"
HIPE_INPUT = "ocr_hypothesis.transcription_unit"


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns that somebody names; the others are found by their names.

    Fields of nested records are named with dots: ``ground_truth.transcription_unit``.

    Args:
        page_id: with the ids of pages.
        reference: with the references.
        texts: of each system the column with its output.
    """

    page_id: str | None = None
    reference: str | None = None
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FoundColumns:
    """What the columns of a table are.

    Args:
        page_id: None where rows are numbered, because no column is called like page ids.
        reference: None where no column is called like references.
        outputs: of each system the column with its output.
        labels: columns of numbers or single words beside references of several, no output.
        others: columns that might be the references, too, but are called so less clearly.
        unread: columns with as much text as the references that are taken for no output.
    """

    page_id: str | None
    reference: str | None
    outputs: Mapping[str, str]
    labels: Sequence[str] = ()
    others: Sequence[str] = ()
    unread: Sequence[str] = ()

    @property
    def told(self) -> str:
        """Which columns are taken, as a phrase."""
        ids = f"page ids from {self.page_id}" if self.page_id else "page ids from row numbers"
        outputs = ", ".join(
            column if name == column else f"{name} from {column}"
            for name, column in self.outputs.items()
        )
        reference = f", references from {self.reference}" if self.reference else ""
        reference += f", no text from {', '.join(self.labels)}" if self.labels else ""
        return f"{ids}{reference}, outputs from {outputs}" if outputs else f"{ids}{reference}"


def find_columns(
    name: str, header: Sequence[str], rows: Rows, chosen: Columns | None = None
) -> FoundColumns:  # fmt: skip
    """What the columns of a table with these rows are.

    A table that calls page ids and references as tables of ours do has a system in every other
    column. Of the rows of a published data set the outputs are those that ``inference_info``
    names, else those with a word such as text or markdown in their name and those whose text is
    that of the references, more or less.

    Raises:
        ReadError: a column that is named does not exist.
    """
    chosen = chosen or Columns()
    for wanted in (chosen.page_id, chosen.reference, *chosen.texts.values()):
        if wanted is not None and wanted not in header:
            raise unreadable("no column", name, wanted=wanted, header=", ".join(header[:20]))
    lowered = {column.lower(): column for column in reversed(header)}
    taken = [chosen.reference, *chosen.texts.values()]
    known_ids = (DOLMA_ID, *_ALL_IDS)
    ids = [id_ for id_ in known_ids if id_ in lowered and any(r.get(lowered[id_]) for r in rows)]
    page_id = chosen.page_id or _first(lowered, ids, taken) or _first(lowered, known_ids, taken)
    numbers = ([str(n + first) for n in range(len(rows))] for first in (0, 1))
    is_id = page_id is not None and not chosen.page_id and page_id.lower() == "id"
    if page_id and is_id and [row.get(page_id) or "" for row in rows] in numbers:
        # The number of a row is another page in a table that lacks one.
        other = _first(lowered, ids, [page_id, *taken])
        tells = other and len({row.get(other) for row in rows} - {None, ""}) == len(rows)
        page_id = other if tells else page_id
    taken = [page_id, *chosen.texts.values()]
    truths = [chosen.reference] if chosen.reference else _truths(header, rows, taken)
    reference, others = next(iter(truths), None), truths[1:]
    rest = [column for column in header if column not in (page_id, reference)]
    if chosen.texts:
        return FoundColumns(page_id, reference, dict(chosen.texts))
    of_pages = [words for row in rows if (words := (row.get(reference or "") or "").split())]
    longest = 1 if min(map(len, of_pages), default=0) >= _SENTENCE else 0
    labels = [one for one in rest if _is_label(one, rows, longest)]
    if reference is None or _is_label(reference, rows, 0) or len(labels) == len(rest):
        labels = []
    rest = [column for column in rest if column not in labels]
    unread = [column for column in rest if _is_form(column, reference or "")]
    rest = [column for column in rest if column not in unread] or rest
    outputs = _inferred(rest, rows)
    if not outputs:
        is_ours = _is(page_id, ID_COLUMNS) and _is(reference, REFERENCE_COLUMNS)
        known = [column for column in rest if column.lower() in _NAMED]
        if known:
            rest = [one for one in known if any(row.get(one) not in (None, "None") for row in rows)]
        elif not is_ours:
            likely = [
                one for one in rest
                if any(word in one.lower() for word in named("output_words"))
                or _compared(one, reference, rows)[0] >= _ALIKE
            ]  # fmt: skip
            unread += [
                one for one in rest
                if likely and one not in likely and not _is_label(one, rows, _SENTENCE - 1)
                and _compared(one, reference, rows)[1] >= _AS_LONG
            ]  # fmt: skip
            rest = likely or rest
        outputs = {_NAMED.get(column.lower(), column): column for column in rest}
    if len(outputs) > _MOST_SYSTEMS:
        raise unreadable("many columns", name, n=len(outputs), most=_MOST_SYSTEMS)
    return FoundColumns(page_id, reference, outputs, labels, others, unread)


def _compared(column: str, reference: str | None, rows: Rows) -> tuple[float, float]:
    """How much of a column is that of the references, and how long its texts are beside them."""
    alike, long = [0.0], [0.0]
    for row in rows[:_LOOKED_AT]:
        own, of_page = ((row.get(one or "") or "")[:_LETTERS] for one in (column, reference))
        pieces = [{text[at : at + 4] for at in range(len(text) - 3)} for text in (own, of_page)]
        if of_page:
            most = max(map(len, pieces))
            alike.append(len(pieces[0] & pieces[1]) / most if most else 0.0)
            long.append(len(own) / len(of_page))
    return statistics.median(alike[1:] or alike), statistics.median(long[1:] or long)


def _is_label(column: str, rows: Rows, longest: int) -> bool:
    """Whether it is called like no text, or has numbers or words of a label on enough pages."""
    if column.lower() in named("no_texts"):
        return True
    given = [value for row in rows if (value := (row.get(column) or "").strip())]
    # A page in a script without spaces may be a single word, too.
    is_short = all(
        len(value.split()) <= longest and (value.isascii() or len(value) <= _LONGEST_LABEL)
        for value in given
    )
    return len(given) >= _FEWEST and (is_short or all(map(_NUMBER.fullmatch, given)))


@dataclass(frozen=True, slots=True)
class LongColumns:
    """What the columns of a table with a row for each page and system are.

    Args:
        reference: None where rows of a system that is called like a reference have it.
    """

    page_id: str
    system: str
    text: str
    reference: str | None


def find_long(
    name: str, header: Sequence[str], rows: Rows, chosen: Columns | None = None
) -> LongColumns | None:  # fmt: skip
    """The columns of a table with a row for each page and system; None where it is no such table.

    A column called system, model or engine holds names if half of them recur, or any do and pages
    do too; if they are single words; if all rows are of one page, or a single row has nothing else;
    and if none equals the reference of its row.

    Raises:
        ReadError: a row names no system, or there are two columns of texts.
    """
    chosen = chosen or Columns()
    lowered = {column.lower(): column for column in reversed(header)}
    system = _first(lowered, SYSTEM_COLUMNS)
    if system is None or chosen.texts or not {chosen.page_id, chosen.reference} <= {None, *header}:
        return None
    page_id = chosen.page_id or _first(lowered, _ALL_IDS)
    truths = _truths(header, rows, [page_id, system])
    reference = chosen.reference or next(iter(truths), None)
    apart = (page_id, system, reference)
    texts = [lowered[one] for one in _SIDE_TEXTS if lowered.get(one, page_id) not in apart]
    if not texts and reference and reference.lower() in _SIDE_TEXTS:
        texts, reference = [reference], None
    names = [row.get(system) or "" for row in rows]
    given = [one for one in names if one]
    comes_again = 2 * len(set(given)) <= len(given) or not any(" " in one.strip() for one in given)
    comes_again = comes_again or any(one.lower() in REFERENCE_NAMES for one in given)
    pages = {row.get(page_id) for row in rows} if page_id else set()
    if len(rows) == 1:
        comes_again = comes_again or set(header) <= {*apart, *texts}
    elif len(pages) < len(rows):
        comes_again = comes_again or len(pages) == 1 or len(set(given)) < len(given)
    is_read = any(reference and r[system] == r.get(reference) for r in rows if r.get(system))
    if page_id is None or not texts or not given or is_read or not comes_again:
        return None
    if len(texts) > 1:
        raise ReadError(f"{name}: outputs may stand in {texts[0]} or {texts[1]}; keep one of them")
    if len(given) < len(names):
        raise ReadError(f"{name}: row {names.index('') + 1} names no system; fill {system!r}")
    return LongColumns(page_id, system, texts[0], reference)


def _first(
    of: Mapping[str, str], names: Sequence[str], apart: Sequence[str | None] = ()
) -> str | None:
    """The first column that is called so, by its name in small letters."""
    return next((of[one] for one in names if one in of and of[one] not in apart), None)


def _words_of(column: str) -> list[str]:
    return re.findall("[a-z]+", column.lower())


def is_corrected(column: str) -> bool:
    """Whether a column is called like text that somebody, or a program, has corrected."""
    return not _CORRECTED.isdisjoint(_words_of(column))


def _is_form(column: str, reference: str) -> bool:
    """Whether it is called like the references in another form, or retold: reference_normalized."""
    words = _words_of(column)
    plain, own = ([one for one in of if one not in _FORMS] for of in (words, _words_of(reference)))
    is_called = plain == own or "_".join(plain) in _ALL_REFERENCES
    return (is_called and len(plain) < len(words)) or column.lower() in _NO_OUTPUT


def _truths(header: Sequence[str], rows: Rows, apart: Sequence[str | None]) -> list[str]:
    """The column of the references, called so, by a word or as texts are, and what else might be.

    Where one is called as texts are, no word may say that a program wrote the other one."""
    lowered = {column.lower(): column for column in reversed(header)}
    weak = named("weak_side_texts")
    called = [lowered[one] for one in REFERENCE_COLUMNS if lowered.get(one, apart[0]) not in apart]
    sizes = {one: sum(len(row.get(one) or "") for row in rows[:_LOOKED_AT]) for one in called}
    # A call number is no text where another column has some.
    called = [one for one in called if one.lower() not in weak and (
        sizes[one] > _LONGEST_LABEL * len(rows[:_LOOKED_AT])
        or _CALL_NUMBER * sizes[one] >= max(sizes.values())
    )]  # fmt: skip
    if called:
        return called
    worded = [one for one in header if _TRUTH.intersection(_words_of(one)) and one not in apart
              and one.lower() not in _NO_OUTPUTS and not _is_label(one, rows, 1)]  # fmt: skip
    texts = _first(lowered, _ALL_REFERENCES, apart)
    plain = [one for one in worded if _TRUTH_ALONE.issuperset(_words_of(one))]
    worded = plain if texts or plain else worded
    if len(worded) != 1:
        return [texts] if texts else []
    # What was corrected may be the output of a program that corrects.
    is_clear = texts in (None, worded[0]) or not is_corrected(worded[0])
    return worded if is_clear else [worded[0], str(texts)]


def _inferred(header: Sequence[str], rows: Rows) -> dict[str, str]:
    """For each model the column that the first ``inference_info`` names for it."""
    column = next((one for one in header if one.lower() == INFERENCE), None)
    cell = next((row[column] for row in rows if row.get(column)), None) if column else None
    try:
        entries = json.loads(cell) if cell else None
    except (ValueError, RecursionError):
        return {}
    outputs: dict[str, str] = {}
    for entry in entries if isinstance(entries, list) else [entries]:
        if not isinstance(entry, dict) or entry.get("column_name") not in header:
            continue
        output = str(entry["column_name"])
        model = entry.get("model_id") or entry.get("model_name") or output
        name = whole(str(model))[:_LONGEST_NAME]
        outputs[f"{name} ({output})" if name in outputs else name] = output
    return outputs


_LONGEST_NAME = 200


def _is(column: str | None, names: Sequence[str]) -> bool:
    return column is not None and column.lower() in names


def output_of_side(
    header: Sequence[str], rows: Rows, found: FoundColumns, system: str, chosen: Columns
) -> str | None:
    """The column with the output, in a table that was given as that of one system.

    Returns:
        None where none is called so and there are several.
    """
    if system in chosen.texts:
        return chosen.texts[system]
    apart = (found.page_id, chosen.reference)
    lowered = {column.lower(): column for column in reversed(header) if column not in apart}
    called = next((lowered[one] for one in _SIDE_TEXTS if one in lowered), None)
    left = [column for column in header if column not in apart]
    weak = named("weak_side_texts")
    if called is not None and called.lower() in weak:
        # Beside another text it may be the truth.
        longest = 1 if any(" " in (row.get(called) or "").strip() for row in rows) else 0
        rest = [
            one for one in left
            if one not in (called, found.reference) and one.lower() not in _NO_OUTPUTS
            and "." not in one and not _is_label(one, rows, longest)
            and _NO_TEXT_ENDS.isdisjoint(_words_of(one)[-1:])
        ]  # fmt: skip
        likely = [one for one in rest if _MADE.union(weak).intersection(_words_of(one))]
        if called == found.reference:
            is_made = len(rest) == 1 and _MADE.intersection(_words_of(rest[0]))
            return called if not rest else rest[0] if is_made else None
        return None if likely else called
    if called is None and len(found.outputs) == 1 and len(left) > 1 and found.reference:
        return next(iter(found.outputs.values()))
    return called or (left[0] if len(left) == 1 else None)
