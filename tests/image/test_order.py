from __future__ import annotations

import numpy as np
import pytest

from fullfield.image import order

RANDOM = np.random.default_rng(6)
MANY = 100_003
KINDS = {
    "normal": RANDOM.normal(size=MANY),
    "a long tail": np.abs(RANDOM.standard_cauchy(size=MANY)),
    "few values": RANDOM.integers(0, 5, MANY),
    "two far apart": np.where(np.arange(MANY) < MANY // 2, 0.0, 1e6) + RANDOM.random(MANY),
    "one value": np.full(MANY, 0.3),
    "nearly one value": np.where(np.arange(MANY) == 7, 9.0, 0.3),
    "few": RANDOM.normal(size=5),
    "one": np.array([2.5]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_that_percentiles_are_those_of_all_values_in_order(kind: str) -> None:
    values, percents = KINDS[kind].astype(np.float32), [0, 0.3, 25, 50, 90, 97, 99.7, 100]

    wanted = np.percentile(values.astype(np.float64), percents)

    found = order.percentiles(values, percents)

    assert found == pytest.approx(wanted, rel=1e-6, abs=1e-6)
    assert {type(one) for one in found} == {float}  # numpy's own would make float64 of what they are used on
