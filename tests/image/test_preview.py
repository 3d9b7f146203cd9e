"""The preview beside the full result: the same where the image was surveyed, near it elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fullfield.errors import InputRefused
from fullfield.image import multiscale, parts, phantom, presets
from fullfield.image.image import HighValues, Image, InputKind
from fullfield.image.parts import Box
from fullfield.image.phantom import PhantomKind
from fullfield.image.preset import UNBOUNDED, Preset
from fullfield.image.preview import Preview

PART = Box(top=301, bottom=643, left=155, right=571)


@pytest.fixture(scope="module", params=["processed", "raw"])
def hand(request: pytest.FixtureRequest) -> Image:
    make = phantom.raw if request.param == "raw" else phantom.processed
    return make(PhantomKind.HAND, longer=1021)


@pytest.fixture(scope="module")
def preset(hand: Image) -> Preset:
    return presets.load(presets.GENERAL[hand.kind])


def differences(image: Image, ready: Preview, preset: Preset, *, level: int = 0, box: Box = PART) -> NDArray[Any]:
    """Of the part from the full result, as fractions of the output."""
    full = multiscale.enhance(image, preset)
    pixels = full.pixels
    for _ in range(level):
        pixels = parts.halved(pixels)
    found, place = ready.part(preset, level=level, box=box)
    assert found.shape == place.shape and ready.bits == full.bits
    away: NDArray[Any] = np.abs(found.astype(int) - pixels[place.slices].astype(int))
    return away / ((1 << full.bits) - 1)


def test_that_a_part_at_full_size_equals_the_full_result_of_the_surveyed_preset(hand: Image, preset: Preset) -> None:
    assert differences(hand, Preview(hand, preset), preset).max() < 0.001


def test_that_a_result_of_this_program_is_previewed_as_it_is_enhanced(hand: Image, preset: Preset) -> None:
    again = replace(hand, enhanced=True)
    assert differences(again, Preview(again, preset), preset).max() < 0.001


@pytest.mark.parametrize(
    "changes",
    [
        {"detail.gain": 2.0},
        {"edges.gains": (1.0, 0.3, 0.2)},
        {"noise.reach": 0.5},
        {"noise.floors": (1.0, 1.0, 1.0, 1.0)},
        {"detail.usual": 0.2},
        {"gradation.median": 0.6},
        {"gradation.slope": 6.0},
        {"range.high": 98.5},
        {"guard.reach": 0.0},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_that_a_slider_moved_far_is_previewed_to_within_two_hundredths(
    hand: Image, preset: Preset, changes: dict[str, Any]
) -> None:
    assert differences(hand, Preview(hand, preset), preset.adjusted(changes)).max() < 0.02


@pytest.mark.parametrize("changes", [{"latitude.residual": 0.9}, {"latitude.gains": (1.0, 1.0, 1.0, 1.0)}])
def test_that_latitude_is_previewed_to_within_a_tenth(hand: Image, preset: Preset, changes: dict[str, Any]) -> None:
    assert differences(hand, Preview(hand, preset), preset.adjusted(changes)).max() < 0.1


@pytest.mark.parametrize("level", [1, 2])
def test_that_the_whole_image_at_a_reduced_size_is_nearly_the_reduced_result(
    hand: Image, preset: Preset, level: int
) -> None:
    away = differences(hand, Preview(hand, preset), preset, level=level, box=Box(top=0, bottom=9999, left=0, right=999))
    assert away.mean() < 0.01 and np.percentile(away, 99) < 0.05


@pytest.fixture(scope="module")
def uneven() -> Image:
    """Noise that is four times as strong where it is bright."""
    wide, random = np.linspace(0.2, 0.8, 1021), np.random.default_rng(5).standard_normal((768, 1021))
    plane = wide[None, :] + 0.005 * np.linspace(1, 4, 1021)[None, :] * random
    pixels = np.clip(plane * 4095, 0, 4095).astype(np.uint16)
    return Image(pixels=pixels, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)


@pytest.mark.parametrize(("surveyed", "most"), [(-0.5, 0.001), (1.0, 0.01)], ids=["the same", "another"])
def test_that_noise_by_brightness_is_lowered_in_a_preview_as_in_the_result(
    uneven: Image, surveyed: float, most: float
) -> None:
    general, box = presets.load("general"), Box(top=100, bottom=500, left=8, right=999)
    whole, lowered, first = (
        general.adjusted({"noise.floors": (floor,) * 4, "detail.usual": UNBOUNDED}) for floor in (1.0, -0.5, surveyed)
    )
    wider = lowered.adjusted({"range.high": 96.0})  # noise was measured in the surveyed tone, and is scaled
    ready = Preview(uneven, first)

    assert differences(uneven, ready, lowered, box=box).max() < most  # 0.02 with one noise for the whole image
    assert differences(uneven, ready, wider, box=box).max() < most  # 0.008 with noise that is not scaled
    part, untouched = (ready.part(preset, level=0, box=box)[0][:, -200:] for preset in (lowered, whole))
    assert part.std() < 0.8 * untouched.std()


def test_that_any_part_is_a_part_of_the_same_picture(hand: Image, preset: Preset) -> None:
    ready, generator = Preview(hand, preset), np.random.default_rng(3)
    rows, columns = hand.pixels.shape
    whole, _ = ready.part(preset, level=0, box=Box(top=0, bottom=rows, left=0, right=columns))
    for _ in range(20):
        top, left = int(generator.integers(-5, rows)), int(generator.integers(-5, columns))
        box = Box(top=top, left=left, bottom=top + int(generator.integers(1, 200)), right=left + 90)
        found, place = ready.part(preset, level=0, box=box)
        assert np.abs(found.astype(int) - whole[place.slices].astype(int)).max() <= 1


def test_that_a_preset_for_another_kind_is_refused(hand: Image) -> None:
    other = next(presets.load(name) for kind, name in presets.GENERAL.items() if kind is not hand.kind)
    with pytest.raises(InputRefused):
        Preview(hand, other)
