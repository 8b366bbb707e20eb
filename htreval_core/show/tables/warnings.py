"""What a reader of the values should know about the data, as JSON."""

from collections.abc import Iterable

from htreval_core.model import DataWarning
from htreval_core.show.tables.values import JsonValue
from htreval_core.show.telling.warnings import tell_warning


def warnings_json(warnings: Iterable[DataWarning]) -> JsonValue:
    """Every warning under the file, page or data set that it is about, none summed up."""
    by_file: dict[str, list[JsonValue]] = {}
    for one in warnings:
        told: dict[str, JsonValue] = {"kind": one.kind.value, "detail": list(one.detail)}
        told |= {"count": one.count, "told": tell_warning(one)}
        by_file.setdefault(one.file, []).append(told)
    return dict(by_file)
