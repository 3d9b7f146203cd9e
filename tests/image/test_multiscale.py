from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullfield.errors import InputRefused
from fullfield.image import collimation, multiscale, phantom, presets, pyramid, tone
from fullfield.image.image import HighValues, Image, InputKind, Pixels, Relationship
from fullfield.image.phantom import PhantomKind
from fullfield.image.preset import Preset

GENERAL, CHEST, CHEST_RAW = (presets.load(name) for name in ("general", "chest", "chest-raw"))
LIMB_RAW = presets.load("extremity-raw")


@pytest.fixture(scope="module")
def chest() -> Image:
    return phantom.processed(PhantomKind.CHEST, longer=512)


@pytest.fixture(scope="module")
def hand() -> Image:
    return phantom.processed(PhantomKind.HAND, longer=512)


@pytest.fixture(scope="module")
def raw_chest() -> Image:
    return phantom.raw(PhantomKind.CHEST, longer=512)


def image_of(pixels: Pixels, bits: int = 12, **fields: Any) -> Image:
    given: dict[str, Any] = {"high": HighValues.BRIGHT, "kind": InputKind.PROCESSED}
    return Image(pixels=pixels, bits=bits, **(given | fields))


def correlation(one: Pixels, other: Pixels) -> float:
    return float(np.corrcoef(one.ravel().astype(float), other.ravel().astype(float))[0, 1])


def fraction(image: Image, preset: Preset) -> np.ndarray[Any, np.dtype[np.float64]]:
    enhanced = multiscale.enhance(image, preset)
    return enhanced.pixels / ((1 << enhanced.bits) - 1)


def test_that_matrix_polarity_and_bits_are_kept(chest: Image) -> None:
    enhanced = multiscale.enhance(chest, CHEST)

    assert enhanced.pixels.shape == chest.pixels.shape
    assert enhanced.bits == 12
    assert correlation(enhanced.pixels, chest.pixels) > 0.8
    assert not np.array_equal(enhanced.pixels, chest.pixels)


@pytest.mark.parametrize(("bits", "wanted"), [(8, 12), (12, 12), (14, 14), (16, 16)])
def test_that_the_output_has_the_sources_bits_and_at_least_twelve(chest: Image, bits: int, wanted: int) -> None:
    pixels = (chest.pixels.astype(np.uint32) * ((1 << bits) - 1) // chest.top).astype(np.uint16)

    assert multiscale.enhance(image_of(pixels, bits), GENERAL).bits == wanted


@pytest.mark.parametrize("kind", list(PhantomKind))
@pytest.mark.parametrize("raw", [False, True])
def test_that_next_to_nothing_is_clipped(kind: PhantomKind, raw: bool) -> None:
    image = (phantom.raw if raw else phantom.processed)(kind, longer=384)

    enhanced = multiscale.enhance(image, presets.load("general-raw" if raw else "general"))

    assert enhanced.pixels.min() > 0 and enhanced.pixels.max() < (1 << enhanced.bits) - 1
    ends = (enhanced.pixels <= 1) | (enhanced.pixels >= (1 << enhanced.bits) - 2)
    inner = (image.pixels > image.pixels.min()) & (image.pixels < image.pixels.max())
    assert (ends & inner).mean() < 0.005


def test_that_fine_detail_of_bone_is_strengthened(hand: Image) -> None:
    bone = (slice(310, 380), slice(150, 250))
    before, after = (hand.pixels / hand.top)[bone], fraction(hand, presets.load("extremity"))[bone]

    fine_before, fine_after = (sum(band.std() for band in pyramid.laplacian(one, 2)[:-1]) for one in (before, after))
    assert fine_after > 1.25 * fine_before


def test_that_latitude_is_reduced_and_the_mediastinum_is_not_burnt(chest: Image) -> None:
    spine = (slice(280, 330), slice(230, 290))
    before, after = chest.pixels / chest.top, fraction(chest, CHEST)

    assert after[spine].mean() < before[spine].mean() + 0.02
    assert after[spine].std() > 1.1 * before[spine].std()


def test_that_direct_exposure_stays_dark_and_without_a_rim(hand: Image) -> None:
    after = fraction(hand, presets.load("extremity"))

    assert after[20:60, 10:60].mean() < 0.02
    assert after[480:, 5:60].mean() < 0.02


@pytest.mark.parametrize("factor", [2, 16])
def test_that_no_exposure_step_touches_a_processed_image(chest: Image, factor: int) -> None:
    scaled = image_of(chest.pixels * np.uint16(factor), 16)

    assert np.abs(fraction(scaled, CHEST) - fraction(image_of(chest.pixels, 16), CHEST)).max() < 1e-3


def test_that_a_raw_picture_does_not_depend_on_the_exposure(raw_chest: Image) -> None:
    beam = raw_chest.top - raw_chest.pixels
    less = replace(raw_chest, pixels=(raw_chest.top - (beam * 0.7).astype(np.uint16)).astype(np.uint16))

    difference = np.abs(fraction(less, CHEST_RAW) - fraction(raw_chest, CHEST_RAW))

    assert np.percentile(difference, 99) < 0.03


def test_that_a_raw_negative_gives_the_negative_of_the_same_picture(raw_chest: Image) -> None:
    pixels = (raw_chest.top - raw_chest.pixels).astype(np.uint16)
    negative = replace(raw_chest, pixels=pixels, high=HighValues.BRIGHT, beam=HighValues.BRIGHT)

    assert np.abs(fraction(negative, CHEST_RAW) + fraction(raw_chest, CHEST_RAW) - 1).max() < 1e-3


def test_that_statistics_are_the_whole_images_and_not_a_strips(chest: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = multiscale.enhance(chest, CHEST).pixels.astype(int)
    monkeypatch.setattr(pyramid, "STRIP_BYTES", 1 << 14)

    assert np.abs(multiscale.enhance(chest, CHEST).pixels - whole).max() <= 1  # rounding


def test_that_the_guard_of_direct_exposure_does_not_end_where_a_strip_does(hand: Image) -> None:
    curve = tone.curve(hand)
    field = collimation.find(hand, curve)
    work = multiscale.Work(hand, GENERAL, field, tone.measure(hand, GENERAL, curve, field))
    enhanced = work.survey()
    work.guard = np.zeros_like(enhanced)
    work.guard[31] = 0.5  # the last row that is not of the strip below, into whose first row it is interpolated

    whole, below = work._finest(enhanced, 0, 128), work._finest(enhanced, 64, 128)

    assert np.allclose(below, whole[64:], atol=1e-6)


def test_that_a_white_collimated_border_changes_next_to_nothing_inside() -> None:
    limb = phantom.raw(PhantomKind.LIMB, longer=512)
    rows, columns = limb.pixels.shape
    inside = (slice(int(rows * 0.1), int(rows * 0.9)), slice(int(columns * 0.18), int(columns * 0.84)))
    cut = replace(limb, pixels=np.ascontiguousarray(limb.pixels[inside]))

    with_border, without = fraction(limb, LIMB_RAW)[inside], fraction(cut, LIMB_RAW)

    assert np.mean(np.abs(with_border - without)) < 0.06
    assert float(np.corrcoef(with_border.ravel(), without.ravel())[0, 1]) > 0.98


def test_that_padding_stays_dark_and_out_of_the_statistics(chest: Image) -> None:
    pixels = np.zeros((512, 700), np.uint16)
    pixels[:, :512] = np.maximum(chest.pixels, 1)

    padded = fraction(image_of(pixels, padding=(0, 0)), CHEST)

    assert padded[:, 520:].max() < 0.02
    assert np.mean(np.abs(padded[:, :480] - fraction(chest, CHEST)[:, :480])) < 0.05


def test_that_a_memory_mapped_read_only_image_is_left_alone(chest: Image) -> None:
    pixels = chest.pixels.copy()
    pixels.flags.writeable = False

    multiscale.enhance(image_of(pixels), CHEST)

    assert np.array_equal(pixels, chest.pixels)


def test_that_the_recipe_names_the_preset_exactly(chest: Image) -> None:
    recipe = multiscale.enhance(chest, CHEST).recipe

    assert (recipe.method, recipe.name, recipe.version) == ("preset", "chest", CHEST.version)
    assert recipe.sha256 == CHEST.sha256()
    assert recipe.parameters == CHEST.parameters()
    assert recipe.edges
    without = replace(CHEST, edges_gains=(0.0, 0.0, 0.0))
    assert not multiscale.enhance(chest, without).recipe.edges


def test_that_the_wrong_kind_of_preset_is_refused(raw_chest: Image) -> None:
    with pytest.raises(InputRefused, match="chest-raw"):
        multiscale.enhance(raw_chest, CHEST)


@settings(max_examples=60)
@given(
    rows=st.integers(1, 90),
    columns=st.integers(1, 90),
    bits=st.sampled_from([1, 8, 12, 16]),
    seed=st.integers(0, 2**32 - 1),
    style=st.sampled_from(["noise", "constant", "one hot", "two values", "ramp"]),
    kind=st.sampled_from(list(InputKind)),
)
def test_that_any_image_gives_an_image(
    rows: int, columns: int, bits: int, seed: int, style: str, kind: InputKind
) -> None:
    random = np.random.default_rng(seed)
    top = (1 << bits) - 1
    pixels = np.full((rows, columns), random.integers(0, top + 1), np.uint16)
    match style:
        case "noise":
            pixels = random.integers(0, top + 1, (rows, columns)).astype(np.uint16)
        case "one hot":
            pixels[random.integers(rows), random.integers(columns)] = top
        case "two values":
            pixels = np.where(random.random((rows, columns)) < 0.5, 0, top).astype(np.uint16)
        case "ramp":
            pixels = np.linspace(0, top, rows * columns).reshape(rows, columns).astype(np.uint16)
    image = image_of(pixels, bits, kind=kind, relationship=Relationship.LINEAR)

    enhanced = multiscale.enhance(image, GENERAL if kind is InputKind.PROCESSED else presets.load("general-raw"))

    assert enhanced.pixels.shape == pixels.shape
    assert enhanced.pixels.max() <= (1 << enhanced.bits) - 1


@pytest.mark.parametrize("shape", [(1, 1), (1, 3000), (3000, 1), (2, 5000), (3, 3), (17, 4001)])
def test_that_tiny_and_narrow_images_pass(shape: tuple[int, int]) -> None:
    pixels = np.random.default_rng(1).integers(0, 4096, shape).astype(np.uint16)

    assert multiscale.enhance(image_of(pixels), GENERAL).pixels.shape == shape


def test_that_a_constant_image_stays_as_it_is_and_says_so() -> None:
    enhanced = multiscale.enhance(image_of(np.full((30, 40), 2000, np.uint16)), GENERAL)

    assert np.unique(enhanced.pixels).tolist() == [2000]
    assert "no contrast" in enhanced.warnings[0]


def test_that_quantised_flat_parts_of_eight_bits_are_not_turned_into_stairs() -> None:
    across = np.linspace(0, 1, 600)
    plane = 0.5 + 0.04 * across[None, :] + 0.35 * (np.arange(600)[:, None] > 500)
    image = image_of(np.rint(255 * plane).astype(np.uint16), 8)

    before, after = image.pixels[100:400] / 255, fraction(image, GENERAL)[100:400]

    stretch = np.ptp(after.mean(axis=0)) / np.ptp(before.mean(axis=0))
    steps_before, steps_after = (np.abs(np.diff(plane, axis=1)).max() for plane in (before, after))
    assert steps_after < 1.6 * stretch * steps_before


def test_that_this_path_never_imports_torch() -> None:
    code = (
        "import sys, numpy as np\n"
        "from fullfield.image import multiscale, presets, phantom\n"
        "multiscale.enhance(phantom.processed(phantom.PhantomKind.WEDGE, longer=64), presets.load('general'))\n"
        "sys.exit(sum(name in sys.modules for name in ('torch', 'PySide6', 'pydicom', 'SimpleITK')))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
