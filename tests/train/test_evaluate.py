"""How close images come to their references."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, cast

import pytest
import torch

import narrow
from fullfield.data.loader import Loader
from fullfield.image import resample
from fullfield.memory import allocator
from fullfield.model import network
from fullfield.model.card import NetworkSpec
from fullfield.model.phantom import phantom
from fullfield.model.placed import Placed
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.techniques.build import Build
from fullfield.train import evaluate
from fullfield.train import step as steps
from fullfield.train.evaluate import Quality
from fullfield.train.update import Update
from support import without_compiler
from training import prepared_phantoms

narrowed = narrow.networks()


def test_that_an_image_equals_itself() -> None:
    plane = phantom(200, 192, seed=0)
    found = evaluate.of_pair(plane, plane)
    assert found.loss == pytest.approx(0, abs=1e-4)
    assert found.fine_sd_ratio == pytest.approx(1)
    assert found.fine_correlation == pytest.approx(1)
    assert math.isinf(found.psnr_db)


def test_that_a_blurred_image_loses_its_finest_band_more_than_its_ms_ssim() -> None:
    plane = phantom(256, 256, seed=0)
    blurred = torch.nn.functional.avg_pool2d(torch.from_numpy(plane)[None, None], 3, 1, 1).numpy()[0, 0]
    found = evaluate.of_pair(blurred, plane)
    assert found.fine_sd_ratio < 0.7
    assert found.loss < 25


def test_that_means_pass_over_what_is_not_defined() -> None:
    rows = [
        Quality(loss=1, psnr_db=20, fine_sd_ratio=math.nan, fine_correlation=math.nan),
        Quality(loss=3, psnr_db=math.inf, fine_sd_ratio=0.5, fine_correlation=0.25),
    ]
    assert evaluate.mean(rows) == Quality(loss=2, psnr_db=20, fine_sd_ratio=0.5, fine_correlation=0.25)


def test_that_the_mean_loss_is_no_number_where_that_of_an_image_is_none() -> None:
    rows = [Quality(loss=loss, psnr_db=20, fine_sd_ratio=1, fine_correlation=1) for loss in (1, math.nan)]
    assert math.isnan(evaluate.mean(rows).loss)


SETS = (
    (),
    ("checkpointing",),
    ("recompute",),
    ("hybrid_bands:rows=32", "optimizer_in_backward"),
    ("banded_loss", "full_bands:rows=32", "optimizer_in_backward"),
    ("full_bands:rows=32", "precision:format=bf16"),
)


def built(techniques: tuple[str, ...]) -> Build:
    """A small network's step with these techniques."""
    torch.manual_seed(0)
    build = builds.begin(network.build(NetworkSpec(encoder="resnet18")), torch.device("cpu"))
    compose.apply(compose.read(techniques), build)
    return build


def test_that_a_network_is_measured_on_true_parts_in_evaluation_mode_and_left_as_it_is(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path, 2, rows=200, columns=180)
    build = built(())
    before = [buffer.clone() for buffer in build.network.train().buffers()]
    found = evaluate.of_network(build, Loader(data, data.items))
    assert all(map(torch.equal, before, build.network.buffers()))
    plain, pairs = build.network.eval(), []
    with torch.no_grad():
        for item in data.items:
            x, y = data.load(item)
            whole = torch.from_numpy(resample.pad(x, (224, 192)))[None, None]
            pairs.append(evaluate.of_pair(plain(whole)[0, 0, :200, :180].numpy(), y))
    assert found == evaluate.mean(pairs)


@pytest.mark.parametrize("techniques", SETS, ids="+".join)
def test_that_it_takes_no_more_memory_than_a_step_and_finds_what_the_plain_network_would(
    techniques: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_compiler(monkeypatch)
    data = prepared_phantoms(tmp_path, 1, rows=192, columns=224)
    loader, build = Loader(data, data.items), built(techniques)
    update, (batch,) = Update(build), loader.in_order()
    steps.train_step(build, update, batch, loss="ms_ssim", l1=False, rate=1e-3)  # what is made once is made now
    build.network.train()

    def step() -> None:
        steps.train_step(build, update, batch, loss="ms_ssim", l1=False, rate=1e-3)

    # Of two profiles: under load one lacked nearly all of a step, once in many runs.
    taken = max(allocator.peak(step, build.device).peak for _ in range(2))
    found: list[Quality] = []
    assert allocator.peak(lambda: found.append(evaluate.of_network(build, loader)), build.device).peak <= taken
    plain = builds.begin(build.network, build.device)
    near = 0.5 if "precision:format=bf16" in techniques else 1e-3
    assert found[0].loss == pytest.approx(evaluate.of_network(plain, loader).loss, abs=near)


def test_that_a_training_for_int8_is_measured_in_full_precision_and_finds_no_ranges_in_it(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path, 1, rows=192, columns=192)
    build = built(("quantization",))
    before = {name: value.clone() for name, value in build.ranges.state_dict().items()}
    found = evaluate.of_network(build, Loader(data, data.items))
    after = build.ranges.state_dict()
    assert before and all(torch.equal(value, after[name]) for name, value in before.items())
    assert found == evaluate.of_network(builds.begin(build.network, build.device), Loader(data, data.items))


@pytest.mark.parametrize("takes", [True, False])
def test_that_of_ranks_with_parts_those_that_take_images_lay_them_out_and_the_first_gets_what_was_made(
    takes: bool,
) -> None:
    given: list[torch.Tensor] = []

    class Parts:
        takes_images = takes

        def forward(self, x_NCHW: torch.Tensor) -> tuple[None, torch.Tensor]:
            given.append(x_NCHW)
            return None, 2 * x_NCHW

        def to_first(self, made: torch.Tensor, shape: tuple[int, ...]) -> tuple[torch.Tensor, tuple[int, ...]]:
            return made, shape

    build = built(())
    build.layout, build.placed = torch.channels_last, cast(Placed, Parts())
    x = torch.rand(1, 1, 4, 6)
    made, shape = cast(Any, evaluate._predicted(build, x))
    assert shape == (1, 1, 4, 6) and torch.equal(made, 2 * x)
    assert (given[0] is x) is not takes and given[0].stride() == ((24, 1, 6, 1) if takes else (24, 24, 6, 1))
