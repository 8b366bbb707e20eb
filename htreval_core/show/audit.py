"""An audit in sentences. Nothing in it is an error: there is no truth to err against."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from htreval_core.audit.audit import Audit
from htreval_core.audit.model import Kind, PageAudit, Suspect
from htreval_core.audit.plan import Plan, Prediction
from htreval_core.show.tables.values import percent
from htreval_core.show.telling.counting import counted, tell_lines

NOTE = (
    "Systems are compared with each other. No figure here is an error rate: where all systems "
    "misread a word alike, nothing shows."
)


def tell_audit(found: Audit) -> str:
    """What was looked at, and how much of it is worth a look, in a sentence or two."""
    n_pages = len(found.pages)
    alone = sum(len(page.n_words) < 2 for page in found.pages)
    marked = sum(bool(page.marks) for page in found.pages)
    suspected = sum(bool(page.suspects) for page in found.pages)
    said = f"{counted(n_pages, 'page')} read by {counted(len(found.systems), 'system')}. "
    said += f"{counted(marked, 'page')} with a sign that needs no comparison, "
    said += f"{counted(suspected, 'page')} with text that one system alone has or lacks."
    if alone:
        said += f" {counted(alone, 'page')} by a single system, which nothing can be said of."
    return said


def tell_system(found: Audit, system: str) -> str:
    """How far a system stands apart, and what of it is suspicious."""
    apart, order = found.mean_apart(system), found.mean_apart(system, by_order=True)
    kinds = {kind: found.n_suspects(system, kind) for kind in Kind}
    signs = Counter(one.sign for page in found.pages for one in page.marks if one.system == system)
    said = [f"{system} stands apart by {_percent(apart)} of words, {_percent(order)} in order"]
    said += [f"{count:,} × {kind.value}" for kind, count in kinds.items() if count]
    said += [f"{sign.value} on {counted(count, 'page')}" for sign, count in signs.items()]
    return "; ".join(said) + "."


def tell_page(page: PageAudit) -> Iterator[str]:
    """What is suspicious about a page, a sentence each."""
    for mark in page.marks:
        yield f"{mark.system}: {mark.sign.value}. {mark.told}"
    for one in page.suspects:
        yield tell_suspect(one)
    if page.abstains:
        yield "The systems differ too much here for any run to be suspected of one of them."


def tell_suspect(one: Suspect) -> str:
    """A run that one system alone has or lacks."""
    where = f"{tell_lines(one.lines)} of {one.holder}"
    others = " and ".join(one.others)
    if one.kind is Kind.OMISSION:
        said = f"{one.system} may have left out what {others} have"
    elif one.kind is Kind.INVENTION:
        said = f"{one.system} may have made up what neither {others.replace(' and ', ' nor ')} has"
        if len(one.others) == 1:
            said = f"{one.system} may have made up what {others} has not"
    else:
        said = f"{one.holder} has what {others} has not: one made it up, or the other left it out"
    return f"{said}: {counted(one.words, 'word')}, {where}: “{one.text}”"


def tell_prediction(one: Prediction) -> Iterator[str]:
    """What pages with a reference say of a system on those without, and how far that held.

    Of order only single pages are predicted: few pages have much of it, and an interval of the mean
    that is learnt from some of them is far too short.
    """
    mean = one.bwer.mean
    learnt = counted(one.bwer.n_calibration, "page")
    if math.isnan(mean.low):
        yield (
            f"{one.system}: {learnt} with a reference are too few to predict bWER on the others. "
            f"{one.bwer.told}".rstrip()
        )
        return
    yield (
        f"{one.system}: predicted bWER of the {counted(mean.n_pages, 'page')} without a reference "
        f"{_percent(mean.value)} ({_percent(mean.low)} to {_percent(mean.high)}), learnt from "
        f"{learnt}."
    )
    if not one.coverage.told:
        yield (
            f"{one.system}: with references hidden at random {_percent(one.coverage.share)} of the "
            f"true values lay inside their {100 * one.coverage.level:.0f} % intervals "
            f"({counted(one.coverage.splits, 'split')} of {one.coverage.n_held_out} pages held "
            "out)."
        )


def tell_plan(made: Plan) -> Iterator[str]:
    """Which pages to check, for which claim, and whether it holds."""
    claimed = (
        f"at most {100 * made.at_most:g} % of pages are above {100 * made.above:g} % bWER, with "
        f"{100 * made.confidence:g} % confidence"
    )
    drawn = made.drawn
    yield (
        f"To claim that {claimed}: check {counted(made.needed, 'page')} drawn at random, none of "
        f"which may be above. Drawn with seed {drawn.seed}: {', '.join(drawn.page_ids)}."
    )
    if len(drawn.page_ids) < made.needed:
        yield (
            f"{counted(len(drawn.page_ids), 'page')} cannot carry this claim, even if all are "
            f"good: it takes {counted(made.needed, 'page')}."
        )
    if drawn.riskiest:
        yield (
            f"Besides, as most worth a look, and no part of any claim: {', '.join(drawn.riskiest)}."
        )
    for system, certificate in made.certificates.items():
        claim = certificate.claim
        holds = "holds" if claim.holds else "does not hold"
        yield (
            f"{system}: the claim {holds}. {claim.n_bad} of {claim.n_checked} checked pages are "
            f"above, so at most {_percent(claim.bound)} of all are; certificate "
            f"{certificate.signature[:16]}."
        )
    if not made.certificates:
        yield "The claim can be judged once all of these pages have a reference."


def _percent(value: float) -> str:
    return percent(value) + ("" if math.isnan(value) else " %")
