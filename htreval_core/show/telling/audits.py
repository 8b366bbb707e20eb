"""An audit in sentences. Nothing in it is an error: there is no truth to err against."""

import math
from collections import Counter
from collections.abc import Iterator

from htreval_core.audits.audit import Audit
from htreval_core.audits.model import Kind, PageAudit, Suspect
from htreval_core.show.telling.counting import counted, percent, tell_lines

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
    broken = f"on {counted(marked, 'page')} an output looks broken by itself" if marked else ""
    lone = (
        f"on {counted(suspected, 'page')} one system alone has or lacks text" if suspected else ""
    )
    told = " and ".join(filter(None, (broken, lone)))
    told = told or "no output looks broken by itself, and none alone has or lacks text"
    said += f"{told[:1].upper()}{told[1:]}."
    if alone:
        said += f" Nothing can be said about {counted(alone, 'page')} read by a single system."
    read = {one: sum(one in page.n_words for page in found.pages) for one in found.systems}
    if min(read.values(), default=n_pages) < n_pages:
        each = ", ".join(f"{one} {n:,}" for one, n in read.items())
        said += (
            f" Not every system has read every page ({each}), so their values are not of the same "
            "pages."
        )
    n_voices = len({found.families.get(one, one) for one in found.systems})
    if n_voices == 2:
        two = "families" if found.families else "systems"
        said += (
            f" With two {two} nobody can tell which is wrong where they differ, or see what both "
            "misread: each is charged with half of the differences."
        )
    elif n_voices > 2:
        said += " Where two differ, the one that also differs from the others is charged."
    for one in found.alike:
        pairs = " or ".join(" and ".join(of) for of in (one.systems, one.others) if of)
        said += (
            f" {pairs} seem to err alike, in {_percent(one.shared)} of the words: name them as a "
            "family, and they share one vote."
        )
    return said


def tell_system(found: Audit, system: str) -> str:
    """How far a system stands apart, and what of it is suspicious."""
    if not any(system in page.n_words for page in found.pages):
        return f"{system} has read none of these pages."
    apart, order = found.mean_apart(system), found.mean_apart(system, by_order=True)
    kinds = {kind: found.n_suspects(system, kind) for kind in Kind}
    signs = Counter(one.sign for page in found.pages for one in page.marks if one.system == system)
    apart_by = f"{_percent(apart)} of words, {_percent(order)} in order"
    said = [f"{system} stands apart from the others in about {apart_by}"]
    if math.isnan(apart):
        said = [f"{system} is the only system on its pages, so there is nothing to compare it with"]
    for kind, count in kinds.items():
        if kind is Kind.ONE_OF_TWO and count:
            said.append(f"{counted(count, 'passage')} that it has and the other lacks")
        elif count:
            said.append(f"{count:,} × {kind.value}")
    said += [f"{sign.value} on {counted(count, 'page')}" for sign, count in signs.items()]
    return "; ".join(said) + "."


def tell_page(page: PageAudit) -> Iterator[str]:
    """What is suspicious about a page, a sentence each."""
    for mark in page.marks:
        yield f"{mark.system}: {mark.sign.value}. {mark.told}"
    for one in page.suspects:
        yield tell_suspect(one)
    if page.abstains:
        yield "The systems differ too much here to suspect any one of them."


def tell_suspect(one: Suspect) -> str:
    """A run that one system alone has or lacks."""
    where = f"{tell_lines(one.lines)} of {one.holder}"
    others = " and ".join(one.others)
    if one.kind is Kind.OMISSION:
        said = f"{one.system} may have left out what {others} have"
    elif one.kind is Kind.REPETITION:
        said = f"{one.holder} has text once more than {others}"
        if len(one.others) == 1:
            said += ", which may have left it out"
    elif one.kind is Kind.INVENTION:
        said = f"{one.system} may have made up what neither {others.replace(' and ', ' nor ')} has"
        if len(one.others) == 1:
            said = f"{one.system} may have made up text that {others} lacks"
    else:
        said = (
            f"{one.holder} has text that {others} lacks: one made it up, or the other left it out"
        )
    return f"{said}: {counted(one.words, 'word')}, {where}: “{one.text}”"


def _percent(value: float) -> str:
    return percent(value) + ("" if math.isnan(value) else " %")
