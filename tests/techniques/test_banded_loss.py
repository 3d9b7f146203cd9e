"""The loss in bands as a technique."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield.hardware import compiler
from fullfield.kernels import msssim
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.memory.costs import Costs, Facts
from fullfield.techniques import registry
from fullfield.techniques.banded_loss import BandedLoss, Options
from fullfield.techniques.site import Card, Site
from techniques import exactness

SHAPE = Shape(height=192, width=192)
SITE = Site(
    devices=(Card(kind="cpu", title="CPU", total_bytes=1 << 34, free_bytes=1 << 33),),
    shape=SHAPE,
    costs=Costs(Facts(weights={}, buffers=0)),
)
BEFORE = MemoryEstimate(shape=SHAPE)


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "missing", lambda: "There is no compiler.")


@pytest.mark.usefixtures("no_compiler")
def test_that_the_gradients_of_the_network_are_those_of_the_plain_loss() -> None:
    network, x, y = exactness.reference("resnet18", 2, 192, 192)
    build = exactness.built(network, BandedLoss(Options(rows=40)))
    exactness.agree(exactness.gradients(build, x, y), exactness.gradients(exactness.built(network), x, y))
    assert build.structure == msssim.Structure(variant=msssim.UNCOMPILED, band_rows=40)
    assert len(build.notices) == 1


def test_that_the_prediction_changes_the_loss_alone_and_names_the_variant_of_the_site() -> None:
    stored = replace(BEFORE, stored_reference=True)
    assert BandedLoss().predict(BEFORE, SITE) == replace(stored, loss=msssim.COMPILED)
    without = replace(SITE, compiler="There is no compiler.")
    assert BandedLoss().predict(BEFORE, without) == replace(stored, loss=msssim.UNCOMPILED)


def test_that_its_name_with_options_is_read_back() -> None:
    assert str(registry.read("banded_loss:rows=32")) == "banded_loss:rows=32"
    assert registry.read("banded_loss").options == Options(rows=0)
