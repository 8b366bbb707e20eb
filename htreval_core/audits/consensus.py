"""What most systems read: a draft of a reference, with the share of them behind each word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lxml import etree
from rapidfuzz.distance import Levenshtein

from htreval_core.audits.between import Pair, Read
from htreval_core.audits.suspects import Support
from htreval_core.model import Line, Transcript

RECOGNISER = 1.5
"""What a system weighs that says where lines are: it reads ink, and cannot write where no ink
is, as a model of language may."""


@dataclass(frozen=True, slots=True)
class DraftWord:
    """A word of the draft.

    Args:
        line: the number of its line in the transcript of the base, from 0.
        confidence: the share of the weight of all systems that is behind it.
        spaced: whether a space stands before it, but for the first of a line.
    """

    text: str
    line: int
    confidence: float
    spaced: bool = True


@dataclass(frozen=True)
class Draft:
    """The words on which systems agree, in the order of one of them.

    Args:
        base: the system whose order stands: the one that differs least from the others in it.
        lines: those of the base, for their outlines.
    """

    page_id: str
    base: str
    words: tuple[DraftWord, ...]
    lines: tuple[Line, ...]
    page_size: tuple[int, int] | None = None
    image: str | None = None

    @property
    def transcript(self) -> Transcript:
        """The draft as lines."""
        texts = (_joined(words) for _, words in self.by_line())
        return Transcript(tuple(Line(text) for text in texts if text))

    def by_line(self) -> list[tuple[int, list[DraftWord]]]:
        """The lines of the base that have words, by number, with these."""
        found: dict[int, list[DraftWord]] = {}
        for word in self.words:
            found.setdefault(word.line, []).append(word)
        return sorted(found.items())


def _joined(words: Sequence[DraftWord]) -> str:
    first, *rest = words
    return first.text + "".join(f" {one.text}" if one.spaced else one.text for one in rest)


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


def draft(
    page_id: str,
    read: Sequence[Read],
    pairs: Sequence[Pair],
    weights: Mapping[str, float],
) -> Draft:
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
    words: list[DraftWord] = []
    inserted = _inserted(base, others, support, weights, total)
    for at, text in enumerate(base.words.words):
        votes: dict[str, float] = {text: weights[base.system]}
        for other in others:
            mate = int(support.mates[base.system, other.system][at])
            if mate >= 0:
                reading = other.words.words[mate]
                votes[reading] = votes.get(reading, 0.0) + weights[other.system]
        if sum(votes.values()) * 2 > total:
            best = _chosen(votes)
            line = base.words.line_of[at]
            words.append(DraftWord(best, line, votes[best] / total, _is_spaced(base, at)))
        words += inserted.get(at, [])
    words = [*inserted.get(-1, []), *words]
    side = base.transcript
    return Draft(page_id, base.system, tuple(words), side.lines, side.page_size, side.image)


def _base(read: Sequence[Read], pairs: Sequence[Pair]) -> Read:
    """The system in whose order the least stands between it and the others; then in words."""
    order: dict[str, float] = {one.system: 0.0 for one in read}
    for pair in pairs:
        for system in pair.between.systems:
            order[system] += pair.between.order_cost + pair.between.bwer / 100
    return min(read, key=lambda one: order[one.system])


def _inserted(
    base: Read,
    others: Sequence[Read],
    support: Support,
    weights: Mapping[str, float],
    total: float,
) -> dict[int, list[DraftWord]]:
    """Words that the base lacks and most others have, by the word of the base that they follow."""
    found: dict[int, list[DraftWord]] = {}
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
                best = _chosen(votes)
                line = base.words.line_of[after] if after >= 0 else 0
                word = DraftWord(best, line, votes[best] / total, _is_spaced(one, at))
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


_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PAGE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"


def draft_pagexml(one: Draft) -> bytes:
    """The draft as PAGE XML with the outlines of the base's lines, and a confidence a word."""
    width, height = one.page_size or (0, 0)
    root = etree.Element(f"{{{_PAGE}}}PcGts", nsmap={None: _PAGE})
    metadata = etree.SubElement(root, f"{{{_PAGE}}}Metadata")
    etree.SubElement(metadata, f"{{{_PAGE}}}Creator").text = "htreval audit, a draft by vote"
    page = etree.SubElement(
        root, f"{{{_PAGE}}}Page", imageFilename=_plain(one.image or ""),
        imageWidth=str(width), imageHeight=str(height),
    )  # fmt: skip
    region = etree.SubElement(page, f"{{{_PAGE}}}TextRegion", id="draft")
    for number, words in one.by_line():
        line = etree.SubElement(region, f"{{{_PAGE}}}TextLine", id=f"l{number + 1}")
        outline = one.lines[number].polygon if number < len(one.lines) else None
        if outline:
            points = " ".join(f"{x:.0f},{y:.0f}" for x, y in outline.points)
            etree.SubElement(line, f"{{{_PAGE}}}Coords", points=points)
        for place, word in enumerate(words):
            element = etree.SubElement(line, f"{{{_PAGE}}}Word", id=f"l{number + 1}w{place + 1}")
            _text(element, word.text, word.confidence)
        _text(line, _joined(words), min(word.confidence for word in words))
    content: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return content


def _text(element: etree._Element, text: str, confidence: float) -> None:
    equiv = etree.SubElement(element, f"{{{_PAGE}}}TextEquiv", conf=f"{confidence:.2f}")
    etree.SubElement(equiv, f"{{{_PAGE}}}Unicode").text = _plain(text)


def _plain(text: str) -> str:
    """What XML can hold."""
    return _NO_XML.sub("", text)
