"""Several tests at once."""

import math
from collections.abc import Sequence


def holm(p: Sequence[float]) -> list[float]:
    """p-values after Holm's step-down correction (Holm 1979, Scand. J. Statist. 6).

    Undefined ones stay nan and are no part of the family.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    family = sorted((value, at) for at, value in enumerate(p) if not math.isnan(value))
    corrected = list(p)
    largest = 0.0
    for passed, (value, at) in enumerate(family):
        largest = max(largest, min(1.0, value * (len(family) - passed)))
        corrected[at] = largest
    return corrected
