"""Real radiographs, read by the real reader, written, and judged from outside.

The judges are dciodvfy, dcmdump, gdcminfo and dcm2pnm; where one of them or the real data are absent, the tests that
need it are skipped, saying so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pydicom
import pytest

from fullfield import files
from fullfield.dicom import write as writing
from fullfield.dicom.read import Decoder
from fullfield.image.cache import Decoded
from fullfield.image.export import OutputFormat
from judges import assert_within_limits, dciodvfy_errors, is_accepted, rendered
from originals import enhanced
from support import ROOT, shared

FOLDER = ROOT.parent / "shared" / "data" / "dicom"
NO_RADIOGRAPHS = {"fodicom__RI6XDosiGap.dcm", "orthancmirrors__Issue56-NoPixelData.dcm"}
NAMES = sorted(path.name for path in FOLDER.glob("*.dcm") if path.name not in NO_RADIOGRAPHS) or ["no real file"]


@pytest.fixture(scope="module")
def decoder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Decoder]:
    with Decoder(tmp_path_factory.mktemp("decoded")) as reader:
        yield reader


@pytest.fixture(scope="module")
def outputs(decoder: Decoder, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Decoded, Path]]:
    """Each readable radiograph, and what was written of it."""
    shared("data/dicom")
    folder, made = tmp_path_factory.mktemp("outputs"), {}
    for name in NAMES:
        decoded = decoder.decode(FOLDER / name)
        target = folder / name
        writing.write(decoded, enhanced(decoded), target, format=OutputFormat.DICOM)
        made[name] = decoded, target
    return made


def test_that_all_readable_radiographs_are_judged_here(outputs: dict[str, tuple[Decoded, Path]]) -> None:
    assert len(outputs) == 24


@pytest.mark.parametrize("name", NAMES)
def test_that_dciodvfy_finds_no_error_in_the_output_of_a_real_file(
    outputs: dict[str, tuple[Decoded, Path]], name: str
) -> None:
    found = dciodvfy_errors(outputs[name][1])
    assert found - dciodvfy_errors(FOLDER / name) == set()
    assert found == set()  # not even an inherited one


@pytest.mark.parametrize("name", NAMES)
def test_that_the_outputs_of_real_files_are_accepted_by_dcmtk_and_gdcm(
    outputs: dict[str, tuple[Decoded, Path]], name: str
) -> None:
    assert is_accepted(outputs[name][1])


@pytest.mark.parametrize("name", NAMES)
def test_that_matrix_spacing_and_rendered_polarity_of_a_real_file_are_kept(
    outputs: dict[str, tuple[Decoded, Path]], name: str, tmp_path: Path
) -> None:
    target = outputs[name][1]
    source, output = pydicom.dcmread(FOLDER / name, stop_before_pixels=True), pydicom.dcmread(target)
    assert (output.Rows, output.Columns) == (source.Rows, source.Columns)
    for keyword in ("PixelSpacing", "ImagerPixelSpacing"):
        before = source.get(keyword)
        assert output.get(keyword) == (before if before and min(before) > 0 else None)
    shown, original = rendered(target, tmp_path), rendered(FOLDER / name, tmp_path)
    assert np.corrcoef(shown[::4, ::4].ravel(), original[::4, ::4].ravel())[0, 1] > 0.3


def test_that_no_two_outputs_are_one_instance_and_none_is_a_source_s(
    outputs: dict[str, tuple[Decoded, Path]],
) -> None:
    uids = [pydicom.dcmread(target, stop_before_pixels=True).SOPInstanceUID for _, target in outputs.values()]
    assert len(set(uids)) == len(uids)
    assert not set(uids) & {decoded.header.sop_instance_uid for decoded, _ in outputs.values()}


def test_that_files_of_one_source_series_share_one_new_series(outputs: dict[str, tuple[Decoded, Path]]) -> None:
    pairs = {
        (decoded.header.series_instance_uid, str(pydicom.dcmread(target, stop_before_pixels=True).SeriesInstanceUID))
        for decoded, target in outputs.values()
    }
    assert len({before for before, _ in pairs}) == len({after for _, after in pairs}) == len(pairs)


def test_that_the_originals_are_untouched(outputs: dict[str, tuple[Decoded, Path]]) -> None:
    assert all(files.sha256(FOLDER / name) == decoded.header.sha256 for name, (decoded, _) in outputs.items())


def test_that_every_hostile_file_that_must_be_accepted_becomes_a_sound_one(decoder: Decoder, tmp_path: Path) -> None:
    hostile = shared("hostile")
    rows = map(json.loads, (hostile / "manifest.jsonl").read_text("utf-8").splitlines())
    accepted = [row["file"] for row in rows if row["expect"] == "accept"]
    assert len(accepted) > 20
    for number, name in enumerate(accepted):
        source = decoder.decode(hostile / name)
        target = tmp_path / f"{number}.dcm"
        writing.write(source, enhanced(source), target, format=OutputFormat.DICOM)
        assert_within_limits(target)
        assert dciodvfy_errors(target) == set(), name
    assert len(list(tmp_path.iterdir())) == len(accepted)
