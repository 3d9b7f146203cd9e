"""Which techniques are for a network that is no U-Net, and that its step is planned by tracing it like any other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield.plan.question import Question
from fullfield.plan.sets import Sets
from fullfield.techniques import compose, networks, registry
from fullfield.techniques.base import Tier
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import Site
from techniques.stepping import site


@pytest.fixture
def of_map() -> Site:
    """A card, for which every technique has something to propose."""
    here = site("cuda", (8, 0))
    return replace(here, shape=replace(here.shape, encoder="map", height=256, width=256))


def test_that_only_what_is_of_use_to_every_network_is_possible_and_all_else_says_why(of_map: Site) -> None:
    reasons = {name: networks.why_not(kind, of_map) for name, kind in registry.all_techniques().items()}
    assert {name for name, reason in reasons.items() if reason is None} == {"precision", "banded_loss"}
    assert all("map network" in reason.text and reason.hint for reason in reasons.values() if reason is not None)
    (said,) = compose.refusals(compose.read(["banded_loss", "ema"]), of_map)
    assert said.startswith("ema: The map network has half a million weights")
    assert not any(networks.why_not(kind, site("cuda", (8, 0))) for kind in registry.all_techniques().values())


def test_that_the_planner_proposes_shorter_numbers_alone(of_map: Site) -> None:
    sets = Sets(Question(height=256, width=256, encoder="map", approximate=True), of_map)
    found = {tuple(map(str, one)) for tier in Tier for one in sets.of(tier)}
    assert found == {("banded_loss",), ("precision", "banded_loss"), ("precision:format=fp16", "banded_loss")}


def test_that_its_step_is_traced_part_by_part(of_map: Site) -> None:
    costing = Costing("map", "none")
    bytes_ = {}
    for side in (256, 512):
        here = replace(of_map, shape=replace(of_map.shape, height=side, width=side))
        _, account = costing.account(compose.read(["banded_loss"]), here)
        bytes_[side] = account.devices[0].peak
    assert sum(costing.costs.facts.weights.values()) == costing.costs.facts.weights["maps"] > 1_000_000
    pixels = 512 * 512 - 256 * 256
    assert 20 < (bytes_[512] - bytes_[256]) / pixels < 400  # what grows with the image is a picture's, not a U-Net's
