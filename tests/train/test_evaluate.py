"""How close images come to their references."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch
from torch import nn

from fullfield.data.loader import Loader
from fullfield.model.phantom import phantom
from fullfield.train import evaluate
from fullfield.train.evaluate import Quality
from training import prepared_phantoms


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


def test_that_a_network_is_measured_on_true_parts_in_evaluation_mode(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path, 2, rows=200, columns=180)
    network = nn.Sequential(nn.Dropout(0.9), nn.Identity())
    network.register_parameter("place", nn.Parameter(torch.zeros(1)))
    found = evaluate.of_network(network.train(), Loader(data, data.items))
    wanted = evaluate.mean(evaluate.of_pair(*data.load(item)) for item in data.items)
    assert found == wanted
