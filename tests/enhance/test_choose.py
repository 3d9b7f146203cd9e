"""What "auto" takes: the preset that fits, or the model that this user takes for the body part."""

from __future__ import annotations

from pathlib import Path

import pytest

from enhance.conftest import MakeDecoded
from fullfield.enhance.choose import default_model, preset_for, with_warning
from fullfield.enhance.enhancer import process
from fullfield.image.image import InputKind
from fullfield.image.method import Method
from fullfield.model import registry

AUTO = Method()


@pytest.fixture(autouse=True)
def chest(model_file: Path) -> Path:
    """A model for processed images, the default for chests."""
    kept = registry.keep(model_file, "my chest")
    registry.set_default("chest", kept.name)
    return kept.path


def test_that_auto_takes_the_model_of_the_body_part(radiograph: MakeDecoded, chest: Path) -> None:
    decoded = radiograph(200, 180, body_part="CHEST")
    assert default_model(AUTO, preset_for(AUTO, decoded), decoded) == (str(chest), "")


@pytest.mark.parametrize(
    "method", [Method(choice="chest"), Method(changes=(("detail.gain", 2.0),))], ids=["a preset", "a changed preset"]
)
def test_that_what_is_chosen_by_hand_wins(radiograph: MakeDecoded, method: Method) -> None:
    decoded = radiograph(200, 180, body_part="CHEST")
    assert default_model(method, preset_for(method, decoded), decoded) == ("", "")


def test_that_other_body_parts_keep_their_preset(radiograph: MakeDecoded) -> None:
    decoded = radiograph(200, 180, body_part="KNEE")
    assert default_model(AUTO, preset_for(AUTO, decoded), decoded) == ("", "")


def test_that_a_model_for_another_kind_gives_way_to_the_preset_and_that_is_said(radiograph: MakeDecoded) -> None:
    decoded = radiograph(200, 180, body_part="CHEST", kind=InputKind.RAW)
    preset = preset_for(AUTO, decoded)
    model, why = default_model(AUTO, preset, decoded)
    assert model == "" and "processed" in why
    assert with_warning(process(decoded, preset), why).warnings[-1] == why
