"""One page under one system, looked at closely: each thing found once."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import entry_points

from htreval_core.diagnosis.diagnose import diagnose_layout, repair_page
from htreval_core.diagnosis.model import Diagnosis
from htreval_core.diagnosis.order.bands import Band, page_bands
from htreval_core.diagnosis.order.groups import Layout
from htreval_core.diagnosis.order.layout import page_layout
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.metrics.page import ScoredPage
from htreval_core.metrics.spaces import Regrouping
from htreval_core.model import SourceFile, Transcript
from htreval_core.settings import Settings


@dataclass(frozen=True, eq=False)
class Look:
    """A scored page with what is found when somebody looks at it.

    Args:
        page: its counts, its trace and its matching.
        reference: the reference as it was read, for lines, regions and outlines.
        hypothesis: the output as it was read, for the same.
        settings: those of the scoring.
        told: its diagnosis, where other pages and systems had a say in it.
        image: that of the page, where there is one.
    """

    page: ScoredPage
    reference: Transcript
    hypothesis: Transcript
    settings: Settings
    told: Diagnosis | None = None
    image: SourceFile | None = None

    def __repr__(self) -> str:
        scores = self.page.scores
        return f"<Look at {scores.page_id!r} under {scores.system!r}>"

    def _repr_html_(self) -> str | None:
        """The page as the Page view shows it, in a notebook."""
        # What draws it is declared in pyproject.toml: a look knows nothing of how it is drawn.
        draw = next(iter(entry_points(group="htreval.notebook", name="look")), None)
        return None if draw is None else str(draw.load()(self))

    @cached_property
    def ground(self) -> Ground:
        """The page under the words: lines, regions and boxes of both sides."""
        page = self.page
        trace = page.trace if self.settings.trace == "refined" else None
        return Ground(page.reference, page.hypothesis, self.reference, self.hypothesis, trace)

    @cached_property
    def layout(self) -> Layout:
        """The chunks of the page, and which of them were read out of order."""
        return page_layout(self.page, self.ground)

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """What went wrong, named and costed."""
        if self.told is not None and self._is_of_page(self.told):
            return self.told
        return diagnose_layout(self.page, self.ground, self.layout)

    @cached_property
    def regroupings(self) -> tuple[Regrouping, ...]:
        """Words divided or joined: those of the diagnosis, without all of it where it is not there.

        What they are does not depend on the best order that the page allows, which takes long.
        """
        if self.told is not None or "diagnosis" in vars(self):
            return self.diagnosis.regroupings
        found = diagnose_layout(self.page, self.ground, self.layout, conventions=False)
        return found.regroupings

    def _is_of_page(self, told: Diagnosis) -> bool:
        """Whether what was told, perhaps by a file, is of lines and groups that the page has."""
        events = told.events
        n_ref, n_hyp = len(self.reference.lines), len(self.hypothesis.lines)
        groups = max((group for event in events for group in event.groups), default=-1)
        return (
            all(line <= n_ref for event in events for line in event.reference_lines)
            and all(line <= n_hyp for event in events for line in event.hypothesis_lines)
            and (groups < 0 or groups < len(self.layout.groups))
        )

    @cached_property
    def bands(self) -> list[Band]:
        """Which stretches of the reference were read where."""
        return page_bands(self.layout, self.diagnosis)

    @cached_property
    def admissible_lines(self) -> tuple[int, ...]:
        """The reference lines in the best order that the page allows; none where it is its own."""
        page = self.page
        if page.admissible.is_strict:
            return ()
        line_of = page.reference.line_of
        lines = (line_of[word] for word in page.tree.words_in(page.admissible.order))
        return tuple(dict.fromkeys(lines))

    def put_right(self, events: Iterable[int]) -> "Look":
        """The page as it would be with some of its events, by number from 0, put right."""
        wanted = set(events)
        groups = tuple(
            group
            for number, event in enumerate(self.diagnosis.events)
            if number in wanted
            for group in event.groups
        )
        if not groups:
            return self
        page, output = repair_page(self.page, self.hypothesis, self.layout, groups, self.settings)
        return Look(page, self.reference, output, self.settings)
