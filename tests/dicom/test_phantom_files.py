from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pydicom
import pytest

from fullfield import files
from fullfield.dicom import phantom_files
from fullfield.dicom.phantom_files import SAMPLES, Sample
from fullfield.dicom.read import Decoder
from fullfield.image.image import HighValues, InputKind

ROOT = Path(__file__).resolve().parents[2]
SMALL = [sample for sample in SAMPLES if sample.longer <= 640]


@pytest.fixture(scope="module")
def shipped() -> Path:
    return files.resource("phantoms")


def test_that_the_shipped_samples_are_small_and_of_several_classes(shipped: Path) -> None:
    found = {path.stem: path for path in shipped.glob("*.dcm")}

    assert set(found) == {sample.name for sample in SAMPLES}
    assert sum(path.stat().st_size for path in found.values()) <= 4 << 20
    assert len({sample.sop_class for sample in SAMPLES}) == 4


@pytest.mark.parametrize("sample", SMALL, ids=lambda sample: sample.name)
def test_that_the_command_writes_the_shipped_samples(sample: Sample, shipped: Path, tmp_path: Path) -> None:
    made = phantom_files.write(sample, tmp_path / "made.dcm")

    again, before = pydicom.dcmread(made), pydicom.dcmread(shipped / f"{sample.name}.dcm")
    assert again.SOPInstanceUID == before.SOPInstanceUID
    difference = again.pixel_array.astype(int) - before.pixel_array.astype(int)
    assert np.mean(difference != 0) < 1e-3  # another processor rounds differently
    for one in (again, before):
        del one.PixelData
    assert again == before, "in all other attributes"


def test_that_our_reader_takes_every_sample_for_what_it_is(shipped: Path) -> None:
    with Decoder() as decoder:
        for sample in SAMPLES:
            decoded = decoder.decode(shipped / f"{sample.name}.dcm")
            assert decoded.image.kind is (InputKind.RAW if sample.raw else InputKind.PROCESSED), sample.name
            assert decoded.image.beam is HighValues.DARK, sample.name
            assert decoded.image.bits == sample.bits
            assert decoded.header.body_part == sample.body_part
            assert decoded.image.spacing_mm is not None


def test_that_the_dog_is_a_dog(shipped: Path) -> None:
    assert pydicom.dcmread(shipped / "dog-carpus-raw-dx.dcm").PatientSpeciesDescription == "Canine"


def test_that_the_command_makes_all_of_them(tmp_path: Path) -> None:
    command = [sys.executable, "packaging/phantoms.py", str(tmp_path)]

    subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT / "core")}, check=True)

    assert {path.stem for path in tmp_path.iterdir()} == {sample.name for sample in SAMPLES}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_that_a_sample_is_what_is_told_of_it(sample: Sample, shipped: Path) -> None:
    found = pydicom.dcmread(shipped / f"{sample.name}.dcm", stop_before_pixels=True)
    assert max(found.Rows, found.Columns) == sample.longer and found.BitsStored == sample.bits
    assert (found.SOPClassUID, found.Modality) == (sample.sop_class, sample.modality)
    assert found.file_meta.TransferSyntaxUID == sample.syntax
    assert found.get("BodyPartExamined", "") == sample.body_part
    assert found.PhotometricInterpretation == ("MONOCHROME1" if sample.inverted else "MONOCHROME2")


def test_that_a_chest_for_measurements_is_plain_and_as_large_as_is_asked() -> None:
    found = phantom_files.plain_chest(3000)
    assert (found.name, found.longer, found.body_part, found.modality) == ("chest-3000", 3000, "CHEST", "CR")
    assert found.syntax.is_little_endian and not found.syntax.is_compressed and not found.syntax.is_deflated
