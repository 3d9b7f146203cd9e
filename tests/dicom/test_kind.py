"""Raw or processed: a table of headers and histograms, and the sentence that says why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fullfield.enhance import item as items
from fullfield.image.image import HighValues, Image, InputKind, Relationship
from originals import bone
from sources import dataset, encoded, read

RAW, PROCESSED = InputKind.RAW, InputKind.PROCESSED


def exposure() -> NDArray[np.uint16]:
    """A linear detector signal: tissue at a few per cent of direct exposure, which fills a fifth of the image."""
    signal = 4095 * np.exp(-1.5 - 3 * (bone().astype(np.float64) / 4095))
    signal[:, :8] = 4000
    return np.rint(signal).astype(np.uint16)


def found(tmp_path: Path, pixels: NDArray[Any] | None = None, **changes: Any) -> Image:
    return read(encoded(dataset(pixels, **changes)), tmp_path).image


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"kind": "CR"}, PROCESSED),
        ({"kind": "DX"}, PROCESSED),
        ({"kind": "DX raw"}, RAW),
        ({"kind": "MG raw", "PresentationIntentType": None}, RAW),
        ({"kind": "DX", "PresentationIntentType": "FOR PROCESSING"}, RAW),
        ({"kind": "CR", "PixelIntensityRelationship": "LIN", "PixelIntensityRelationshipSign": -1}, PROCESSED),
        ({"kind": "SC"}, PROCESSED),
    ],
)
def test_that_the_header_decides(changes: dict[str, Any], kind: InputKind, tmp_path: Path) -> None:
    image = found(tmp_path, **changes)
    assert image.kind is kind and image.kind_reason.endswith(".")


def test_that_a_linear_header_and_a_linear_histogram_together_are_raw(tmp_path: Path) -> None:
    changes = {"PixelIntensityRelationship": "LIN", "PixelIntensityRelationshipSign": 1}
    image = found(tmp_path, exposure(), **changes)
    assert image.kind is RAW and image.relationship is Relationship.LINEAR and image.beam is HighValues.BRIGHT


@pytest.mark.parametrize("photometric", ["MONOCHROME1", "MONOCHROME2"])
@pytest.mark.parametrize(("intercept", "signed"), [(-900, False), (700, False), (1800, True)])
def test_that_a_linear_raw_file_s_exposure_is_counted_from_its_rescale_s_zero(
    intercept: int, signed: bool, photometric: str, tmp_path: Path
) -> None:
    wanted = exposure() // 2 + 1000
    stored = (wanted.astype(np.int32) - intercept).astype(np.int16 if signed else np.uint16)
    changes = {"PixelIntensityRelationship": "LIN", "PixelIntensityRelationshipSign": 1, "RescaleSlope": "1"}

    image = found(
        tmp_path, stored, signed=signed, kind="DX raw", photometric=photometric, RescaleIntercept=intercept, **changes
    )

    assert np.array_equal(image.exposure(image.pixels.astype(np.float64)), wanted)


@pytest.mark.parametrize("photometric", ["MONOCHROME1", "MONOCHROME2"])
@pytest.mark.parametrize("sign", [1, -1])
def test_that_the_user_s_word_gives_what_the_file_s_word_gives(sign: int, photometric: str, tmp_path: Path) -> None:
    changes = {"PixelIntensityRelationship": "LIN", "PixelIntensityRelationshipSign": sign, "RescaleSlope": "1"}
    said, unsaid = (
        read(encoded(dataset(exposure(), kind=kind, photometric=photometric, RescaleIntercept=50, **changes)), folder)
        for kind, folder in (("DX raw", tmp_path / "raw"), ("DX", tmp_path / "processed"))
    )

    for kind in InputKind:
        by_file, by_user = (items.as_kind(decoded, kind).image for decoded in (said, unsaid))
        assert (by_file.beam, by_file.zero) == (by_user.beam, by_user.zero)
    assert (by_user.beam, by_user.zero) == (HighValues.DARK, None)  # processed, the last of the kinds
    raw = items.as_kind(unsaid, RAW).image
    assert (raw.beam, raw.zero) == (said.image.beam, said.image.zero)


def test_that_a_rescale_by_which_much_has_got_less_than_nothing_is_not_believed(tmp_path: Path) -> None:
    changes = {"PixelIntensityRelationship": "LIN", "PixelIntensityRelationshipSign": 1, "RescaleSlope": "1"}
    image = found(tmp_path, exposure(), kind="DX raw", RescaleIntercept=-300, **changes)
    assert np.array_equal(image.exposure(image.pixels.astype(np.float64)), exposure())


def test_that_the_histogram_alone_is_not_enough(tmp_path: Path) -> None:
    assert found(tmp_path, exposure()).kind is PROCESSED


def test_that_the_beam_of_inverted_raw_pixels_is_dark(tmp_path: Path) -> None:
    changes = {"PixelIntensityRelationship": "LIN", "PixelIntensityRelationshipSign": 1}
    image = found(tmp_path, exposure(), kind="DX raw", photometric="MONOCHROME1", **changes)
    assert image.kind is RAW and image.beam is HighValues.DARK


def test_that_the_sign_of_a_processed_image_is_not_believed(tmp_path: Path) -> None:
    image = found(tmp_path, kind="DX", PixelIntensityRelationshipSign=1)
    assert image.kind is PROCESSED and image.beam is HighValues.DARK


def test_that_eight_bits_are_processed_whatever_their_histogram(tmp_path: Path) -> None:
    pixels = (exposure() >> 4).astype(np.uint8)
    image = found(tmp_path, pixels, bits=8, PixelIntensityRelationship="LIN", PixelIntensityRelationshipSign=1)
    assert image.kind is PROCESSED


@pytest.mark.parametrize(("behind", "kind"), [(0.605, RAW), (0.585, PROCESSED)])
def test_that_linear_values_are_raw_where_three_fifths_of_the_image_are_behind_the_body(
    behind: float, kind: InputKind, tmp_path: Path
) -> None:
    pixels = np.full(4000, 4000, np.uint16)
    pixels[: round(behind * pixels.size)] = 200
    changes = {"PixelIntensityRelationship": "LIN", "PixelIntensityRelationshipSign": 1}
    assert found(tmp_path, pixels.reshape(50, 80), **changes).kind is kind
