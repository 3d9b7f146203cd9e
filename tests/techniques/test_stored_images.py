"""Steps on images as they are stored, beside the same steps on floats: the same bits, in half of the images' bytes."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from tests.memory.test_tracker import reported

import narrow
from fullfield.bench.stepping import RATE, as_stored
from fullfield.data.loader import Batch
from fullfield.kernels import stored
from fullfield.kernels.stored import Stored
from fullfield.memory.account import Shape
from fullfield.model import network as networks
from fullfield.model.card import NetworkSpec
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.techniques.full_bands import FullBands
from fullfield.train.step import train_step
from fullfield.train.update import Update
from support import without_compiler

narrowed = narrow.networks()

WAYS = [
    ("hybrid_bands:rows=96,block_rows=96",),
    ("full_bands:rows=96,block_rows=96,whole=layer4,tier=host", "optimizer_in_backward"),
    ("channels_last", "precision:format=bf16", "accumulate:images=1", "hybrid_bands:rows=96,nested=layer1,fused=true"),
    ("checkpointing",),
]


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel of the loss is given floats, compiled or not."""
    without_compiler(monkeypatch)


def batch() -> Batch:
    """Two images of unequal true sizes, each with a table of its own, as degraded ones have."""
    torch.manual_seed(1)
    x, y = torch.rand(2, 1, 192, 224), torch.rand(2, 1, 192, 224)
    one, other = as_stored(x), as_stored(0.7 * x + 0.3 * y)
    own = Stored(one.levels_NCHW, torch.stack([one.tables[0] ** 1.3, one.tables[1].clip(0.1, 0.7)]))
    return Batch(x_NCHW=own, y_NCHW=other, shapes=((192, 224), (180, 200)))


def bits(texts: tuple[str, ...], images: Batch, *, loss: str, l1: bool) -> dict[str, torch.Tensor]:
    """All that a step leaves: weights, statistics, and what the optimizer remembers of gradients."""
    torch.manual_seed(0)
    build = builds.begin(networks.build(NetworkSpec(encoder="resnet18")).train(), torch.device("cpu"))
    compose.apply(compose.read(texts), build)
    given = replace(
        images,
        x_NCHW=images.x_NCHW if build.stored_input else stored.values(images.x_NCHW),
        y_NCHW=images.y_NCHW if build.stored_reference else stored.values(images.y_NCHW),
    )
    update = Update(build)
    assert not train_step(build, update, given, loss=loss, l1=l1, rate=RATE).skipped
    return {**build.network.state_dict(), **update.tensors()}


@pytest.mark.parametrize("texts", WAYS, ids="+".join)
def test_that_steps_on_images_as_they_are_stored_give_the_same_bits_as_on_floats(texts: tuple[str, ...]) -> None:
    texts = (*texts, "banded_loss:rows=96")
    images = batch()
    floats = replace(images, x_NCHW=stored.values(images.x_NCHW), y_NCHW=stored.values(images.y_NCHW))
    found, wanted = (bits(texts, each, loss="ms_ssim", l1=False) for each in (images, floats))
    assert all(torch.equal(found[name], wanted[name]) for name in wanted)


@pytest.mark.parametrize("loss, l1", [("ms_ssim+l1", False), ("ms_ssim", True)])
def test_that_so_they_do_where_l1_drives_them(loss: str, l1: bool) -> None:
    texts, images = ("hybrid_bands:rows=96,block_rows=96", "banded_loss"), batch()
    floats = replace(images, x_NCHW=stored.values(images.x_NCHW), y_NCHW=stored.values(images.y_NCHW))
    found, wanted = (bits(texts, each, loss=loss, l1=l1) for each in (images, floats))
    assert all(torch.equal(found[name], wanted[name]) for name in wanted)


@pytest.mark.parametrize(
    "texts, share",
    [(("full_bands", "banded_loss"), 0.5), (("hybrid_bands", "banded_loss"), 0.5), (("banded_loss",), 0.75)],
)
def test_that_a_plan_counts_images_and_batches_that_wait_as_they_are_stored(
    texts: tuple[str, ...], share: float
) -> None:
    shape = Shape(height=2048, width=2048, batch=2, encoder="resnet18")
    estimate, found = reported(texts, shape)
    floats = 2 * shape.pixels * 4
    tables = round((1 - share) * 4) * 2 * 2**18
    assert found.fullest.at_peak["input"] == share * floats + tables
    assert estimate.waiting_bytes == 3 * (share * floats + tables)


@pytest.mark.parametrize("loss, l1", [("ms_ssim", False), ("ms_ssim+l1", False), ("ms_ssim", True)])
def test_that_a_prediction_in_the_host_tier_gives_the_same_bits_as_on_the_device(
    loss: str, l1: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ("full_bands:rows=96,block_rows=96,whole=layer4,tier=host", "banded_loss:rows=96", "accumulate:images=1")
    found = bits(texts, batch(), loss=loss, l1=l1)
    monkeypatch.setattr(FullBands, "_away", lambda *_: False)
    wanted = bits(texts, batch(), loss=loss, l1=l1)
    assert all(torch.equal(found[name], wanted[name]) for name in wanted)


def test_that_neither_the_images_nor_the_prediction_are_whole_floats_on_a_card_with_a_host_tier() -> None:
    texts = ("full_bands:rows=32,block_rows=32,tier=host", "banded_loss", "optimizer_in_backward")
    _, found = reported(texts, Shape(height=4288, width=4288))
    one = found.fullest
    assert one.peak - one.at_peak["optimizer"] < 310 * 2**20  # with 45 of buffers for what comes and goes
