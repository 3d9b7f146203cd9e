"""Enhanced images as 16-bit PNG and TIFF."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import tifffile

from fullfield.errors import CannotWrite
from fullfield.image import export
from fullfield.image.delivery import Appearance, Delivery
from fullfield.image.export import NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES, SUFFIX, OutputFormat
from fullfield.image.image import Enhanced, HighValues, Image, InputKind, Recipe
from fullfield.image.values import Window

RECIPE = Recipe(method="preset", name="chest", version="2", sha256="ab" * 32)
SPACING_MM = (0.2, 0.1)


@pytest.fixture
def result() -> Enhanced:
    return Enhanced(pixels=np.arange(4096, dtype=np.uint16).reshape(64, 64), bits=12, recipe=RECIPE)


def source(spacing_mm: tuple[float, float] | None, aspect: tuple[int, int] | None = None) -> Image:
    return Image(
        pixels=np.zeros((64, 64), np.uint16),
        bits=12,
        high=HighValues.BRIGHT,
        kind=InputKind.PROCESSED,
        spacing_mm=spacing_mm,
        aspect=aspect,
    )


def png(result: Enhanced, folder: Path, spacing_mm: tuple[float, float] | None = SPACING_MM) -> PIL.Image.Image:
    target = folder / f"result{SUFFIX[OutputFormat.PNG16]}"
    export.write(source(spacing_mm), result, target, format=OutputFormat.PNG16)
    return PIL.Image.open(target)


def tiff(result: Enhanced, folder: Path, spacing_mm: tuple[float, float] | None = SPACING_MM) -> tifffile.TiffPage:
    target = folder / f"result{SUFFIX[OutputFormat.TIFF]}"
    export.write(source(spacing_mm), result, target, format=OutputFormat.TIFF)
    return tifffile.TiffFile(target).pages[0]


@pytest.mark.parametrize("bits", range(8, 17))
def test_that_values_are_spread_over_sixteen_bits_and_can_be_taken_back(bits: int) -> None:
    values = np.arange(1 << bits, dtype=np.uint32).astype(np.uint16)
    spread = export.spread(values, bits)
    assert (int(spread[0]), int(spread[-1])) == (0, 65535)
    assert np.array_equal(np.rint(spread * (((1 << bits) - 1) / 65535)), values)


def test_that_a_png_holds_sixteen_bits_of_the_picture(result: Enhanced, tmp_path: Path) -> None:
    picture = png(result, tmp_path)
    assert picture.mode == "I;16"
    assert np.array_equal(np.asarray(picture), export.spread(result.pixels, 12))


def test_that_a_tiff_holds_sixteen_bits_of_the_picture_with_zero_as_black(result: Enhanced, tmp_path: Path) -> None:
    page = tiff(result, tmp_path)
    assert (page.dtype, page.photometric.name) == (np.dtype(np.uint16), "MINISBLACK")
    assert np.array_equal(page.asarray(), export.spread(result.pixels, 12))


def test_that_a_png_says_its_spacing_per_axis(result: Enhanced, tmp_path: Path) -> None:
    across, down = png(result, tmp_path).info["dpi"]
    assert (25.4 / down, 25.4 / across) == pytest.approx(SPACING_MM, rel=1e-3)


def test_that_a_tiff_says_its_spacing_per_axis(result: Enhanced, tmp_path: Path) -> None:
    tags = tiff(result, tmp_path).tags
    assert tags["ResolutionUnit"].value == 3  # centimetre
    across, down = (tags[name].value[0] / tags[name].value[1] for name in ("XResolution", "YResolution"))
    assert (10 / down, 10 / across) == pytest.approx(SPACING_MM, rel=1e-6)


def test_that_no_spacing_is_invented(result: Enhanced, tmp_path: Path) -> None:
    assert "dpi" not in png(result, tmp_path, None).info
    resolution = tiff(result, tmp_path, None).tags.get("ResolutionUnit")
    assert resolution is None or resolution.value == 1  # 1: no absolute unit


def test_that_a_png_says_in_two_languages_what_it_is_not_for(result: Enhanced, tmp_path: Path) -> None:
    picture = png(result, tmp_path)
    picture.load()
    text = picture.info["Description"]
    assert NOT_FOR_DIAGNOSIS in text and NOT_FOR_DIAGNOSIS_ES in text and "preset chest 2" in text


def test_that_a_tiff_says_in_two_languages_what_it_is_not_for(result: Enhanced, tmp_path: Path) -> None:
    text = tiff(result, tmp_path).tags["ImageDescription"].value
    text = text.decode() if isinstance(text, bytes) else text
    assert NOT_FOR_DIAGNOSIS in text and NOT_FOR_DIAGNOSIS_ES in text and "preset chest 2" in text


@pytest.mark.parametrize("format", [OutputFormat.PNG16, OutputFormat.TIFF])
def test_that_a_full_disk_is_told_in_words_and_leaves_nothing(
    result: Enhanced, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: OutputFormat
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CannotWrite, match="No space left"):
        export.write(source(None), result, tmp_path / "out" / "a", format=format)
    assert list((tmp_path / "out").iterdir()) == []


def test_that_every_format_has_a_suffix() -> None:
    assert set(SUFFIX) == set(OutputFormat)


SEEN = Delivery(displayed=True, look=Appearance(after=Window(low=1000, high=3000), inverted=True, turns=1))


def read(target: Path) -> np.ndarray:
    return tifffile.imread(target) if target.suffix == ".tiff" else np.asarray(PIL.Image.open(target))


@pytest.mark.parametrize("format", [OutputFormat.PNG16, OutputFormat.TIFF])
def test_that_a_picture_as_displayed_is_8_bit_windowed_inverted_and_turned(
    tmp_path: Path, format: OutputFormat
) -> None:
    upright = Enhanced(pixels=np.arange(4096, dtype=np.uint16).reshape(32, 128), bits=12, recipe=RECIPE)
    target = tmp_path / f"seen{SUFFIX[format]}"
    export.write(source(None), upright, target, format=format, delivery=SEEN)
    picture = read(target)
    assert picture.dtype == np.uint8 and picture.shape == (128, 32)
    assert (picture[0, -1], picture[-1, 0]) == (255, 0)  # what was dark and upper left is bright and upper right
    assert picture[64, 16] == round(255 - 255 * (int(upright.pixels[15, 64]) - 1000) / 2000)


@pytest.mark.parametrize("format", [OutputFormat.PNG16, OutputFormat.TIFF])
def test_that_full_data_with_the_mark_keep_every_value_in_the_rows_that_the_file_names(
    result: Enhanced, tmp_path: Path, format: OutputFormat
) -> None:
    target = tmp_path / f"marked{SUFFIX[format]}"
    export.write(source(SPACING_MM), result, target, format=format, delivery=Delivery(mark=NOT_FOR_DIAGNOSIS))
    picture = read(target)
    assert picture.dtype == np.uint16 and picture.shape[0] > 64
    assert np.array_equal(picture[:64], export.spread(result.pixels, 12))
    assert picture[64:].max() > 50_000
    assert "the first 64 rows" in said(target)


def test_that_a_turned_picture_takes_its_spacing_with_it(result: Enhanced, tmp_path: Path) -> None:
    target = tmp_path / "turned.png"
    export.write(source(SPACING_MM), result, target, format=OutputFormat.PNG16, delivery=SEEN)
    across, down = PIL.Image.open(target).info["dpi"]
    assert (25.4 / down, 25.4 / across) == pytest.approx(SPACING_MM[::-1], rel=1e-3)


@pytest.mark.parametrize(("delivery", "turned"), [(Delivery(), False), (SEEN, True)], ids=["upright", "turned"])
def test_that_of_pixels_of_unknown_size_with_unequal_sides_the_ratio_of_these_is_kept(
    result: Enhanced, tmp_path: Path, delivery: Delivery, turned: bool
) -> None:
    """A pixel twice as high as wide: there are twice as many per unit across as down."""
    image, (across, down) = source(None, aspect=(2, 1)), (1, 2) if turned else (2, 1)
    for format in (OutputFormat.PNG16, OutputFormat.TIFF):
        target = tmp_path / f"x{SUFFIX[format]}"
        export.write(image, result, target, format=format, delivery=delivery)
        if format is OutputFormat.PNG16:
            info = PIL.Image.open(target).info
            assert info["aspect"] == (across, down) and "dpi" not in info
        else:
            tags = tifffile.TiffFile(target).pages[0].tags
            assert tags["ResolutionUnit"].value == 1  # no absolute unit
            assert (tags["XResolution"].value, tags["YResolution"].value) == ((across, 1), (down, 1))
        assert read(target).shape == (64, 64)
    assert "aspect" not in png(result, tmp_path, None).info


def said(target: Path) -> str:
    if target.suffix == ".tiff":
        text = tifffile.TiffFile(target).pages[0].tags["ImageDescription"].value
        return text.decode() if isinstance(text, bytes) else text
    picture = PIL.Image.open(target)
    picture.load()
    return picture.info["Description"]
