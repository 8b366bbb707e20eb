"""Evaluations as the tables that pages show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from htreval_core import METRICS, Evaluation
from htreval_core.diagnosis import CensusRow, Diagnosis, Event
from htreval_core.ladder import Rung, rank_flips
from htreval_core.pairing import Pairing

_SHOWN = ("delta_wer", "bwer", "wer", "nsfd", "cer", "hwer", "hcer", "kendall_tau")


def page_table(
    evaluation: Evaluation,
    systems: Sequence[str],
    contains: str,
    at_least: int,
    diagnoses: Mapping[str, Sequence[Diagnosis]],
    kind: str,
) -> pd.DataFrame:
    """A row a page and system, the largest ΔWER first; rates in percent.

    Args:
        diagnoses: of every page, for the costliest failure in words; may be empty.
        kind: only pages with a failure of this kind; all if it is empty.
        systems: only these; all if there is none.
        contains: only pages whose name contains this, in either case.
        at_least: only pages with at least so many reference words.
    """
    frame = evaluation.to_frame()
    keep = frame["n_ref_words"] >= at_least
    if systems:
        keep &= frame["system"].isin(list(systems))
    if contains:
        keep &= frame["page_id"].str.contains(contains, case=False, regex=False)
    frame = frame[keep].sort_values(["delta_wer", "wer"], ascending=False, na_position="last")
    table = frame[["page_id", "system", "n_ref_words"]].rename(
        columns={"page_id": "page", "n_ref_words": "words"}
    )
    for name in _SHOWN:
        metric = METRICS[name]
        table[metric.label] = frame[name] * (1 if metric.scale == "correlation" else 100)
    found = {(page.page_id, page.system): page for pages in diagnoses.values() for page in pages}
    told = [found.get(key) for key in zip(table["page"], table["system"], strict=True)]
    if found:
        table.insert(
            4, "worst failure", [_in_brief(one.events, kind) if one else "" for one in told]
        )
        table.insert(5, "course", [list(one.course) if one else [] for one in told])
    if kind:
        fits = [_has(one, kind) for one in told]
        table = table[pd.Series(fits, index=table.index, dtype=bool)]
    return table.reset_index(drop=True)


def _has(diagnosis: Diagnosis | None, kind: str) -> bool:
    return diagnosis is not None and any(event.kind.value == kind for event in diagnosis.events)


def _in_brief(events: Sequence[Event], kind: str) -> str:
    """The costliest event of a page, of the given kind if there is one."""
    wanted = [event for event in events if not kind or event.kind.value == kind]
    return f"{wanted[0].kind.value}, {wanted[0].words} words" if wanted else ""


def census_frame(rows: Sequence[CensusRow]) -> pd.DataFrame:
    """The census of layout failures, the costliest first; WER in percent."""
    return pd.DataFrame(
        [
            {
                "failure": row.kind.value,
                "system": row.system,
                "words": row.words,
                "pages": row.pages,
                "events": row.events,
                "WER now": 100 * row.wer,
                "WER without it": 100 * row.wer_without,
            }
            for row in rows
        ]
    )


def ranking(evaluation: Evaluation, system: str) -> list[str]:
    """The pages of a system, the largest ΔWER first, as the Page view walks them."""

    def key(place: int) -> tuple[float, float, int]:
        scores = evaluation.scores[system][place]
        length = scores.n_ref_words or 1
        return (
            -(scores.wer.errors - scores.bwer.errors) / length,
            -scores.wer.errors / length,
            place,
        )

    of_system = evaluation.scores[system]
    return [of_system[place].page_id for place in sorted(range(len(of_system)), key=key)]


def pairing_frame(pairing: Pairing) -> pd.DataFrame:
    """What was paired with what; pages without a counterpart first."""
    rows: list[dict[str, str]] = [
        {"page": page, "reference": "yes", "state": "no output of this name: not scored"}
        for page in pairing.unpaired.reference
    ]
    for system, pages in pairing.unpaired.hypothesis.items():
        rows += [
            {"page": page, system: "yes", "state": "no reference of this name: not scored"}
            for page in pages
        ]
    rows += [
        {
            "page": page.page_id,
            "state": "paired",
            "reference": page.reference.name,
            **{system: file.name for system, file in page.hypotheses.items()},
        }
        for page in pairing.pages
    ]
    return pd.DataFrame(rows, columns=["page", "state", "reference", *pairing.systems]).fillna("")


def ladder_frame(rungs: Sequence[Rung], metric: str) -> pd.DataFrame:
    """A row a switch, a column a system: the metric in percent."""
    flips = rank_flips(rungs, metric)
    rows = []
    for number, rung in enumerate(rungs):
        passed = [f"{f.now_better} passes {f.now_worse}" for f in flips if f.rung == number]
        values = {s: 100 * c.estimates[metric].value for s, c in rung.corpora.items()}
        rows.append({"switch": rung.label, **values, "changes of place": ", ".join(passed)})
    return pd.DataFrame(rows)
