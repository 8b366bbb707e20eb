"""What a site holds: the payloads of its views, each under the name of its file."""

import base64
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Any

import numpy as np

from htreval_core.compare import event_changes, page_differences
from htreval_core.diagnosis import take_census
from htreval_core.diagnosis.look import Look
from htreval_core.markup import isolated, shorten, visible
from htreval_core.run.marks import Mark
from htreval_core.scoring.facets import Facets
from htreval_core.settings import short_signature
from htreval_core.settings.version import __version__
from htreval_core.show.telling.texts import tell_wrong
from htreval_core.show.views.compare import answer_of, compare_payload
from htreval_core.show.views.errors import (
    TITLE,
    choose,
    errors_payload,
    lines_payload,
    tile_payloads,
)
from htreval_core.show.views.head import RANKS, first_system, ranking
from htreval_core.show.views.learn import REAL, learn_payload, real_page
from htreval_core.show.views.marks import said_payload
from htreval_core.show.views.names import short_names
from htreval_core.show.views.opened import Opened
from htreval_core.show.views.overview import DOUBT_OUT, overview_payload, told_of
from htreval_core.show.views.page import page_payload, whole_payload
from htreval_core.show.views.repairs import movable
from htreval_core.show.views.styles import style_payload
from htreval_core.show.views.threeway import threeway_payload
from htreval_core.words.confusions import confusions_of
from htreval_core.words.outcomes import WordOutcomes

_EVERY = 3
"""Events up to which a page is there with any of them put right: eight files at the most."""
_CROPS = 1000
"""Words of a system that are shown as they stand on the image."""
CHUNK = 100
"""Words whose pieces of the image are one file."""
_LINES = 60
_OF_HOST = ("pages", "place", "total", "rank", "ranks")
"""What the head of a page shows of the ranking, which the host knows for all pages."""
Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a study a site is to hold.

    Args:
        title: of the site.
        pages: those that can be opened, by id.
        images: whether it holds the images of pages and words.
        marks: what people said of pages, which the site shows.
    """

    title: str
    pages: frozenset[str]
    images: bool = True
    marks: Sequence[Mark] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    tab: str = ""
    find: str = ""
    which: str = ""
    sort: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """A site's files but for the scripts."""

    opened: Opened
    wanted: Wanted
    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, page_id: str) -> int:
        """The number of a page, by which its files are called: an id may hold anything."""
        if not self._numbers:
            self._numbers.update({one: n for n, one in enumerate(self.opened.study.page_ids)})
        return self._numbers[page_id]

    @property
    def pages(self) -> list[str]:
        """The pages that can be opened, in the order of the data."""
        return [one for one in self.opened.study.page_ids if one in self.wanted.pages]

    def of_study(self) -> Iterator[tuple[str, Payload]]:
        """What is about all pages, each payload under the name of its file."""
        yield "site", self.index()
        yield from self.overviews()
        yield from self.comparisons()
        yield from self.errors()
        yield "learn", learn_payload("", "", "", self._real())

    def _real(self) -> Payload | None:
        """The page on which Learn ends: that of the sample, else the worst that has a fault."""
        opened, study = self.opened, self.opened.study
        system = first_system(study)
        worst = ((one, system) for one in ranking(study, system, "delta_wer"))
        for page_id, of in (REAL, *worst) if self.wanted.images else ():
            if page_id in self.wanted.pages and of in study.systems:
                found = real_page(opened, page_id, of)
                if found:
                    return found
        return None

    def of_page(self, page_id: str) -> Iterator[tuple[str, Payload]]:
        """What is about a page: under each system, and under every two."""
        yield from self.page(page_id)
        study = self.opened.study
        for a, b in self._pairs():
            if page_id in study.pages_of(a) & study.pages_of(b):
                one, other = self.opened.look(page_id, a), self.opened.look(page_id, b)
                styles = [style_payload(study, system) for system in (a, b)]
                name = f"compare/{self._pair(a, b)}-{self.number(page_id):04}"
                yield name, _small(threeway_payload(one, other, styles, [page_id], 560))

    def image(self, page_id: str) -> tuple[str, bytes] | None:
        """The name and the bytes of the image of a page, as JPEG; None if it has no image."""
        if not self.wanted.images:
            return None
        _, _, content = (self.opened.image(page_id) or "").partition(",")
        return (self._image(page_id), base64.b64decode(content)) if content else None

    def _image(self, page_id: str) -> str:
        return f"images/{self.number(page_id):04}.jpg"

    def index(self) -> Payload:
        """What the host knows of all views."""
        opened, study = self.opened, self.opened.study
        best = first_system(study)
        return {
            "title": visible(shorten(self.wanted.title, 80)),
            "version": __version__,
            "signature": short_signature(study.signature),
            "systems": [
                {"name": one, "shown": isolated(shorten(visible(one), 40)),
                 **style_payload(study, one)}
                for one in study.systems
            ],
            "pages": list(map(list, zip(study.page_ids, short_names(study.page_ids), strict=True))),
            "open": [self.number(one) for one in self.pages],
            "first": study.systems.index(best),
            "ranks": [list(pair) for pair in RANKS.items()],
            "orders": [
                {rank: [self.number(page) for page in
                        ranking(study, one, rank, opened.taken_over(one))] for rank in RANKS}
                for one in study.systems
            ],
            "pairs": [list(map(study.systems.index, pair)) for pair in self._pairs()],
            "without": [key for key, _ in self._narrowed()],
        }  # fmt: skip

    def _pairs(self) -> list[tuple[str, str]]:
        study = self.opened.study
        return [
            (a, b)
            for a, b in permutations(study.systems, 2)
            if study.pages_of(a) & study.pages_of(b)
        ]

    def _pair(self, a: str, b: str) -> str:
        systems = self.opened.study.systems
        return f"{systems.index(a)}-{systems.index(b)}"

    def _narrowed(self) -> list[tuple[str, Opened]]:
        """The study on all pages, and on those whose reference is not in doubt, if that differs."""
        every = [("", self.opened)]
        doubted = [self.opened.study.table(one).doubted for one in self.opened.study.systems]
        if not any(one.any() for one in doubted) or all(one.all() for one in doubted):
            return every
        return [*every, ("doubt", self.opened.narrowed(DOUBT_OUT, Facets(), ()))]

    def overviews(self) -> Iterator[tuple[str, Payload]]:
        """The Overview by each ranking of each system, with and without pages in doubt."""
        for key, opened in self._narrowed():
            whole = opened.study
            study = opened.shown(all_pages=False)
            pairwise = opened.pairwise(study) if study.shares_pages else None
            faults = opened.faults_of(study, opened.diagnoses())
            census, catastrophes = take_census(faults), opened.catastrophes(study)
            said = told_of(whole, study, pairwise, census, catastrophes, opened.as_written(study))
            for system in study.systems:
                number = self.opened.study.systems.index(system)
                for rank in RANKS:
                    yield f"overview/{key or 'all'}-{number}-{rank}", overview_payload(
                        study, said, pairwise, faults, census, chosen=system, rank=rank,
                        where=DOUBT_OUT if key else "", catastrophes=catastrophes,
                        miniature=opened.miniature if self.wanted.images else lambda _: None,
                    )  # fmt: skip

    def page(self, page_id: str) -> Iterator[tuple[str, Payload]]:
        """A page under each system: as read, strictly in order, and with events put right."""
        study = self.opened.study
        for number, system in enumerate(study.systems):
            if page_id not in study.pages_of(system):
                continue
            told = self.opened.look(page_id, system)
            name = f"page/{self.number(page_id):04}-{number}"
            possible, own = movable(told.diagnosis, of_reference=True), movable(told.diagnosis)
            sets = _sets(possible, own)
            payload = self._page(page_id, system, told, told) | {
                "repairs": {"possible": possible, "own": own, "sets": sets},
                "marks": {"tags": [], "marks": said_payload(told, self.wanted.marks),
                          "confirmed": 0, "left": 0, "isLast": True, "kept": ""},
            }  # fmt: skip
            yield name, _small(payload)
            in_order = page_payload(told.page, "trace", told) | {"view": "trace"}
            yield f"{name}-trace", _small(payload | in_order)
            for events in sets:
                shown = self.opened.put_right(told, frozenset(events))
                key = "+".join(str(event + 1) for event in events)
                yield f"{name}-{key}", _small(self._page(page_id, system, told, shown))

    def _page(self, page_id: str, system: str, told: Look, shown: Look) -> Payload:
        payload = whole_payload(self.opened, [page_id], 0, system, "", "matching", told, shown)
        head = payload["head"].items()
        payload["head"] = {key: value for key, value in head if key not in _OF_HOST}
        has_image = self.wanted.images and payload["image"]
        return payload | {
            "image": self._image(page_id) if has_image else None,
            "credit": payload["credit"] if has_image else "",
        }

    def comparisons(self) -> Iterator[tuple[str, Payload]]:
        """Every two systems."""
        opened, study = self.opened, self.opened.study
        found = opened.diagnoses()
        for a, b in self._pairs():
            comparison = opened.comparison(a, b)
            changes = event_changes(found, a, b)
            said = answer_of(comparison, changes)
            differences = page_differences(study, a, b, "wer")
            view = compare_payload(
                study, comparison, changes, said.explained, "", differences, looked=True
            )
            yield f"compare/{self._pair(a, b)}", {
                "head": said.head, "line": said.line, "warnings": list(said.warnings),
                "view": view, "order": [self.number(one.page_id) for one in differences],
            }  # fmt: skip

    def errors(self) -> Iterator[tuple[str, Payload]]:
        """The errors of each system, with the ink of words in files of their own."""
        opened, study = self.opened, self.opened.study
        for number, system in enumerate(study.systems):
            outcomes = opened.outcomes((system,))
            chosen = choose(outcomes, _Asked())
            inked = self._inked(outcomes, chosen.numbers, system)
            chunk_of: dict[int, int] = {}
            for start in range(0, len(inked), CHUNK):
                crops = opened.word_crops(outcomes, inked[start : start + CHUNK])
                chunk_of |= dict.fromkeys(crops, start // CHUNK)
                kept = {str(one): crop for one, crop in crops.items()}
                yield f"errors/{number}-crops-{start // CHUNK}", kept
            rows = tile_payloads(outcomes, chosen.numbers, dict.fromkeys(chunk_of, ""))
            of = {kind: choose(outcomes, _Asked("words", which=kind)) for kind in chosen.every}
            kinds = {kind: set(one.of_kind) for kind, one in of.items()}
            worst = opened.worst_lines((system,))
            lines = lines_payload(opened, (system,), worst, _LINES)
            if not self.wanted.images:
                for one in lines["lines"]:
                    one["crop"] = None
            first = errors_payload(opened, outcomes, chosen, _Asked(), 0)
            yield f"errors/{number}", first | {
                "title": TITLE,
                "told": tell_wrong(outcomes, lambda name: isolated(shorten(visible(name), 60))),
                "lines": lines,
                "linesAt": [[self.number(one.page_id), one.word_index] for one in worst[:_LINES]],
                "commonest": {
                    which: errors_payload(opened, outcomes, one, _Asked("words"), 0)["words"]
                    for which, one in {"": chosen, **of}.items()
                },
                "rows": [
                    {
                        **row,
                        "crop": None,
                        "chunk": chunk_of.get(row["number"], -1),
                        "at": [
                            self.number(outcomes.page_ids[outcomes.page_of[row["number"]]]),
                            int(outcomes.word_index[row["number"]]),
                        ],
                        "kinds": [kind for kind, of in kinds.items() if row["number"] in of],
                        "read": _read_as(outcomes, row["number"]),
                    }
                    for row in rows
                ],
            }  # fmt: skip

    def _inked(self, outcomes: WordOutcomes, numbers: Sequence[int], system: str) -> list[int]:
        """The words whose ink the site holds: of every different error one before a second."""
        if not self.wanted.images:
            return []
        seen: Counter[tuple[str, str]] = Counter()
        read = outcomes.read_words[outcomes.system_at(system)]
        turn = {}
        for number in numbers:
            pair = (outcomes.words[number], read[number] or "")
            turn[number] = seen[pair]
            seen[pair] += 1
        return sorted(sorted(numbers, key=lambda one: (turn[one], one))[:_CROPS])


def _read_as(outcomes: WordOutcomes, number: int) -> Mapping[str, Any]:
    """What an error is found by: the word, what was read, and what was read as what in it."""
    word, read = outcomes.words[number], outcomes.read_words[0][number] or ""
    pairs = confusions_of(word, read, outcomes.settings.policy) if read else {}
    return {"word": word, "as": read, "pairs": [list(pair) for pair in pairs]}


def _small(payload: Payload) -> Payload:
    """Texts as they are packed best: mates as steps from one to the next, and 0 for each word of an
    output that is its mate's.

    The reference is the first of two texts and the second of three."""
    sides = payload["sides"]
    reference = sides[len(sides) - 2]
    words = [word for line in reference["lines"] for word in line[2]]
    return payload | {
        "sides": [
            side | {"mates": np.diff(side["mates"], prepend=0).tolist(),
                    "lines": side["lines"] if side is reference else _but_mates(side, words)}
            for side in sides
        ]
    }  # fmt: skip


def _but_mates(side: Payload, reference: Sequence[str]) -> list[list[Any]]:
    return [
        [number, first,
         [0 if mate >= 0 and reference[mate] == word else word
          for word, mate in zip(words, side["mates"][first:], strict=False)]]
        for number, first, words in side["lines"]
    ]  # fmt: skip


def _sets(possible: Sequence[int], own: Sequence[int]) -> list[list[int]]:
    """The sets of events that are put right beforehand: any of a few; else each, and all."""
    if len(possible) <= _EVERY:
        return [list(some) for n in range(len(possible)) for some in combinations(possible, n + 1)]
    return [[one] for one in possible] + ([list(own)] if len(own) > 1 else [])
