"""An experiment on the open data: references spoiled on purpose, and scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import streamlit as st

from htreval_core import Page
from htreval_core.lab.experiments import (
    REPEATS,
    Experiment,
    Point,
    experiment_signature,
    points_frame,
    run_experiment,
)
from htreval_core.scoring.score import n_chars
from htreval_core.show.plotly import figure_experiment
from htreval_core.show.views.opened import Opened
from htreval_ui.sections.charts import chart

_QUICK = 1_000_000
"""Characters, times points, that are tried within five seconds or so."""
_TRIED = "tried"


@dataclass
class _Tried:
    key: tuple[str, str, tuple[str, ...]]
    coming: Iterator[Point]
    points: list[Point] = field(default_factory=list)


def show_experiment(experiment: Experiment, opened: Opened) -> None:
    """What is tried, and the picture; every further run makes it finer."""
    study = opened.study
    pages = _few(study.dataset.pages, len(experiment.values))
    key = (experiment.name, study.signature, study.page_ids)
    tried: _Tried | None = st.session_state.get(_TRIED)
    if tried is None or tried.key != key:
        tried = _Tried(key, run_experiment(experiment, pages, study.settings))
    runs = len(tried.points) // len(experiment.values)
    knobs, picture = st.columns([1, 3], gap="medium")
    with knobs:
        st.markdown(f"**{experiment.question}**")
        run = st.button(
            "Run it again, for finer curves" if runs else "Run", type="primary", key="run",
            icon=":material/play_arrow:", width="stretch", disabled=runs == REPEATS,
        )  # fmt: skip
        of = f"{len(pages):,} of {len(study.page_ids):,} pages"
        times = "once" if runs == 1 else f"{runs} times"
        st.caption(f"{of}, each value tried {times}" if runs else of)
    with picture:
        if run:
            st.session_state[_TRIED] = tried
            bar = st.progress(0.0, "Spoiling and scoring the pages")
            for point in islice(tried.coming, len(experiment.values)):
                tried.points.append(point)
                done = len(tried.points) - runs * len(experiment.values)
                bar.progress(done / len(experiment.values))
            st.rerun()
        if not runs:
            st.caption(
                "The references of your data are spoiled on purpose, letter by letter or line by "
                "line, and scored. What was done is known, so it shows how well metrics see it. "
                "Dashed lines are what theory expects. The output of systems plays no part."
            )
            return
        signature = experiment_signature(experiment, study.settings, repeats=runs)
        chart(
            figure_experiment(experiment, tried.points), f"experiment_{experiment.name}",
            experiment.title, table=points_frame(tried.points).assign(signature=signature),
        )  # fmt: skip


def _few(pages: Iterable[Page], points: int) -> list[Page]:
    """The first pages of which a run takes a few seconds, one at least."""
    few: list[Page] = []
    characters = 0
    for page in pages:
        characters += n_chars(page.reference)
        if few and characters * points > _QUICK:
            break
        few.append(page)
    return few
