"""An audit as text, JSON and CSV."""

import math
from collections.abc import Sequence

from htreval_core.audits.audit import Audit
from htreval_core.audits.model import PageAudit
from htreval_core.show.tables.summary import signed
from htreval_core.show.tables.values import (
    JsonValue,
    aligned,
    as_json,
    csv_text,
    fields,
    fraction,
    plain,
)
from htreval_core.show.telling.audits import NOTE, tell_audit, tell_page, tell_system
from htreval_core.show.telling.counting import percent

_FIRST = 20


def audit_text(found: Audit) -> str:
    """The systems, and the pages that are worth a look first."""
    lines = [plain(tell_audit(found)), NOTE, ""]
    lines += [f"  {plain(tell_system(found, system))}" for system in found.systems]
    lines += ["", "How far two systems differ, in % of the mean length of the two:", ""]
    rows = [["", "WER", "bWER", "ΔWER", "order"]]
    for one, _ in found.betweens:
        shares = (one.wer, one.bwer, one.delta_wer, one.order_cost)
        rows.append([plain(" and ".join(one.systems)), *map(percent, shares)])
    lines += aligned(rows)
    lines += [
        "", f"Pages to look at first ({min(_FIRST, len(found.pages))} of {len(found.pages):,}):",
    ]  # fmt: skip
    for page in found.ranked[:_FIRST]:
        apart = ", ".join(
            f"{plain(system)} {percent(share)}" for system, share in page.apart.items()
        )
        ranked = f"risk {percent(page.risk)}, apart by {percent(page.mean_apart)}"
        lines += ["", f"{plain(page.page_id)}: {ranked} ({apart or '–'})"]
        lines += [f"  {plain(said)}" for said in tell_page(page)]
    return signed(lines, found.signature)


def audit_json(found: Audit) -> str:
    """Everything, page by page; word positions count from 0, ends exclusive, lines from 1."""
    content: dict[str, JsonValue] = {
        "signature": found.signature,
        "note": NOTE,
        "systems": {
            system: {
                "apart": fraction(found.mean_apart(system)),
                "apart_by_order": fraction(found.mean_apart(system, by_order=True)),
                "sentence": tell_system(found, system),
            }
            for system in found.systems
        },
        "families": dict(found.families),
        "alike": [
            {"systems": list(one.systems), "or": list(one.others), "shared": fraction(one.shared)}
            for one in found.alike
        ],
        "pages": [_page_json(page) for page in found.ranked],
        "failures": [{"page_id": one.page_id, "reason": one.reason} for one in found.failures],
    }
    return as_json(content)


def _page_json(page: PageAudit) -> JsonValue:
    return {
        "page_id": page.page_id,
        **fields(page, "risk mean_apart", fraction),
        "n_words": dict(page.n_words),
        "apart": {system: fraction(share) for system, share in page.apart.items()},
        "apart_by_order": {
            system: fraction(share) for system, share in page.apart_by_order.items()
        },
        "pairs": [
            {"systems": list(one.systems), **fields(one, "different bag order length"),
             **fields(one, "wer bwer delta_wer order_cost", fraction)}
            for one in page.pairs
        ],
        "marks": [
            {"sign": one.sign.value, "system": one.system, "words": one.words, "told": one.told,
             "span": None if one.span is None else list(one.span)}
            for one in page.marks
        ],
        "suspects": [
            {"kind": one.kind.value, "system": one.system, "holder": one.holder,
             "span": list(one.span), "lines": list(one.lines), "words": one.words,
             "text": one.text, "others": list(one.others)}
            for one in page.suspects
        ],
        "abstains": page.abstains,
    }  # fmt: skip


def audit_csv(found: Audit) -> str:
    """A row for each page and two systems."""
    head: Sequence[object] = (
        "page_id", "risk", "system_a", "system_b", "n_words_a", "n_words_b", "wer", "bwer",
        "delta_wer", "order_cost", "apart_a", "apart_b", "marks", "suspects",
        "mean_apart",
    )  # fmt: skip
    rows: list[Sequence[object]] = [head]
    for page in found.ranked:
        for one in page.pairs:
            a, b = one.systems
            own = {a, b}
            rows.append(
                (
                    page.page_id, page.risk, a, b, *one.n_words, one.wer, one.bwer, one.delta_wer,
                    one.order_cost, page.apart.get(a, math.nan), page.apart.get(b, math.nan),
                    sum(mark.system in own for mark in page.marks),
                    sum(suspect.system in own for suspect in page.suspects), page.mean_apart,
                )
            )  # fmt: skip
    return csv_text(rows)
