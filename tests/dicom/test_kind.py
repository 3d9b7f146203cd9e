"""Raw or processed: a table of headers and histograms, and the sentence that says why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from fullfield.dicom import kind as module
from fullfield.dicom.voi import Data
from fullfield.enhance import item as items
from fullfield.image.image import HighValues, Image, InputKind, Relationship
from originals import CLASS, bone
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


def told(*, kind: str = "CR", bits: int = 12, sample: list[int] | None = None, **said: Any) -> tuple[InputKind, str]:
    """The kind of a picture whose header says no more than this."""
    header = Dataset()
    for keyword, value in said.items():
        setattr(header, keyword, value)
    values = np.array(sample or [0, 1, 2, 3, 4, 4095, 4095, 4095], np.uint16)
    found = Data(low=int(values.min()), high=int(values.max()), sample=values)
    return module.kind(header, sop_class=CLASS[kind], bits=bits, found=found, beam_end=HighValues.BRIGHT)


LINEAR = {"PixelIntensityRelationship": "LIN"}


@pytest.mark.filterwarnings("ignore:Invalid value for VR CS")
@pytest.mark.parametrize(
    ("given", "kind", "why"),
    [
        ({"PresentationIntentType": "for processing"}, RAW, "says that it is for processing"),
        ({"kind": "DX raw"}, RAW, "class is one for processing"),
        ({"kind": "DX raw", "PresentationIntentType": "FOR PRESENTATION"}, PROCESSED, "is for presentation"),
        ({**LINEAR, "PresentationIntentType": "FOR PRESENTATION"}, PROCESSED, "is for presentation"),
        ({**LINEAR, "bits": 8}, PROCESSED, "Eight bits"),
        ({**LINEAR, "bits": 9}, RAW, "its histogram agrees"),
        ({**LINEAR, "VOILUTSequence": Sequence([Dataset()])}, PROCESSED, "look-up table"),
        ({**LINEAR, "sample": [7] * 8}, PROCESSED, "nearly all files are processed"),
        ({"PixelIntensityRelationship": "LOG"}, PROCESSED, "nearly all files are processed"),
        ({}, PROCESSED, "nearly all files are processed"),
    ],
    ids=str,
)
def test_that_the_reason_is_the_first_that_there_is(given: dict[str, Any], kind: InputKind, why: str) -> None:
    found, reason = told(**given)
    assert found is kind and why in reason


@pytest.mark.filterwarnings("ignore:Invalid value for VR CS")
@pytest.mark.parametrize(
    ("text", "relationship"),
    [
        ("LIN", Relationship.LINEAR),
        ("log", Relationship.LOGARITHMIC),
        ("DISP", Relationship.UNKNOWN),
        (None, Relationship.UNKNOWN),
    ],
)
def test_that_the_relationship_of_pixels_and_exposure_is_known_where_it_is_said(
    text: str | None, relationship: Relationship
) -> None:
    header = Dataset()
    header.PixelIntensityRelationship = text
    assert module.relationship(header) is relationship


@pytest.mark.parametrize(
    ("sign", "flipped", "end"),
    [
        (1, False, HighValues.BRIGHT),
        (1, True, HighValues.DARK),
        (-1, False, HighValues.DARK),
        (-1, True, HighValues.BRIGHT),
        (0, True, HighValues.DARK),
        (None, False, HighValues.DARK),
    ],
)
def test_that_the_sign_says_which_end_got_more_of_the_beam(sign: int | None, flipped: bool, end: HighValues) -> None:
    header = Dataset()
    header.PixelIntensityRelationshipSign = sign
    assert module.beam(header, flipped=flipped) is end


@pytest.mark.parametrize(
    ("tenth", "middle", "sixtieth", "kind"),
    [(10, 59, 100, RAW), (10, 61, 100, PROCESSED), (10, 50, 129, RAW), (10, 50, 131, PROCESSED)],
)
def test_that_tissue_crowds_at_the_low_end_of_linear_values(
    tenth: int, middle: int, sixtieth: int, kind: InputKind
) -> None:
    """Of 400 counts: two fifths of the pixels are below 15 %, and half of them within 30."""
    sample = np.interp(range(101), [0, 10, 40, 60, 100], [0, tenth, middle, sixtieth, 400])
    assert told(sample=[round(value) for value in sample], **LINEAR)[0] is kind
