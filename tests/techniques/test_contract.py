"""What every technique owes the others: what it predicts is what it does, alone and with any that it goes with."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from itertools import combinations

import pytest
import torch

import narrow
from fullfield.bench.memory import Comparison
from fullfield.hardware import devices
from fullfield.memory.account import PartPlan, Shape
from fullfield.memory.costs import Costs, Facts
from fullfield.model.network import NetworkSpec
from fullfield.model.network import build as network_of
from fullfield.techniques import build as builds
from fullfield.techniques import compose, here, registry
from fullfield.techniques.build import Build
from fullfield.techniques.site import Site
from support import without_compiler

from .measuring import taken

SHARE = 0.8  # of what is claimed, at least
BESIDE = {
    "optimizer_in_backward": ("hybrid_bands",),
    "channels_last": ("banded_loss",),
    "compile": ("checkpointing:by=parts,parts=stem+layer2..d4+d5..head",),  # layer1 is left to compile
    "banded_loss": ("channels_last",),
    "zero": ("data_parallel",),
    "spatial": ("banded_loss", "full_bands"),
    "gradient_compression": ("data_parallel",),
    "zero_optimizer": ("data_parallel",),
}
"""What else is on where the memory is measured: what a technique needs, and what brings its bytes to the peak."""
IMAGES = {"optimizer_in_backward": 1, "precision": 3}
BY = {"precision": 2}
"""Of how many channels one is left, where it is not `NARROW`: of the narrower one's peak too much is of either type.
Such a one has a number of images of its own, by which what was measured is kept."""
NARROW = 4
SEVERAL = 2
"""So that maps, and not weights, decide the peak."""
SLOW = "quantization"
"""Prepares for seconds what it runs, and not without values: its own tests look at its parts."""
NAMES = tuple(registry.all_techniques())
SHAPE = Shape(height=192, width=224, batch=2, encoder="resnet18")
"""Of two images, for with one some techniques are impossible."""
narrowed = narrow.networks(NARROW)
PAIRS = [pair for pair in combinations(NAMES, 2) if not compose.conflicts([registry.read(name) for name in pair])]


def site(shape: Shape | None = None) -> Site:
    unknown = Costs(Facts(weights={"all": 1}, buffers=0))
    return here.site(devices.choose(devices.CPU), shape or SHAPE, unknown)


SETS = [texts for texts in (*((name,) for name in NAMES), *PAIRS) if SLOW not in texts]


@pytest.mark.parametrize("texts", SETS, ids="+".join)
def test_that_the_parts_that_are_predicted_are_the_parts_that_are_made(texts: tuple[str, ...]) -> None:
    techniques = compose.ordered([registry.read(text) for text in texts])
    refused = compose.refusals(techniques, site())
    if refused:
        assert all(len(reason) > 20 for reason in refused)
        pytest.skip(f"impossible here: {refused[0]}")
    build = unreal()
    compose.apply(techniques, build)
    assert [plan(part) for part in build.chain.parts] == list(compose.predict(techniques, site()).parts)


def unreal() -> Build:
    """A step that is never run."""
    with torch.device("meta"):
        build = builds.begin(network_of(NetworkSpec(encoder="resnet18")), torch.device("meta"))
    build.counted = True
    return build


def plan(part: object) -> PartPlan:
    return PartPlan(**{name: getattr(part, name) for name in ("name", "takes", "stages", "method")})


@pytest.mark.parametrize("name", [name for name in NAMES if name != SLOW])
def test_that_four_fifths_of_the_memory_that_is_claimed_are_saved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name != "compile":
        without_compiler(monkeypatch)
    with narrow.everywhere(BY.get(name, NARROW)):
        saves(name)


def saves(name: str) -> None:
    base, images = BESIDE.get(name, ()), IMAGES.get(name, SEVERAL)
    techniques = compose.read((*base, name))
    refused = compose.refusals(techniques, comparison(images).site(shape(images)))
    if refused:
        assert all(len(reason) > 20 for reason in refused)
        pytest.skip(f"impossible here: {refused[0]}")
    claimed = predicted(base, images) - predicted((*base, name), images)
    if claimed <= 0:  # its worth is another: it must at least change something
        build = unreal()
        before = everything(build)
        registry.read(name).apply(build)
        assert everything(build) != before
        return
    saved = taken(base, shape(images)) - taken((*base, name), shape(images))
    assert saved >= SHARE * claimed


def everything(build: Build) -> list[object]:
    values = [getattr(build, item.name) for item in fields(build) if item.name not in ("chain", "network", "notices")]
    modes = [module.training for module in build.network.modules()]
    runs = [part.run for part in build.chain.parts]
    return [[list(value) if isinstance(value, list) else value for value in values], modes, runs]


def shape(images: int) -> Shape:
    return Shape(height=192, width=224, batch=images, encoder="resnet18")


@cache
def comparison(_images: int) -> Comparison:
    torch.set_num_threads(1)
    return Comparison("resnet18")


@cache
def predicted(texts: tuple[str, ...], images: int) -> int:
    return comparison(images).predict(compose.read(texts), shape(images)).fullest.peak
