"""What is found out about a data set: stories of pages, comparisons, words, each computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from htreval_core import (
    Dataset,
    Page,
    ScoredPage,
    Settings,
    Study,
    score_page,
)
from htreval_core.compare import Comparison, Pairwise, compare_all, compare_systems
from htreval_core.diagnosis import (
    Diagnosis,
    Layout,
    diagnose_page,
    page_layout,
    repair_page,
    suspect_references,
)
from htreval_core.diagnosis.bands import Band, page_bands
from htreval_core.diagnosis.suspect import Suspicion, displaced_everywhere, running_upward
from htreval_core.metrics.kinds import n_moved
from htreval_core.metrics.page import score_words
from htreval_core.scoring.ladder import Rung, score_ladder
from htreval_core.words.buckets import BucketRow, score_buckets
from htreval_core.words.confusions import Confusion, char_confusions
from htreval_core.words.outcomes import WordOutcomes, word_outcomes
from htreval_ui.data import dataset, page_of
from htreval_ui.scoring import LONG, long_pages, study
from htreval_ui.store import Store


def scored_page(key: str, settings: Settings, page_id: str, system: str) -> ScoredPage:
    """One page with its alignments, under settings that may differ from the study's (γ)."""
    page = page_of(key, settings, page_id)
    return _scored_page(key, settings.signature(), page_id, system, page, settings)


@st.cache_resource(max_entries=64, show_spinner=False)
def _scored_page(
    key: str, signature: str, page_id: str, system: str, _page: Page, _settings: Settings
) -> ScoredPage:
    kept = long_pages().get((key, signature, page_id, system))
    return kept or score_page(
        _page.reference, _page.hypotheses[system], _settings, page_id=page_id, system=system
    )


@st.cache_resource(max_entries=128, show_spinner=False)
def _at_gamma(
    words: tuple[tuple[str, ...], tuple[str, ...]],
    signature: str,
    _page: ScoredPage,
    _settings: Settings,
) -> ScoredPage:
    return score_words(
        _page.scores.page_id, _page.scores.system, _page.reference, _page.hypothesis, _settings
    )


def at_gamma(page: ScoredPage, settings: Settings) -> ScoredPage:
    """The page as it stands, repaired or not, matched at another γ."""
    words = (page.reference.words, page.hypothesis.words)
    return _at_gamma(words, settings.signature(), page, settings)


def ladder(key: str, settings: Settings) -> list[Rung]:
    """All scores as one switch of the text policy after another is thrown."""
    return _ladder(key, settings.signature(), dataset(key, settings.reading), settings)


@st.cache_resource(max_entries=8, show_spinner="Scoring under each switch")
def _ladder(key: str, signature: str, _dataset: Dataset, _settings: Settings) -> list[Rung]:
    return score_ladder(_dataset.pages, _settings)


@dataclass(frozen=True)
class Story:
    """A page with what went wrong on it."""

    page: ScoredPage
    layout: Layout
    diagnosis: Diagnosis

    @cached_property
    def bands(self) -> list[Band]:
        return page_bands(self.layout, self.diagnosis)

    @cached_property
    def n_moved(self) -> int:
        """Words that were read right and matched in another place."""
        return n_moved(self.page)


@st.cache_resource(max_entries=1, show_spinner=False)
def _stories() -> Store[Story]:
    return Store(size=64)


def story(key: str, settings: Settings, page_id: str, system: str) -> Story:
    """The page as it was read, with its diagnosis."""
    place = (key, settings.signature(), page_id, system)
    told = _stories().get(place)
    if told is None:
        told = _tell(scored_page(key, settings, page_id, system), page_of(key, settings, page_id))
        _stories().put(place, told)
    return told


def is_told(key: str, settings: Settings, page_id: str, system: str) -> bool:
    """Whether the story of a page is there at once: it is short, or somebody has looked before."""
    n_words = len(scored_page(key, settings, page_id, system).reference.words)
    is_long = n_words > LONG
    return not is_long or bool(_stories().get((key, settings.signature(), page_id, system)))


def _tell(scored: ScoredPage, page: Page) -> Story:
    layout = page_layout(scored)
    return Story(scored, layout, diagnose_page(scored, page.reference, layout))


def repaired(key: str, settings: Settings, told: Story, events: frozenset[int]) -> Story:
    """The page as it would be with some of its events put right."""
    groups = tuple(
        group
        for number, event in enumerate(told.diagnosis.events)
        if number in events
        for group in event.groups
    )
    scores = told.page.scores
    if not groups:
        return told
    return _repaired(
        key, settings.signature(), scores.page_id, scores.system, groups, told, settings
    )


@st.cache_resource(max_entries=32, show_spinner=False)
def _repaired(
    key: str,
    signature: str,
    page_id: str,
    system: str,
    groups: tuple[int, ...],
    _told: Story,
    _settings: Settings,
) -> Story:
    page = repair_page(_told.page, _told.layout, groups, _settings)
    return _tell(page, page_of(key, _settings, page_id))


def diagnoses(key: str, settings: Settings) -> dict[str, tuple[Diagnosis, ...]]:
    """The diagnosis of every page of every system."""
    return _diagnoses(key, settings.signature(), study(key, settings))


@st.cache_resource(max_entries=8, show_spinner="Looking for layout failures")
def _diagnoses(key: str, signature: str, _study: Study) -> dict[str, tuple[Diagnosis, ...]]:
    return diagnose(_study)


def suspicions(key: str, settings: Settings) -> list[Suspicion]:
    """References that may themselves be out of order."""
    return _suspicions(key, settings.signature(), study(key, settings), settings)


@st.cache_resource(max_entries=8, show_spinner=False)
def _suspicions(key: str, signature: str, _study: Study, _settings: Settings) -> list[Suspicion]:
    return suspect_references(_study.pages.values(), diagnoses(key, _settings))


def page_suspicions(key: str, settings: Settings, page_id: str) -> list[Suspicion]:
    """The same for one page, of which every system's diagnosis is at hand."""
    page = page_of(key, settings, page_id)
    found = [story(key, settings, page_id, system).diagnosis for system in page.hypotheses]
    return [*displaced_everywhere(page_id, found), *running_upward(page)]


def comparison(key: str, settings: Settings, a: str, b: str) -> Comparison:
    """How system B differs from system A.

    Raises:
        ConfigError: they have no page in common.
    """
    return _comparison(key, settings.signature(), a, b, study(key, settings))


@st.cache_resource(max_entries=32, show_spinner=False)
def _comparison(key: str, signature: str, a: str, b: str, _study: Study) -> Comparison:
    return compare_systems(_study, a, b)


def pairwise(key: str, settings: Settings) -> Pairwise:
    """Every two systems of a data set.

    Raises:
        ConfigError: no two of them have a page in common.
    """
    return _pairwise(key, settings.signature(), study(key, settings))


@st.cache_resource(max_entries=8, show_spinner="Comparing every two systems")
def _pairwise(key: str, signature: str, _study: Study) -> Pairwise:
    return compare_all(_study)


def outcomes(key: str, settings: Settings, systems: tuple[str, ...]) -> WordOutcomes:
    """What became of every reference word in these systems.

    Raises:
        ConfigError: no page that all of them have read.
    """
    return _outcomes(key, settings.signature(), systems, study(key, settings))


@st.cache_resource(max_entries=8, show_spinner="Following every word")
def _outcomes(key: str, signature: str, systems: tuple[str, ...], _study: Study) -> WordOutcomes:
    return word_outcomes(_study, systems)


def buckets(key: str, settings: Settings, systems: tuple[str, ...]) -> tuple[BucketRow, ...]:
    """Where these systems lose words."""
    return _buckets(key, settings.signature(), systems, outcomes(key, settings, systems))


@st.cache_resource(max_entries=8, show_spinner=False)
def _buckets(
    key: str, signature: str, systems: tuple[str, ...], _outcomes: WordOutcomes
) -> tuple[BucketRow, ...]:
    return score_buckets(_outcomes)


def confusions(
    key: str, settings: Settings, systems: tuple[str, ...], system: str
) -> tuple[Confusion, ...]:
    """Characters that one of these systems takes for others, on the pages that all have read."""
    found = outcomes(key, settings, systems)
    return _confusions(key, settings.signature(), systems, system, found)


@st.cache_resource(max_entries=16, show_spinner=False)
def _confusions(
    key: str, signature: str, systems: tuple[str, ...], system: str, _outcomes: WordOutcomes
) -> tuple[Confusion, ...]:
    return char_confusions(_outcomes, system)
