"""A thousand cases of ``tests/fuzz.py``, and that it finds what is wrong."""

import pytest

from htreval_core.metrics import edit, page
from tests import fuzz

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
