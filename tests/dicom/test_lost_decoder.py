"""The decoder's child is lost, or its file: one that crashes, hangs, swells or changes costs itself alone."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import openjpeg
import psutil
import pytest

from dicom.test_read import child_of, put
from fullfield.dicom import read as reading
from fullfield.dicom.read import Decoder
from fullfield.errors import InputUnreadable
from originals import bone
from sources import LOSSLESS, compressed, dataset, encoded


@pytest.fixture
def radiograph(tmp_path: Path) -> Path:
    return put(tmp_path / "IM0001", encoded(dataset()))


@pytest.fixture(scope="session")
def long_one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A radiograph of noise that takes a codec a second or two."""
    pixels = np.random.default_rng(1).integers(0, 4096, (2048, 2048)).astype(np.uint16)
    content = compressed(dataset(pixels), openjpeg.encode(pixels, bits_stored=12), LOSSLESS["JPEG 2000"])
    return put(tmp_path_factory.mktemp("long") / "IM0002", content)


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


def test_that_a_child_that_died_between_files_is_replaced(own: Decoder, radiograph: Path, tmp_path: Path) -> None:
    own.decode(radiograph)
    child_of(own).kill()
    other = put(tmp_path / "other.dcm", encoded(dataset(PatientID="2")))
    assert own.decode(other).header.patient.id == "2"


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
    big = put(tmp_path / "big.dcm", encoded(dataset(np.zeros((9000, 9000), np.uint8), bits=8)))
    with Decoder(tmp_path / "cache", memory=320 << 20) as decoder:
        with pytest.raises(InputUnreadable, match="more memory"):
            decoder.decode(big)
        assert decoder.decode(radiograph).image.pixels.shape == (48, 40)


def test_that_a_file_that_changes_meanwhile_is_told(
    own: Decoder, radiograph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamp = reading._stamp
    monkeypatch.setattr(reading, "_stamp", lambda path: [stamp(path)[0], 7])
    with pytest.raises(InputUnreadable, match="changed while"):
        own.decode(radiograph)


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
