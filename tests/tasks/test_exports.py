"""Tasks of exporting, judged by the files that are written."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow
from pydicom import dcmread
from PySide6.QtCore import Qt

from tasks.trainings import save_as
from tasks.user import SECONDS, User


def digests(paths: list[Path]) -> list[str]:
    """What the files hold."""
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]


def exported(user: User) -> None:
    """Wait until all images are exported."""
    user.wait(lambda: all("Exported" in row for row in user.rows()), SECONDS)


@pytest.mark.task("export dicom")
def test_that_results_are_written_beside_the_untouched_originals(
    user: User, phantoms: list[Path], documents: Path
) -> None:
    before = digests(phantoms)
    user.open_and_wait(phantoms)
    user.click("Export the new images")
    exported(user)
    for path in phantoms:
        source, made = dcmread(path), dcmread(documents / "Fullfield" / f"{path.stem}_enhanced.dcm")
        assert made.pixel_array.shape == source.pixel_array.shape
        assert not np.array_equal(made.pixel_array, source.pixel_array)
        assert made.ImageType[0] == "DERIVED" and made.StudyInstanceUID == source.StudyInstanceUID
        assert made.SOPInstanceUID != source.SOPInstanceUID
    assert digests(phantoms) == before


@pytest.mark.task("export png")
def test_that_a_png_shows_what_is_displayed_and_carries_the_mark(
    user: User, phantoms: list[Path], documents: Path
) -> None:
    user.open_and_wait(phantoms[:1])
    user.key(Qt.Key.Key_I)
    user.choose("Format of exports", "PNG, as displayed")
    user.click("Export the new images")
    exported(user)
    [made] = list((documents / "Fullfield").glob("[!.]*"))
    picture = np.asarray(Pillow.open(made).convert("L"), float)
    source = dcmread(phantoms[0]).pixel_array.astype(float)
    rows, columns = source.shape
    assert picture.shape[1] == columns and picture.shape[0] > rows, "the mark stands below the image"
    inside = np.corrcoef(picture[:rows].ravel(), source.ravel())[0, 1]
    assert inside > 0.8, "inverted, as it is displayed: the file's own values are those of a negative"


@pytest.mark.task("export twice")
def test_that_a_second_export_asks_and_keeps_both(user: User, phantoms: list[Path], documents: Path) -> None:
    user.open_and_wait(phantoms[:1])
    user.click("Export the new images")
    exported(user)
    user.menu("File", "Export all again")
    user.wait(lambda: user.sees("Keep both"), SECONDS)
    user.click("Keep both")
    user.wait(lambda: len(list((documents / "Fullfield").glob("*.dcm"))) == 2, SECONDS)


@pytest.mark.task("export new")
def test_that_a_second_folder_is_exported_alone(user: User, phantoms: list[Path], documents: Path) -> None:
    user.open_and_wait(phantoms[:1])
    user.click("Export the new images")
    exported(user)
    first = documents / "Fullfield" / f"{phantoms[0].stem}_enhanced.dcm"
    written = first.stat().st_mtime_ns
    user.drop(phantoms[1:])
    user.wait(lambda: user.widget("Export the new images").property("text") == "Export 1 new", SECONDS)
    user.click("Export the new images")
    exported(user)
    names = sorted(path.name for path in (documents / "Fullfield").glob("[!.]*"))
    assert names == [f"{path.stem}_enhanced.dcm" for path in phantoms]
    assert first.stat().st_mtime_ns == written


@pytest.mark.task("export tiff")
def test_that_a_tiff_carries_all_values_and_no_patient(user: User, phantoms: list[Path], documents: Path) -> None:
    user.open_and_wait(phantoms[:1])
    user.choose("Format of exports", "TIFF, full data")
    user.click("Export the new images")
    exported(user)
    [made] = list((documents / "Fullfield").glob("[!.]*"))
    source = dcmread(phantoms[0])
    with Pillow.open(made) as opened:
        values, format = np.asarray(opened), opened.format
    assert format == "TIFF" and values.dtype == np.uint16 and values.shape == source.pixel_array.shape
    assert len(np.unique(values)) > 1000, "more than eight bits hold"
    assert 0.5 < abs(np.corrcoef(values.ravel(), source.pixel_array.ravel())[0, 1]) < 0.9999
    for word in (str(source.PatientName).split("^")[0], source.PatientID):
        assert word.encode() not in made.read_bytes()


@pytest.mark.task("export elsewhere")
def test_that_an_export_that_failed_is_written_into_another_folder(
    user: User, phantoms: list[Path], documents: Path, tmp_path: Path
) -> None:
    documents.mkdir()
    (documents / "Fullfield").write_text("no folder can be made where a file is", encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    user.open_and_wait(phantoms[:1])
    user.click("Export the new images")
    user.wait(lambda: "Failed" in user.rows()[0], SECONDS)
    assert user.text("Problem of this image") and user.text("What to do of this image")
    user.click("Change the folder for exports")
    save_as(user, "Choose a folder for exports", tmp_path / "elsewhere")
    user.wait(lambda: user.text("Folder for exports").endswith("elsewhere"))
    user.click("Try again what failed or was cancelled")
    exported(user)
    [made] = list((tmp_path / "elsewhere").glob("[!.]*"))
    assert dcmread(made).pixel_array.shape == dcmread(phantoms[0]).pixel_array.shape
    assert [one.name for one in documents.iterdir()] == ["Fullfield"]
