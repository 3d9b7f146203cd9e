"""What an update adds, told by the weights and by the time of a step."""

from __future__ import annotations

import pytest

from fullfield.memory.account import Shape
from fullfield.techniques.weights import by_weights, update_time
from techniques.stepping import site


def test_that_bytes_are_told_by_those_of_all_weights() -> None:
    here = site()
    total = sum(here.costs.facts.weights.values())
    assert total > 0
    assert by_weights(total / 4, here) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("batch", "height", "width", "part"), [(1, 512, 512, 1.0), (4, 512, 512, 0.25), (1, 1024, 2048, 0.125)]
)
def test_that_an_update_takes_as_long_whatever_the_images(batch: int, height: int, width: int, part: float) -> None:
    here = site(shape=Shape(batch=batch, height=height, width=width))
    assert update_time(0.2, here) == pytest.approx(0.2 * part, rel=1e-9)


def test_that_an_update_on_a_card_adds_no_time() -> None:
    assert update_time(0.2, site("cuda")) == 0.0
