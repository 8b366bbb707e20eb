"""Whether text that replaces other text says the same in another language.

No dictionary is asked. What a translation keeps runs parallel on both sides: numbers, names, and
how long each line is; and its little words are those of another language. Where that cannot be
shown the text is only other text.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz

from htreval_core.diagnosis.limits import PARALLELS
from htreval_core.diagnosis.model import Span, Translation
from htreval_core.diagnosis.page.ground import Ground

_LITTLE = {
    code: frozenset(words.split())
    for code, words in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}


def language(words: Sequence[str]) -> str:
    """The language that the little words of a text speak for; empty where they do not tell."""
    cores = Counter(re.sub(r"[^\w]", "", word).lower() for word in words)
    hits = {code: sum(cores[word] for word in little) for code, little in _LITTLE.items()}
    first, second = sorted(hits, key=lambda code: -hits[code])[:2]
    known = (
        hits[first] >= PARALLELS.LEAST_LITTLE and hits[first] >= PARALLELS.CLEARLY * hits[second]
    )
    return first if known else ""


def find_translation(ground: Ground, reference: Span, hypothesis: Span) -> Translation | None:
    """The language of a passage that is a translation; None where it is no translation.

    Args:
        reference: the words that were replaced.
        hypothesis: those that stand instead.
    """
    ref = ground.reference.words[slice(*reference)]
    hyp = ground.hypothesis.words[slice(*hypothesis)]
    if min(len(ref), len(hyp)) < PARALLELS.LEAST_WORDS:
        return None
    letters = sum(map(len, ref)), sum(map(len, hyp))
    if not PARALLELS.SHORTEST * letters[0] <= letters[1] <= PARALLELS.LONGEST * letters[0]:
        return None
    of_ref, of_hyp = language(ref), language(hyp)
    if of_hyp and of_hyp == of_ref:
        return None
    fixed = _fixed(ref), _fixed(hyp)
    is_passage = len(ref) < PARALLELS.PASSAGE * len(ground.reference.words)
    near = PARALLELS.NEAR_IN_PASSAGE if is_passage else PARALLELS.NEAR
    kept, of_all = _kept(*fixed, near), min(map(len, fixed))
    foreign = bool(of_ref and of_hyp)
    if foreign and (kept >= PARALLELS.FEW or _lines_run_parallel(ground, reference, hypothesis)):
        return Translation(of_hyp)
    # Beside text of the page in its own language, one name in its place is enough.
    if foreign and kept and is_passage:
        return Translation(of_hyp)
    return Translation(of_hyp) if kept >= max(PARALLELS.MANY, PARALLELS.MOST * of_all) else None


_Fixed = Sequence[tuple[float, str]]


def _kept(a: _Fixed, b: _Fixed, near: float) -> int:
    """How many numbers and names both sides have in the same order, and about the same place."""
    best = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    for i, (at, one) in enumerate(a, start=1):
        for j, (other_at, other) in enumerate(b, start=1):
            same = abs(at - other_at) <= near and _is_same(one, other)
            best[i, j] = max(best[i - 1, j], best[i, j - 1], best[i - 1, j - 1] + same)
    return int(best[-1, -1])


def _fixed(words: Sequence[str]) -> _Fixed:
    """The numbers and the names of a text, with their place from 0 to 1."""
    found = []
    for number, word in enumerate(words):
        core = word.strip(".,:;!?()[]“”\"'‘’»«-")
        is_name = core[:1].isupper() and len(core) >= PARALLELS.LEAST_NAME
        if is_name or sum(sign.isdigit() for sign in core) >= 2:
            found.append((number / len(words), core))
    return found


def _is_same(one: str, other: str) -> bool:
    if any(sign.isdigit() for sign in one + other):
        digits = [re.sub(r"\D", "", word) for word in (one, other)]
        return digits[0] == digits[1]
    return fuzz.ratio(one, other) >= PARALLELS.ALIKE


def _lines_run_parallel(ground: Ground, reference: Span, hypothesis: Span) -> bool:
    """Whether as many lines stand there as stood there, as long or as short."""
    ref_lines = _lengths(ground.reference.words, ground.reference.line_of, reference)
    hyp_lines = _lengths(ground.hypothesis.words, ground.hypothesis.line_of, hypothesis)
    if len(ref_lines) != len(hyp_lines) or len(ref_lines) < PARALLELS.LEAST_LINES:
        return False
    if min(np.std(ref_lines), np.std(hyp_lines)) == 0:
        return False
    return bool(np.corrcoef(ref_lines, hyp_lines)[0, 1] >= PARALLELS.AS_LONG)


def _lengths(words: Sequence[str], line_of: Sequence[int], span: Span) -> list[int]:
    """The letters of each line that a span touches."""
    letters = Counter[int]()
    for word in range(*span):
        letters[line_of[word]] += len(words[word])
    return [letters[line] for line in sorted(letters)]
