"""A network that is trained on a clinic's images enhances exactly those images: by the real commands, on files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

import warm
from flows.command import batch, fullfield
from fullfield.files import resource
from fullfield.model import card as cards
from fullfield.model.phantom import phantom

PICTURES = 4
SETTINGS = ("--size", 192, "--epochs", 1, "--encoder", "resnet18", "--weights", "none", "--device", "cpu")
QUICK = ("--threads", 1, "--no-calibrate-halo", "--techniques", "none", "--quiet")
narrowed = warm.narrow()
pytestmark = [pytest.mark.slow, pytest.mark.training]
Trained = Callable[..., Path]


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of pictures of as many patients, as nearly all files are: 8 bits, processed for display."""
    folder = tmp_path_factory.mktemp("clinic")
    for number in range(PICTURES):
        plane = phantom(260, 240, seed=number)
        Pillow.fromarray(np.rint(plane * 255).astype(np.uint8)).save(folder / f"{number}{number}.png")
    return folder


@pytest.fixture(scope="module")
def trained(clinic: Path, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """The model of a training on the clinic's folder."""

    def train(*options: str) -> Path:
        run = tmp_path_factory.mktemp("runs") / "run"
        result = fullfield("train", "--data", clinic, "--out", run, *SETTINGS, *QUICK, *options)
        assert result.code == 0, result.err
        return run / "model.safetensors"

    return train


@pytest.fixture(scope="module")
def raw() -> Path:
    return resource("phantoms") / "chest-raw-dx.dcm"


def test_that_a_model_trained_on_processed_images_enhances_them_and_refuses_a_raw_one_in_its_line(
    clinic: Path, raw: Path, trained: Trained, tmp_path: Path
) -> None:
    model = trained()
    assert cards.read(model).input_kind == "processed"
    result = batch(clinic, tmp_path / "out", "--model", model, "--force-result", "--format", "png16")
    assert result.code == 0, result.err
    assert len(result.of("ItemDone")) == PICTURES
    refused = batch(raw, tmp_path / "refused", "--model", model, "--force-result")
    (failure,) = refused.of("ItemFailed")
    assert refused.code != 0
    assert "for images that are processed for display; this image is one of the raw ones" in failure["error"]["detail"]
    assert not [event for event in refused.of("Notice") if event["text"].startswith("Enhancing")]


def test_that_a_model_trained_for_both_enhances_both(clinic: Path, raw: Path, trained: Trained, tmp_path: Path) -> None:
    model = trained("--use-on", "both")
    card = cards.read(model)
    assert card.input_kind == "any" and {"loss_raw", "loss_processed"} <= card.metrics.keys()
    for source, count in ((clinic, PICTURES), (raw, 1)):
        result = batch(source, tmp_path / f"out-{count}", "--model", model, "--force-result", "--format", "png16")
        assert (result.code, len(result.of("ItemDone"))) == (0, count), result.err


def test_that_a_model_trained_for_raw_images_refuses_processed_ones(
    clinic: Path, raw: Path, trained: Trained, tmp_path: Path
) -> None:
    model = trained("--use-on", "raw")
    assert cards.read(model).input_kind == "raw"
    assert batch(raw, tmp_path / "raw", "--model", model, "--force-result", "--format", "png16").code == 0
    refused = batch(clinic, tmp_path / "clinic", "--model", model, "--force-result")
    assert refused.code != 0 and len(refused.of("ItemFailed")) == PICTURES
    assert all("this image is one of the processed ones" in one["error"]["detail"] for one in refused.of("ItemFailed"))
