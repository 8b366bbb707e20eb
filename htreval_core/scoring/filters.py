"""Pages picked by an expression: ``wer > 20 and kind = marginal note and hand = "B"``.

Tests are joined by ``and`` (or a comma), ``or``, ``not`` and parentheses. A page stays where one of
its systems fits the whole expression; ``A.wer`` asks for system A whichever system that is.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from htreval_core.diagnosis import Diagnosis, EventKind
from htreval_core.errors import ConfigError
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.values import page_values
from htreval_core.model import BoolArray, DataWarning, WarningKind
from htreval_core.scoring.facets import UNKNOWN, Facets
from htreval_core.scoring.study import Study

LONGEST = 2_000
"""Characters of an expression: an address holds no more."""
_DEEPEST = 40
"""Parentheses and ``not`` within each other: the parser calls itself for each."""
_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"[^"]*")|(?P<op><=|>=|!=|[≤≥≠=<>~])|(?P<sign>[(),])"""
    r"""|(?P<word>[^\s"<>=!~≤≥≠(),]+))"""
)
_SAME = {"≤": "<=", "≥": ">=", "≠": "!="}
_ORDERED: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "=": operator.eq, "!=": operator.ne,
}  # fmt: skip
_DOUBT = ("in doubt", "doubt")
EXAMPLE = 'wer > 20 and kind = marginal note and hand = "B"'


@dataclass(frozen=True, slots=True)
class Test:
    """One comparison.

    Args:
        name: what is asked for, perhaps with a system before it and a dot.
        op: "<", "<=", ">", ">=", "=", "!=" or "~" (contains); empty for ``in doubt``.
        value: as it was written.
    """

    __test__ = False
    name: str
    op: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Joined:
    """Expressions joined; "not" has one."""

    how: Literal["and", "or", "not"]
    parts: tuple[Expression, ...]


Expression = Test | Joined


@dataclass(frozen=True, slots=True)
class Known:
    """What an expression may ask for besides the counts of a study.

    Args:
        diagnoses: by system; None where nobody has looked for faults.
        marks: of a page under a system, what people have said of it; None where nobody can.
    """

    facets: Facets = field(default_factory=Facets)
    diagnoses: Mapping[str, Sequence[Diagnosis]] | None = None
    marks: Callable[[str, str], Collection[str]] | None = None


def parse_filter(text: str) -> Expression:
    """The expression that a text stands for.

    Raises:
        ConfigError: it is not an expression; the message says where.
    """
    if len(text) > LONGEST:
        raise ConfigError(f"the filter has {len(text):,} characters; {LONGEST:,} are allowed")
    parser = _Parser(text)
    found = parser.any_of(0)
    if parser.at < len(parser.tokens):
        raise parser.wrong("“and” or “or”")
    return found


class _Parser:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.tokens: list[re.Match[str]] = []
        place = 0
        while text[place:].strip():
            token = _TOKEN.match(text, place)
            if token is None:
                raise ConfigError(f"the filter cannot be read from “{text[place:][:30].strip()}” "
                                  f"on; an example: {EXAMPLE}")  # fmt: skip
            self.tokens.append(token)
            place = token.end()

    def wrong(self, wanted: str) -> ConfigError:
        rest = self.text[self.tokens[self.at].start() :].strip()[:30] if self._is_left() else ""
        where = f"before “{rest}”" if rest else "at its end"
        return ConfigError(f"the filter lacks {wanted} {where}; an example: {EXAMPLE}")

    def _is_left(self) -> bool:
        return self.at < len(self.tokens)

    def _next(self, *wanted: str) -> bool:
        """Whether one of these comes next, which is then taken."""
        token = self.tokens[self.at] if self._is_left() else None
        found = token is not None and (token["word"] or token["sign"] or "").lower() in wanted
        self.at += found
        return found

    def any_of(self, depth: int) -> Expression:
        return self._joined("or", ("or",), self._all_of, depth)

    def _all_of(self, depth: int) -> Expression:
        return self._joined("and", ("and", ","), self._one, depth)

    def _joined(
        self, how: Literal["and", "or"], signs: tuple[str, ...], inner: Callable[[int], Expression],
        depth: int,
    ) -> Expression:  # fmt: skip
        parts = [inner(depth)]
        while self._next(*signs):
            parts.append(inner(depth))
        return parts[0] if len(parts) == 1 else Joined(how, tuple(parts))

    def _one(self, depth: int) -> Expression:
        if depth > _DEEPEST:
            raise ConfigError(f"the filter has more than {_DEEPEST} nested parentheses")
        if self._next("not"):
            return Joined("not", (self._one(depth + 1),))
        if self._next("("):
            inside = self.any_of(depth + 1)
            if not self._next(")"):
                raise self.wrong("a closing parenthesis")
            return inside
        return self._test()

    def _test(self) -> Test:
        name = self._words()
        if not name:
            raise self.wrong("the name of a value")
        token = self.tokens[self.at] if self._is_left() else None
        if token is None or not token["op"]:
            if name.lower() in _DOUBT:
                return Test(_DOUBT[0])
            raise self.wrong(f"a comparison after “{name[:30]}”")
        self.at += 1
        value = self._words()
        if not value and not self.tokens[self.at - 1]["quoted"]:
            raise self.wrong(f"a value after “{name[:30]} {token['op']}”")
        return Test(name, _SAME.get(token["op"], token["op"]), value)

    def _words(self) -> str:
        """Words up to the next sign, with the spaces between them; quotes come off."""
        found = ""
        end = None
        while self._is_left():
            token = self.tokens[self.at]
            if token["op"] or token["sign"] or (token["word"] or "").lower() in ("and", "or"):
                break
            found += self.text[end : token.start()] if end is not None else ""
            shown = token.group()
            found += shown[: len(shown) - len(shown.lstrip())] if end is not None else ""
            found += (token["quoted"] or token["word"]).strip('"')
            end = token.end()
            self.at += 1
        return found


def and_also(text: str, term: str) -> str:
    """The filter with one more test."""
    if not text.strip():
        return term
    parsed = parse_filter(text)
    is_or = isinstance(parsed, Joined) and parsed.how == "or"
    return f"({text}) and {term}" if is_or else f"{text} and {term}"


def without(text: str, term: str) -> str:
    """The filter without a test that ``and_also`` has put there."""
    left = re.sub(rf"(?:^|\s+and\s+){re.escape(term)}(?=$|\s+and\s)", "", text).strip()
    return re.sub(r"^and\s+", "", left)


def filter_study(study: Study, text: str, known: Known | None = None) -> Study:
    """The study on the pages that fit an expression.

    Where the metadata are of outputs (a prompt, a model), outputs that do not fit go as well.

    Raises:
        ConfigError: it cannot be read, asks for what is not known, or no page fits.
    """
    known = known or Known()
    parsed = parse_filter(text)
    fitting = {system: _fits(parsed, _Rows(study, system, known)) for system in study.scores}
    kept = {
        page_id
        for system, rows in fitting.items()
        for page_id in study.table(system).page_ids[rows]
    }
    if not kept:
        raise ConfigError(f"no page matches the filter “{text}”; all pages are shown")
    left = study.only(pages=[page_id for page_id in study.page_ids if page_id in kept])
    # What is written about these pages says which they are.
    name, warnings = f"{left.dataset.name}, {text}", left.dataset.warnings
    if _asks_for_results(parsed, known):
        warnings = (*warnings, DataWarning(text, WarningKind.BY_RESULT))
    left = replace(left, dataset=replace(left.dataset, name=name, warnings=warnings))
    if not known.facets.of_output:
        return left
    tables = {system: study.table(system).take(rows) for system, rows in fitting.items()}
    return replace(left, scores={name: table for name, table in tables.items() if len(table)})


def _asks_for_results(one: Expression, known: Known) -> bool:
    if isinstance(one, Joined):
        return any(_asks_for_results(part, known) for part in one.parts)
    name = one.name.lower().rpartition(".")[2]
    is_kind = name == "kind" and ("kind" not in known.facets.names or _names_kind(one))
    return is_kind or not one.op or name in _METRIC_OF


@dataclass(frozen=True, slots=True)
class _Rows:
    """The pages of a system, of which an expression is asked."""

    study: Study
    system: str
    known: Known

    @property
    def page_ids(self) -> list[str]:
        found: list[str] = self.study.table(self.system).page_ids.tolist()
        return found


def _fits(one: Expression, rows: _Rows) -> BoolArray:
    """Which rows fit, shape (pages of the system,)."""
    if isinstance(one, Test):
        return _asked(one, rows)
    parts = [_fits(part, rows) for part in one.parts]
    if one.how == "not":
        return ~parts[0]
    joined: BoolArray = (np.logical_and if one.how == "and" else np.logical_or).reduce(parts)
    return joined


def _asked(test: Test, rows: _Rows) -> BoolArray:
    answered = _answer(test, test.name, rows)
    if answered is not None:
        return answered
    system, _, name = test.name.rpartition(".")
    other = next((one for one in rows.study.scores if one.lower() == system.lower()), None)
    if other is not None:
        of_other = _answer(test, name, replace(rows, system=other))
        if of_other is not None:
            page_ids = rows.study.table(other).page_ids
            fits = dict(zip(page_ids, of_other.tolist(), strict=True))
            return np.array([fits.get(one, False) for one in rows.page_ids], dtype=bool)
    names = dict.fromkeys(("words", "kind", "in doubt", "mark", "page", *rows.known.facets.names,
                           *rows.known.facets.columns))  # fmt: skip
    raise ConfigError(
        f"a filter cannot ask for “{test.name}”; it can ask for wer and the other metrics, "
        f"{', '.join(names)}"
    )


def _answer(test: Test, name: str, rows: _Rows) -> BoolArray | None:
    """Which rows fit a test; None where there is no such value."""
    lowered = name.lower()
    table = rows.study.table(rows.system)
    if not test.op:
        if rows.known.diagnoses is None:
            raise _not_looked()
        tables = [rows.study.table(one) for one in rows.study.scores]
        doubted = {page for one in tables for page in one.page_ids[one.doubted]}
        return np.array([page_id in doubted for page_id in rows.page_ids], dtype=bool)
    metric = _METRIC_OF.get(lowered)
    if metric is not None:
        values = page_values(table, metric)
        scale = 1.0 if METRICS[metric].scale == "correlation" else 100.0
        # 7 errors of 100 are 7 per cent: as floating point has it, they are a little more.
        return _compared(np.round(values * scale, 9), test)
    if lowered == "words":
        return _compared(table.counts["n_ref_words"].astype(float), test)
    # A table of pages may have a column of that name, too: then the value tells which is meant.
    facet = next((one for one in rows.known.facets.names if one.lower() == lowered), None)
    if facet is not None and not (lowered == "kind" and _names_kind(test)):
        of = rows.known.facets.value
        return _text(([of(facet, one, rows.system)] for one in rows.page_ids), test)
    if lowered == "page":
        return _text(([one] for one in rows.page_ids), test)
    if lowered == "kind":
        return _text(_kinds(test, rows), replace(test, op=_CONTAINS.get(test.op, test.op)))
    if lowered == "mark":
        marks = rows.known.marks or (lambda *_: ())
        return _text((marks(one, rows.system) for one in rows.page_ids), test)
    column = next((one for one in rows.known.facets.columns if one.lower() == lowered), None)
    if column is not None:
        cells = rows.known.facets.columns[column]
        return _text(([cells.get(one) or UNKNOWN] for one in rows.page_ids), test)
    return None


_CONTAINS = {"=": "~", "!=": "!~"}
"""Kinds are asked for by some of their words."""


def _kinds(test: Test, rows: _Rows) -> Iterator[Collection[str]]:
    if rows.known.diagnoses is None:
        raise _not_looked()
    if not _names_kind(test):
        raise ConfigError(f"no kind of fault is called “{test.value}”; there are "
                          f"{', '.join(kind.value for kind in EventKind)}")  # fmt: skip
    found = {
        one.page_id: {event.kind.value for event in one.events}
        for one in rows.known.diagnoses.get(rows.system, ())
    }
    return (found.get(page_id, ()) for page_id in rows.page_ids)


def _names_kind(test: Test) -> bool:
    return any(test.value.lower() in kind.value.lower() for kind in EventKind)


def _not_looked() -> ConfigError:
    return ConfigError("nobody has looked for faults yet, and the filter asks for them")


def _compared(values: np.ndarray, test: Test) -> BoolArray:
    try:
        limit = float(test.value.rstrip(" %").replace("−", "-"))
        compare = _ORDERED[test.op]
    except (ValueError, KeyError):
        raise ConfigError(
            f"“{test.name} {test.op} {test.value}” compares with no number; give one, such as "
            f"{test.name} > 20"
        ) from None
    found: BoolArray = compare(values, limit)  # type: ignore[assignment, arg-type]
    return found & ~np.isnan(values)


def _text(values: Iterator[Collection[str]], test: Test) -> BoolArray:
    """Which rows have a value that fits; "!=" fits where none is equal."""
    wanted = test.value.lower()
    if test.op in ("=", "!="):
        found = [any(one.lower() == wanted for one in of) for of in values]
    elif test.op in ("~", "!~"):
        found = [any(wanted in one.lower() for one in of) for of in values]
    else:
        numbers = ([_number(one) for one in of] for of in values)
        limit, compare = _number(test.value), _ORDERED[test.op]
        found = [any(compare(one, limit) for one in of) for of in numbers]
    fits = np.array(found, dtype=bool)
    return ~fits if test.op.startswith("!") else fits


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


_METRIC_OF = {
    **{name.lower(): name for name in METRICS},
    **{metric.label.lower(): name for name, metric in METRICS.items()},
}
