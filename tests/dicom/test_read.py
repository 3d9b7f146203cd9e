"""The decoder: one warm child, a cache by content, and a file that crashes, hangs or swells costs itself alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import openjpeg
import psutil
import pytest
from PIL import Image

from fullfield.child_process import Child
from fullfield.dicom import read as reading
from fullfield.dicom.read import Content, Decoder, read
from fullfield.errors import InputRefused, InputUnreadable
from originals import bone
from sources import LOSSLESS, compressed, dataset, encoded


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
def own(tmp_path: Path) -> Iterator[Decoder]:
    """With a child of this test alone."""
    with Decoder(tmp_path / "cache") as made:
        yield made


@pytest.fixture
def radiograph(tmp_path: Path) -> Path:
    return put(tmp_path / "IM0001", encoded(dataset()))


@pytest.fixture(scope="session")
def long_one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A radiograph of noise that takes a codec a second or two."""
    pixels = np.random.default_rng(1).integers(0, 4096, (2048, 2048)).astype(np.uint16)
    content = compressed(dataset(pixels), openjpeg.encode(pixels, bits_stored=12), LOSSLESS["JPEG 2000"])
    return put(tmp_path_factory.mktemp("long") / "IM0002", content)


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


def test_that_a_crash_costs_that_file_alone(own: Decoder, radiograph: Path, long_one: Path) -> None:
    """The child is killed while it decodes, twice: a used child's crash may be another file's fault."""

    def kill() -> None:
        seen: set[Path] = set()
        for _ in range(2):
            psutil.Process(wait_for(lambda: busy(own, seen), seconds=30)).kill()

    own.decode(radiograph)
    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(InputUnreadable, match="decoder stopped on this file: it crashed"):
        own.decode(long_one)
    killer.join()
    assert np.array_equal(own.decode(radiograph).image.pixels, bone())
    assert not list((radiograph.parent / "cache" / "decoded").glob(".*.part"))


def wait_for(condition, *, seconds: float):  # type: ignore[no-untyped-def]  # a test's own small loop
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.01)
    raise AssertionError("waited in vain")


def busy(decoder: Decoder, seen: set[Path]) -> int:
    """The child's pid while it has a half-decoded folder that was not there before."""
    parts, process = set(decoder._folder.glob(".*.part")) - seen, decoder._child._process
    if process is None or not parts:
        return 0
    seen.update(parts)
    return process.pid


@pytest.mark.parametrize("used", [True, False], ids=["a used child", "a fresh child"])
def test_that_a_file_that_is_cut_under_the_childs_hands_costs_that_file_alone(
    own: Decoder, radiograph: Path, long_one: Path, tmp_path: Path, used: bool
) -> None:
    path = put(tmp_path / "cut.dcm", long_one.read_bytes())

    def cut() -> None:
        wait_for(lambda: busy(own, set()), seconds=30)
        os.truncate(path, 100)

    if used:
        own.decode(radiograph)
    cutter = threading.Thread(target=cut)
    cutter.start()
    with pytest.raises(InputUnreadable, match="changed while it was being read"):
        own.decode(path)
    cutter.join()
    assert np.array_equal(own.decode(radiograph).image.pixels, bone())


def test_that_a_child_that_died_between_files_is_replaced(decoder: Decoder, radiograph: Path, tmp_path: Path) -> None:
    decoder.decode(radiograph)
    child_of(decoder).kill()
    other = put(tmp_path / "other.dcm", encoded(dataset(PatientID="2")))
    assert decoder.decode(other).header.patient.id == "2"


@pytest.mark.skipif(not hasattr(psutil, "RLIMIT_CORE"), reason="psutil tells limits on Linux alone")
def test_that_a_crash_leaves_no_file_with_a_patients_pixels(own: Decoder) -> None:
    own.warm()
    assert child_of(own).rlimit(psutil.RLIMIT_CORE) == (0, 0)


def test_that_a_file_that_takes_too_long_is_stopped(long_one: Path, radiograph: Path, tmp_path: Path) -> None:
    with Decoder(tmp_path / "cache", seconds=0.2) as decoder:
        with pytest.raises(InputUnreadable, match="took longer than"):
            decoder.decode(long_one)
        assert decoder.decode(radiograph).image.pixels.shape == (48, 40)


def test_that_a_file_that_needs_too_much_memory_is_stopped(radiograph: Path, tmp_path: Path) -> None:
    big = put(tmp_path / "big.dcm", encoded(dataset(np.zeros((9000, 9000), np.uint16), photometric="MONOCHROME1")))
    with Decoder(tmp_path / "cache", memory=320 << 20) as decoder:
        with pytest.raises(InputUnreadable, match="more memory"):
            decoder.decode(big)
        assert decoder.decode(radiograph).image.pixels.shape == (48, 40)


def test_that_a_file_that_changes_meanwhile_is_told(
    decoder: Decoder, radiograph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamp = reading._stamp
    monkeypatch.setattr(reading, "_stamp", lambda path: [stamp(path)[0], 7])
    with pytest.raises(InputUnreadable, match="changed while"):
        decoder.decode(radiograph)


def test_that_closing_ends_the_child(radiograph: Path, tmp_path: Path) -> None:
    decoder = Decoder(tmp_path / "cache")
    decoder.decode(radiograph)
    child = child_of(decoder)
    decoder.close()
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_that_the_child_ends_when_its_parent_is_killed(radiograph: Path, tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from fullfield.dicom.read import Decoder\n"
        "decoder = Decoder(Path(sys.argv[1])); decoder.decode(Path(sys.argv[2]))\n"
        "print(decoder._child._process.pid, flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "cache"), str(radiograph)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    wait_for(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, seconds=15)


def test_that_a_decoder_outlives_the_thread_that_first_used_it(own: Decoder, radiograph: Path, tmp_path: Path) -> None:
    worker = threading.Thread(target=own.decode, args=(radiograph,))
    worker.start()
    worker.join()
    other = put(tmp_path / "other.dcm", encoded(dataset(PatientID="2")))
    assert own.decode(other).header.patient.id == "2"


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
