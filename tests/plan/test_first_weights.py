"""Which weights a training starts from is decided before it starts, and nothing is fetched for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import card_file
import map_file
from fullfield.errors import ModelError
from fullfield.model import ensemble, shipped
from fullfield.model.spec import NetworkSpec, representable
from fullfield.plan import first_weights
from fullfield.plan.spec import TrainSpec
from fullfield_app.cli import weights
from hub import keep_weights

ASKED = TrainSpec(data="images", encoder="resnet18")


def test_that_imagenet_weights_are_taken_where_they_are_here_and_else_none() -> None:
    assert first_weights.decided(ASKED).weights == "none"
    assert weights.line(ASKED) == (
        "First weights: none, the network starts from scratch: ImageNet's are not on this computer. "
        "fullfield weights fetch --encoder resnet18 brings them (45 MB from huggingface.co)."
    )
    keep_weights({})
    assert first_weights.decided(ASKED).weights == "imagenet"
    assert weights.line(ASKED) == "First weights: ImageNet's of resnet18, from this computer."
    assert first_weights.decided(replace(ASKED, encoder="resnet34")).weights == "none"


def test_that_imagenet_weights_that_are_named_and_missing_are_an_error_with_the_command() -> None:
    with pytest.raises(ModelError, match="nothing is fetched without being asked for") as error:
        first_weights.decided(replace(ASKED, weights="imagenet", encoder="resnet34"))
    assert "(fullfield weights fetch)" in error.value.hint
    keep_weights({}, "resnet34")
    assert first_weights.decided(replace(ASKED, weights="imagenet", encoder="resnet34")).weights == "imagenet"


def test_that_a_link_that_leads_to_itself_is_not_the_model_that_ships(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ships").touch()
    monkeypatch.setattr(shipped, "file_of", lambda folder, choice: tmp_path / "ships")
    loop = tmp_path / "loop.safetensors"
    loop.symlink_to(loop)
    assert first_weights.named(str(loop)) == str(loop)


@pytest.mark.parametrize(("chosen", "reported"), [("none", "starts from scratch."), ("w.pth", "from the given file.")])
def test_that_other_choices_stay_as_they_are(
    chosen: str, reported: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("w.pth").touch()
    asked = replace(ASKED, weights=chosen)
    assert first_weights.decided(asked) == asked
    assert weights.line(asked).endswith(reported)


def test_that_a_file_that_a_network_cannot_begin_from_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    flat, two, other = (tmp_path / name for name in ("flat.safetensors", "two.safetensors", "other.pth"))
    map_file.write(flat)
    map_file.write(tmp_path / "again.safetensors", name="again")
    ensemble.join((flat, tmp_path / "again.safetensors"), two)
    other.touch()
    for path, network, detail in (
        (flat, "unet", "It is a map network, this training is of a U-Net resnet18."),
        (two, "map", "It is an ensemble of 2 networks, and one is needed here."),
        (tmp_path / "gone.pth", "unet", "The file is not there"),
        (other, "map", "It is no model of this program"),
    ):
        with pytest.raises(ModelError) as caught:
            first_weights.decided(replace(ASKED, weights=str(path), network=network))
        assert caught.value.detail.startswith(detail)
    asked = replace(ASKED, weights=str(flat), network="map")
    assert first_weights.decided(asked) == asked


@pytest.mark.parametrize(("model", "techniques"), [(0.9, ()), (0.0, ("momentum",)), (0.9, ("momentum:gamma=0.5",))])
def test_that_a_model_of_another_momentum_is_refused_before_anything_is_done(
    model: float, techniques: tuple[str, ...], tmp_path: Path
) -> None:
    network = NetworkSpec(encoder="resnet18", momentum=representable(model))
    path = card_file.write(tmp_path / "momentum.safetensors", network=network)
    asked = replace(ASKED, weights=str(path))
    with pytest.raises(ModelError, match=r"It is a U-Net resnet18.*, this training is of a U-Net resnet18"):
        first_weights.decided(replace(asked, techniques=techniques))
    same = replace(asked, techniques=(f"momentum:gamma={model}",) if model else ())
    assert first_weights.decided(same) == same


def test_that_the_file_of_the_model_that_ships_is_chosen_by_its_name_and_any_other_by_its_path(tmp_path: Path) -> None:
    ships = shipped.file_of(tmp_path, shipped.SHIPPED)
    ships.parent.mkdir(parents=True)
    ships.touch()
    (tmp_path / "link.safetensors").symlink_to(ships)
    named = [first_weights.named(str(path)) for path in (ships, tmp_path / "link.safetensors", tmp_path / "other.pth")]
    assert named == [shipped.SHIPPED, shipped.SHIPPED, str(tmp_path / "other.pth")]


def test_that_what_is_kept_is_listed_with_its_hash() -> None:
    path = keep_weights({})
    found = {one.encoder: one for one in first_weights.kept()}
    assert (found["resnet18"].path, found["resnet18"].sha256) == (path, path.resolve().name)
    assert found["resnet18"].whole and found["resnet34"].path is None
    assert found["resnet34"].whole, "what is not here is not damaged"
    path.resolve().write_bytes(b"changed")
    assert not {one.encoder: one for one in first_weights.kept()}["resnet18"].whole
