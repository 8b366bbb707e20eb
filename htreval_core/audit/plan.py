"""From an audit to what a person does next: predictions, pages to check, claims."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from htreval_core.audit.audit import Audit
from htreval_core.audit.calibration import Calibration, Coverage, calibrate, check_coverage
from htreval_core.audit.claims import Certificate, certify, sample_size
from htreval_core.audit.features import features_of, true_of
from htreval_core.audit.model import ABOVE, AT_MOST, CONFIDENCE
from htreval_core.audit.sampling import ToCheck, pages_to_check


@dataclass(frozen=True, slots=True)
class Prediction:
    """What pages with a reference say of a system's bWER and order cost on those without.

    Args:
        coverage: how intervals fared on pages whose reference was hidden, at random.
    """

    system: str
    bwer: Calibration
    order: Calibration
    coverage: Coverage


@dataclass(frozen=True, slots=True)
class Plan:
    """The pages that a person should check, and what may be claimed from them.

    Args:
        needed: how many pages, all of them good, the claim takes.
        drawn: the random sample, and the riskiest pages beside it.
        certificates: of each system the claim, where all drawn pages have a reference.
        above: from which bWER on a page is bad.
        at_most: the share of bad pages that is claimed.
    """

    needed: int
    drawn: ToCheck
    certificates: Mapping[str, Certificate]
    above: float
    at_most: float
    confidence: float


def predict(found: Audit) -> tuple[Prediction, ...]:
    """The values of pages without a reference, of each system that has pages with one."""
    predictions: list[Prediction] = []
    for system in found.systems:
        bwer = true_of(found, system)
        features = features_of(found, system)
        if not bwer or len(bwer) == len(features.page_ids):
            continue
        order = true_of(found, system, order=True)
        predictions.append(
            Prediction(
                system, calibrate(features, bwer), calibrate(features, order),
                check_coverage(features, bwer),
            )
        )  # fmt: skip
    return tuple(predictions)


def plan(
    found: Audit,
    *,
    n_pages: int | None = None,
    riskiest: int = 0,
    seed: int = 0,
    above: float = ABOVE,
    at_most: float = AT_MOST,
    confidence: float = CONFIDENCE,
) -> Plan:
    """Which pages to check for the claim that few pages are bad.

    Args:
        n_pages: how many to draw; as many as the claim takes by default, all of them good.
        riskiest: how many of the riskiest pages to name besides; they enter no claim.
        above: from which bWER on a page is bad.
        at_most: the share of bad pages that is claimed.
    """
    total = len(found.pages)
    needed = sample_size(at_most, confidence, n_pages=total)
    risk = {page.page_id: 0.0 if math.isnan(page.risk) else page.risk for page in found.pages}
    drawn = pages_to_check(risk, min(n_pages or needed, total), seed, riskiest=riskiest)
    what = f"bWER above {100 * above:g} %"
    certificates: dict[str, Certificate] = {}
    for system in found.systems:
        true = true_of(found, system)
        if drawn.page_ids and all(page_id in true for page_id in drawn.page_ids):
            bad = {page_id: true[page_id] > above for page_id in drawn.page_ids}
            certificates[system] = certify(drawn, bad, what, at_most, confidence)
    return Plan(needed, drawn, certificates, above, at_most, confidence)
