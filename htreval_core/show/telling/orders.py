"""Strict and admissible order, and conventions, as sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from htreval_core.model import PageScores
from htreval_core.scoring.conventions import LEAST_PAGES, Conventions, KindPlaces, Place
from htreval_core.scoring.pool import Corpus


def tell_admissible(scores: PageScores) -> str:
    """ΔWER as the reference has it and at least, of a page; empty where these are the same.

    Rates in points, as ΔWER is: differences of percentages.
    """
    best, n_words = scores.admissible_errors, scores.n_ref_words
    if best is None or best == scores.wer.errors or not n_words:
        return ""
    bag = scores.bwer.errors
    rates = [100 * (errors - bag) / n_words for errors in (scores.wer.errors, best)]
    spared = 100 * (scores.wer.errors - best) / n_words
    said = (
        f"ΔWER {rates[0]:.1f} as the reference has it, {rates[1]:.1f} in the best order that the "
        f"page allows: {spared:.1f} are a matter of convention."
    )
    bound = scores.admissible_bound
    if bound is not None and bound < best:
        least = 100 * (bound - bag) / n_words
        said += (
            f" No order can be below {least:.1f}; whether one is better than this is not proved."
        )
    return said


def tell_admissible_corpus(corpus: Corpus) -> str:
    """The same of a system on all pages."""
    strict, best = (corpus.estimates[name].value for name in ("delta_wer", "delta_wer_admissible"))
    if math.isnan(strict) or math.isnan(best) or best >= strict:
        return ""
    return (
        f"ΔWER {100 * strict:.1f} as the reference has it, {100 * best:.1f} in the best orders "
        f"that the pages allow: {100 * (strict - best):.1f} are a matter of convention."
    )


def tell_conventions(found: Conventions, systems: Sequence[str]) -> Iterator[str]:
    """Where the reference and each system put each kind of text, in a sentence for each kind."""
    for one in found.kinds:
        if one.pages >= LEAST_PAGES:
            yield _tell_kind(one, systems)
    few = [one for one in found.kinds if one.pages < LEAST_PAGES]
    if few:
        names = ", ".join(f"{one.kind} ({one.pages})" for one in few)
        yield f"On fewer than {LEAST_PAGES} pages, too few for a convention: {names}."


def _tell_kind(one: KindPlaces, systems: Sequence[str]) -> str:
    said = [f"the reference has it {_where(one.convention(), one.reference)}"]
    for system in systems:
        places = one.systems.get(system, {})
        n_read = sum(places.values())
        if not n_read:
            said.append(f"{system} has not read it")
            continue
        elsewhere = one.elsewhere[system]
        apart = f", {elsewhere} of {n_read} elsewhere than the reference" if elsewhere else ""
        said.append(f"{system} reads it {_where(one.convention(system), places)}{apart}")
    mark = " Its place is a matter of convention here." if one.is_convention else ""
    return f"{one.kind}, {one.blocks} on {one.pages} pages: {'; '.join(said)}.{mark}"


def _where(place: Place | None, counts: Mapping[Place, int]) -> str:
    total = sum(counts.values())
    if place is not None:
        return f"{place.value} ({counts[place]} of {total})"
    told = ", ".join(f"{count} {place.value}" for place, count in counts.items() if count)
    return f"now here, now there ({told})" if told else "nowhere"
