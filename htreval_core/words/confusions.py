"""What is read as what: characters and words, from the words that were matched.

Only words matched with an unequal word are looked into, each against its own reading, so a line
in the wrong place confuses no characters.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import regex
from rapidfuzz.distance import Levenshtein

from htreval_core.errors import ConfigError
from htreval_core.metrics.scripts import block_of, script_of
from htreval_core.model import IntArray
from htreval_core.text import TextPolicy, characters
from htreval_core.words.outcomes import Outcome, WordOutcomes

_LONGEST = 3
"""Longer stretches that differ are other words, not characters taken for others."""
_LONGEST_PATTERN = 1000
_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Confusion:
    """Characters of the reference that were read as others.

    Args:
        reference: one to three characters; empty where some were added.
        read_as: what was read; empty where they were left out.
        count: how often.
        words: how many different pairs of words show it.
        script: of the reference's first character, or of the added one.
        block: the Unicode block of the same.
    """

    reference: str
    read_as: str
    count: int
    words: int
    script: str
    block: str


def char_confusions(outcomes: WordOutcomes, system: str) -> tuple[Confusion, ...]:
    """All character confusions of a system, the most frequent first.

    Differing characters that follow each other count as one confusion ("rn" read as "m") up to
    three characters on either side; a stretch of as many characters on both sides, and a longer
    one, counts character by character.
    """
    times: Counter[tuple[str, str]] = Counter()
    words: Counter[tuple[str, str]] = Counter()
    for (word, read), count in _misread(outcomes, system).items():
        found = confusions_of(word, read, outcomes.settings.policy)
        times.update({pair: n * count for pair, n in found.items()})
        words.update(found.keys())
    return tuple(
        Confusion(ref, hyp, n, words[ref, hyp], script_of(ref or hyp), block_of(ref or hyp))
        for (ref, hyp), n in sorted(times.items(), key=lambda item: (-item[1], item[0]))
    )


def confusion_examples(
    outcomes: WordOutcomes, system: str, reference: str, read_as: str
) -> IntArray:
    """Numbers of the words that show a confusion, for ``WordOutcomes.examples``."""
    policy = outcomes.settings.policy
    shown = {
        pair
        for pair in _misread(outcomes, system)
        if (reference, read_as) in confusions_of(*pair, policy)
    }
    return _numbers(outcomes, system, shown)


def confusions_of(word: str, read: str, policy: TextPolicy) -> Counter[tuple[str, str]]:
    """The confusions of one word read as another.

    >>> sorted(confusions_of("corner", "comer", TextPolicy()).items())
    [(('rn', 'm'), 1)]
    """
    ref, hyp = characters(word, policy), characters(read, policy)
    found: Counter[tuple[str, str]] = Counter()
    stretch: list[tuple[int, int, int, int]] = []
    ops = [(op.src_start, op.src_end, op.dest_start, op.dest_end)
           for op in Levenshtein.opcodes(ref, hyp) if op.tag != "equal"]  # fmt: skip
    for op in [*ops, None]:
        # Stretches touch where nothing equal stands between them.
        if stretch and (op is None or op[0] != stretch[-1][1] or op[2] != stretch[-1][3]):
            found.update(_of_stretch(ref, hyp, stretch))
            stretch = []
        if op is not None:
            stretch.append(op)
    return found


def _of_stretch(
    ref: Sequence[str], hyp: Sequence[str], stretch: list[tuple[int, int, int, int]]
) -> list[tuple[str, str]]:
    """One stretch of differences as one confusion, or character by character."""
    left, right = ref[stretch[0][0] : stretch[-1][1]], hyp[stretch[0][2] : stretch[-1][3]]
    if len(left) != len(right) and max(len(left), len(right)) <= _LONGEST:
        return [("".join(left), "".join(right))]
    pairs = []
    for i, i_end, j, j_end in stretch:
        for step in range(max(i_end - i, j_end - j)):
            pairs.append(
                (
                    ref[i + step] if i + step < i_end else "",
                    hyp[j + step] if j + step < j_end else "",
                )
            )
    return pairs


@dataclass(frozen=True, slots=True)
class LetterRow:
    """How a character of the reference fared in the words that were matched at all.

    Args:
        total: how often it stands in matched words.
        right: how often it was read right; ``right / total`` is its accuracy.
        read_as: what else it was read as, and how often, most frequent first; "" for left out.
    """

    letter: str
    script: str
    block: str
    total: int
    right: int
    read_as: Mapping[str, int]


def letter_rows(
    outcomes: WordOutcomes, system: str, letters: Sequence[str] | None = None
) -> tuple[LetterRow, ...]:
    """How each character of the reference was read, the most frequent first.

    Characters of missing words are in no count: nothing is known of how they were read.

    Args:
        letters: only these characters, in this order, absent ones included; all by default.
    """
    policy = outcomes.settings.policy
    total: Counter[str] = Counter()
    wrong: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for word, count in _matched(outcomes, system).items():
        for letter in characters(word, policy):
            total[letter] += count
    for (word, read), count in _misread(outcomes, system).items():
        ref, hyp = characters(word, policy), characters(read, policy)
        for op in Levenshtein.editops(ref, hyp):
            if op.tag == "replace":
                wrong[ref[op.src_pos]][hyp[op.dest_pos]] += count
            elif op.tag == "delete":
                wrong[ref[op.src_pos]][""] += count
    if letters is None:
        letters = [letter for letter, _ in sorted(total.items(), key=lambda it: (-it[1], it[0]))]
    return tuple(
        LetterRow(
            letter,
            script_of(letter),
            block_of(letter),
            total[letter],
            total[letter] - (wrong[letter].total() if letter in wrong else 0),
            dict(wrong[letter].most_common()) if letter in wrong else {},
        )
        for letter in dict.fromkeys(letters)
    )


@dataclass(frozen=True, slots=True)
class GroupRow:
    """The characters of one Unicode script or block in the words that were matched at all."""

    group: str
    total: int
    right: int


def group_rows(
    letters: Sequence[LetterRow], by: Literal["script", "block"] = "block"
) -> tuple[GroupRow, ...]:
    """Characters and how many of them were read right, by script or block."""
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for row in letters:
        group = row.script if by == "script" else row.block
        total[group] += row.total
        right[group] += row.right
    return tuple(GroupRow(group, n, right[group]) for group, n in total.most_common())


@dataclass(frozen=True, slots=True)
class WrongWord:
    """A word of the reference and what it was read as.

    Args:
        reference: the word.
        read_as: what was read; None where it is missing.
        count: how often.
        pages: on how many pages.
    """

    reference: str
    read_as: str | None
    count: int
    pages: int


def wrong_words(
    outcomes: WordOutcomes, system: str, pattern: str = "", *, seconds: float = _SECONDS
) -> tuple[WrongWord, ...]:
    """Words that were misread or are missing, the most frequent first.

    Args:
        pattern: a regular expression that the word or its reading has to match somewhere.
        seconds: that all its searches together may take.

    Raises:
        ConfigError: the pattern is no regular expression, too long, or takes too long.
    """
    at = outcomes.system_at(system)
    wrong = np.flatnonzero(outcomes.wrong(system)).tolist()
    times: Counter[tuple[str, str | None]] = Counter()
    pages: defaultdict[tuple[str, str | None], set[int]] = defaultdict(set)
    for number in wrong:
        pair = (outcomes.words[number], outcomes.read_words[at][number])
        times[pair] += 1
        pages[pair].add(int(outcomes.page_of[number]))
    texts = {text for pair in times for text in pair if text is not None}
    kept = matching_texts(texts, pattern, seconds=seconds) if pattern else texts
    return tuple(
        WrongWord(*pair, count, len(pages[pair]))
        for pair, count in sorted(
            times.items(), key=lambda item: (-item[1], item[0][0], item[0][1] or "")
        )
        if pair[0] in kept or pair[1] in kept
    )


def wrong_word_examples(
    outcomes: WordOutcomes, system: str, reference: str, read_as: str | None
) -> IntArray:
    """Numbers of the words that were read so, for ``WordOutcomes.examples``."""
    return _numbers(outcomes, system, {(reference, read_as)})


def matching_texts(texts: set[str], pattern: str, *, seconds: float = _SECONDS) -> set[str]:
    """The texts in which a pattern from outside matches somewhere, within a limited time.

    Raises:
        ConfigError: the pattern is no regular expression, too long, or takes too long.
    """
    if len(pattern) > _LONGEST_PATTERN:
        raise ConfigError(f"the pattern is longer than {_LONGEST_PATTERN} characters")
    end = time.monotonic() + seconds
    try:
        search = regex.compile(pattern).search
        found = set()
        for text in texts:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if search(text, timeout=left):
                found.add(text)
        return found
    except TimeoutError:
        raise ConfigError(
            f"the pattern takes longer than {seconds:g} s: avoid repeats within repeats such as "
            "(a+)+"
        ) from None
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        raise ConfigError(f"no regular expression: {error}") from None


def _numbers(
    outcomes: WordOutcomes, system: str, pairs: set[tuple[str, str]] | set[tuple[str, str | None]]
) -> IntArray:
    read_words = outcomes.read_words[outcomes.system_at(system)]
    wrong = np.flatnonzero(outcomes.wrong(system)).tolist()
    found = [n for n in wrong if (outcomes.words[n], read_words[n]) in pairs]
    return np.array(found, dtype=np.int64)


def _misread(outcomes: WordOutcomes, system: str) -> Counter[tuple[str, str]]:
    """How often each word was read as which other."""
    at = outcomes.system_at(system)
    read_words = outcomes.read_words[at]
    chosen = np.flatnonzero(outcomes.outcome[at] == Outcome.MISREAD).tolist()
    return Counter((outcomes.words[n], read_words[n] or "") for n in chosen)


def _matched(outcomes: WordOutcomes, system: str) -> Counter[str]:
    """How often each word was matched with any word."""
    at = outcomes.system_at(system)
    chosen = np.flatnonzero(outcomes.outcome[at] != Outcome.MISSING).tolist()
    return Counter(outcomes.words[n] for n in chosen)
