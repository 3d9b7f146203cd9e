"""The bound on results: right ones pass, and what no enhancement does is found."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from fullfield.image import clahe, trust
from fullfield.image.bounds import Agreement, Bounds
from fullfield.model.phantom import phantom

Unit = NDArray[np.float32]
SOURCE = phantom(600, 500, seed=1)
BETTER = clahe.equalise(SOURCE, clip=2.0, tiles=4)
NOISE = np.random.default_rng(0).normal(0, 0.15, SOURCE.shape).astype(np.float32)


def agreement(source: Unit, output: Unit) -> Agreement:
    shape = (source.shape[0], source.shape[1])
    return trust.agreement(trust.whole(source), trust.whole(output), shape)


CALIBRATED = trust.calibrated([agreement(SOURCE, BETTER)])


@pytest.mark.parametrize("bounds", [Bounds(), CALIBRATED], ids=["general", "calibrated"])
@pytest.mark.parametrize(
    "change",
    [lambda plane: plane, lambda plane: BETTER, lambda plane: plane**0.6, lambda plane: 0.2 + 0.6 * plane],
    ids=["unchanged", "CLAHE", "gamma", "less contrast"],
)
def test_that_an_enhancement_is_believed(change: Callable[[Unit], Unit], bounds: Bounds) -> None:
    assert bounds.objections(agreement(SOURCE, change(SOURCE))) == ()


@pytest.mark.parametrize(
    ("change", "objection"),
    [
        (lambda plane: 1 - plane, "coarse structures"),
        (lambda plane: np.full_like(plane, 0.5), "coarse structures"),
        (lambda plane: plane[::-1, ::-1].copy(), "coarse structures"),
        (lambda plane: phantom(600, 500, seed=9), "coarse structures"),
        (lambda plane: np.clip(0.5 + NOISE, 0, 1), "coarse structures"),
        (lambda plane: np.clip(plane + NOISE, 0, 1), "more fine structure or noise"),
        (lambda plane: cv2.GaussianBlur(plane, (0, 0), 8), "fine structure of the image is gone"),
        (lambda plane: np.full_like(plane, np.nan), "coarse structures"),
    ],
    ids=["inverted", "grey", "turned", "another image", "noise", "noisy", "blurred", "no numbers"],
)
def test_that_what_no_enhancement_does_is_found(change: Callable[[Unit], Unit], objection: str) -> None:
    noisy_source = np.clip(SOURCE + NOISE / 30, 0, 1)
    bounds = trust.calibrated([agreement(noisy_source, np.clip(BETTER + NOISE / 30, 0, 1))])
    assert objection in " ".join(bounds.objections(agreement(noisy_source, change(noisy_source))))


def test_that_tones_in_another_order_are_found() -> None:
    dome = np.hypot(*np.meshgrid(np.linspace(-1, 1, 400), np.linspace(-1, 1, 400))).astype(np.float32) / 1.5
    detail = phantom(400, 400, seed=3) * 0.2
    said = CALIBRATED.objections(agreement(dome + detail, (1 - dome) * 0.9 + detail))
    assert any("bright" in text for text in said)


def test_that_padding_has_no_say() -> None:
    padded = SOURCE.copy()
    padded[:200] = np.nan
    black = np.where(np.isnan(padded), np.float32(0), 1 - SOURCE)
    assert agreement(padded, black).correlation < -0.5


def test_that_an_image_without_structure_or_all_padding_is_no_reason_to_object() -> None:
    flat = np.full((300, 300), 0.5, np.float32)
    assert Bounds().objections(agreement(flat, flat * 0.8)) == ()
    assert Bounds().objections(agreement(np.full_like(flat, np.nan), flat)) == ()
    assert Bounds().objections(agreement(SOURCE[:3, :3], BETTER[:3, :3])) == ()


def test_that_a_long_strip_is_judged_like_any_other() -> None:
    assert Bounds().objections(agreement(SOURCE[:20], BETTER[:20])) == ()


def test_that_bounds_are_never_so_wide_that_anything_passes() -> None:
    chance = Agreement(correlation=-0.5, order_error=0.9, fine_ratio=1.0)
    bounds = trust.calibrated([chance, chance])
    assert bounds.correlation == trust.LEAST_CORRELATION and bounds.order_error == trust.MOST_ORDER_ERROR
    nothing = Agreement(correlation=math.nan, order_error=math.nan, fine_ratio=math.nan)
    assert trust.calibrated([]) == Bounds() == Bounds.from_json({})
    assert len(bounds.objections(nothing)) == 3


def test_that_bounds_survive_json_and_foreign_values_do_not() -> None:
    assert Bounds.from_json(CALIBRATED.to_json()) == CALIBRATED
    for value in (math.nan, "0.5", None, True):
        with pytest.raises(ValueError, match="correlation"):
            Bounds.from_json({"correlation": value})  # type: ignore[dict-item]
