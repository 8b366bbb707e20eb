"""The ink of words and lines: the pieces of the page images on which they stand."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from htreval_core.diagnosis.page.shapes import BOTTOM, LEFT, RIGHT, TOP, LineShapes, word_boxes
from htreval_core.errors import HtrEvalError
from htreval_core.model import FloatArray, Transcript
from htreval_core.scoring.study import Study
from htreval_core.sources.dataset import Dataset
from htreval_core.sources.images import cut_out
from htreval_core.text import PageWords
from htreval_core.words.outcomes import WordOutcomes

Key = TypeVar("Key")
_HEIGHT = 72
"""Pixels of a piece from top to bottom: shown at half of it, it is sharp on any screen."""
_AROUND = 0.2
"""Of the height of its line, what is shown around a word or a line."""
_ACROSS = 1.6
"""The same at either side of a word whose place on its line is guessed by its share of letters:
on real pages 19 of 20 words stand within it."""
_AT_ONCE = 4
"""Images that are decoded at the same time, which Pillow does without Python's lock."""


def places_of_words(transcript: Transcript, words: PageWords) -> FloatArray:
    """Where words stand with a little around them, in shares of the page, shape (words, 4).

    Left, top, right and bottom, nan where the file does not say: of the word's own box where the
    file has it, else of its share of the outline of its line.
    """
    places = word_boxes(transcript, words)
    line_of = np.array(words.line_of, dtype=np.int64)
    n_words = np.bincount(line_of, minlength=len(transcript.lines)).tolist()
    has_boxes = np.array([line.word_boxes is not None and len(line.word_boxes) == 2 * n
                          for line, n in zip(transcript.lines, n_words, strict=True)],
                         dtype=bool)  # fmt: skip
    is_known = has_boxes[line_of]
    shapes = LineShapes.of(transcript)
    # Lines that share the outline of a region have a slice of it each.
    bounds = np.where(is_known[:, None], places, shapes.boxes[line_of])
    top = np.maximum(places[:, TOP], bounds[:, TOP])
    bottom = np.minimum(places[:, BOTTOM], bounds[:, BOTTOM])
    high = np.where(is_known, bottom - top, shapes.height[line_of])
    across = np.where(is_known, _AROUND, _ACROSS) * high
    around = _AROUND * high
    return _in_shares(
        np.stack([places[:, LEFT] - across, top - around, places[:, RIGHT] + across,
                  bottom + around], axis=1),
        transcript,
    )  # fmt: skip


def places_of_lines(transcript: Transcript) -> FloatArray:
    """The same of the lines, shape (lines, 4)."""
    boxes = LineShapes.of(transcript).boxes
    around = (_AROUND * (boxes[:, BOTTOM] - boxes[:, TOP]))[:, None]
    return _in_shares(boxes + around * np.array([-1, -1, 1, 1]), transcript)


def _in_shares(boxes: FloatArray, transcript: Transcript) -> FloatArray:
    width, height = transcript.page_size or (0, 0)
    if min(width, height) <= 0:
        return np.full(boxes.shape, np.nan)
    shares: FloatArray = np.clip(boxes / (width, height, width, height), 0.0, 1.0)
    return shares


def word_crops(outcomes: WordOutcomes, numbers: Sequence[int]) -> dict[int, bytes]:
    """The ink of words by their numbers, as JPEG; those without a place or an image are not in it.

    Words that run across lines have no place.
    """
    if outcomes.settings.policy.words == "space":
        return {}
    wanted: dict[str, list[int]] = {}
    for number in numbers:
        wanted.setdefault(outcomes.page_ids[outcomes.page_of[number]], []).append(number)

    def places(page_id: str) -> FloatArray:
        of_page = wanted[page_id]
        at = outcomes.page_of[of_page[0]]
        start, end = np.searchsorted(outcomes.page_of, [at, at + 1]).tolist()
        line_of = tuple(outcomes.line_of[start:end].tolist())
        words = PageWords(outcomes.words[start:end], line_of, 0, "")
        reference = outcomes.dataset.page(page_id).reference
        return places_of_words(reference, words)[np.array(of_page) - start]

    return _cut(outcomes.dataset, wanted, places)


def line_crops(study: Study, lines: Iterable[tuple[str, int]]) -> dict[tuple[str, int], bytes]:
    """The same of lines of references, each by its page and its number from 1."""
    if study.settings.policy.words == "space":
        return {}
    wanted: dict[str, list[tuple[str, int]]] = {}
    for page_id, line in lines:
        wanted.setdefault(page_id, []).append((page_id, line))

    def places(page_id: str) -> FloatArray:
        own = places_of_lines(study.dataset.page(page_id).reference)
        return own[[line - 1 for _, line in wanted[page_id]]]

    return _cut(study.dataset, wanted, places)


def _cut(
    dataset: Dataset, wanted: Mapping[str, Sequence[Key]], places: Callable[[str], FloatArray]
) -> dict[Key, bytes]:
    def of_page(page_id: str) -> list[bytes | None]:
        image = dataset.images.get(page_id)
        try:
            boxes = [] if image is None else [tuple(box) for box in places(page_id).tolist()]
            return [] if image is None else cut_out(image, boxes, _HEIGHT)
        except HtrEvalError:  # its texts cannot be read any more; others can
            return []

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        cut = list(threads.map(of_page, wanted))
    return {
        key: piece
        for keys, pieces in zip(wanted.values(), cut, strict=True)
        for key, piece in zip(keys, pieces, strict=False)
        if piece is not None
    }
