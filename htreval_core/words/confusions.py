"""What is read as what: characters and words, from the words that were matched.

Only words matched with an unequal word are looked into, each against its own reading, so a line
in the wrong place confuses no characters.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Levenshtein

from htreval_core.model import IntArray
from htreval_core.text import TextPolicy, characters
from htreval_core.words.outcomes import Outcome, WordOutcomes

_LONGEST = 3
"""Longer stretches that differ are other words, not characters taken for others."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """Characters of the reference that were read as others.

    Args:
        reference: one to three characters; empty where some were added.
        read_as: what was read; empty where they were left out.
        count: how often.
    """

    reference: str
    read_as: str
    count: int


def char_confusions(outcomes: WordOutcomes, system: str) -> tuple[Confusion, ...]:
    """All character confusions of a system, the most frequent first.

    Differing characters that follow each other count as one confusion ("rn" read as "m") up to
    three characters on either side; a stretch of as many characters on both sides, and a longer
    one, counts character by character.
    """
    times: Counter[tuple[str, str]] = Counter()
    for (word, read), count in _misread(outcomes, system).items():
        found = confusions_of(word, read, outcomes.settings.policy)
        times.update({pair: n * count for pair, n in found.items()})
    return tuple(
        Confusion(ref, hyp, n)
        for (ref, hyp), n in sorted(times.items(), key=lambda item: (-item[1], item[0]))
    )


def confusion_matrix(
    confusions: Iterable[Confusion], at_most: int = 20
) -> tuple[tuple[str, ...], tuple[str, ...], IntArray]:
    """Characters of the reference by what they were read as: the commonest of both, and how often.

    Args:
        confusions: of one system or several.
        at_most: rows, and columns.
    """
    times: Counter[tuple[str, str]] = Counter()
    for one in confusions:
        times[one.reference, one.read_as] += one.count
    sides: list[tuple[str, ...]] = []
    for side in (0, 1):
        totals: Counter[str] = Counter()
        for pair, count in times.items():
            if side == 0 or pair[0] in sides[0]:
                totals[pair[side]] += count
        sides.append(tuple(sorted(totals, key=lambda text: (-totals[text], text))[:at_most]))
    rows, columns = sides
    counts = np.array([[times[ref, hyp] for hyp in columns] for ref in rows], dtype=np.int64)
    return rows, columns, counts.reshape(len(rows), len(columns))


_ARROWS = ("→", "->", ">")


def find_errors(outcomes: WordOutcomes, system: str, wanted: str) -> IntArray:
    """Numbers of the words that a system got wrong in a way that somebody asks for.

    Args:
        wanted: "rn→m", "rn->m" or "rn>m", characters or a whole word read as others, empty on one
            side for what was added or left out; else a part of the word or of its reading, in
            either case; empty for every error.
    """
    ref, arrow, hyp = next((found for arrow in _ARROWS if (found := wanted.partition(arrow))[1]),
                           (wanted, "", ""))  # fmt: skip
    pair, part = (ref.strip(), hyp.strip()), wanted.strip().casefold()
    policy = outcomes.settings.policy

    def fits(word: str, read: str | None) -> bool:
        if not arrow:
            return part in word.casefold() or part in (read or "").casefold()
        return pair == (word, read or "") or bool(
            read and pair in confusions_of(word, read, policy)
        )

    read_words = outcomes.read_words[outcomes.system_at(system)]
    wrong = np.flatnonzero(outcomes.wrong(system)).tolist()
    known = {one: fits(*one) for one in {(outcomes.words[n], read_words[n]) for n in wrong}}
    return np.array([n for n in wrong if known[outcomes.words[n], read_words[n]]], dtype=np.int64)


Spelled = list[tuple[str, bool]]
"""A word in pieces, and whether each differs from the other word."""


def spelled(word: str, read: str, policy: TextPolicy) -> tuple[Spelled, Spelled]:
    """Both words in pieces that are equal or differ.

    >>> spelled("corner", "comer", TextPolicy())[0]
    [('co', False), ('rn', True), ('er', False)]
    """
    ref, hyp = characters(word, policy), characters(read, policy)
    sides: tuple[Spelled, Spelled] = ([], [])
    for op in Levenshtein.opcodes(ref, hyp):
        pieces = (ref[op.src_start : op.src_end], hyp[op.dest_start : op.dest_end])
        for side, piece in zip(sides, pieces, strict=True):
            text, differs = "".join(piece), op.tag != "equal"
            if text and side and side[-1][1] == differs:
                text = side.pop()[0] + text
            if text:
                side.append((text, differs))
    return sides


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
    total: int
    right: int
    read_as: Mapping[str, int]


def letter_rows(outcomes: WordOutcomes, system: str) -> tuple[LetterRow, ...]:
    """How each character of the reference was read, the most frequent first.

    Characters of missing words are in no count: nothing is known of how they were read.
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
    letters = [letter for letter, _ in sorted(total.items(), key=lambda it: (-it[1], it[0]))]
    return tuple(
        LetterRow(
            letter, total[letter],
            total[letter] - (wrong[letter].total() if letter in wrong else 0),
            dict(wrong[letter].most_common()) if letter in wrong else {},
        )
        for letter in letters
    )  # fmt: skip


def _misread(outcomes: WordOutcomes, system: str) -> Counter[tuple[str, str]]:
    at = outcomes.system_at(system)
    read_words = outcomes.read_words[at]
    chosen = np.flatnonzero(outcomes.outcome[at] == Outcome.MISREAD).tolist()
    return Counter((outcomes.words[n], read_words[n] or "") for n in chosen)


def _matched(outcomes: WordOutcomes, system: str) -> Counter[str]:
    at = outcomes.system_at(system)
    chosen = np.flatnonzero(outcomes.outcome[at] != Outcome.MISSING).tolist()
    return Counter(outcomes.words[n] for n in chosen)
