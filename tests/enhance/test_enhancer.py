"""Presets behind the interface that models have too."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from fullfield.enhance.enhancer import open_preset
from fullfield.errors import InputRefused, OutOfMemory, UsageError
from fullfield.image import multiscale, presets
from fullfield.image.cache import Decoded
from fullfield.image.image import InputKind

MakeDecoded = Callable[..., Decoded]


def test_that_a_named_preset_is_the_processor_with_that_preset(radiograph: MakeDecoded) -> None:
    decoded = radiograph(200, 240)
    enhancer = open_preset("general")
    wanted = multiscale.enhance(decoded.image, presets.load("general"))
    enhanced = enhancer.enhance(decoded)
    assert np.array_equal(enhanced.pixels, wanted.pixels)
    assert enhanced.recipe == wanted.recipe == enhancer.recipe


@pytest.mark.parametrize("kind", InputKind)
def test_that_auto_fits_raw_and_processed_images_and_names_what_it_chose(
    radiograph: MakeDecoded, kind: InputKind
) -> None:
    enhanced = open_preset("auto").enhance(radiograph(200, 240, kind=kind))
    assert enhanced.recipe.name == presets.choose(body_part="", species="", kind=kind, modality="DX").name
    assert enhanced.recipe.name != "auto"


def test_that_auto_chooses_by_the_header(radiograph: MakeDecoded) -> None:
    names = {
        open_preset("auto").enhance(radiograph(200, 240, body_part=part, modality=modality)).recipe.name
        for part, modality in (("CHEST", "DX"), ("HAND", "DX"), ("BREAST", "MG"))
    }
    assert len(names) == 3


def test_that_the_recipe_of_auto_stands_for_all_presets_together() -> None:
    first, second = open_preset("auto").recipe, open_preset("auto").recipe
    assert first == second
    assert first.name == "auto"
    assert len(first.sha256) == 64
    assert first.sha256 not in {presets.load(name).sha256() for name in presets.names()}


def test_that_a_preset_for_raw_images_refuses_a_processed_one(radiograph: MakeDecoded) -> None:
    with pytest.raises(InputRefused):
        open_preset("general-raw").enhance(radiograph(40, 40))


def test_that_a_mammogram_needs_a_preset_that_is_made_for_it(radiograph: MakeDecoded) -> None:
    with pytest.raises(InputRefused, match="mammography"):
        open_preset("general").enhance(radiograph(40, 40, modality="MG"))


def test_that_an_unknown_preset_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        open_preset("no-such-preset")


def test_that_memory_running_out_is_an_error_for_people(
    radiograph: MakeDecoded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def greedy(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(multiscale, "enhance", greedy)
    with pytest.raises(OutOfMemory, match="general") as error:
        open_preset("general").enhance(radiograph(40, 40))
    assert error.value.hint


def test_that_presets_need_no_torch() -> None:
    code = "import sys, fullfield.enhance.enhancer as e; e.open_preset('auto'); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
