from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from fullfield.image import blocks, collimation, multiscale, phantom, presets, tone
from fullfield.image.collimation import Field
from fullfield.image.image import HighValues, Image, InputKind, Pixels
from fullfield.image.phantom import EXPOSURES, PhantomKind


def image_of(pixels: Pixels, **fields: object) -> Image:
    return Image(pixels=pixels, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED, **fields)  # type: ignore[arg-type]


def field_of(image: Image) -> Field:
    return collimation.find(image, tone.curve(image))


@pytest.fixture(scope="module")
def limb() -> Image:
    return phantom.raw(PhantomKind.LIMB, longer=600)


def test_that_blades_are_found_within_two_hundredths_of_a_side(limb: Image) -> None:
    rows, columns = limb.pixels.shape
    blades = EXPOSURES[PhantomKind.LIMB].blades

    top, bottom, left, right = field_of(limb).box

    found = (top / rows, bottom / rows, left / columns, right / columns)
    assert found == pytest.approx(blades, abs=0.02)


def test_that_what_lies_under_a_blade_is_no_anatomy(limb: Image) -> None:
    field = field_of(limb)

    assert not field.image[:2].any()
    assert field.anatomy[field.anatomy.shape[0] // 2].any()


def test_that_direct_exposure_beside_a_hand_is_found_and_the_hand_is_not() -> None:
    image = phantom.raw(PhantomKind.HAND, longer=600)

    field = field_of(image)

    rows, columns = field.direct.shape
    assert field.dark[rows // 8, columns // 20]
    assert not field.dark[int(rows * 0.68), int(columns * 0.48)]  # the carpus
    assert 0.4 < field.dark.mean() < 0.8


def test_that_a_line_at_the_images_border_is_no_image(limb: Image) -> None:
    clean = image_of(np.ascontiguousarray(limb.pixels[90:-90, 60:-60]))
    lined = replace(clean, pixels=clean.pixels.copy())
    lined.pixels[-1], lined.pixels[:, 0] = 0, lined.pixels.max()

    found, wanted = (
        multiscale.enhance(one, presets.load("general")).pixels[1:-1, 1:].astype(int) for one in (lined, clean)
    )

    assert np.abs(found - wanted).mean() < 0.005 * 4095


@pytest.mark.parametrize("side", [0, 1], ids=["below", "beside"])
def test_that_a_line_of_text_on_black_along_a_side_changes_nothing_else(side: int) -> None:
    chest = phantom.processed(PhantomKind.CHEST, longer=1024)
    strip = np.zeros((13, 1024), np.uint8)
    cv2.putText(strip, "Text on black " * 20, (2, 10), cv2.FONT_HERSHEY_PLAIN, 0.6, (130,), 1, cv2.LINE_AA)
    lined = np.concatenate([chest.pixels, np.rot90(strip, side) * np.uint16(16)], axis=side)

    found, wanted = (
        multiscale.enhance(one, presets.load("general")).pixels[:1024, :1024].astype(int)
        for one in (replace(chest, pixels=lined), chest)
    )

    assert np.abs(found - wanted).mean() < 0.006 * 4095


def test_that_black_rows_at_the_border_change_nothing_where_there_is_no_air() -> None:
    chest = phantom.processed(PhantomKind.CHEST, longer=1024)
    lined = replace(chest, pixels=chest.pixels.copy())
    lined.pixels[-2:] = 0  # of the outermost cells' three

    found, wanted = (multiscale.enhance(one, presets.load("general")).pixels[:-2].astype(int) for one in (lined, chest))

    assert np.abs(found - wanted).mean() < 0.002 * 4095


def test_that_lungs_are_not_taken_for_direct_exposure() -> None:
    field = field_of(phantom.processed(PhantomKind.CHEST, longer=600))

    rows, columns = field.direct.shape
    lung = (slice(int(rows * 0.3), int(rows * 0.5)), slice(int(columns * 0.25), int(columns * 0.4)))
    assert not field.direct[lung].any()
    assert not field.dark[lung].any()


def test_that_a_black_shutter_and_a_burnt_out_block_are_no_image() -> None:
    random = np.random.default_rng(5)
    pixels = random.integers(800, 3000, (300, 300)).astype(np.uint16)
    pixels[:40], pixels[:, :30] = 4095, 0

    field = field_of(image_of(pixels))

    assert not field.image[:40].any()
    assert not field.image[:, :30].any()
    assert field.image[60:280, 60:280].all()
    assert field.dark[100, 10]
    assert not field.dark[10, 100]


def test_that_padding_is_no_image() -> None:
    pixels = np.random.default_rng(5).integers(800, 3000, (200, 200)).astype(np.uint16)
    pixels[pixels == 1500] = 1501
    pixels[150:] = 1500

    field = field_of(image_of(pixels, padding=(1500, 1500)))

    assert not field.image[155:].any()
    assert field.dark[155:].all()
    assert field.image[1:140, 1:-1].all()


@pytest.mark.parametrize("shape", [(1, 1), (1, 900), (900, 1), (3, 3), (7, 2000)])
def test_that_everything_is_anatomy_where_nothing_can_be_told(shape: tuple[int, int]) -> None:
    field = field_of(image_of(np.full(shape, 7, np.uint16)))

    assert field.anatomy.all()
    assert field.box == (0, shape[0], 0, shape[1])


@pytest.mark.parametrize("shape", [(100, 100), (101, 99), (5, 1000), (1, 13)])
def test_that_reduced_blocks_are_means(shape: tuple[int, int]) -> None:
    pixels = np.random.default_rng(6).integers(0, 4096, shape).astype(np.uint16)

    small = collimation.reduce(pixels, 4)

    assert small.shape == (-(-shape[0] // 4), -(-shape[1] // 4))
    assert small == pytest.approx(blocks.means(pixels, blocks.parts(shape[0], small.shape[0]), small.shape[1]))


def test_that_a_stair_of_a_single_count_is_no_shutter() -> None:
    pixels = np.rint(np.linspace(1000, 1012, 240)[None, :] * np.ones((240, 1))).astype(np.uint16)

    field = field_of(image_of(pixels))

    assert field.image[1:-1, 1:-1].all()
    assert not field.dark.any()


@pytest.mark.parametrize(("share", "kept"), [(0.03, True), (0.01, False)])
def test_that_a_small_part_that_stands_alone_is_anatomy_and_a_letter_is_not(share: float, kept: bool) -> None:
    image = phantom.raw(PhantomKind.HAND, longer=600)
    field = field_of(image)
    step = field.step
    rows, columns = np.ogrid[: image.pixels.shape[0], : image.pixels.shape[1]]
    middle = 0.86 * image.pixels.shape[0], 0.12 * image.pixels.shape[1]  # in the air beside the wrist
    disc = (rows - middle[0]) ** 2 + (columns - middle[1]) ** 2 < share * field.anatomy.sum() * step**2 / np.pi
    reduced = collimation.reduce(disc.astype(np.uint16), step) > 0.99
    assert field.direct[reduced].all()
    bone = np.percentile(image.pixels, 90)
    pixels = np.where(disc, bone, image.pixels).astype(np.uint16)

    found = field_of(replace(image, pixels=pixels)).anatomy[reduced]

    assert found.all() if kept else not found.any()


def test_that_a_mirrored_image_has_the_same_direct_exposure() -> None:
    image = phantom.raw(PhantomKind.HAND, longer=1157)
    found = field_of(image).direct

    for turn in (np.fliplr, np.flipud):
        turned = field_of(replace(image, pixels=np.ascontiguousarray(turn(image.pixels)))).direct
        assert (turned == turn(found)).mean() > 0.99
