"""A thousand cases of ``tests/fuzz.py``, and that it finds what is wrong."""

import pytest

from htreval_core.metrics import edit, page
from tests import fuzz

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("batch", range(4))
def test_metrics_agree_with_programs_of_others(batch: int) -> None:
    failure = fuzz.run(seed=1, first=250 * batch, cases=250)
    assert failure is None, failure


def test_cases_are_of_every_sort() -> None:
    cases = [fuzz.make_case(1, number) for number in range(1000)]
    assert any(not case.ref and case.hyp for case in cases)
    assert any(case.ref and not case.hyp for case in cases)
    assert any(len(set(case.ref)) < len(case.ref) for case in cases)
    assert max(len(word) for case in cases for word in case.ref) > 50
    assert {case.gamma for case in cases} == set(fuzz._GAMMAS)
    words = {word for case in cases for word in (*case.ref, *case.hyp)}
    assert all(word.split() == [word] for word in words)
    assert any("\u202e" in word for word in words)
    assert sum(0 < len(case.ref) <= 4 and 0 < len(case.hyp) <= 5 for case in cases) > 100


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
