"""How much each switch of the text policy is worth: all scores as one after another is thrown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from htreval_core.metrics.catalog import METRICS
from htreval_core.model import Page
from htreval_core.scoring.pool import Corpus
from htreval_core.scoring.score import score
from htreval_core.settings import Settings
from htreval_core.text import HYPHENS, TextPolicy


@dataclass(frozen=True, slots=True)
class Rung:
    """The scores after one more switch.

    Args:
        label: what was switched, in words.
        policy: all switches thrown so far.
        corpora: the figures of each system under that policy.
    """

    label: str
    policy: TextPolicy
    corpora: Mapping[str, Corpus]


@dataclass(frozen=True, slots=True)
class Flip:
    """Two systems that change places from one rung to the next."""

    rung: int
    """The number of the rung on which the new order first holds."""
    metric: str
    now_better: str
    now_worse: str


def ladder_policies(start: TextPolicy) -> Iterator[tuple[str, TextPolicy]]:
    """The policies of the ladder, each with one switch more than the one before.

    Switches that the start has thrown already, and a mapping that it does not name, are passed
    over.
    """
    yield "as set", start
    policy = start
    switches: list[tuple[str, dict[str, object]]] = [
        ("case ignored", {"ignore_case": True}),
        ("punctuation ignored", {"ignore_punctuation": True}),
        (
            "line-end hyphens joined",
            {"join_hyphens": tuple(HYPHENS.values()), "drop_soft_hyphens": True},
        ),
        ("ſ read as s", {"long_s": True}),
        ("ligatures unfolded (NFKC)", {"form": "NFKC", "ligatures": True}),
    ]
    for label, switch in switches:
        changed = replace(policy, **switch)  # type: ignore[arg-type]
        if changed != policy:
            policy = changed
            yield label, policy


def score_ladder(
    pages: Sequence[Page],
    settings: Settings,
    *,
    mapping: tuple[tuple[str, str], ...] = (),
    executor: Executor | None = None,
) -> list[Rung]:
    """All scores of all systems on every rung; the mapping, if there is one, is the last."""
    steps = list(ladder_policies(settings.policy))
    if mapping and not settings.policy.mapping:
        steps.append(("private-use characters mapped", replace(steps[-1][1], mapping=mapping)))
    return [
        Rung(
            label,
            policy,
            score(pages, replace(settings, policy=policy), executor=executor).corpora,
        )
        for label, policy in steps
    ]


def rank_flips(rungs: Sequence[Rung], metric: str) -> list[Flip]:
    """Where two systems change places; a tie is no change of places."""
    flips = []
    systems = list(rungs[0].corpora) if rungs else []
    pairs = [(a, b) for n, a in enumerate(systems) for b in systems[n + 1 :]]
    for a, b in pairs:
        last = 0
        for number, rung in enumerate(rungs):
            gap = rung.corpora[a].estimates[metric].value - rung.corpora[b].estimates[metric].value
            sign = 0 if math.isnan(gap) else (gap > 0) - (gap < 0)
            if METRICS[metric].higher_is_better:
                sign = -sign
            if sign and last and sign != last:
                better, worse = (b, a) if sign > 0 else (a, b)
                flips.append(Flip(number, metric, better, worse))
            last = sign or last
    return sorted(flips, key=lambda flip: flip.rung)
