"""How much each switch of markup and text is worth: all scores as one after another is thrown."""

import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from htreval_core.metrics.catalog import METRICS
from htreval_core.model import DataWarning
from htreval_core.scoring.diagnoses import diagnose
from htreval_core.scoring.pool import Corpus
from htreval_core.scoring.score import Progress, score
from htreval_core.scoring.study import Study
from htreval_core.scoring.workers import Processes
from htreval_core.settings import ReadPolicy, Settings
from htreval_core.sources.dataset import Dataset
from htreval_core.text import HYPHENS, TextPolicy


@dataclass(frozen=True, slots=True)
class Rung:
    """The scores after one more switch.

    Args:
        label: what was switched, in words.
        study: the pages scored with all switches thrown so far.
    """

    label: str
    study: Study

    @property
    def corpora(self) -> Mapping[str, Corpus]:
        """The values of each system under that policy, on the pages that all of them have read."""
        return self.study.on_common_pages().corpora


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
        # Before case: folding it reads ſ as s, too.
        ("ſ read as s", {"long_s": True}),
        ("case ignored", {"ignore_case": True}),
        ("punctuation ignored", {"ignore_punctuation": True}),
        (
            "line-end hyphens joined",
            {"join_hyphens": tuple(HYPHENS.values()), "drop_soft_hyphens": True},
        ),
        ("ligatures unfolded (NFKC)", {"form": "NFKC", "ligatures": True}),
    ]
    for label, switch in switches:
        changed = replace(policy, **switch)  # type: ignore[arg-type]
        if changed != policy:
            policy = changed
            yield label, policy


_RULES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_CONVERSIONS = {label: tuple(rules.split()) for label, rules in _RULES.items()}
"""What is taken off files step by step, each step on top of those before."""
Reread: TypeAlias = Callable[[ReadPolicy], Dataset | None]
"""The same files read otherwise; None where there are only their texts."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a rung scores."""

    label: str
    dataset: Dataset
    settings: Settings


def ladder_steps(
    dataset: Dataset, settings: Settings, *, mapping: tuple[tuple[str, str], ...] = (),
    reread: Reread | None = None,
) -> list[Step]:  # fmt: skip
    """What each rung of the ladder scores.

    Where files hold markup, the first rungs take it off step by step, and the last of those is what
    is set. Then follow the switches of the text policy, and the mapping if there is one.
    """
    steps = _conversions(dataset, settings, reread) if reread else []
    set_at = len(steps) - 1
    if steps and "heads" not in settings.reading.markup:
        reading = settings.reading
        bare = replace(reading, markup=(*reading.markup, "heads"))
        last = _step("running heads off", replace(settings, reading=bare), dataset, reread)
        if last and not _same_texts(last.dataset, steps[set_at].dataset):
            steps.append(last)
    dataset, settings = (steps[-1].dataset, steps[-1].settings) if steps else (dataset, settings)
    policies = list(ladder_policies(settings.policy))
    if mapping and not settings.policy.mapping:
        policies.append(
            ("private-use characters mapped", replace(policies[-1][1], mapping=mapping))
        )
    steps += [
        Step(label, dataset, replace(settings, policy=policy))
        for label, policy in policies[1 if steps else 0 :]
    ]
    return steps


def _conversions(dataset: Dataset, settings: Settings, reread: Reread) -> list[Step]:
    """The steps that differ, from the files as they are written to what is set."""
    found: list[Step] = []
    rules: tuple[str, ...] = ()
    for label, more in _CONVERSIONS.items():
        rules += tuple(rule for rule in more if rule in settings.reading.markup)
        reading = replace(settings.reading, markup=rules)
        step = _step(label, replace(settings, reading=reading), dataset, reread)
        if step is None or (not found and _same_texts(step.dataset, dataset)):
            return []
        if not found or not _same_texts(step.dataset, found[-1].dataset):
            found.append(step)
    return [*found[:-1], Step(found[-1].label, dataset, settings)] if len(found) > 1 else []


def _step(label: str, settings: Settings, dataset: Dataset, reread: Reread | None) -> Step | None:
    found = reread(settings.reading) if reread else None
    # Of pages that were narrowed the same; a page that cannot be read so ends the steps.
    if found is None or any(page_id not in found for page_id in dataset.page_ids):
        return None
    return Step(label, found.only(dataset.systems, dataset.page_ids), settings)


def _same_texts(one: Dataset, other: Dataset) -> bool:
    return all(
        [line.text for line in a.lines] == [line.text for line in b.lines]
        for page, same in zip(one.pages, other.pages, strict=False)
        for a, b in (
            (page.reference, same.reference),
            *((text, same.hypotheses.get(name, text)) for name, text in page.hypotheses.items()),
        )
    )


def score_ladder(
    dataset: Dataset, settings: Settings, *, mapping: tuple[tuple[str, str], ...] = (),
    reread: Reread | None = None, steps: Sequence[Step] | None = None,
    workers: Processes | None = None, progress: Progress | None = None,
) -> list[Rung]:  # fmt: skip
    """All scores of all systems on every rung.

    The mapping, if there is one, is the last switch. After it WER and bWER stand without the errors
    of words divided or joined; no other metric is different there.

    Args:
        reread: reads the same files by other rules, for the rungs that take off markup.
        steps: what ``ladder_steps`` found, where somebody has asked before.
    """
    steps = steps or ladder_steps(dataset, settings, mapping=mapping, reread=reread)
    n_steps = len(steps) + 1
    rungs = [
        Rung(step.label, score(step.dataset, step.settings, workers=workers,
                               progress=_part(number, n_steps, progress)))
        for number, step in enumerate(steps)
    ]  # fmt: skip
    return [*rungs, _put_right(rungs[-1].study, workers, _part(len(steps), n_steps, progress))]


def _put_right(study: Study, workers: Processes | None, progress: Progress | None) -> Rung:
    """The rung on which words divided or joined are no errors."""
    n_pages = study.dataset.n_pages
    told = progress and (lambda done, total: progress(done * n_pages // total, n_pages))
    found = diagnose(study, conventions=False, workers=workers, progress=told)
    scores = {
        system: table.on({one.page_id for one in found[system]}).without_spaces()
        for system, table in study.with_parts(found).scores.items()
    }
    return Rung("spaces put right", replace(study, scores=scores))


def _part(step: int, n_steps: int, progress: Progress | None) -> Progress | None:
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
    for a, b in combinations(systems, 2):
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
