"""The scores under one switch of the text policy after another."""

from collections.abc import Sequence

from htreval_core.metrics.catalog import METRICS
from htreval_core.scoring.ladder import Rung, ladder_crossings, ladder_warnings
from htreval_core.settings import Settings
from htreval_core.show.tables.pairing import warnings_json
from htreval_core.show.tables.study import corpus_json
from htreval_core.show.tables.values import JsonValue, aligned, as_json, plain
from htreval_core.show.telling.counting import shown_value
from htreval_core.show.telling.pages import tell_pages


def ladder_json(rungs: Sequence[Rung], metrics: Sequence[str], settings: Settings) -> str:
    """The scores on every rung of the ladder, and where systems change places."""
    content: dict[str, JsonValue] = {
        "signature": settings.signature(),
        "n_pages": {system: corpus.n_pages for system, corpus in rungs[0].corpora.items()},
        "rungs": [
            {
                "label": rung.label,
                "signature": rung.study.settings.signature(),
                "systems": {
                    system: corpus_json(corpus, metrics) for system, corpus in rung.corpora.items()
                },
            }
            for rung in rungs
        ],
        "crossings": [
            {"rung": flip.rung, "metric": name, "better": flip.now_better, "worse": flip.now_worse}
            for name in metrics
            for flip in ladder_crossings(rungs, name)
        ],
        "warnings": warnings_json(ladder_warnings(rungs)),
    }
    return as_json(content)


def ladder_table(rungs: Sequence[Rung], metrics: Sequence[str]) -> str:
    """The scores on every rung of the ladder, in percent."""
    systems = list(rungs[0].corpora)
    lines = [f"{said}.", ""] if (said := tell_pages(rungs[0].study)) else []
    for name in metrics:
        lines.append(f"{METRICS[name].label}, %")
        rows = [["", *map(plain, systems), ""]]
        flips = ladder_crossings(rungs, name)
        for number, rung in enumerate(rungs):
            values = (rung.corpora[system].estimates[name].value for system in systems)
            passed = (
                f"{plain(flip.now_better)} passes {plain(flip.now_worse)}"
                for flip in flips
                if flip.rung == number
            )
            rows.append(
                [rung.label, *(shown_value(name, one) for one in values), ", ".join(passed)]
            )
        lines += aligned(rows)
        lines.append("")
    return "\n".join(lines)
