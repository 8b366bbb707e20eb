"""A study that is looked at, and what was found out about it, each thing once."""

import base64
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, TypeVar

from htreval_core import Study
from htreval_core.audits.audit import Audit, audit, with_stand_in
from htreval_core.compare import Comparison, Pairwise, compare_all, compare_systems
from htreval_core.diagnosis import CatastropheRow, count_catastrophes, suspect_references
from htreval_core.diagnosis.corpus.suspect import Suspicion
from htreval_core.diagnosis.look import Look
from htreval_core.diagnosis.model import Diagnosis
from htreval_core.model import PageUnder
from htreval_core.run.mark_files import tags_of
from htreval_core.run.marks import Mark
from htreval_core.scoring.clusters import Clusters
from htreval_core.scoring.diagnoses import diagnose
from htreval_core.scoring.facets import FacetRow, Facets, score_facets
from htreval_core.scoring.filters import Known, filter_study
from htreval_core.scoring.found import Diagnoses
from htreval_core.scoring.ladder import Reread, Rung, score_ladder
from htreval_core.scoring.score import LONG, random_order, score
from htreval_core.show.telling.decision import diagnosed_on
from htreval_core.show.views.store import Store
from htreval_core.sources.images import image_credit, thumbnail
from htreval_core.text import TextPolicy
from htreval_core.words.confusions import Confusion, char_confusions
from htreval_core.words.crops import line_crops, word_crops
from htreval_core.words.lines import WorstLine, worst_lines
from htreval_core.words.outcomes import WordOutcomes, word_outcomes

T = TypeVar("T")
Systems = tuple[str, ...]
SIDE = 1600
"""Pixels of the longer side of a page's image: enough to read it enlarged."""
_STAMP = 96


class Opened:
    """A study with results that live as long as it does.

    Args:
        study: the scored data set; once its pages are diagnosed, with what that found.
        waiting: shows for what somebody waits, as long as it takes.
        side: pixels of the longer side of a page's image.
    """

    def __init__(
        self, study: Study, waiting: Callable[[str], AbstractContextManager[object]] = nullcontext,
        side: int = SIDE,
    ) -> None:  # fmt: skip
        self.study = study
        self._waiting = waiting
        self._side = side
        self._looks: Store[Look] = Store(size=64)
        self._repaired: Store[Look] = Store(size=32)
        self._images: Store[str] = Store(size=16)
        self._miniatures: Store[str] = Store(size=64)
        self._crops: Store[str] = Store(size=4000)
        self._found: Store[Any] = Store(size=32)
        self._told: dict[PageUnder, Diagnosis] = {}
        self._kept = study.diagnosed

    def look(self, page_id: str, system: str) -> Look:
        """A page under a system, with all that was found about it so far.

        Where all pages were diagnosed, with what the other pages and systems say of it.
        """
        told = self._told.get((page_id, system))
        look = self._looks.once((page_id, system), lambda: self.study.look(page_id, system))
        if told is None or look.told is told:
            return look
        look = replace(look, told=told)
        self._looks.put((page_id, system), look)
        return look

    def is_quick(self, page_id: str, system: str) -> bool:
        """Whether the diagnosis of a page is there at once: it is short, or was looked at."""
        look = self.look(page_id, system)
        return look.page.scores.n_ref_words <= LONG or "diagnosis" in vars(look)

    def put_right(self, look: Look, events: frozenset[int]) -> Look:
        """The page as it would be with some of its events put right."""
        if not events:
            return look
        scores = look.page.scores
        key = (scores.page_id, scores.system, events)
        return self._repaired.once(key, lambda: look.put_right(events))

    def image(self, page_id: str) -> str | None:
        """The image of a page as a ``data:`` address, made small; None without an image."""
        return self._small(page_id, self._images, self._side)

    def credit(self, page_id: str) -> str:
        """Whom the image of a page is from, as it says itself; empty where it does not."""
        _, _, content = (self.image(page_id) or "").partition(",")
        return image_credit(base64.b64decode(content)) if content else ""

    def miniature(self, page_id: str) -> str | None:
        """The image of a page as small as a stamp; None without an image."""
        return self._small(page_id, self._miniatures, _STAMP)

    def _small(self, page_id: str, kept: Store[str], side: int) -> str | None:
        image = self.study.dataset.images.get(page_id)
        if image is None:
            return None
        return kept.once(page_id, lambda: _jpeg_address(thumbnail(image, side))) or None

    def word_crops(self, outcomes: WordOutcomes, numbers: Sequence[int]) -> dict[int, str]:
        """The ink of words as addresses; those without a place or an image are not in it."""
        ids = outcomes.page_ids
        places = {
            ("word", ids[outcomes.page_of[one]], int(outcomes.word_index[one])): one
            for one in numbers
        }
        return self._cut(places, lambda some: word_crops(outcomes, some))

    def line_crops(self, lines: Sequence[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """The same of lines of references, each by its page and its number from 1."""
        places = {("line", *one): one for one in lines}
        return self._cut(places, lambda some: line_crops(self.study, some))

    def _cut(
        self, places: Mapping[Any, T], cut: Callable[[list[T]], Mapping[T, bytes]]
    ) -> dict[T, str]:
        """The pieces of images that are cut out, by the keys under which they are kept."""
        new = {key: one for key, one in places.items() if self._crops.get(key) is None}
        pieces = cut(list(new.values())) if new else {}
        for key, one in new.items():
            self._crops.put(key, _jpeg_address(pieces.get(one)))
        return {one: address for key, one in places.items() if (address := self._crops.get(key))}

    def knows(self, what: object) -> bool:
        """Whether it is there at once: "ladder", "diagnoses", or ("outcomes", systems)."""
        return self._found.get(what) is not None

    def take_kept(self) -> None:
        """Take over the diagnoses that the run bundle keeps, where it keeps any."""
        kept, self._kept = self._kept, None
        found = None if kept is None else kept.read()
        if isinstance(found, Diagnoses):
            self.diagnoses(found)

    def ladder(self, rungs: list[Rung] | None = None, reread: Reread | None = None) -> list[Rung]:
        """All scores as one switch of the text policy after another is thrown.

        Args:
            rungs: as somebody else has found them; found now where they are not there.
            reread: reads the same files by other rules.
        """
        study = self.study
        return self.once(
            "ladder", "Scoring under each switch",
            lambda: rungs or score_ladder(study.dataset, study.settings, reread=reread),
        )  # fmt: skip

    def told(self) -> Diagnoses | None:
        """The diagnoses, where they are there at once."""
        return self.diagnoses() if self.knows("diagnoses") else None

    def diagnoses(self, found: Diagnoses | None = None) -> Diagnoses:
        """The diagnosis of every page of every system; from then on the scores have its parts."""

        def find() -> Diagnoses:
            made = diagnose(self.study) if found is None else found
            told = {(one.page_id, system): one for system, of in made.items() for one in of}
            self.study, self._told = self.study.with_parts(made), told
            return made

        return self.once("diagnoses", "Looking for layout faults", find)

    def catastrophes(self, study: Study | None = None) -> list[CatastropheRow]:
        """The pages of each system that a fault took over; none before pages are diagnosed."""
        if not self.knows("diagnoses"):
            return []
        shown = study or self.study
        return self.once(
            ("catastrophes", shown.page_ids), "",
            lambda: count_catastrophes(self.faults_of(shown, self.diagnoses())),
        )  # fmt: skip

    def taken_over(self, system: str) -> list[str]:
        """Pages of a system that a fault took over, the worst first."""
        return [page for row in self.catastrophes() if row.system == system for page in row.pages]

    def suspicions(self) -> list[Suspicion]:
        """References that may themselves be out of order."""
        found = self.diagnoses()
        return self.once(
            "suspicions", "",
            lambda: suspect_references(self.study.page_ids, found, found.upward),
        )  # fmt: skip

    def comparison(self, a: str, b: str) -> Comparison:
        """How system B differs from system A."""
        return self.once(("comparison", a, b), "", lambda: compare_systems(self.study, a, b))

    def shown(self, *, all_pages: bool) -> Study:
        """The study whose values are shown: of the pages that all systems have read, or of all."""
        return self.study if all_pages else self.study.on_common_pages()

    def narrowed(self, where: str, facets: Facets, marks: Sequence[Mark]) -> "Opened":
        """The study on the pages that fit an expression, with what was found about them."""
        known = Known(facets, self.told(), tags_of(marks))
        key = ("narrowed", where, facets.digest, tuple(marks), self.knows("diagnoses"))
        return self.once(key, "", lambda: self._of(filter_study(self.study, where, known)))

    def drawn(self, systems: Systems, n_pages: int) -> "Opened":
        """The study on some pages, drawn at random from those that all these systems have read."""
        of_all = frozenset.intersection(*map(self.study.pages_of, systems))
        order = random_order(sorted(of_all), self.study.settings.seed)
        pages = frozenset(order[:n_pages])
        key = ("drawn", pages, self.knows("diagnoses"))
        kept = [page_id for page_id in self.study.page_ids if page_id in pages]
        return self.once(key, "", lambda: self._of(self.study.only(pages=kept)))

    def in_clusters(self, clusters: Clusters) -> "Opened":
        """The study with intervals and tests over these clusters of pages."""
        key = ("clusters", clusters.name, self.knows("diagnoses"))
        return self.once(key, "", lambda: self._of(self.study.in_clusters(clusters)))

    def _of(self, study: Study) -> "Opened":
        """Another study of pages of this one, with what was found about them."""
        left = Opened(study, self._waiting, self._side)
        if self.knows("diagnoses"):
            left.diagnoses(self.faults_of(study, self.diagnoses()))
        return left

    def audit(self, stand_in: str) -> Audit:
        """The systems compared with each other.

        Args:
            stand_in: the system whose output the reference is; empty where it is no output.
        """
        data = self.study.dataset
        pages = (with_stand_in(page, stand_in) if stand_in else page for page in data.pages)
        systems = (*((stand_in,) if stand_in else ()), *data.systems)
        return self.once(
            ("audit", stand_in), "Comparing systems",
            lambda: audit(pages, systems, self.study.settings, name=data.name),
        )  # fmt: skip

    def by_facet(self, study: Study, facets: Facets, name: str) -> list[FacetRow]:
        """Corpus values of the study that is shown, by the values of a facet."""
        key = ("by facet", name, facets.digest, study.page_ids)
        return self.once(key, "", lambda: score_facets(study, facets, [name]))

    def worst_lines(self, systems: Systems) -> list[WorstLine]:
        """The lines with most errors of these systems."""
        return self.once(
            ("worst lines", systems), "Looking for the worst lines",
            lambda: worst_lines(self.study, systems),
        )  # fmt: skip

    def faults_of(self, study: Study, found: Diagnoses) -> Diagnoses:
        """The diagnoses of the pages of a study that was narrowed."""
        return found if study is self.study else diagnosed_on(found, study)

    def pairwise(self, study: Study) -> Pairwise:
        """Every two systems of the study that is shown."""
        key = ("pairwise", study.page_ids)
        return self.once(key, "Comparing all pairs of systems", lambda: compare_all(study))

    def as_written(self, shown: Study) -> Mapping[str, float]:
        """WER where nothing is done to the texts; empty where nothing is done."""
        settings = self.study.settings
        if settings.policy == TextPolicy():
            return {}
        # Nothing is shown of the intervals.
        plain = replace(settings, policy=TextPolicy(), resamples=1)
        found = self.once(
            "as written", "Comparing the texts as they are written",
            lambda: replace(score(self.study.dataset, plain), kept={}),
        )  # fmt: skip
        corpora = found.only(shown.systems, shown.page_ids).corpora
        return {name: corpus.estimates["wer"].value for name, corpus in corpora.items()}

    def outcomes(self, systems: Systems, found: WordOutcomes | None = None) -> WordOutcomes:
        """What became of every reference word in these systems."""
        return self.once(
            ("outcomes", systems), "Following every word",
            lambda: found or word_outcomes(self.study, systems, diagnoses=self.told()),
        )  # fmt: skip

    def confusions(self, systems: Systems, system: str) -> tuple[Confusion, ...]:
        """Characters that one of these systems takes for others, on pages that all have read."""
        return self.once(
            ("confusions", systems, system), "",
            lambda: char_confusions(self.outcomes(systems), system),
        )  # fmt: skip

    def once(self, key: object, saying: str, make: Callable[[], T]) -> T:
        """A result that is kept; what takes a while has a word for it."""

        def made() -> T:
            with self._waiting(saying) if saying else nullcontext():
                return make()

        found: T = self._found.once(key, made)
        return found


def _jpeg_address(jpeg: bytes | None) -> str:
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode('ascii')}" if jpeg else ""
