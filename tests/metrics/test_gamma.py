"""γ is kept as an exact fraction, and a fraction is read as its text would be."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.settings import exact_gamma


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
