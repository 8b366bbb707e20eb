"""Which files belong together, and what was read from them."""

from collections.abc import Iterable

from htreval_core.model import DataWarning
from htreval_core.show.tables.values import JsonValue, as_json, fields, plain
from htreval_core.show.telling.counting import counted
from htreval_core.show.telling.warnings import tell_passed_over, tell_warning
from htreval_core.sources.dataset import Unpaired
from htreval_core.sources.pairing import Pairing
from htreval_core.sources.suggest import suggest_pairs


def pairing_json(pairing: Pairing) -> str:
    """Which files would be paired, as JSON."""
    content: dict[str, JsonValue] = {
        "rule": pairing.rule,
        "systems": list(pairing.systems),
        "pages": [
            {"page_id": page.page_id, "reference": page.reference.name,
             "hypotheses": {name: file.name for name, file in page.hypotheses.items()}}
            for page in pairing.pages
        ],
        "unpaired": unpaired_json(pairing.unpaired),
        "passed_over": list(pairing.passed_over),
        "suggestions": [
            {**fields(one.pair, "system output page_id"), "file": one.file}
            for one in suggest_pairs(pairing)
        ],
        "warnings": warnings_json(pairing.warnings),
    }  # fmt: skip
    return as_json(content)


def pairing_table(pairing: Pairing) -> str:
    """Which files would be paired, in a line for each page."""
    lines = [f"{counted(len(pairing.pages), 'page')} by {plain(pairing.rule)}"]
    for page in pairing.pages:
        files = [page.reference.name, *(file.name for file in page.hypotheses.values())]
        lines.append(f"  {plain(page.page_id)}: " + "  ".join(map(plain, files)))
    for page_id in pairing.unpaired.reference:
        lines.append(f"  without output: {plain(page_id)}")
    for system, page_ids in pairing.unpaired.hypothesis.items():
        lines += [f"  without reference, {plain(system)}: {plain(page)}" for page in page_ids]
    lines += [f"  {plain(one.question)}" for one in suggest_pairs(pairing)]
    passed_over = tell_passed_over(pairing.passed_over)
    lines += [plain(passed_over)] if passed_over else []
    return "\n".join(lines) + "\n"


def unpaired_json(unpaired: Unpaired) -> JsonValue:
    """Pages without a counterpart, by side."""
    return {
        "reference": list(unpaired.reference),
        "hypothesis": {name: list(pages) for name, pages in unpaired.hypothesis.items()},
    }


def warnings_json(warnings: Iterable[DataWarning]) -> JsonValue:
    """Every warning under the file, page or data set that it is about, none summed up."""
    by_file: dict[str, list[JsonValue]] = {}
    for one in warnings:
        told: dict[str, JsonValue] = {"kind": one.kind.value, "detail": list(one.detail)}
        told |= {"count": one.count, "told": tell_warning(one)}
        by_file.setdefault(one.file, []).append(told)
    return dict(by_file)
