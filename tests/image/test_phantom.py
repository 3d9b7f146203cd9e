from __future__ import annotations

import numpy as np
import pytest

from fullfield.image import phantom
from fullfield.image.image import HighValues, InputKind, Relationship
from fullfield.image.phantom import PhantomKind


@pytest.mark.parametrize("kind", list(PhantomKind))
def test_that_the_same_seed_gives_the_same_pixels_and_another_does_not(kind: PhantomKind) -> None:
    first, again, other = (phantom.raw(kind, longer=160, seed=seed).pixels for seed in (3, 3, 4))

    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("kind", list(PhantomKind))
def test_that_raw_and_processed_are_two_pictures_of_one_exposure(kind: PhantomKind) -> None:
    raw, processed = phantom.raw(kind, longer=200), phantom.processed(kind, longer=200)

    assert (raw.kind, raw.relationship, raw.bits) == (InputKind.RAW, Relationship.LINEAR, 14)
    assert (processed.kind, processed.high, processed.bits) == (InputKind.PROCESSED, HighValues.BRIGHT, 12)
    assert raw.pixels.shape == processed.pixels.shape
    ranks = [np.argsort(np.argsort(image.pixels.ravel())) for image in (raw, processed)]
    assert np.corrcoef(*ranks)[0, 1] > 0.9  # ties under the blades


def test_that_the_longer_side_is_as_asked_and_the_spacing_follows() -> None:
    small, large = (phantom.processed(PhantomKind.HAND, longer=longer) for longer in (100, 400))

    assert max(large.pixels.shape) == 400
    assert small.spacing_mm is not None
    assert large.spacing_mm is not None
    assert small.spacing_mm[0] == pytest.approx(4 * large.spacing_mm[0])


def test_that_more_pixels_than_are_drawn_still_have_noise_of_their_own() -> None:
    pixels = phantom.raw(PhantomKind.WEDGE, longer=1200).pixels.astype(float)

    assert np.std(np.diff(pixels[:200, :200], axis=1)) > 1


def test_that_bone_is_brighter_than_soft_tissue_and_that_than_air() -> None:
    image = phantom.raw(PhantomKind.HAND, longer=400)
    rows, columns = image.pixels.shape

    bone = image.pixels[int(rows * 0.9), int(columns * 0.42)]
    air = image.pixels[int(rows * 0.1), int(columns * 0.1)]
    assert bone > np.median(image.pixels) > air
