"""The processor on real radiographs, where they lie beside the project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from fullfield.image import multiscale, presets
from fullfield.image.image import HighValues, Image, InputKind
from support import ROOT, shared

PARTS = {
    "asalmada_mixed": "CHEST",
    "ceph_isbi": "SKULL",
    "mlua_panoramic": "JAW",
    "nih_nofinding": "CHEST",
    "nyu_birads_mammo8": "BREAST",
}
FOLDER = ROOT.parent / "shared" / "data" / "png"
FILES = sorted(FOLDER.glob("*/*"))[::8]


def read(path: Path) -> Image:
    pixels = cv2.imread(str(path), cv2.IMREAD_ANYDEPTH | cv2.IMREAD_GRAYSCALE)
    bits = 8 if pixels.dtype == np.uint8 else 16
    return Image(pixels=pixels.astype(np.uint16), bits=bits, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)


@pytest.mark.parametrize("path", FILES or [FOLDER], ids=lambda path: path.stem)
def test_that_polarity_is_kept_and_nothing_is_clipped(path: Path) -> None:
    shared("data/png")
    image, part = read(path), PARTS.get(path.parent.name, "")
    preset = presets.choose(
        body_part=part, species="", kind=image.kind, modality="MG" if "mammo" in path.parent.name else "DX"
    )

    enhanced = multiscale.enhance(image, preset)

    assert np.corrcoef(enhanced.pixels.ravel(), image.pixels.ravel())[0, 1] > 0.85
    ends = (enhanced.pixels <= 1) | (enhanced.pixels >= (1 << enhanced.bits) - 2)
    inner = (image.pixels > image.pixels.min()) & (image.pixels < image.pixels.max())
    assert (ends & inner).mean() < 0.005
    assert not np.array_equal(enhanced.pixels, image.pixels)


def test_that_a_mirrored_cephalogram_becomes_the_same_picture_mirrored() -> None:
    shared("data/png")
    image, preset = read(FOLDER / "ceph_isbi" / "022.jpg"), presets.load("general")  # 1935 columns; air fades into fat
    mirrored = replace(image, pixels=np.ascontiguousarray(image.pixels[:, ::-1]))

    shown, other = (multiscale.enhance(one, preset) for one in (image, mirrored))

    apart = np.abs(other.pixels[:, ::-1].astype(float) - shown.pixels) / ((1 << shown.bits) - 1)
    assert apart.mean() < 0.01
