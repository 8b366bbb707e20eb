"""The first questions: the WER of two texts, and its sisters.

Each function takes a reference and a hypothesis, two texts or two lists of texts that belong
together one by one, such as the pages of a book. Of lists the value is that of the corpus: counts
added up, then divided, as the paper does (Vidal et al. 2023, Sec. 7); NSFD is the mean of its pages
weighted by their reference words. Values are fractions, nan where nothing can be divided by. Rules
of reading order hold as far as texts without regions allow: ``partial``.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import regex

from htreval_core.errors import ConfigError
from htreval_core.metrics.catalog import METRICS, rate
from htreval_core.metrics.columns import EDITS, page_counts
from htreval_core.metrics.edit import char_errors, trace_counts, word_trace
from htreval_core.metrics.page import PageReference, score_words
from htreval_core.metrics.words import WordPair, bag_of_words
from htreval_core.model import EditCounts
from htreval_core.settings import Settings
from htreval_core.text import PageWords, characters, page_words

Texts: TypeAlias = str | Sequence[str]


def wer(reference: Texts, hypothesis: Texts, settings: Settings | None = None) -> float:
    """Word error rate: words that differ when the text is read from first to last.

    >>> wer("to be or not to be", "not to be or to be")
    0.3333333333333333
    """
    return _value("wer", reference, hypothesis, settings)


def bwer(reference: Texts, hypothesis: Texts, settings: Settings | None = None) -> float:
    """Bag-of-words WER: words misread, left out or added, wherever they stand.

    >>> bwer("to be or not to be", "not to be or to be")
    0.0
    """
    return _value("bwer", reference, hypothesis, settings)


def delta_wer(reference: Texts, hypothesis: Texts, settings: Settings | None = None) -> float:
    """ΔWER = WER − bWER: what the order of words costs.

    >>> delta_wer("to be or not to be", "not to be or to be")
    0.3333333333333333
    """
    return _value("delta_wer", reference, hypothesis, settings)


def cer(reference: Texts, hypothesis: Texts, settings: Settings | None = None) -> float:
    """Character error rate, one space between words.

    >>> cer("wrong", "wring")
    0.2
    """
    return _value("cer", reference, hypothesis, settings)


def hwer(reference: Texts, hypothesis: Texts, settings: Settings | None = None) -> float:
    """Hungarian WER: words misread when each is compared with the one that it is matched with.

    >>> hwer("aa bb cc", "cc bb aa")
    0.0
    """
    return _value("hwer", reference, hypothesis, settings)


def hcer(reference: Texts, hypothesis: Texts, settings: Settings | None = None) -> float:
    """CER after the hypothesis is put into the order of the reference by the matching.

    >>> hcer("aa bb cc", "cc bb aa")
    0.0
    """
    return _value("hcer", reference, hypothesis, settings)


def nsfd(reference: Texts, hypothesis: Texts, settings: Settings | None = None) -> float:
    """Normalised Spearman footrule distance: how far words stand from their place.

    >>> nsfd("aa bb cc dd", "dd cc bb aa")
    1.0
    """
    return _value("nsfd", reference, hypothesis, settings)


def _value(name: str, reference: Texts, hypothesis: Texts, settings: Settings | None) -> float:
    """The value of a metric over pages of texts."""
    settings = settings or Settings()
    if isinstance(reference, str) and isinstance(hypothesis, str):
        refs, hyps = [reference], [hypothesis]
    else:
        refs, hyps = _listed(reference), _listed(hypothesis)
    if len(refs) != len(hyps):
        raise ConfigError(
            f"{len(refs)} references and {len(hyps)} hypotheses: give one hypothesis per reference"
        )
    metric = METRICS[name]
    errors = length = 0.0
    in_ref = in_hyp = False
    for reference, hypothesis in zip(refs, hyps, strict=True):
        if settings.orders:
            page = PageReference.of("page", reference, settings)
            ref, hyp = page.words, page.counted(hypothesis, settings)
        else:
            ref, hyp = (page_words(text, settings.policy) for text in (reference, hypothesis))
        in_ref, in_hyp = in_ref or bool(ref.words), in_hyp or bool(hyp.words)
        of_page, size = metric.of_counts(_counts(name, ref, hyp, settings))
        if metric.weighted:
            # A page without reference words weighs nothing, whatever stands there.
            of_page, size = len(ref.words) and len(ref.words) * rate(of_page, size), len(ref.words)
        errors, length = errors + of_page, length + size
    if metric.undefined_without_reference and in_hyp and not in_ref:
        return float("nan")
    return metric.value(errors, length)


def _listed(texts: Texts) -> list[str]:
    if isinstance(texts, Sequence) and not isinstance(texts, str | bytes):
        listed = list(texts)
        if all(isinstance(text, str) for text in listed):
            return listed
    raise ConfigError("give two texts, or two lists of texts")


def _counts(name: str, ref: PageWords, hyp: PageWords, settings: Settings) -> dict[str, Any]:
    """The counts of a page that a metric takes, no more: the matching costs most."""
    if name in ("hwer", "hcer", "nsfd"):
        return page_counts(score_words("", "", ref, hyp, settings).scores)
    if name == "cer":
        sides = [characters(side.text, settings.policy) for side in (ref, hyp)]
        return {"cer_errors": char_errors(*sides), "n_ref_chars": len(sides[0])}
    words = WordPair.of(ref.words, hyp.words)
    counts: dict[str, Any] = {"n_ref_words": len(ref.words)}
    if name != "bwer":
        counts |= _edits("wer", trace_counts(words, word_trace(words, settings.trace)))
    if name != "wer":
        counts |= _edits("bwer", bag_of_words(words).edit_counts())
    return counts


def _edits(name: str, edits: EditCounts) -> dict[str, int]:
    return {f"{name}_{kind}": getattr(edits, kind) for kind in EDITS}


SCRIPTS: tuple[str, ...] = (
    "Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Syriac", "Armenian", "Georgian",
    "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Tamil", "Telugu", "Kannada", "Malayalam",
    "Sinhala", "Thai", "Lao", "Tibetan", "Myanmar", "Khmer", "Ethiopic", "Coptic", "Glagolitic",
    "Gothic", "Runic", "Ogham", "Cherokee", "Mongolian", "Hangul", "Hiragana", "Katakana",
    "Bopomofo", "Han",
)  # fmt: skip
"""Scripts in which manuscripts are met; characters of others are "other"."""
_KINDS = {
    r"\p{Nd}": "digit", r"\p{P}": "punctuation", r"\p{M}": "combining mark", r"\p{S}": "symbol",
    r"\p{Co}": "private use",
}  # fmt: skip


_PROPERTIES = (*(rf"\p{{Script={name}}}" for name in SCRIPTS), *_KINDS)
# The number of the group tells which property a character has.
_SCRIPT = regex.compile("|".join(f"({one})" for one in _PROPERTIES))
_SCRIPT_NAMES = (*SCRIPTS, *_KINDS.values())


def script_of(text: str) -> str:
    """The script of the first character; what belongs to no single one is known by its kind.

    >>> script_of("ſ"), script_of("я"), script_of("7"), script_of(",")
    ('Latin', 'Cyrillic', 'digit', 'punctuation')
    """
    found = _SCRIPT.match(text[:1])
    return _SCRIPT_NAMES[found.lastindex - 1] if found else "other"
