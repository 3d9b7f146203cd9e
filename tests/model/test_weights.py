"""Model files: whole, sealed, and refused with a reason."""

from __future__ import annotations

import hashlib
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import segmentation_models_pytorch as smp
import torch
from safetensors import torch as safetensors

from fullfield.errors import ModelError
from fullfield.model import card as cards
from fullfield.model import seeded, weights
from fullfield.model.card import Card, NetworkSpec
from fullfield.model.network import build, to_smp


@pytest.fixture
def copy(model_file: Path, tmp_path: Path) -> Path:
    """The model in a file that a test may spoil."""
    return Path(shutil.copy(model_file, tmp_path / "copy.safetensors"))


def test_that_a_saved_model_comes_back_equal(model_file: Path) -> None:
    network, card = weights.load(model_file)
    wanted = seeded.seeded(NetworkSpec(encoder="resnet18"), seed=3)
    x = torch.rand(1, 1, 64, 64)
    with torch.inference_mode():
        assert torch.equal(network(x), wanted(x))
    assert not network.training
    assert (card.network.encoder, card.for_tests) == ("resnet18", True)


def test_that_the_same_weights_and_card_give_the_same_file(model_file: Path, tmp_path: Path) -> None:
    network, card = weights.load(model_file)
    weights.save(tmp_path / "again.safetensors", network, card)
    assert (tmp_path / "again.safetensors").read_bytes() == model_file.read_bytes()


def test_that_the_returned_digest_is_the_files(model_file: Path, tmp_path: Path) -> None:
    digest = weights.save(tmp_path / "m.safetensors", *weights.load(model_file))
    assert digest == hashlib.sha256((tmp_path / "m.safetensors").read_bytes()).hexdigest()


def test_that_smp_itself_takes_the_tensors(model_file: Path) -> None:
    unet = smp.Unet("resnet18", encoder_weights=None, in_channels=1, classes=1)
    unet.load_state_dict(safetensors.load_file(model_file), strict=True)


def test_that_every_one_of_40_flipped_bits_is_noticed(copy: Path) -> None:
    size = copy.stat().st_size
    header = 8 + int.from_bytes(copy.read_bytes()[:8], "little")
    seal = copy.read_bytes().index(b"seal")
    places = [0, 7, 8, 20, seal + 9, seal + 40, header - 1, header, size - 1]  # length, JSON, seal, padding, tensors
    places += [header + (size - header) * number // 31 for number in range(31)]
    noticed = 0
    for number, place in enumerate(places):
        _flip(copy, place, bit=number % 8)
        with pytest.raises(ModelError):
            weights.load(copy)
        noticed += 1
        _flip(copy, place, bit=number % 8)
    assert noticed == len(places) == 40
    weights.load(copy)


def _flip(path: Path, place: int, *, bit: int) -> None:
    with path.open("r+b") as stream:
        stream.seek(place)
        value = stream.read(1)[0]
        stream.seek(place)
        stream.write(bytes([value ^ (1 << bit)]))


def _cut(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def _edit_card(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"synthetic phantoms", b"real radiographs  "))


def _torch_file(path: Path) -> None:
    torch.save({"weight": torch.ones(3)}, path)


def _pickle(path: Path) -> None:
    path.write_bytes(pickle.dumps({"a": 1}))


def _foreign(path: Path) -> None:
    safetensors.save_file({"weight": torch.ones(3)}, path)


def _other_network(path: Path) -> None:
    """A sealed file whose card names another encoder than its tensors have."""
    tensors = {
        name: value.contiguous() for name, value in to_smp(build(NetworkSpec()).state_dict(), "resnet34").items()
    }
    card = Card(name="x", network=NetworkSpec(encoder="resnet18"))
    content = bytearray(safetensors.save(tensors, metadata=cards.metadata(card)))
    cards.seal(content)
    path.write_bytes(content)


def _not_finite(path: Path) -> None:
    tensors = safetensors.load_file(path)
    tensors["segmentation_head.0.bias"].fill_(torch.nan)
    card = Card(name="x", network=NetworkSpec(encoder="resnet18"))
    content = bytearray(safetensors.save(tensors, metadata=cards.metadata(card)))
    cards.seal(content)
    path.write_bytes(content)


def _gone(path: Path) -> None:
    path.unlink()


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (_cut, "damaged or changed"),
        (_edit_card, "damaged or changed"),
        (_torch_file, "PyTorch or pickle"),
        (_pickle, "PyTorch or pickle"),
        (_foreign, "no card"),
        (_other_network, "not those of the U-Net resnet18"),
        (_not_finite, "not finite"),
        (_gone, "file is not there"),
        (_folder, "system says"),
    ],
)
def test_that_a_spoiled_file_is_refused_with_the_reason_and_what_to_do(
    copy: Path, spoil: Callable[[Path], None], reason: str
) -> None:
    spoil(copy)
    with pytest.raises(ModelError) as error:
        weights.load(copy)
    assert reason in error.value.detail
    assert error.value.hint
    assert str(copy.parent) not in str(error.value)


def test_that_weights_that_are_not_finite_are_never_saved(model_file: Path, tmp_path: Path) -> None:
    network, card = weights.load(model_file)
    next(iter(network.parameters())).data.view(-1)[0] = torch.inf
    with pytest.raises(ModelError, match="not finite"):
        weights.save(tmp_path / "m.safetensors", network, card)
    assert not list(tmp_path.iterdir())
