"""What most systems read: a draft of a reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from htreval_core.audits.between import Pair, Read
from htreval_core.audits.suspects import Support
from htreval_core.model import Line, Transcript

RECOGNISER = 1.5
"""What a system weighs that says where lines are: it reads ink, and cannot write where no ink
is, as a model of language may."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of the draft.

    Args:
        line: the number of its line in the transcript of the base, from 0.
        spaced: whether a space stands before it, but for the first of a line.
    """

    text: str
    line: int
    spaced: bool


def _transcript(words: Sequence[_Word]) -> Transcript:
    """The words by the lines of the base."""
    lines: dict[int, str] = {}
    for word in words:
        gap = " " if word.spaced and word.line in lines else ""
        lines[word.line] = f"{lines.get(word.line, '')}{gap}{word.text}"
    return Transcript(tuple(Line(text) for _, text in sorted(lines.items()) if text))


def _is_spaced(one: Read, at: int) -> bool:
    return one.words.before is None or bool(one.words.before[at])


def weights_of(read: Sequence[Read], families: Mapping[str, str]) -> dict[str, float]:
    """What each system's vote weighs: a family shares one, who knows of lines has half more."""
    sizes: dict[str, int] = {}
    for one in read:
        name = families.get(one.system, f"\0{one.system}")
        sizes[name] = sizes.get(name, 0) + 1
    return {
        one.system: (RECOGNISER if knows_lines(one.transcript) else 1.0)
        / sizes[families.get(one.system, f"\0{one.system}")]
        for one in read
    }


def knows_lines(transcript: Transcript) -> bool:
    """Whether a system says where its lines stand on the page."""
    return any(line.polygon is not None for line in transcript.lines)


def draft(read: Sequence[Read], pairs: Sequence[Pair], weights: Mapping[str, float]) -> Transcript:
    """The words that more than half of the weight is behind, by the matching of every two systems.

    The order is that of the system that differs least from the others in order. The words are voted
    on place by place: of the readings that are matched with one place the heaviest counts, if
    together they outweigh the systems that have nothing there. Words that the base lacks are put in
    behind the word that they follow where others have them.
    """
    support = Support(pairs)
    total = sum(weights.values())
    base = _base(read, pairs)
    others = [one for one in read if one is not base]
    words: list[_Word] = []
    inserted = _inserted(base, others, support, weights, total)
    for at, text in enumerate(base.words.words):
        votes: dict[str, float] = {text: weights[base.system]}
        for other in others:
            mate = int(support.mates[base.system, other.system][at])
            if mate >= 0:
                reading = other.words.words[mate]
                votes[reading] = votes.get(reading, 0.0) + weights[other.system]
        if sum(votes.values()) * 2 > total:
            words.append(_Word(_chosen(votes), base.words.line_of[at], _is_spaced(base, at)))
        words += inserted.get(at, [])
    return _transcript([*inserted.get(-1, []), *words])


def _base(read: Sequence[Read], pairs: Sequence[Pair]) -> Read:
    """The system in whose order the least stands between it and the others; then in words."""
    order: dict[str, float] = {one.system: 0.0 for one in read}
    for pair in pairs:
        for system in pair.between.systems:
            order[system] += pair.between.order_cost + pair.between.bwer / 100
    return min(read, key=lambda one: order[one.system])


def _inserted(
    base: Read, others: Sequence[Read], support: Support, weights: Mapping[str, float], total: float
) -> dict[int, list[_Word]]:
    """Words that the base lacks and most others have, by the word of the base that they follow."""
    found: dict[int, list[_Word]] = {}
    taken: set[tuple[str, int]] = set()
    for one in others:
        to_base = support.mates[one.system, base.system]
        after = -1
        for at, text in enumerate(one.words.words):
            if to_base[at] >= 0:
                after = int(to_base[at])
                continue
            if (one.system, at) in taken:
                continue
            votes, behind = {text: weights[one.system]}, weights[one.system]
            for other in others:
                if other is one:
                    continue
                mate = int(support.mates[one.system, other.system][at])
                if mate >= 0 and support.mates[other.system, base.system][mate] < 0:
                    taken.add((other.system, mate))
                    reading = other.words.words[mate]
                    votes[reading] = votes.get(reading, 0.0) + weights[other.system]
                    behind += weights[other.system]
            if behind * 2 > total:
                line = base.words.line_of[after] if after >= 0 else 0
                word = _Word(_chosen(votes), line, _is_spaced(one, at))
                found.setdefault(after, []).append(word)
    return found


def _chosen(votes: Mapping[str, float]) -> str:
    """The heaviest reading; of several as heavy the one that differs least from all.

    Where every system misreads another letter the right word is nearest to all of them.
    """
    if len(votes) == 1:
        return next(iter(votes))

    def worth(word: str) -> tuple[float, int]:
        far = sum(int(Levenshtein.distance(word, other)) for other in votes)
        return votes[word], -far

    return max(votes, key=worth)
