"""What a training starts from, and that it is said."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
import segmentation_models_pytorch as smp
import torch
from safetensors import torch as safetensors
from torch import Tensor

from fullfield.errors import ModelError
from fullfield.model import initial, shipped
from fullfield.model.card import NetworkSpec
from fullfield.model.network import Network
from hub import keep_weights

SPEC = NetworkSpec(encoder="resnet18")


@pytest.fixture(scope="module")
def imagenet() -> dict[str, Tensor]:
    """A stand-in with the names and shapes of torchvision's resnet18."""
    torch.manual_seed(9)
    state: dict[str, Tensor] = smp.encoders.get_encoder("resnet18", in_channels=3, weights=None).state_dict()
    return {**state, "fc.weight": torch.zeros(1000, 512), "fc.bias": torch.zeros(1000)}


def first_convolution(network: Network) -> Tensor:
    return network.state_dict()["stages.stem.conv1.weight"]


def test_that_a_seed_draws_the_same_weights_and_leaves_the_callers_chance_alone() -> None:
    torch.manual_seed(1)
    before = torch.rand(1)
    torch.manual_seed(1)
    first, second = (initial.start(SPEC, "none", seed=4).network.state_dict() for _ in range(2))
    assert torch.equal(torch.rand(1), before)
    assert all(torch.equal(first[name], second[name]) for name in first)
    other = initial.start(SPEC, "none", seed=5).network
    assert not torch.equal(first_convolution(other), first["stages.stem.conv1.weight"])


def test_that_a_start_from_scratch_says_so() -> None:
    assert "from scratch (random weights, seed 4)" in initial.start(SPEC, "none", seed=4).sentence


@pytest.mark.parametrize("suffix", [".pth", ".safetensors"])
def test_that_a_file_gives_the_encoder_with_its_colours_summed(
    imagenet: dict[str, Tensor], suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"resnet18{suffix}"
    torch.save(imagenet, path) if suffix == ".pth" else safetensors.save_file(imagenet, path)
    network, sentence, _ = initial.start(SPEC, str(path), seed=0)
    assert torch.equal(first_convolution(network), imagenet["conv1.weight"].sum(dim=1, keepdim=True))
    assert torch.equal(network.state_dict()["stages.layer4.blocks.1.bn2.weight"], imagenet["layer4.1.bn2.weight"])
    scratch = initial.start(SPEC, "none", seed=0).network.state_dict()
    assert torch.equal(network.state_dict()["stages.d5.conv1.0.weight"], scratch["stages.d5.conv1.0.weight"])
    assert "given file (colour channels summed)" in sentence


def test_that_a_grey_picture_gives_the_response_of_the_colour_convolution(imagenet: dict[str, Tensor]) -> None:
    weight, grey = imagenet["conv1.weight"], torch.rand(1, 1, 32, 32)
    wanted = torch.nn.functional.conv2d(grey.expand(1, 3, 32, 32), weight)
    assert torch.allclose(torch.nn.functional.conv2d(grey, initial.sum_colours(weight)), wanted, atol=1e-5)


def test_that_a_fullfield_model_can_be_trained_further(model_file: Path) -> None:
    network, sentence, _ = initial.start(SPEC, str(model_file), seed=0)
    assert network.training
    assert "the model seeded-resnet18-3" in sentence


def test_that_the_model_that_ships_can_be_trained_further_by_its_name(model_file: Path) -> None:
    shipped.folder().mkdir(parents=True, exist_ok=True)
    shutil.copyfile(model_file, shipped.folder() / "shipped.safetensors")
    assert "the model seeded-resnet18-3" in initial.start(SPEC, "shipped", seed=0).sentence


class Program:
    """A pickle that would leave a file when it is opened."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (os.environ["PROGRAM_RAN"],)


def test_that_a_file_with_a_program_in_it_is_refused_and_does_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROGRAM_RAN", str(tmp_path / "ran"))
    torch.save({"conv1.weight": Program()}, tmp_path / "x.pth")
    with pytest.raises(ModelError, match="never opened"):
        initial.start(SPEC, str(tmp_path / "x.pth"), seed=0)
    assert not (tmp_path / "ran").exists()


def test_that_weights_of_another_encoder_are_refused(
    imagenet: dict[str, Tensor], model_file: Path, tmp_path: Path
) -> None:
    safetensors.save_file(imagenet, tmp_path / "resnet18.safetensors")
    for path in (tmp_path / "resnet18.safetensors", model_file):
        with pytest.raises(ModelError, match="resnet34"):
            initial.start(NetworkSpec(encoder="resnet34"), str(path), seed=0)


@pytest.mark.parametrize("name", ["x.pth", "x.safetensors"])
@pytest.mark.parametrize("content", [None, b"", b"hello, this is no file of weights at all"])
def test_that_a_named_file_that_cannot_be_used_is_an_error_and_no_silent_start_from_scratch(
    name: str, content: bytes | None, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ModelError) as error:
        initial.start(SPEC, str(tmp_path / name), seed=0)
    assert error.value.hint
    assert str(tmp_path) not in str(error.value)


def test_that_imagenet_weights_that_are_not_here_are_an_error_that_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="not on this computer") as error:
        initial.start(SPEC, "imagenet", seed=2)
    assert "fullfield weights fetch --encoder resnet18" in error.value.hint


def test_that_imagenet_weights_of_the_cache_are_summed_and_named(imagenet: dict[str, Tensor]) -> None:
    keep_weights(imagenet)
    network, sentence, _ = initial.start(SPEC, "imagenet", seed=2)
    assert torch.equal(first_convolution(network), imagenet["conv1.weight"].sum(dim=1, keepdim=True))
    assert "ImageNet weights of the hub" in sentence


def test_that_changed_imagenet_weights_of_the_cache_are_never_trained_from(imagenet: dict[str, Tensor]) -> None:
    blob = keep_weights(imagenet).resolve()
    content = bytearray(blob.read_bytes())
    content[-1] ^= 1
    blob.write_bytes(content)
    with pytest.raises(ModelError, match="damaged") as error:
        initial.start(SPEC, "imagenet", seed=2)
    assert "fetch" in error.value.hint
