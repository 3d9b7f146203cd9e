"""The file of an enhanced image: its pixels, its encoding, and what happens when it cannot be written."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest

from fullfield import files
from fullfield.dicom import write as writing
from fullfield.errors import CannotWrite, FullfieldError
from fullfield.image.cache import Decoded
from fullfield.image.export import OutputFormat
from fullfield.image.image import Enhanced
from originals import RECIPE, enhanced, written


def test_that_the_pixels_of_the_file_are_the_enhanced_pixels(radiograph: Decoded, target: Path) -> None:
    result = enhanced(radiograph)
    assert np.array_equal(written(radiograph, target, result).pixel_array, result.pixels)


def test_that_matrix_and_spacing_are_the_source_s_to_the_letter(radiograph: Decoded, target: Path) -> None:
    output = written(radiograph, target)
    assert (output.Rows, output.Columns) == radiograph.image.pixels.shape
    assert [value.original_string for value in output.PixelSpacing] == ["0.1440", "0.144"]


def test_that_the_preamble_is_zeros_and_the_text_is_unicode(radiograph: Decoded, target: Path) -> None:
    output = written(radiograph, target)
    assert target.read_bytes()[:132] == bytes(128) + b"DICM"
    assert output.SpecificCharacterSet == "ISO_IR 192"
    assert output.file_meta.TransferSyntaxUID == "1.2.840.10008.1.2.1"


def test_that_a_full_disk_is_told_in_words_and_leaves_nothing(
    radiograph: Decoded, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CannotWrite, match="No space left"):
        writing.write(radiograph, enhanced(radiograph), target, format=OutputFormat.DICOM)
    assert list(target.parent.iterdir()) == []


def test_that_a_failed_write_leaves_the_earlier_output_as_it_was(
    radiograph: Decoded, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing.write(radiograph, enhanced(radiograph), target, format=OutputFormat.DICOM)
    before = target.read_bytes()

    def broken(self: Path, other: Path) -> Path:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(CannotWrite):
        writing.write(radiograph, enhanced(radiograph, bits=16), target, format=OutputFormat.DICOM)
    assert target.read_bytes() == before
    assert list(target.parent.iterdir()) == [target]


def test_that_a_result_of_another_matrix_is_not_written(radiograph: Decoded, target: Path) -> None:
    other = Enhanced(pixels=np.zeros((4, 4), np.uint16), bits=12, recipe=RECIPE)
    with pytest.raises(FullfieldError, match="matrix"):
        writing.write(radiograph, other, target, format=OutputFormat.DICOM)
    assert not target.exists()


def test_that_a_value_beyond_the_stored_bits_is_not_written(radiograph: Decoded, target: Path) -> None:
    beyond = Enhanced(pixels=np.full(radiograph.image.pixels.shape, 4096, np.uint16), bits=12, recipe=RECIPE)
    with pytest.raises(FullfieldError):
        writing.write(radiograph, beyond, target, format=OutputFormat.DICOM)


def test_that_the_temporary_file_may_lie_in_a_folder_of_the_caller_s(radiograph: Decoded, tmp_path: Path) -> None:
    parts, target = tmp_path / "parts", tmp_path / "out" / "a.dcm"
    writing.write(radiograph, enhanced(radiograph), target, format=OutputFormat.DICOM, parts=parts)
    assert [path.name for path in target.parent.iterdir()] == ["a.dcm"]
    assert list(parts.iterdir()) == []


@pytest.mark.parametrize("format", list(OutputFormat))
def test_that_a_written_file_is_told_by_its_hash(radiograph: Decoded, tmp_path: Path, format: OutputFormat) -> None:
    target = tmp_path / "a"
    assert writing.write(radiograph, enhanced(radiograph), target, format=format) == files.sha256(target)


@pytest.mark.parametrize("content", [None, b"", b"half a file"])
def test_that_a_radiograph_whose_attributes_are_gone_is_never_written_without_its_patient(
    radiograph: Decoded, target: Path, content: bytes | None
) -> None:
    if content is None:
        radiograph.dataset.unlink()
    else:
        radiograph.dataset.write_bytes(content)
    with pytest.raises(CannotWrite, match="cache"):
        writing.write(radiograph, enhanced(radiograph), target, format=OutputFormat.DICOM)
    assert not target.exists()
