"""The decoder: one warm child, and a cache by content."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest
from PIL import Image

from fullfield.child_process import Child
from fullfield.dicom import read as reading
from fullfield.dicom.read import Content, Decoder, read
from fullfield.errors import InputRefused, InputUnreadable
from originals import bone
from sources import compressed, dataset, encoded


@pytest.fixture(scope="module")
def child(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Child]:
    """One that has read other tests' files; it may write into the caches of all."""
    base = tmp_path_factory.getbasetemp()
    child = Child(reading.CHILD, memory=reading.MEMORY_BYTES, seconds=reading.SECONDS, folder=base)
    yield child
    child.end()


@pytest.fixture
def decoder(tmp_path: Path, child: Child) -> Decoder:
    made = Decoder(tmp_path / "cache")
    made._child = child
    return made


@pytest.fixture
def radiograph(tmp_path: Path) -> Path:
    return put(tmp_path / "IM0001", encoded(dataset()))


def put(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def child_of(decoder: Decoder) -> psutil.Process:
    process = decoder._child._process
    assert process is not None
    return psutil.Process(process.pid)


def test_that_a_file_comes_back_as_a_mapped_array(decoder: Decoder, radiograph: Path) -> None:
    decoded = decoder.decode(radiograph)
    assert isinstance(decoded.image.pixels, np.memmap) and not decoded.image.pixels.flags.writeable
    assert np.array_equal(decoded.image.pixels, bone()) and decoded.dataset.exists()


def test_that_a_file_whose_values_are_turned_is_left_as_it_is(decoder: Decoder, tmp_path: Path) -> None:
    """Its bytes are mapped, and turned in their place."""
    content = encoded(dataset(photometric="MONOCHROME1"))
    path = put(tmp_path / "turned.dcm", content)
    assert np.array_equal(decoder.decode(path).image.pixels, 4095 - bone())
    assert path.read_bytes() == content


def test_that_one_file_can_be_read_without_a_decoder_at_hand(radiograph: Path) -> None:
    assert read(radiograph).image.pixels.shape == (48, 40)


def test_that_the_child_stays_warm_between_files(decoder: Decoder, tmp_path: Path) -> None:
    pids = set()
    for number in range(4):
        decoder.decode(put(tmp_path / f"{number}.dcm", encoded(dataset(PatientID=str(number)))))
        pids.add(child_of(decoder).pid)
    assert len(pids) == 1


def test_that_the_same_content_is_decoded_once_whatever_its_name(
    decoder: Decoder, radiograph: Path, tmp_path: Path
) -> None:
    first = decoder.decode(radiograph)
    written = (first.folder / "pixels.npy").stat().st_mtime_ns
    again = decoder.decode(put(tmp_path / "other name.dcm", radiograph.read_bytes()))
    assert again.folder == first.folder and (again.folder / "pixels.npy").stat().st_mtime_ns == written


def test_that_a_cached_picture_is_still_judged_by_its_name(decoder: Decoder, tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    Image.fromarray(bone(bits=8).astype(np.uint8)).save(picture)
    decoder.decode(picture)
    with pytest.raises(InputRefused, match=r"named \.dcm but is a PNG"):
        decoder.decode(put(tmp_path / "a.dcm", picture.read_bytes()))


@pytest.mark.parametrize("name", ["pixels.npy", "header.json"])
def test_that_a_damaged_entry_of_the_cache_is_decoded_anew(decoder: Decoder, radiograph: Path, name: str) -> None:
    folder = decoder.decode(radiograph).folder
    (folder / name).write_bytes(b"torn")
    assert np.array_equal(decoder.decode(radiograph).image.pixels, bone())


def test_that_an_entry_from_before_a_power_cut_is_decoded_anew(decoder: Decoder, radiograph: Path) -> None:
    pixels = decoder.decode(radiograph).folder / "pixels.npy"
    os.utime(pixels, (1.0, 1.0))
    for mark in pixels.parent.glob("*.user"):  # nobody of that time lives
        mark.unlink()
    assert decoder.decode(radiograph).image.pixels.shape == (48, 40) and pixels.stat().st_mtime > 1


def test_that_a_cache_that_was_removed_meanwhile_is_made_anew(own: Decoder, tmp_path: Path) -> None:
    for number in range(2):
        shutil.rmtree(tmp_path / "cache")
        source = put(tmp_path / f"{number}.dcm", encoded(dataset(PatientID=str(number))))
        assert own.decode(source).image.pixels.shape == (48, 40)


def test_that_two_decoders_share_a_cache(decoder: Decoder, radiograph: Path, tmp_path: Path) -> None:
    with Decoder(tmp_path / "cache") as other:
        assert other.decode(radiograph).folder == decoder.decode(radiograph).folder


def test_that_a_refusal_names_what_the_file_is_and_the_child_goes_on(decoder: Decoder, tmp_path: Path) -> None:
    ct = put(tmp_path / "ct.dcm", encoded(dataset(SOPClassUID="1.2.840.10008.5.1.4.1.1.2", Modality="CT")))
    with pytest.raises(InputRefused, match="CT Image"):
        decoder.decode(ct)
    assert child_of(decoder).is_running()


def test_that_no_refusal_carries_a_path_or_a_name(decoder: Decoder, tmp_path: Path) -> None:
    for number, content in enumerate((b"", b"nonsense", encoded(dataset())[:-40], encoded(dataset(Rows=None)))):
        with pytest.raises((InputRefused, InputUnreadable)) as refusal:
            decoder.decode(put(tmp_path / f"Muster^Eva {number}.dcm", content))
        assert "Muster" not in str(refusal.value) and str(tmp_path) not in str(refusal.value)


@pytest.mark.parametrize("what", ["missing", "folder", "link to nothing"])
def test_that_what_is_no_file_is_told(decoder: Decoder, tmp_path: Path, what: str) -> None:
    path = tmp_path / "there"
    if what == "folder":
        path.mkdir()
    if what == "link to nothing":
        path.symlink_to(tmp_path / "nowhere")
    with pytest.raises((InputRefused, InputUnreadable)):
        decoder.decode(path)


def test_that_a_known_content_is_not_hashed_again(
    decoder: Decoder, radiograph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = Content.of(radiograph)
    monkeypatch.setattr("fullfield.files.sha256", lambda path: pytest.fail("it was hashed again"))
    assert decoder.decode(radiograph, content).header.sha256 == content.sha256


@pytest.mark.parametrize("decoded", [False, True])
def test_that_a_file_that_has_changed_since_its_content_was_known_is_not_taken_for_it(
    decoder: Decoder, radiograph: Path, tmp_path: Path, decoded: bool
) -> None:
    path = put(tmp_path / "changing.dcm", radiograph.read_bytes())
    content = Content.of(path)
    if decoded:
        decoder.decode(path, content)
    put(path, encoded(dataset(PatientID="another one")))
    with pytest.raises(InputUnreadable, match="changed while it was being read"):
        decoder.decode(path, content)


def test_that_a_content_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="no ordinary file"):
        Content.of(tmp_path)
    with pytest.raises(InputUnreadable, match="The system says"):
        Content.of(tmp_path / "gone")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_that_a_pipe_is_never_opened(decoder: Decoder, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.dcm")
    with pytest.raises(InputRefused, match="no ordinary file"):
        decoder.decode(tmp_path / "pipe.dcm")


def test_that_a_file_larger_than_any_radiograph_is_not_read(decoder: Decoder, tmp_path: Path) -> None:
    with (tmp_path / "huge.dcm").open("wb") as stream:
        stream.truncate((1 << 30) + 1)
    with pytest.raises(InputUnreadable, match="larger than"):
        decoder.decode(tmp_path / "huge.dcm")


def test_that_nothing_is_imported_from_the_folder_that_the_user_is_in(
    radiograph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pydicom", "numpy", "json", "fullfield"):
        put(tmp_path / f"{name}.py", b"import os; os._exit(3)")
    monkeypatch.chdir(tmp_path)
    assert read(radiograph).image.pixels.shape == (48, 40)


def test_that_what_a_library_prints_does_not_disturb_the_answers(tmp_path: Path) -> None:
    """GDCM complains on standard error and output of streams that it was not asked about."""
    child = Child(reading.CHILD, memory=3 << 30, seconds=30, folder=tmp_path)
    packed = (Path(__file__).parent / "bone_extended.jpg").read_bytes()
    source = put(tmp_path / "a.dcm", compressed(dataset(), packed, "1.2.840.10008.1.2.4.51"))
    request = {
        "source": str(source),
        "name": source.name,
        "folder": str(tmp_path / "decoded"),
        "sha256": "0" * 64,
        "stamp": Content.of(source).stamp,
    }
    try:
        assert child.ask(request)["kind"] == "done"
    finally:
        child.end()


def test_that_the_parent_imports_no_library_that_decodes() -> None:
    code = "import sys, fullfield.dicom.read; print({'pydicom', 'gdcm', 'SimpleITK', 'PIL'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"


def test_that_a_warmed_decoder_reads_its_first_file_in_the_child_it_has(own: Decoder, radiograph: Path) -> None:
    others = set(psutil.Process().children())  # what another test of this worker left at work: torch's compilers
    own.warm()
    (child,) = set(psutil.Process().children()) - others
    own.decode(radiograph)
    assert set(psutil.Process().children()) - others == {child}


@pytest.mark.parametrize(("name", "reason"), [("gone", os.strerror(errno.ENOENT)), ("a\0b", "the name is not valid")])
def test_that_why_a_file_cannot_be_opened_is_told(name: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputUnreadable) as refused:
        Content.of(tmp_path / name)
    assert refused.value.detail == f"The system says: {reason}."
