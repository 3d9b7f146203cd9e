"""What acts on the update does the same to a step in bands as to the plain one."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from fullfield.data.loader import Batch
from fullfield.techniques import compose
from fullfield.train import step as steps
from fullfield.train.update import Update
from techniques.exactness import built, reference


def trained(*techniques: str) -> dict[str, Tensor]:
    """The weights that would be exported after two steps of the whole network in fp64."""
    network, x, y = reference()
    build = built(network, *compose.read(techniques))
    update, images = Update(build), Batch(x_NCHW=x, y_NCHW=y, shapes=((192, 224),))
    for _ in range(2):
        assert not steps.train_step(build, update, images, loss="ms_ssim", l1=False, rate=0.001).skipped
    update.close()
    with steps.opened(build.as_result):
        return {name: one.detach().clone() for name, one in build.network.named_parameters()}


@pytest.mark.parametrize(
    "techniques",
    [("ema:decay=0.5", "lamb", "gradient_clipping:norm=0.01"), ("ema:decay=0.5", "lars", "optimizer_in_backward")],
    ids="+".join,
)
def test_that_a_training_in_bands_ends_with_the_weights_of_the_plain_one_in_fp64(techniques: tuple[str, ...]) -> None:
    plain, bands = trained(*techniques), trained("hybrid_bands:rows=32", *techniques)
    for name, wanted in plain.items():
        assert (bands[name] - wanted).norm() <= 1e-9 * wanted.norm()
    start = dict(reference()[0].named_parameters())
    assert all((one - start[name]).norm() > 1e-9 * one.norm() for name, one in plain.items())
    assert torch.isfinite(torch.stack([one.norm() for one in plain.values()])).all()
