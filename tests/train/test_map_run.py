"""A training of the map network from its settings to a file that is applied: the same file every time."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import training
from fullfield.data import prepared
from fullfield.enhance.backends import opencv
from fullfield.errors import InputRefused, UsageError
from fullfield.image.image import InputKind
from fullfield.image.normalise import BY_PRESET
from fullfield.image.preset_tone import picture
from fullfield.kernels import band_strength
from fullfield.model import card as cards
from fullfield.model import initial, weights
from fullfield.model.spec import named
from fullfield.plan import spec as specs
from fullfield.protocol.events import StepDone
from fullfield.train import loss as losses
from fullfield.train.result import reviewed_by
from training import FakeContext, prepared_phantoms, train

SETTINGS = {**specs.own_defaults("map"), "network": "map", "size": 208, "epochs": 2, "batch": 1}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> prepared.Prepared:
    """Its input has the preset's tone, as that of images would have."""
    found = prepared_phantoms(tmp_path_factory.mktemp("pairs"), 4, rows=208, columns=192)
    prepared.save(replace(found, normalisation=BY_PRESET.to_json()))
    return prepared.load(found.folder)


def test_that_a_training_learns_and_leaves_the_same_file_twice(data: prepared.Prepared, tmp_path: Path) -> None:
    runs = [FakeContext(tmp_path / name) for name in ("one", "two")]
    for context in runs:
        train(training.settings(data, **SETTINGS), context)
    one, two = ((context.folder / "model.safetensors").read_bytes() for context in runs)
    assert one == two
    losses = [event.loss for event in runs[0].reported(StepDone)]
    assert len(losses) == 6 and min(losses) > 0 and max(losses) < 100
    begun = initial.start(named("map"), "none", seed=0).network.state_dict()
    trained = weights.load(runs[0].folder / "model.safetensors").network.state_dict()
    assert all(not torch.equal(one, trained[name]) for name, one in begun.items())
    card = cards.verify(one)
    assert (card.name, card.network.family, card.halo) == ("map-raw-208", "map", None)
    assert card.reviewed_by == "none (automatic)" == reviewed_by({"approved": 0, "unreviewed": 3})
    assert reviewed_by({"approved": 2, "adjusted": 1, "unreviewed": 1}) == "a user (3 of 4)"
    assert card.normalisation["preset_tone"] and card.plan["loss"] == "ms_ssim+l1+bands"
    assert cards.read(runs[0].folder / "model.safetensors") == card
    assert json.loads((runs[0].folder / "summary.json").read_text())["best"] is not None
    backend = opencv.open_backend(runs[0].folder / "model.safetensors", device="cpu").backends[0]
    plane = data.load(data.items[0])[0]
    made = np.concatenate([part.copy() for _, part in backend.run(lambda low, high: plane[low:high], *plane.shape)])
    # After six steps it is no good picture yet, and one of this image.
    assert made.shape == plane.shape and np.corrcoef(made.ravel(), picture(plane).ravel())[0, 1] > 0.8


def test_that_data_of_another_normalisation_and_settings_of_other_networks_are_refused(
    data: prepared.Prepared, tmp_path: Path
) -> None:
    with pytest.raises(InputRefused, match="this network"):
        train(training.settings(data, size=208), FakeContext(tmp_path / "unet"))
    for changes, said in (
        ({"network": "map", "weights": "imagenet"}, "for the U-Net"),
        ({"network": "unet", "loss": "ms_ssim+l1+bands"}, "rebuild"),
        ({"network": "other"}, "'unet' or 'map'"),
    ):
        with pytest.raises(UsageError) as refused:
            specs.from_json(training.settings(data, **changes))
        assert said in refused.value.detail


def test_that_weak_and_other_bands_are_seen_by_the_strength_of_bands() -> None:
    y = torch.rand(1, 1, 96, 80, dtype=torch.float64)
    same, weak, other = (float(band_strength.difference(x, y)) for x in (y, 0.5 * y + 0.25, torch.rand_like(y)))
    assert same == 0 and weak > 0.05 and other > 0.03
    of_weak, of_strong = (
        band_strength.difference(*pair, weaker=3.0) for pair in ((0.5 * y + 0.25, y), (y, 0.5 * y + 0.25))
    )
    assert float(of_weak) > 2 * weak and float(of_strong) < 0.7 * float(of_weak)


def test_that_a_weak_band_of_a_raw_input_counts_more_than_one_of_a_processed_one() -> None:
    y = torch.rand(2, 1, 96, 80, dtype=torch.float64)
    shapes = ((96, 80), (96, 80))

    def found(x: torch.Tensor, *kinds: InputKind) -> float:
        return float(losses.bands(x, y, shapes, kinds))

    raw, processed, one_of_each = (
        found(0.5 * y + 0.25, *kinds)
        for kinds in ([InputKind.RAW] * 2, [InputKind.PROCESSED] * 2, [InputKind.RAW, InputKind.PROCESSED])
    )
    assert raw > 2 * processed and one_of_each == pytest.approx((raw + processed) / 2, rel=0.1)
    assert found(2 * y - 0.5, InputKind.RAW, InputKind.RAW) == found(2 * y - 0.5, *[InputKind.PROCESSED] * 2)
