"""Encoders of other blocks, as their users run them: trained in bands from files to file, and enhanced with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

import warm
from flows.command import batch, fullfield
from fullfield.model import card as cards
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.phantom import phantom

narrowed = warm.narrow()
OTHERS = [name for name, encoder in ENCODERS.items() if not encoder.basic]
PICTURES = 3
SETTINGS = ("--size", 192, "--epochs", 1, "--device", "cpu", "--threads", 1, "--no-calibrate-halo", "--quiet")


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of as many patients."""
    folder = tmp_path_factory.mktemp("clinic")
    for number in range(PICTURES):
        plane = phantom(260, 240, seed=number)
        Pillow.fromarray(np.rint(plane * 255).astype(np.uint8)).save(folder / f"{number}{number}.png")
    return folder


@pytest.mark.slow
@pytest.mark.training
@pytest.mark.parametrize("encoder", OTHERS)
def test_that_a_model_of_this_encoder_is_trained_in_bands_kept_and_enhanced_with(
    encoder: str, clinic: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    how = ("--encoder", encoder, "--techniques", "hybrid_bands")
    trained = fullfield("train", "--data", clinic, "--out", run, *SETTINGS, *how)
    assert trained.code == 0, trained.err
    model = run / "model.safetensors"
    card = cards.read(model)
    assert card.network.encoder == encoder and 0 < card.metrics["loss"] < 100  # per cent
    assert "from scratch" in card.start
    result = batch(clinic, tmp_path / "out", "--model", model, "--force-result", "--format", "png16")
    assert result.code == 0, result.err
    assert len(result.of("ItemDone")) == PICTURES


@pytest.mark.parametrize("encoder", OTHERS)
def test_that_imagenet_weights_which_nobody_has_checked_are_refused_in_words(
    encoder: str, clinic: Path, tmp_path: Path
) -> None:
    how = ("--encoder", encoder, "--weights", "imagenet")
    result = fullfield("train", "--data", clinic, "--out", tmp_path / "run", *SETTINGS, *how)
    assert result.code != 0
    assert f"Fullfield knows of none for {encoder} whose content it could check." in result.err
    assert "--weights none" in result.err
    fetched = fullfield("weights", "fetch", "--encoder", encoder)
    assert fetched.code == 2 and "invalid choice" in fetched.err
