"""Pictures for export: as they are seen, the pair, and the strip with the mark."""

from __future__ import annotations

import numpy as np
import pytest

from fullfield.image import sheet
from fullfield.image.delivery import Appearance, Delivery
from fullfield.image.export import NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES
from fullfield.image.image import Enhanced, HighValues, Image, InputKind, Recipe, VoiTable
from fullfield.image.values import Window

RECIPE = Recipe(method="preset", name="chest", version="2", sha256="ab" * 32)
AFTER = Enhanced(
    pixels=np.arange(600 * 400, dtype=np.uint32).reshape(600, 400).astype(np.uint16), bits=16, recipe=RECIPE
)


def source(**changes: object) -> Image:
    values: dict[str, object] = {
        "pixels": (np.arange(600 * 400) % 4096).reshape(600, 400).astype(np.uint16),
        "bits": 12,
        "high": HighValues.BRIGHT,
        "kind": InputKind.PROCESSED,
        "voi": (Window(low=1000, high=3000),),
    }
    return Image(**{**values, **changes})  # type: ignore[arg-type]


UPRIGHT = Appearance()


def seen(look: Appearance = UPRIGHT, **changes: object) -> np.ndarray:
    return sheet.displayed(source(), AFTER, Delivery(displayed=True, look=look, **changes))  # type: ignore[arg-type]


def test_that_a_picture_as_displayed_has_the_native_matrix_and_the_chosen_window() -> None:
    picture = seen(Appearance(after=Window(low=10_000, high=20_000)))
    assert picture.shape == (600, 400) and picture.dtype == np.uint8
    values = AFTER.pixels.astype(np.float64)
    wanted = np.rint(255 * np.clip((values - 10_000) / 10_000, 0, 1))
    assert np.array_equal(picture, wanted)


def test_that_without_a_window_all_of_the_data_is_shown() -> None:
    picture = seen()
    assert (picture.min(), picture.max()) == (0, 255)


def test_that_inversion_exchanges_bright_and_dark() -> None:
    assert np.array_equal(seen(Appearance(inverted=True)), 255 - seen())


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
def test_that_a_picture_is_turned_clockwise_and_then_mirrored(turns: int, mirrored: bool) -> None:
    picture = seen(Appearance(turns=turns, mirrored=mirrored))
    wanted = np.rot90(seen(), -turns)
    assert np.array_equal(picture, wanted[:, ::-1] if mirrored else wanted)


def test_that_the_pair_shows_the_image_before_on_the_left_through_its_own_window() -> None:
    picture = seen(beside=True, captions=("Before", "After"))
    assert picture.shape[1] >= 800 and np.array_equal(picture[-600:, -400:], seen())
    before = source().pixels.astype(np.float64)
    assert np.array_equal(picture[-600:, :400], np.rint(255 * np.clip((before - 1000) / 2000, 0, 1)))
    assert picture[:-600, :200].max() > 150 and picture[:-600, 420:].max() > 150  # the captions above


def test_that_a_table_of_the_source_shapes_the_image_before_and_its_padding_is_black() -> None:
    table = VoiTable(first=0, table=np.linspace(1, 0, 4096, dtype=np.float32))
    image = source(voi=(table,), padding=(0, 9))
    picture = sheet.displayed(image, AFTER, Delivery(displayed=True, beside=True))
    before = picture[-600:, :400]
    assert before[0, 0] == 0 and before[0, 10] > 250


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("shape", [(600, 400), (2140, 1760), (100, 120), (300, 2000)])
@pytest.mark.parametrize("text", [NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES])
def test_that_the_mark_stands_below_the_picture_and_changes_none_of_it(
    dtype: type, shape: tuple[int, int], text: str
) -> None:
    picture = np.full(shape, 7, dtype)
    with_mark = sheet.marked(picture, text)
    assert with_mark.dtype == dtype and np.array_equal(with_mark[: shape[0]], picture)
    strip = with_mark[shape[0] :]
    top = np.iinfo(dtype).max
    assert strip.shape[1] == shape[1] and strip.max() > 0.85 * top and strip.min() == 0
    inked = np.flatnonzero((strip > 0.4 * top).any(axis=0))
    assert inked[-1] < shape[1] - 1  # no line runs out of the strip


def test_that_the_text_of_the_mark_grows_with_the_picture_and_stays_a_small_part_of_it() -> None:
    small, large = (
        sheet.marked(np.zeros((rows, columns), np.uint8), NOT_FOR_DIAGNOSIS)
        for rows, columns in ((535, 440), (2140, 1760))
    )
    parts = (small.shape[0] / 535 - 1, large.shape[0] / 2140 - 1)
    assert all(0.03 < part < 0.16 for part in parts)
    assert large.shape[0] - 2140 > 2.5 * (small.shape[0] - 535)


def test_that_every_letter_of_the_spanish_mark_has_its_sign() -> None:
    missing = sheet._written("\uffff", 200, 40)
    for letter in set(NOT_FOR_DIAGNOSIS_ES) - {" "}:
        assert not np.array_equal(sheet._written(letter, 200, 40), missing), letter


def test_that_no_mark_leaves_the_picture_as_it_is() -> None:
    picture = np.zeros((10, 10), np.uint8)
    assert sheet.marked(picture, "") is picture


def test_that_the_pair_shows_the_image_before_through_the_table_of_its_file_that_was_chosen() -> None:
    table = VoiTable(first=0, table=np.linspace(1, 0, 4096, dtype=np.float32))
    delivery = Delivery(displayed=True, beside=True, look=Appearance(table=1))
    chosen = sheet.displayed(source(voi=(Window(low=1000, high=3000), table)), AFTER, delivery)
    first = sheet.displayed(source(voi=(table,)), AFTER, Delivery(displayed=True, beside=True))
    assert np.array_equal(chosen, first)
    gone = sheet.displayed(source(), AFTER, delivery)
    assert np.array_equal(gone, sheet.displayed(source(), AFTER, Delivery(displayed=True, beside=True)))
