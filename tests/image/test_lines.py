"""Lines over the whole picture, of a grid or of a scanner: found, parted from anatomy, and not amplified."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from fullfield.image import collimation, lines, multiscale, parts, phantom, presets, pyramid, tone
from fullfield.image.image import Image
from fullfield.image.lines import Lines
from fullfield.image.parts import Box
from fullfield.image.phantom import PhantomKind
from fullfield.image.preview import Preview
from fullfield.image.pyramid import Plane

CHEST = presets.load("chest")
Waves = NDArray[np.float64]


@pytest.fixture(scope="module")
def plain() -> Image:
    return phantom.processed(PhantomKind.CHEST, longer=768)


def with_lines(image: Image, waves: Waves) -> Image:
    return replace(image, pixels=np.clip(image.pixels + waves, 0, image.top).astype(np.uint16))


def grid(shape: tuple[int, ...], period: float, slant: float = 0.0) -> Waves:
    """Upright lines, slanted by some degrees."""
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    along = columns * np.cos(np.radians(slant)) + rows * np.sin(np.radians(slant))
    return np.asarray(25 * np.sin(2 * np.pi * along / period))


def offsets(shape: tuple[int, ...], strength: float = 15.0) -> Waves:
    """Every row as a whole brighter or darker."""
    return np.repeat(np.random.default_rng(4).normal(0, strength, (shape[0], 1)), shape[1], axis=1)


def found(image: Image, level: int = 0) -> Lines | None:
    """The lines of one level of its pyramid."""
    curve = tone.curve(image)
    field = collimation.find(image, curve)
    scale = tone.measure(image, CHEST, curve, field)
    planes = [scale.apply(image.pixels)]
    for _ in range(level + 1):
        planes.append(np.asarray(pyramid.laplacian(planes[-1], 1)[-1], np.float32))
    plane = planes[level]
    return lines.find(pyramid.whole(plane), planes[level + 1], (plane.shape[0], plane.shape[1]), field.anatomy)


def gain_of(waves: Waves, before: Image, after: Plane) -> float:
    """How much of some waves is in the middle of the result's finest structures, beside the source's: by regression."""
    part = (slice(256, 512), slice(256, 512))
    wave, source, result = (
        plane[part] - cv2.blur(plane, (15, 15))[part]
        for plane in (waves, before.pixels / before.top, after.astype(np.float64))
    )
    return float((result * wave).sum() / (source * wave).sum())


def enhanced(image: Image) -> Plane:
    return (multiscale.enhance(image, CHEST).pixels / 4095).astype(np.float32)


@pytest.mark.parametrize("turned", [False, True], ids=["grid", "scan lines"])
@pytest.mark.parametrize(("period", "slant"), [(2.2, 0.0), (2.6, 0.5), (3.7, 2.0), (5.3, 0.5)])
def test_that_a_grid_or_scan_lines_are_amplified_less_than_structure(
    plain: Image, period: float, slant: float, turned: bool
) -> None:
    waves = grid(plain.pixels.shape, period, slant)
    image = with_lines(plain, waves.T if turned else waves)

    gain = gain_of(waves.T if turned else waves, image, enhanced(image))

    assert 0.7 < gain < 1.35  # 1.5 to 2.1 with their level's gain; gradation alone brings 1.6
    assert structure_gain(plain) > 1.5


def structure_gain(image: Image) -> float:
    """Of bands of 4 to 16 pixels in the same part."""
    planes = (image.pixels.astype(np.float32) / np.float32(image.top), enhanced(image))
    before, after = (pyramid.laplacian(plane[256:512, 256:512], 4)[2:] for plane in planes)
    return float(np.mean([new.std() / old.std() for new, old in zip(after[:2], before[:2], strict=True)]))


def test_that_rows_that_differ_as_wholes_are_parted_and_not_amplified(plain: Image) -> None:
    waves = offsets(plain.pixels.shape)
    image = with_lines(plain, waves)

    lined = found(image)

    assert lined is not None and lined.upright is None and lined.level is not None
    assert 0.7 < gain_of(waves, image, enhanced(image)) < 1.25


@pytest.mark.parametrize("kind", list(PhantomKind))
@pytest.mark.parametrize("raw", [False, True], ids=["processed", "raw"])
@pytest.mark.parametrize("longer", [512, 1024])
def test_that_no_anatomy_and_no_edge_passes_for_lines(kind: PhantomKind, raw: bool, longer: int) -> None:
    image = (phantom.raw if raw else phantom.processed)(kind, longer=longer)

    assert [found(image, level) for level in range(lines.LEVELS)] == [None] * lines.LEVELS


def test_that_edges_as_long_as_the_picture_are_no_lines(plain: Image) -> None:
    steps = np.zeros(plain.pixels.shape)
    for row in range(90, 700, 150):
        steps[row : row + 60] = 400

    assert found(with_lines(plain, steps)) is None


def test_that_what_is_parted_is_the_lines_alone(plain: Image) -> None:
    waves = grid(plain.pixels.shape, 2.6)
    lined = found(with_lines(plain, waves))

    assert lined is not None
    added = lined.part(slice(256, 512), slice(256, 512))
    wave = waves[256:512, 256:512]
    assert np.corrcoef(added.ravel(), wave.ravel())[0, 1] > 0.97


def test_that_any_part_of_the_lines_is_a_part_of_the_whole(plain: Image) -> None:
    shape = plain.pixels.shape
    lined = found(with_lines(plain, grid(shape, 2.6, 0.5) + offsets(shape)))

    assert lined is not None and lined.upright is not None and lined.level is not None
    whole = lined.part(slice(0, shape[0]), slice(0, shape[1]))
    box = Box(top=304, bottom=339, left=96, right=211)
    assert np.allclose(lined.part(*box.slices), whole[box.slices], atol=1e-7)


def test_that_a_tiny_picture_has_no_lines() -> None:
    plane = np.random.default_rng(0).random((9, 7)).astype(np.float32)

    assert lines.find(pyramid.whole(plane), plane[:5, :4].copy(), (9, 7), np.ones((2, 2), bool)) is None


@pytest.mark.parametrize("level", [0, 1])
def test_that_a_preview_holds_lines_back_as_the_result_does(plain: Image, level: int) -> None:
    image = with_lines(plain, grid(plain.pixels.shape, 5.3, 0.5) * 2)
    full = multiscale.enhance(image, CHEST).pixels
    for _ in range(level):
        full = parts.halved(full)

    part, place = Preview(image, CHEST).part(CHEST, level=level, box=Box(top=96, bottom=304, left=96, right=304))

    away = np.abs(part.astype(int) - full[place.slices].astype(int)) / 4095
    assert away.max() < 0.001 if level == 0 else away.mean() < 0.01
