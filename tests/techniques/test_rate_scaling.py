"""The learning rate by the size of the batch: the rule, the warm-up, and where there is nothing to scale."""

from __future__ import annotations

from itertools import pairwise
from typing import cast

import pytest

from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect
from fullfield.techniques.build import Rate
from techniques.stepping import site, state


def rate(text: str) -> Rate:
    (found,) = state(text).build.rates
    return cast(Rate, found)


def test_that_it_rises_by_the_same_amount_in_every_step_from_the_rate_to_its_multiple() -> None:
    """Goyal et al. 2017, sections 2.1 and 2.2: 0.1 for 256 images, 3.2 for 8192 after 5 epochs."""
    scaled = rate("rate_scaling:reference=256")
    found = [scaled(0.1, step / 100, 8192) for step in range(700)]
    assert found[0] == pytest.approx(0.1)
    assert found[500:] == [pytest.approx(3.2)] * 200
    rises = [after - before for before, after in pairwise(found[:501])]
    assert rises == [pytest.approx(3.1 / 500)] * 500


def test_that_it_multiplies_the_rate_of_the_schedule() -> None:
    assert rate("rate_scaling:warm_up=0")(0.02, 0.0, 8) == pytest.approx(0.16)


def test_that_the_other_rule_is_the_square_root() -> None:
    assert rate("rate_scaling:rule=root,reference=4")(0.1, 5.0, 64) == pytest.approx(0.4)


def test_that_a_smaller_batch_has_its_smaller_rate_from_the_first_step_on() -> None:
    scaled = rate("rate_scaling:reference=8")
    assert [scaled(0.1, epoch, 2) for epoch in (0.0, 2.5, 5.0, 9.0)] == [pytest.approx(0.025)] * 4


@pytest.mark.parametrize(
    ("text", "images", "possible"),
    [("rate_scaling", 1, False), ("rate_scaling", 2, True), ("rate_scaling:reference=2", 2, False)],
)
def test_that_a_batch_for_which_the_rate_was_chosen_is_refused(text: str, images: int, possible: bool) -> None:
    reason = registry.read(text).refuse(site(shape=Shape(height=64, width=64, batch=images)))
    assert (reason is None) == possible


def test_that_it_takes_nothing_and_is_said_to_change_the_model() -> None:
    before = MemoryEstimate(shape=Shape(height=64, width=64, batch=2))
    assert registry.read("rate_scaling").predict(before, site()) == before
    assert compose.effect(compose.read(["rate_scaling"]), site()) == Effect.MODEL
