"""The metrics against other people's programs and slow twins, on word lists made by chance.

``make fuzz`` tries twenty thousand pairs of texts; the test suite tries a thousand of other seeds.
A case is made from the seed and its own number alone, so a failure can be repeated by itself:
``python -m tests.fuzz --seed 0 --first 4711 --cases 1``.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TypeAlias

import jiwer

import htreval_core as hv
from htreval_core.metrics.matching.certificate import verify
from htreval_core.metrics.matching.dense import solve_dense, weights
from htreval_core.metrics.matching.match import match_like_authors, match_words, solve_sparse
from htreval_core.metrics.matching.savings import Savings, distance, objective
from htreval_core.metrics.words import WordPair
from tests.oracles import best_matching, float_cost
from tests.oracles_edit import crossings, footrule
from tests.oracles_edit import edit_distance as by_table

Words: TypeAlias = tuple[str, ...]

LINES = (
    "Item so hat der alt richter auch gesagt das er dar bey gewesen sey",
    "vnd hab gesehen das die fraw vnd der man mit einander geredt haben",
    "To be, or not to be, that is the question: whether 't is nobler in the mind",
    "the quick brown fox jumps over the lazy dog and the dog does not mind the fox",
    "N.º 12. En la ciudad de México a 3 días del mes de mayo de 1693 años",
    "ἐν ἀρχῇ ἦν ὁ λόγος καὶ ὁ λόγος ἦν πρὸς τὸν θεόν καὶ θεὸς ἦν ὁ λόγος",
)
"""Lines as one finds them, with words that come again: a deposition, Shakespeare, John 1:1."""

_ALPHABETS = (
    "ab", "abc", "abcdefghij", "aàáeéſsß", "אבגד",
    "漢字仮名", "𝔘𝔫𝔡👩🏽", "a\u0301\u200d\u200b\u202e", "<>&$`*_[]",
)  # fmt: skip
_GAMMAS = ("0", "0.0001", "0.5", "1", "4/3", "7", "100")
_BRUTE = 6
"""The most words a side for which every partial matching is tried: 13,327 of them."""


@dataclass(frozen=True, slots=True)
class Case:
    """Two texts and the weight of distance."""

    ref: Words
    hyp: Words
    gamma: str


def make_case(seed: int, number: int) -> Case:
    """The case of this number: chance words, or real lines spoilt."""
    rng = Random(f"{seed}/{number}")
    if rng.random() < 0.3:
        ref = " ".join(rng.sample(LINES, rng.randint(1, 3))).split()
        hyp = _spoilt(rng, ref)
    else:
        most = rng.choice((3, _BRUTE, _BRUTE, 12, 40))
        alphabet, longest = rng.choice(_ALPHABETS), rng.choice((1, 2, 4, 4, 60))
        ref = _chance_words(rng, most, alphabet, longest)
        spoils = ref and rng.random() < 0.4
        hyp = _spoilt(rng, ref) if spoils else _chance_words(rng, most, alphabet, longest)
    return Case(tuple(ref), tuple(hyp), rng.choice(_GAMMAS))


def _chance_words(rng: Random, most: int, alphabet: str, longest: int) -> list[str]:
    def word() -> str:
        return "".join(rng.choices(alphabet, k=rng.randint(1, longest)))

    return [word() for _ in range(rng.randint(0, most))]


def _spoilt(rng: Random, words: Sequence[str]) -> list[str]:
    """The words with some misread, lost, doubled, and a stretch moved."""
    found = list(words)
    for _ in range(rng.randint(0, max(2, len(found) // 3))):
        if not found:
            break
        place = rng.randrange(len(found))
        fault = rng.randrange(5)
        if fault == 0:
            del found[place]
        elif fault == 1:
            found.insert(place, rng.choice(found))
        elif fault == 2:
            end = rng.randint(place, len(found))
            moved, found = found[place:end], found[:place] + found[end:]
            where = rng.randint(0, len(found))
            found[where:where] = moved
        else:
            word = found[place]
            at = rng.randrange(len(word))
            found[place] = word[:at] + rng.choice(("", "x", "xy")) + word[at + 1 :] or "x"
    return found


# --- what must agree; each check says nothing, or what differs


def _scored(case: Case, **more: object) -> hv.ScoredPage:
    settings = hv.Settings(gamma=case.gamma, policy=hv.TextPolicy(form="none"), **more)
    return hv.score_page(" ".join(case.ref), " ".join(case.hyp), settings)


def _pairs(page: hv.ScoredPage) -> list[tuple[int, int]]:
    ref, hyp = page.matching.pairs
    return list(zip(ref.tolist(), hyp.tolist(), strict=True))


def check_jiwer(case: Case) -> Iterator[str]:
    """Word and character errors are jiwer's, which has no rate for an empty reference."""
    if not case.ref:
        return
    ref, hyp = " ".join(case.ref), " ".join(case.hyp)
    scores = _scored(case).scores
    words, chars = jiwer.process_words(ref, hyp), jiwer.process_characters(ref, hyp)
    theirs = words.substitutions + words.deletions + words.insertions
    if scores.wer.errors != theirs:
        yield f"word errors {scores.wer.errors}, jiwer {theirs}"
    theirs = chars.substitutions + chars.deletions + chars.insertions
    if scores.cer_errors != theirs:
        yield f"character errors {scores.cer_errors}, jiwer {theirs}"


def check_counts(case: Case) -> Iterator[str]:
    """Counts that follow from counters and from the textbook's table."""
    page = _scored(case)
    scores, ref, hyp = page.scores, Counter(case.ref), Counter(case.hyp)
    longer = max(len(case.ref), len(case.hyp))
    told = {
        "word errors": (scores.wer.errors, by_table(case.ref, case.hyp)),
        "bag hits": (scores.bwer.hits, (ref & hyp).total()),
        "bag errors": (scores.bwer.errors, longer - (ref & hyp).total()),
        "beta errors": (scores.beta_wer_errors, (ref - hyp).total() + (hyp - ref).total()),
        "reference words": (scores.wer.hits + scores.wer.substitutions + scores.wer.deletions,
                            len(case.ref)),
        "output words": (scores.wer.hits + scores.wer.substitutions + scores.wer.insertions,
                         len(case.hyp)),
        "hWER": (scores.hwer_errors,
                 longer - sum(case.ref[j] == case.hyp[k] for j, k in _pairs(page))),
        "NSFD": ((scores.nsfd_errors, scores.nsfd_length),
                 footrule(_pairs(page), len(case.ref), len(case.hyp))),
        "crossings": (scores.kendall_tau_errors, crossings(_pairs(page))),
        "word types": (scores.n_word_types, len(ref | hyp)),
    }  # fmt: skip
    for name, (ours, theirs) in told.items():
        if ours != theirs:
            yield f"{name} {ours}, counted plainly {theirs}"


def check_authors(case: Case) -> Iterator[str]:
    """The float matrix of the authors' program finds nothing cheaper, nor do we."""
    words = WordPair.of(case.ref, case.hyp)
    savings = Savings(words, Fraction(case.gamma))
    ours = objective(savings, match_words(words, case.gamma))
    theirs = objective(savings, match_like_authors(words, float(Fraction(case.gamma)))[0])
    if ours[0] != theirs[0]:
        yield f"saving {ours[0]}, the authors' matrix {theirs[0]}"
    if ours < theirs[:2]:
        yield f"saving and equal pairs {ours[:2]}, the authors' matrix {theirs[:2]}"
    cost = float(distance(savings, match_words(words, case.gamma)))
    plain = float_cost(case.ref, case.hyp, float(Fraction(case.gamma)))
    if abs(cost - plain) > 1e-6 * max(1, plain):
        yield f"cost {cost}, float matrix with a dummy for each word {plain}"


def check_solvers(case: Case) -> Iterator[str]:
    """The dense and the sparse solver agree, and the proof of the sparse one holds."""
    savings = Savings(WordPair.of(case.ref, case.hyp), Fraction(case.gamma))
    matching, duals = solve_sparse(savings)
    verify(savings, matching, duals)
    if weights(savings) and objective(savings, matching) != objective(
        savings, solve_dense(savings)
    ):
        yield "the dense and the sparse solver differ"


def check_brute(case: Case) -> Iterator[str]:
    """Small cases: cost, equal pairs and nearness of the best of all partial matchings."""
    if max(len(case.ref), len(case.hyp)) > _BRUTE or (len(case.ref) + len(case.hyp)) > 9:
        return
    savings = Savings(WordPair.of(case.ref, case.hyp), Fraction(case.gamma))
    matching = match_words(savings.words, case.gamma)
    ours = (distance(savings, matching), *objective(savings, matching)[1:])
    theirs = best_matching(case.ref, case.hyp, Fraction(case.gamma))
    if ours != theirs:
        yield f"(cost, equal pairs, Σ d(d−1)) {ours}, trying everything {theirs}"


_BETWEEN = (
    " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u2009", "\u2028", "\x1c", "\x85", "-\n", "\n\n"
)  # fmt: skip
"""What stands between words; programs take some of it for white space and some for a sign."""
_AROUND = ("", "", "", ".", ",", "!", "’s", "-", "ſ", "\u0301", "\u200b", "\ufeff", "ﬁ", "…")


def check_presets(case: Case) -> Iterator[str]:
    """Under every preset a plain count over its words; under jiwer's own also what jiwer counts."""
    rng = Random(f"{case.ref}/{case.hyp}")
    texts = [_written(rng, words) for words in (case.ref, case.hyp)]
    for name, preset in hv.PRESETS.items():
        page = hv.score_page(*texts, preset.settings)
        scores, ref, hyp = page.scores, page.reference.words, page.hypothesis.words
        longer, common = max(len(ref), len(hyp)), (Counter(ref) & Counter(hyp)).total()
        told = {
            "bag errors": (scores.bwer.errors, longer - common),
            "words": ((scores.n_ref_words, scores.n_hyp_words), (len(ref), len(hyp))),
            "hits and errors of the reference": (scores.wer.n_ref, len(ref)),
            "hits and errors of the output": (scores.wer.n_hyp, len(hyp)),
            "admissible errors": (scores.admissible_errors, scores.wer.errors),
        }
        plain = by_table(ref, hyp)
        if preset.settings.trace == "sclite":
            told["least word errors, no more than ours"] = min(plain, scores.wer.errors), plain
        else:
            told["word errors"] = scores.wer.errors, plain
        if name == "jiwer" and texts[0].strip():
            words, signs = jiwer.process_words(*texts), jiwer.process_characters(*texts)
            theirs = words.substitutions + words.deletions + words.insertions
            told["word errors of jiwer"] = scores.wer.errors, theirs
            theirs = signs.substitutions + signs.deletions + signs.insertions
            told["character errors of jiwer"] = scores.cer_errors, theirs
        for what, (ours, others) in told.items():
            if ours != others:
                yield f"{name}: {what} {ours}, otherwise {others}; texts {texts!r}"


def _written(rng: Random, words: Sequence[str]) -> str:
    """The words as a text, with signs around them and white space of many kinds between."""
    return "".join(
        f"{rng.choice(_AROUND)}{word}{rng.choice(_AROUND)}{rng.choice(_BETWEEN)}" for word in words
    )


CHECKS: tuple[Callable[[Case], Iterator[str]], ...] = (
    check_jiwer, check_counts, check_authors, check_solvers, check_brute, check_presets,
)  # fmt: skip


def problems(case: Case) -> list[str]:
    """What differs; an exception is told as a difference."""
    found: list[str] = []
    for check in CHECKS:
        try:
            found += [f"{check.__name__}: {told}" for told in check(case)]
        except Exception as error:
            found.append(f"{check.__name__}: {type(error).__name__}: {error}")
    return found


def run(seed: int, first: int, cases: int) -> str | None:
    """Try the cases; what is wrong with the first that fails, with its seed."""
    for number in range(first, first + cases):
        case = make_case(seed, number)
        found = problems(case)
        if found:
            return (
                f"seed {seed}, case {number}: {'; '.join(found)}\n  {case}\n"
                f"  again: python -m tests.fuzz --seed {seed} --first {number} --cases 1"
            )
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    start = time.monotonic()
    failure = run(options.seed, options.first, options.cases)
    if failure:
        sys.exit(failure)
    print(f"{options.cases:,} cases agree, seed {options.seed}, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
