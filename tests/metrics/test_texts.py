"""The first questions: one call from two texts to a value."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.metrics import edit, page
from htreval_core.settings import exact_gamma
from tests import fuzz
from tests.tools import made

NAMES = ["wer", "bwer", "delta_wer", "cer", "hwer", "hcer", "nsfd"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("gamma", [1, "0.3"])
def test_of_lists_the_value_is_that_of_the_corpus(name: str, gamma: str | int) -> None:
    settings = hv.Settings(gamma=gamma, policy=hv.TextPolicy(ignore_case=True))
    references = [page.reference.text for page in made(30)]
    # No setting may be lost on the way.
    outputs = [page.hypotheses["A"].text.title() for page in made(30)]
    sides = zip(references, outputs, strict=True)
    pages = [hv.Page.from_text(str(n), ref, {"A": out}) for n, (ref, out) in enumerate(sides)]
    expected = hv.score(pages, settings).corpora["A"].estimates[name].value
    found = getattr(hv, name)(references, outputs, settings)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_of_two_texts_the_value_is_that_of_the_page(name: str) -> None:
    for one in made(10):
        texts = one.reference.text, one.hypotheses["B"].text
        value = getattr(hv, name)(*texts)
        assert value == pytest.approx(hv.score_page(*texts).rates[name], abs=1e-15)
        assert value == getattr(hv, name)([texts[0]], [texts[1]])


@pytest.mark.parametrize("name", NAMES)
def test_sides_with_nothing_to_divide_by_or_that_do_not_belong_together(name: str) -> None:
    value = getattr(hv, name)
    assert math.isnan(value("", "a b"))
    assert value("", "") == 0
    assert value("a b", "a b") == 0
    # As of a page: words decide, and rules hold.
    settings = hv.Settings(policy=hv.TextPolicy(ignore_punctuation=True),
                           orders=hv.OrderRules(partial=True))  # fmt: skip
    for texts in (("", ","), (",", "x"), ("a b c", "x y a b c z")):
        rates = hv.score_page(*texts, settings).rates
        assert value(*texts, settings) == pytest.approx(rates[name], nan_ok=True)
    with pytest.raises(hv.ConfigError, match="two texts, or two lists"):
        value("a b", ["a b"])
    with pytest.raises(hv.ConfigError, match="2 references and 1 hypotheses"):
        value(["a", "b"], ["a"])
    # One reference without text that was read makes a corpus without text undefined.
    if name == "wer":
        assert math.isnan(hv.wer(["", ""], ["a", ""]))
        assert math.isnan(hv.wer(["", ""], ["", "a"]))
        assert hv.wer(["", "a"], ["b", "a"]) == 1


def test_every_rate_of_a_page_has_its_name() -> None:
    rates = hv.score_page("to be or not to be", "not to be or to be").rates
    assert set(rates) == set(hv.METRICS)
    assert rates["wer"] == pytest.approx(1 / 3)
    assert rates["bwer"] == 0


@given(st.one_of(
    st.fractions(), st.fractions(0, 2),
    st.builds(Fraction, st.integers(0, 3), st.integers(999_998, 1_000_002)),
    st.builds(Fraction, st.integers(999_999, 1_000_001)),
))  # fmt: skip
def test_a_fraction_is_read_as_its_text(gamma: Fraction) -> None:
    try:
        expected = exact_gamma(str(gamma))
    except hv.ConfigError:
        with pytest.raises(hv.ConfigError):
            exact_gamma(gamma)
    else:
        assert exact_gamma(gamma) == expected


pytestmark = pytest.mark.slow


@pytest.mark.parametrize("batch", range(4))
def test_metrics_agree_with_programs_of_others(batch: int) -> None:
    failure = fuzz.run(seed=1, first=150 * batch, cases=150)
    assert failure is None, failure


def test_a_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A character distance that overlooks the letter á is found."""
    right = edit.char_counts

    def overlooked(side):  # type: ignore[no-untyped-def]
        # Some presets count clusters, which come as a list.
        is_text = isinstance(side, str)
        return side.replace("á", "a") if is_text else [one.replace("á", "a") for one in side]

    def wrong(ref, hyp, **more):  # type: ignore[no-untyped-def]
        return right(overlooked(ref), overlooked(hyp), **more)

    monkeypatch.setattr(page, "char_counts", wrong)
    failure = fuzz.run(seed=1, first=0, cases=1000)
    assert failure is not None
    assert "check_jiwer: character errors" in failure
