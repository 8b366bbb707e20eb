"""How much each switch of the text policy is worth: all scores as one after another is thrown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from htreval_core.metrics.catalog import METRICS
from htreval_core.model import Dataset, DataWarning
from htreval_core.scoring.pool import Corpus
from htreval_core.scoring.score import Gathered, Progress, score
from htreval_core.scoring.study import Study
from htreval_core.scoring.workers import Workers
from htreval_core.settings import Settings
from htreval_core.text import HYPHENS, TextPolicy


@dataclass(frozen=True, slots=True)
class Rung:
    """The scores after one more switch.

    Args:
        label: what was switched, in words.
        policy: all switches thrown so far.
        study: the pages scored under that policy.
    """

    label: str
    policy: TextPolicy
    study: Study

    @property
    def corpora(self) -> Mapping[str, Corpus]:
        """The values of each system under that policy."""
        return self.study.corpora


@dataclass(frozen=True, slots=True)
class Crossing:
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
    dataset: Dataset,
    settings: Settings,
    *,
    mapping: tuple[tuple[str, str], ...] = (),
    workers: Workers | None = None,
    progress: Progress | None = None,
    begun: Callable[[Settings], Gathered] | None = None,
) -> list[Rung]:
    """All scores of all systems on every rung; the mapping, if there is one, is the last.

    Args:
        begun: gives what is scored already under the settings of a rung, and takes the rest.
    """
    steps = list(ladder_policies(settings.policy))
    if mapping and not settings.policy.mapping:
        steps.append(("private-use characters mapped", replace(steps[-1][1], mapping=mapping)))
    return [
        Rung(
            label,
            policy,
            score(
                dataset,
                replace(settings, policy=policy),
                workers=workers,
                progress=_part(number, len(steps), progress),
                gathered=begun(replace(settings, policy=policy)) if begun else None,
            ),
        )
        for number, (label, policy) in enumerate(steps)
    ]


def _part(step: int, n_steps: int, progress: Progress | None) -> Progress | None:
    """The progress of one step as part of that of all."""
    if progress is None:
        return None
    return lambda done, total: progress(step * total + done, n_steps * total)


def ladder_warnings(rungs: Sequence[Rung]) -> tuple[DataWarning, ...]:
    """What is to be known of the data on any rung, each thing once."""
    return tuple(dict.fromkeys(one for rung in rungs for one in rung.study.warnings))


def ladder_crossings(rungs: Sequence[Rung], metric: str) -> list[Crossing]:
    """Where two systems change places; a tie is no change of places."""
    found = []
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
                found.append(Crossing(number, metric, better, worse))
            last = sign or last
    return sorted(found, key=lambda flip: flip.rung)
