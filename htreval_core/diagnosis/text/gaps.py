"""Text that only one side has, or that stands for other text, once everything is in its place."""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby, pairwise, product

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import LCSseq, Levenshtein

from htreval_core.diagnosis.limits import GAPS, LOOPS, TRACE
from htreval_core.diagnosis.model import AtEdge, EventKind, InRegion, Span
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.page.loops import loosest_loop
from htreval_core.diagnosis.page.places import Places
from htreval_core.diagnosis.text.trace import Gap, Trace, place_of
from htreval_core.model import BareRegion, BoolArray, Box, FloatArray, IntArray
from htreval_core.text import HYPHENS

_ADDED = (EventKind.INVENTED, EventKind.REPEATED, EventKind.UNTRANSCRIBED)


def find_gaps(ground: Ground, trace: Trace, places: Places | None, dropped: BoolArray) -> list[Gap]:
    """Every block that only one side has, or that was read badly or replaced.

    Args:
        trace: of the reference and the output with all displaced text put back.
        places: where the output's words stand on the page, where that is known.
        dropped: words of the output that the trace leaves out, shape (words,).
    """
    stretches = [
        list(rows)
        for free, rows in groupby(range(len(trace.ref)), lambda row: not trace.anchored[row])
        if free
    ]
    left_ref, left_hyp = _left_over(ground, trace, stretches)
    has_notes = places is None and ground.has_tags
    notes = _notes_elsewhere(ground, trace, stretches, left_ref) if has_notes else set()
    finder = _Finder(ground, trace, places, left_ref, left_hyp, notes, dropped)
    of_rows = [(rows, finder.of_stretch(rows)) for rows in stretches]
    edges, taken = finder.at_edges([
        rows for rows, gaps in of_rows
        if not gaps or min(int((side[rows] >= 0).sum()) for side in (trace.ref, trace.hyp)) == 0
    ])  # fmt: skip
    found = [gap for rows, gaps in of_rows if not taken.issuperset(rows) for gap in gaps]
    bags = Counter(ground.reference.words), Counter(ground.hypothesis.words)
    lost, extra = bags[0] - bags[1], bags[1] - bags[0]

    def is_so(gap: Gap) -> bool:
        """Whether one side alone has enough of these words, wherever the other might have them."""
        of_hyp = gap.kind in _ADDED
        own = ground.hypothesis.words if of_hyp else ground.reference.words
        spans = gap.hypothesis if of_hyp else (gap.reference,)
        words = Counter(own[k] for span in spans for k in range(*span))
        alone = (words & (extra if of_hyp else lost)).total()
        return gap.kind is EventKind.LOOP or alone >= GAPS.ALONE * words.total()

    return [gap for gap in (*found, *edges) if is_so(gap)]


def _left_over(
    ground: Ground, trace: Trace, stretches: Sequence[Sequence[int]]
) -> tuple[set[int], set[int]]:
    """Words in gaps of both sides that are equal: displaced in small pieces, not missing.

    A word that stands in the same gap on both sides is no such word."""
    ref_gap: dict[str, list[tuple[int, int]]] = {}
    hyp_gap: dict[str, list[tuple[int, int]]] = {}
    for number, rows in enumerate(stretches):
        for row in rows:
            j, k = int(trace.ref[row]), int(trace.hyp[row])
            if j >= 0:
                ref_gap.setdefault(ground.reference.words[j], []).append((number, j))
            if k >= 0:
                hyp_gap.setdefault(ground.hypothesis.words[k], []).append((number, k))
    left_ref: set[int] = set()
    left_hyp: set[int] = set()
    for word, of_ref in ref_gap.items():
        of_hyp = deque(hyp_gap.get(word, ()))
        # Those of the gap that the words of the reference come from, passed over.
        own: deque[tuple[int, int]] = deque()
        for number, j in of_ref:
            while not (own and own[0][0] < number) and of_hyp and of_hyp[0][0] == number:
                own.append(of_hyp.popleft())
            rest = own if own and own[0][0] < number else of_hyp
            if rest:
                left_ref.add(j)
                left_hyp.add(rest.popleft()[1])
    return left_ref, left_hyp


def _notes_elsewhere(
    ground: Ground, trace: Trace, stretches: Sequence[Sequence[int]], left: set[int]
) -> set[int]:
    """The words of lines of marginal notes, in gaps, that the output has in another gap.

    They may be misread or run together there: such notes are read with the lines beside them."""
    sides = ground.reference.words, ground.hypothesis.words
    of_ref, of_hyp = (
        [[word for word in side[rows].tolist() if word >= 0] for rows in stretches]
        for side in (trace.ref, trace.hyp)
    )
    windows = [
        (number, range(run[start], run[start] + n))
        for number, words in enumerate(of_hyp)
        for run in _runs(words)
        for start, n in product(range(len(run)), range(1, GAPS.SHORT_LINE + 1))
        if start + n <= len(run)
    ]
    texts = ["".join(sides[1][k] for k in window) for _, window in windows]
    n_times = [Counter(side) for side in sides]
    whole = "".join(sides[0])
    found: set[int] = set()
    taken: set[int] = set()
    for number, words in enumerate(of_ref):
        for line, of_line in groupby(words, ground.reference.line_of.__getitem__):
            own = list(of_line)
            said = [sides[0][j] for j in own]
            text = "".join(said)
            if ground.tag(line) is not EventKind.MARGINALIA or len(own) > GAPS.SHORT_LINE:
                continue
            if left.issuperset(own):
                if any(len(one) > 1 and n_times[0][one] == n_times[1][one] == 1 for one in said):
                    found.update(own)
            elif len(text) >= GAPS.LEAST_LINE:
                near = process.extract(
                    text, texts, scorer=Levenshtein.distance, limit=GAPS.TRIED,
                    score_cutoff=int(GAPS.ALIKE * len(text)),
                )  # fmt: skip
                for said_there, _, at in near:
                    is_copy = said_there in whole and said_there != text
                    is_free = windows[at][0] != number and taken.isdisjoint(windows[at][1])
                    if is_free and not is_copy:
                        found.update(own)
                        taken.update(windows[at][1])
                        break
    return found


@dataclass(frozen=True, eq=False)
class _Finder:
    ground: Ground
    trace: Trace
    places: Places | None
    left_ref: set[int]
    left_hyp: set[int]
    notes: set[int]
    dropped: BoolArray

    @cached_property
    def _on_line(self) -> dict[int, list[int]]:
        """The words of the output that stand on each reference line."""
        found: dict[int, list[int]] = {}
        if self.places is not None:
            for k, at in enumerate(self.places.line.tolist()):
                if not self.dropped[k]:
                    found.setdefault(at, []).append(k)
        return found

    def _is_written(self, at: int, own: Sequence[int], places: Places) -> bool:
        """Whether the output has anything as far along the line as these words stand."""
        start, end = self.ground.line_span(own[0])
        ends = np.cumsum([len(self.ground.reference.words[j]) + 1 for j in range(start, end)])
        left, _, right, _ = places.shapes.boxes[at]
        before = ends[own[0] - start - 1] if own[0] > start else 0
        scale = (right - left) / ends[-1]
        x0, x1 = left + scale * before, left + scale * ends[own[-1] - start]
        on_line = self._on_line.get(at, [])
        middles = places.boxes[on_line][:, [0, 2]].mean(axis=1).tolist()
        there = [k for k, x in zip(on_line, middles, strict=True) if x0 <= x <= x1]
        letters = self._letters(own, of_ref=True)
        return self._letters(there, of_ref=False) >= GAPS.WRITTEN * letters

    def of_stretch(self, rows: Sequence[int]) -> list[Gap]:
        """What a stretch without anchored words is."""
        ref = [int(j) for j in self.trace.ref[rows] if j >= 0]
        hyp = [int(k) for k in self.trace.hyp[rows] if k >= 0]
        if max(len(ref), len(hyp)) < TRACE.LEAST_RUN:
            return []
        if ref and self.places is not None:
            return self._by_places(rows, ref, hyp, self.places)
        return self._by_letters(rows, ref, hyp)

    def at_edges(self, stretches: Sequence[Sequence[int]]) -> tuple[list[Gap], set[int]]:
        """What many lines lack, or have too many, at the same end, and the rows of it."""
        g, ref, hyp = self.ground, self.trace.ref, self.trace.hyp
        sides = (
            (EventKind.MISSING, ref, hyp, g.reference, g.starts_ref_line, g.ends_ref_line),
            (EventKind.INVENTED, hyp, ref, g.hypothesis, g.starts_hyp_line, g.ends_hyp_line),
        )
        found: list[Gap] = []
        taken: set[int] = set()
        for kind, own, other, words, starts, ends in sides:
            is_alone = (other < 0).tolist()
            alone = [
                list(rows) for stretch in stretches
                for is_own, rows in groupby(stretch, is_alone.__getitem__) if is_own
            ]  # fmt: skip
            least = max(GAPS.LEAST_EDGES, GAPS.EDGES * len(set(words.line_of)))
            if len(alone) < least:
                continue
            wrong = set(own[self.trace.wrong].tolist())
            of_other = (g.hypothesis if own is ref else g.reference).words
            mates = {int(own[row]): of_other[other[row]] for row in np.flatnonzero(other >= 0)}
            left = self.left_ref if own is ref else self.left_hyp
            for at_end in (False, True):
                cut: list[list[int]] = []
                for rows in alone:
                    at = own[rows].tolist()
                    said = "".join(words.words[k] for k in at)
                    if len(at) > GAPS.LONGEST_EDGE or not any(map(str.isalnum, said)) or (
                        starts(at[0]) is at_end or ends(at[-1] + 1) is not at_end
                    ):  # fmt: skip
                        continue
                    # A word that is divided on one side alone lacks nothing.
                    near = at[0] - 1 if at_end else at[-1] + 1
                    both = words.words[near] + said if at_end else said + words.words[near]
                    is_divided = said.endswith(tuple(HYPHENS)) and at[-1] + 1 in wrong
                    if not is_divided and mates.get(near) != both:
                        cut.append(rows)
                every = own[list(chain(*cut))].tolist()
                if len(cut) >= least and not self._is_elsewhere(every, left):
                    taken.update(chain(*cut))
                    for rows in cut:
                        at = own[rows].tolist()
                        gap = self._gap(kind, rows, *((at, []) if own is ref else ([], at)))
                        found.append(replace(gap, detail=AtEdge(at_end)))
        return found, taken

    def _letters(self, words: Iterable[int], *, of_ref: bool) -> int:
        side = self.ground.reference.words if of_ref else self.ground.hypothesis.words
        return sum(len(side[word]) for word in words)

    def _errors(self, rows: Sequence[int], ref: Sequence[int], hyp: Sequence[int]) -> int:
        """Errors of the rows that hold these words."""
        own_ref, own_hyp = set(ref), set(hyp)
        return sum(
            bool(self.trace.wrong[row])
            for row in rows
            if int(self.trace.ref[row]) in own_ref or int(self.trace.hyp[row]) in own_hyp
        )

    def _by_letters(self, rows: Sequence[int], ref: list[int], hyp: list[int]) -> list[Gap]:
        """By how much text both sides have, and how alike it is."""
        over_ref, over_hyp = self._joined_beside(rows)
        ref_letters = self._letters(ref, of_ref=True) + over_ref
        hyp_letters = self._letters(hyp, of_ref=False) + over_hyp
        if len(ref) >= TRACE.LEAST_RUN and hyp_letters < GAPS.FAR_SHORTER * ref_letters:
            return self._missing(rows, ref)
        if len(hyp) >= TRACE.LEAST_RUN and ref_letters < GAPS.FAR_SHORTER * hyp_letters:
            return self._added(rows, ref, hyp)
        # A few garbled words cannot be told from other words.
        if min(len(ref), len(hyp)) < GAPS.LEAST_BADLY:
            return []
        if self._is_elsewhere(ref, self.left_ref) or self._is_elsewhere(hyp, self.left_hyp):
            return []
        return [self._instead(rows, ref, hyp)]

    def _instead(self, rows: Sequence[int], ref: list[int], hyp: list[int]) -> Gap:
        """Text that stands for other text: read badly, replaced, or a loop."""
        ref_words = [self.ground.reference.words[j] for j in ref]
        hyp_words = [self.ground.hypothesis.words[k] for k in hyp]
        same = _share_runs(ref_words, hyp_words) or is_alike(ref_words, hyp_words)
        # Where text has a place, it need not be alike to be the text of that place.
        is_other = not _is_gibberish(ref_words, hyp_words)
        if self.places is not None:
            as_long = sum(map(len, hyp_words)) >= GAPS.AS_LONG * sum(map(len, ref_words))
            is_whole = 2 * len(_runs(sorted(hyp))) <= max(
                len({self.ground.reference.line_of[j] for j in ref}), 2
            )
            is_other = as_long and is_whole and _is_prose(hyp_words)
        badly = same or not is_other
        kind = EventKind.READ_BADLY if badly else EventKind.REPLACED
        loop = self._loop_within(rows, ref, hyp) if kind is EventKind.REPLACED else None
        return loop or self._gap(kind, rows, ref, hyp)

    def _joined_beside(self, rows: Sequence[int]) -> tuple[int, int]:
        """The letters that the words right before and after have more than their counterparts, of
        the reference and of the output: they belong to the stretch.
        """
        over = [0, 0]
        for row in (rows[0] - 1, rows[-1] + 1):
            if 0 <= row < len(self.trace.ref):
                j, k = [int(self.trace.ref[row])], [int(self.trace.hyp[row])]
                more = self._letters(j, of_ref=True) - self._letters(k, of_ref=False)
                over[more < 0] += abs(more)
        return over[0], over[1]

    def _loop_within(self, rows: Sequence[int], ref: list[int], hyp: list[int]) -> Gap | None:
        """Text instead of other text that repeats itself, though each copy was read otherwise."""
        ground = self.ground
        loop = loosest_loop(ground.reference.words, [ground.hypothesis.words[k] for k in hyp])
        if loop is None or loop.end - loop.start < GAPS.MOSTLY * len(hyp):
            return None
        gap = self._gap(EventKind.LOOP, rows, ref, hyp)
        return replace(gap, words=len(hyp), copies=loop.copies)

    def _by_places(
        self, rows: Sequence[int], ref: list[int], hyp: list[int], places: Places
    ) -> list[Gap]:
        """By what the output has where the lines stand."""
        line = places.line
        line_of = self.ground.reference.line_of
        read: list[int] = []
        unread: list[int] = []
        for at, words in groupby(ref, line_of.__getitem__):
            own = list(words)
            (read if self._is_written(at, own, places) else unread).extend(own)
        found: list[Gap] = []
        for own in _runs(unread):
            if len(own) >= TRACE.LEAST_RUN:
                found += self._missing(rows, own)
        lines = {line_of[j] for j in ref}
        on_page = [k for k in hyp if int(line[k]) in lines]
        besides = [k for k in hyp if int(line[k]) < 0]
        badly = [j for at, words in groupby(read, line_of.__getitem__)
                 if not self._is_well_read(at) for j in words]  # fmt: skip
        if len(badly) >= GAPS.LEAST_BADLY and len(on_page) >= TRACE.LEAST_RUN:
            found.append(self._instead(rows, badly, on_page))
        # A word left out that an added one stands for is one error, and counted there.
        taken = {number for gap in found for number in range(*gap.reference)}
        own_rows = [row for row in rows if int(self.trace.ref[row]) not in taken]
        for stretch in _runs(besides):
            if len(stretch) >= TRACE.LEAST_RUN:
                found += self._added(own_rows, [], stretch)
        return found

    def _is_well_read(self, at: int) -> bool:
        """Whether the output has most letters of a line where it stands, whatever the trace is."""
        there = [self.ground.hypothesis.words[k] for k in self._on_line.get(at, ())]
        text = " ".join(self.ground.reference.words[slice(*self.ground.span_of(at))])
        return Levenshtein.normalized_similarity(text, " ".join(there)) >= GAPS.WELL

    def _missing(self, rows: Sequence[int], ref: list[int]) -> list[Gap]:
        # Leaders and rules are read as it pleases the reader.
        if sum(any(sign.isalnum() for sign in self.ground.reference.words[j]) for j in ref) < (
            TRACE.LEAST_RUN
        ):
            return []
        if self._is_elsewhere(ref, self.left_ref):
            return []
        found = []
        for is_elsewhere, words in groupby(ref, self.notes.__contains__):
            own = _but_phrases(list(words), self.left_ref)
            if is_elsewhere or len(own) < TRACE.LEAST_RUN:
                continue
            slid = self._slid(own)
            gap = self._gap(EventKind.MISSING, rows, self._trimmed(slid), [])
            errors = gap.errors if slid == own else min(self._errors(rows, own, []), gap.words)
            found.append(replace(gap, errors=errors))
        return found

    def _slid(self, ref: list[int]) -> list[int]:
        """Missing words from where a line begins, if the text behind them begins as it does."""
        words, start = self.ground.reference.words, self.ground.line_span(ref[0])[0]
        n, end = ref[0] - start, ref[-1] + 1
        is_whole = len(ref) == end - ref[0] and 0 < n <= GAPS.EDGE
        same = is_whole and words[start : ref[0]] == words[end - n : end]
        return list(range(start, end - n)) if same else ref

    def _trimmed(self, ref: list[int]) -> list[int]:
        """Missing words without the word or two of a line before or after whole missing lines."""
        first, last = self.ground.line_span(ref[0]), self.ground.line_span(ref[-1])
        if ref[0] > first[0] and first[1] - ref[0] <= GAPS.EDGE < len(ref) - (first[1] - ref[0]):
            ref = [j for j in ref if j >= first[1]]
        if ref[-1] + 1 < last[1] and ref[-1] + 1 - last[0] <= GAPS.EDGE < last[0] - ref[0]:
            ref = [j for j in ref if j < last[0]]
        return ref

    def _added(self, rows: Sequence[int], ref: list[int], hyp: list[int]) -> list[Gap]:
        if self._is_elsewhere(hyp, self.left_hyp):
            return []
        hyp = _but_phrases(hyp, self.left_hyp)
        loop = self._loop_within(rows, ref, hyp)
        if loop is not None:
            return [loop]
        source = self._source(hyp)
        region = self._bare_region(hyp) if source is None else None
        if region is not None:
            gap = self._gap(EventKind.UNTRANSCRIBED, rows, ref, hyp)
            return [replace(gap, detail=InRegion(region))]
        kind = EventKind.REPEATED if source is not None else EventKind.INVENTED
        return [self._gap(kind, rows, ref, hyp, source)]

    @cached_property
    def _bare(self) -> list[BareRegion]:
        """The regions without text in the reference, but for those around text of it."""
        regions = self.ground.ref_transcript.bare
        if not regions:
            return []
        lines = self.ground.boxes(np.flatnonzero(self.ground.n_words).tolist())
        return [region for region in regions if not are_inside(lines, region.box).any()]

    def _bare_region(self, hyp: Sequence[int]) -> str | None:
        """The kind of the region without text in the reference where most of these words stand."""
        if self.places is None or not self._bare:
            return None
        inside = [are_inside(self.places.boxes[hyp], region.box) for region in self._bare]
        if np.any(inside, axis=0).mean() < GAPS.IN_REGION:
            return None
        return self._bare[int(np.sum(inside, axis=1).argmax())].kind

    def _gap(
        self, kind: EventKind, rows: Sequence[int], ref: list[int], hyp: list[int],
        source: Span | None = None,
    ) -> Gap:  # fmt: skip
        added = kind in _ADDED
        if added or not ref:
            inside = np.isin(self.trace.hyp, hyp)
            reference = place_of(self.trace, inside)
        else:
            reference = (min(ref), max(ref) + 1)
        spans = tuple((run[0], run[-1] + 1) for run in _runs(sorted(hyp)))
        errors = self._errors(rows, () if added else ref, hyp)
        n_words = len(hyp) if added else len(ref)
        shown = () if kind is EventKind.MISSING else spans
        return Gap(kind, reference, shown, n_words, errors, source)

    @staticmethod
    def _is_elsewhere(words: Sequence[int], left: set[int]) -> bool:
        return sum(word in left for word in words) > GAPS.ELSEWHERE * len(words)

    @cached_property
    def _pairs_of_page(self) -> Counter[tuple[str, str]]:
        return Counter(pairwise(self.ground.reference.words))

    def _source(self, hyp: Sequence[int]) -> Span | None:
        """Where the reference has added words, too, in this order and against chance."""
        at, j = self._alike(hyp)
        if not len(at):
            return None
        evidence = self.ground.evidence
        pairs = list(zip(j.tolist(), np.array(hyp)[at].tolist(), strict=True))
        # Where two copies meet, or a word is lost, the words lie on diagonals side by side.
        diagonal = j - at + len(hyp) + GAPS.BESIDE
        near = (diagonal[:, None] + np.arange(-GAPS.BESIDE, GAPS.BESIDE + 1)).ravel()
        worth = np.bincount(near, np.repeat(evidence.of_pairs(pairs), 2 * GAPS.BESIDE + 1))
        # Of several that are worth as much the one that was come upon first.
        top = int(near[(worth[near] == worth.max()).argmax()])
        own = abs(diagonal - top) <= GAPS.BESIDE
        covered = set(at[own].tolist())
        # Of a formula any entry has most, but not the name in it.
        often = self._pairs_of_page
        read = [self.ground.hypothesis.words[k] for k in hyp]
        usual = [often[pair] >= LOOPS.LEAST_COPIES for pair in pairwise(read)]
        names = {n for n in range(len(hyp)) if not any(usual[max(n - 1, 0) : n + 1])}
        is_new = 2 * len(names) <= len(hyp) and len(covered & names) < GAPS.COVERED * len(names)
        enough = worth[top] >= evidence.needed(len(self.ground.reference.words)) + GAPS.REPEATED
        if not enough or is_new or len(covered) < GAPS.COVERED * len(hyp):
            return None
        # Of a word that stands there several times the one nearest to the others is its source.
        at, j, diagonal = at[own], j[own], diagonal[own]
        nearest = np.lexsort((abs(diagonal - np.bincount(diagonal).argmax()), at))
        j = j[nearest[np.unique(at[nearest], return_index=True)[1]]]
        return int(j.min()), int(j.max()) + 1

    def _alike(self, hyp: Sequence[int]) -> tuple[IntArray, IntArray]:
        """Where added words and reference words are alike: places among ``hyp``, and words."""
        words = self.ground.words
        types, type_of = np.unique(words.hyp[hyp], return_inverse=True)
        distance = process.cdist(
            [words.hyp_types[one] for one in types.tolist()], words.ref_types,
            scorer=Levenshtein.distance, dtype=np.int32,
        )  # fmt: skip
        longer = np.maximum(words.hyp_lengths[types][:, None], words.ref_lengths)
        at, j = np.nonzero((distance <= GAPS.ALIKE * longer)[type_of][:, words.ref])
        return at, j


def are_inside(boxes: FloatArray, box: Box) -> BoolArray:
    """Whether the middle of each of some boxes, shape (n, 4), lies in a box; nan in none."""
    x, y = boxes[:, [0, 2]].mean(axis=1), boxes[:, [1, 3]].mean(axis=1)
    left, top, right, bottom = box
    found: BoolArray = (left <= x) & (x <= right) & (top <= y) & (y <= bottom)
    return found


def _runs(words: Sequence[int]) -> list[list[int]]:
    """Words by stretches without a hole."""
    runs: list[list[int]] = []
    for word in words:
        if runs and word == runs[-1][-1] + 1:
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def _but_phrases(words: Sequence[int], left: set[int]) -> list[int]:
    """Words without those that stand elsewhere in one piece."""
    runs = _runs([word for word in words if word in left])
    elsewhere = {word for run in runs if len(run) >= GAPS.PHRASE for word in run}
    return [word for word in words if word not in elsewhere]


def _is_gibberish(ref_words: Sequence[str], hyp_words: Sequence[str]) -> bool:
    """Whether far fewer signs of the output are letters or digits than of the reference."""
    of_ref, of_hyp = (
        sum(map(str.isalnum, chain.from_iterable(words))) / sum(map(len, words))
        for words in (ref_words, hyp_words)
    )
    return of_hyp < GAPS.LETTERS * of_ref


def _is_prose(words: Sequence[str]) -> bool:
    """Whether these are words, as any text has them, not signs and capitals within words."""
    bare = [word.strip(GAPS.SIGNS) for word in words]
    clean = [
        len(word) >= GAPS.LEAST_LETTERS and word.isalpha()
        and (word.isupper() or word[1:] == word[1:].lower())
        for word in bare
    ]  # fmt: skip
    return len(words) >= GAPS.LEAST_PROSE and sum(clean) >= GAPS.CLEAN * len(words)


def _share_runs(ref_words: Sequence[str], hyp_words: Sequence[str]) -> bool:
    """Whether both sides have stretches of letters in common, wherever either begins and ends."""
    a, b = (" ".join(words)[: GAPS.COMPARED] for words in (ref_words, hyp_words))
    sizes = (one.src_end - one.src_start for one in LCSseq.opcodes(a, b) if one.tag == "equal")
    shared = sum(size for size in sizes if size >= GAPS.RUN)
    return shared >= GAPS.IN_RUNS * min(len(a), len(b))


def is_alike(ref_words: Sequence[str], hyp_words: Sequence[str]) -> bool:
    """Whether both sides are more alike, letter by letter, than the same words shuffled."""
    a = " ".join(ref_words)
    rng = np.random.default_rng(len(hyp_words))
    chance = max(
        Levenshtein.normalized_similarity(a, " ".join(rng.permutation(np.array(hyp_words))))
        for _ in range(3)
    )
    return Levenshtein.normalized_similarity(a, " ".join(hyp_words)) >= chance + GAPS.ABOVE_CHANCE
