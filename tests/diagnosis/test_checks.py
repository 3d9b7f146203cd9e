"""Each fact of the diagnosis is judged rightly, and said with what to do."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from fullfield import files, parts, system
from fullfield.diagnosis import decoders, folders, graphics, machine, screen
from fullfield.diagnosis.check import as_text, bad, good
from fullfield.hardware import devices, survey
from fullfield.hardware.devices import Device, Driver
from fullfield.hardware.survey import InstalledCard, TorchBuild
from fullfield.protocol.checks import CheckMade, Verdict
from fullfield.sandbox import Confinement
from fullfield.training_part import place
from fullfield.training_part.place import Installed
from originals import bone

CARD = InstalledCard(title="RTX 2060", total_bytes=6 << 30, free_bytes=5 << 30, capability=(7, 5))
NOT_FOR_ROOT = pytest.mark.skipif(sys.platform != "win32" and os.geteuid() == 0, reason="root may write everywhere")


def device(kind: str = "cuda", free: int = 5 << 30, why: str = "A GPU is here. RTX 2060, 5.0 GiB free.") -> Device:
    return Device(name="cpu" if kind == "cpu" else "cuda:0", kind=kind, title="RTX 2060", why=why, free_bytes=free)


def by_key(checks: Any) -> dict[str, CheckMade]:
    return {check.key: check for check in checks}


def test_that_every_transfer_syntax_is_really_decoded(tmp_path: Path) -> None:
    check = by_key(decoders.checks(tmp_path))["decoders"]
    assert check.verdict == Verdict.GOOD and all(title in check.text for _, title, _ in decoders.SPECIMENS)
    assert list(tmp_path.iterdir()) == []


def test_that_the_specimens_show_the_bone_of_the_reading_tests() -> None:
    assert (decoders.picture() == bone()).all()


def test_that_a_syntax_that_is_read_wrongly_is_bad_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoders, "picture", lambda: bone() // 2)
    monkeypatch.setattr(decoders, "SPECIMENS", decoders.SPECIMENS[:2])
    check = by_key(decoders.checks(tmp_path))["decoders"]
    assert check.verdict == Verdict.BAD and "RLE (its picture is not what it should be)" in check.text and check.hint


def test_that_damage_is_noticed_here_and_where_it_is_not_that_is_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert by_key(decoders.checks(tmp_path))["damage"].verdict == Verdict.GOOD
    monkeypatch.setattr(decoders, "DAMAGED", {"jpeg-lossless": "JPEG lossless"})  # a whole one: nothing to notice
    check = by_key(decoders.checks(tmp_path))["damage"]
    assert check.verdict == Verdict.BAD and "as if it were whole: JPEG lossless" in check.text


@pytest.mark.skipif(not system.LINUX, reason="the means are Linux's")
def test_that_what_the_decoding_child_has_given_up_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = by_key(decoders.checks(tmp_path))["decoding_child"]
    assert ("no network (seccomp), writes only to its cache" in check.text) == (check.verdict == Verdict.GOOD)
    lacking = decoders._confinement(Confinement(no_new_privileges=True, no_network=True))
    assert lacking.verdict == Verdict.WARN and "Not in force: writes only to its cache (Landlock)." in lacking.text
    monkeypatch.setattr(system, "LINUX", False)
    assert decoders._confinement(Confinement()).verdict == Verdict.GOOD


def test_that_a_gpu_that_is_used_is_good_and_one_with_little_memory_left_is_not() -> None:
    assert graphics.judge(device(), card_present=True).verdict == Verdict.GOOD
    full = graphics.judge(device(free=1 << 29), card_present=True)
    assert full.verdict == Verdict.WARN and "Close other programs" in full.hint


def test_that_a_gpu_that_is_here_and_not_used_is_bad_and_its_reason_told() -> None:
    why = "On the CPU: there is a GPU (RTX 2060), but this torch was built without CUDA."
    check = graphics.judge(device("cpu", why=why), card_present=True)
    assert check.verdict == Verdict.BAD and why in check.text and "driver" in check.hint


def test_that_a_machine_without_a_gpu_works_with_less() -> None:
    check = graphics.judge(device("cpu", why="On the CPU: no NVIDIA GPU with a driver was found."), card_present=False)
    assert check.verdict == Verdict.WARN and "no NVIDIA GPU" in check.text


def test_that_driver_card_torch_and_choice_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch)
    monkeypatch.setattr(devices, "driver", lambda: Driver(version="580.1", cuda=(13, 0), cards=("RTX 2060",)))
    monkeypatch.setattr(devices, "choose", device)
    monkeypatch.setattr(survey, "cards", lambda: (CARD,))
    monkeypatch.setattr(survey, "torch_build", lambda: TorchBuild(version="2.10", cuda="12.8", threads=4))
    found = by_key(graphics.checks())
    assert found["driver"].text == "580.1, for CUDA up to 13.0."
    assert "6.0 GiB, of which 5.0 GiB are free; compute capability 7.5" in found["card-0"].text
    assert "built for CUDA 12.8" in found["torch"].text and found["device"].verdict == Verdict.GOOD


def test_that_a_torch_that_cannot_be_loaded_is_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> TorchBuild:
        raise OSError("c10.dll")

    without(monkeypatch)
    monkeypatch.setattr(survey, "torch_build", fail)
    monkeypatch.setattr(survey, "cards", tuple)
    monkeypatch.setattr(devices, "driver", lambda: None)
    found = by_key(graphics.checks())
    assert found["torch"].verdict == Verdict.BAD and "device" not in found


@pytest.mark.skipif(sys.platform != "linux", reason="other systems bring their libraries")
def test_that_a_library_that_is_not_there_is_told_from_one_that_is() -> None:
    assert screen.system.lacks_library("libno-such-thing.so.9") and not screen.system.lacks_library("libc.so.6")


def test_that_missing_libraries_are_named_with_the_line_that_installs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen.system, "lacks_library", lambda name: name in ("libEGL.so.1", "libxcb-cursor.so.0"))
    monkeypatch.setattr("shutil.which", lambda tool: tool if tool == "dnf" else None)
    found = by_key(screen.checks(""))["libraries"]
    assert found.verdict == Verdict.BAD and "libxcb-cursor.so.0" in found.text
    assert found.hint == "sudo dnf install libglvnd-egl xcb-util-cursor"


def test_that_x11_libraries_matter_less_where_wayland_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen.system, "lacks_library", lambda name: name == "libxcb-cursor.so.0")
    monkeypatch.setattr("shutil.which", lambda tool: tool if tool == "apt-get" else None)
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    found = by_key(screen.checks(""))["libraries"]
    assert found.verdict == Verdict.WARN and found.hint == "sudo apt install libxcb-cursor0"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a screen")
def test_that_no_screen_is_told_with_what_works_without(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    found = by_key(screen.checks(""))["screen"]
    assert found.verdict == Verdict.WARN and "--batch" in found.hint


def test_that_what_a_window_says_of_its_screen_is_told() -> None:
    assert by_key(screen.checks("xcb; 1920 × 1080"))["screen"].text == "xcb; 1920 × 1080"


@NOT_FOR_ROOT
def test_that_a_folder_that_cannot_be_written_is_bad(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    found = by_key(folders.checks({"Folder of documents": str(tmp_path)}))["folder-0"]
    assert found.verdict == Verdict.BAD and "Permission denied" in found.text and found.hint


def test_that_a_folder_that_is_a_file_is_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FULLFIELD_CACHE", str(tmp_path / "file" / "cache"))
    assert by_key(folders.checks({}))["cache"].verdict == Verdict.BAD


def test_that_a_full_disk_is_bad_and_a_nearly_full_one_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    for free, verdict in ((50 << 20, Verdict.BAD), (1 << 30, Verdict.WARN), (50 << 30, Verdict.GOOD)):
        usage = type("Usage", (), {"free": free})
        monkeypatch.setattr("shutil.disk_usage", lambda path, usage=usage: usage)
        assert by_key(folders.checks({}))["runs"].verdict == verdict


@pytest.mark.skipif(sys.platform == "win32", reason="Windows guards a user's profile by other means")
def test_that_a_cache_that_others_can_read_is_a_warning() -> None:
    files.cache_folder().chmod(0o755)
    found = by_key(folders.checks({}))["cache"]
    assert found.verdict == Verdict.WARN and "700" in found.hint


def test_that_a_folder_is_told_from_the_home_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    found = by_key(folders.checks({"Folder of documents": str(tmp_path / "Documents")}))["folder-0"]
    assert found.text.startswith("~") and str(tmp_path) not in found.text


def test_that_a_missing_package_is_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "PACKAGES", ("numpy", "no-such-package"))
    found = by_key(machine.packages())["packages"]
    assert found.verdict == Verdict.BAD and "no-such-package not found" in found.text and "numpy" in found.text


def without(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """Take packages away, and put all others there."""
    monkeypatch.setattr(parts, "is_here", lambda name: name not in packages)


def test_that_a_light_installation_is_called_that_and_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, *parts.PACKAGES)
    found = by_key([*machine.checks(), *machine.packages(), *graphics.checks()])
    assert found["training_part"].verdict == Verdict.GOOD and "light installation" in found["training_part"].text
    assert found["training_part"].hint == parts.remedy()
    assert found["device"].verdict == Verdict.GOOD and "CPU" in found["device"].text
    assert found.keys().isdisjoint({"compiler", "driver", "torch"})  # what nobody needs who does not train


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> Installed:
    """The training part, beside a light installation; its Python is the one that runs this test."""
    without(monkeypatch, *parts.PACKAGES)
    found = Installed(version="1", build="cuda", torch="2.15.0", python="3.12.4")
    monkeypatch.setattr(place, "installed", lambda: found)
    monkeypatch.setattr(place, "python", lambda: Path(sys.executable))
    return found


@pytest.mark.training
def test_that_torch_and_the_card_are_told_as_the_training_part_beside_the_program_sees_them(beside: Installed) -> None:
    found = by_key([*machine.packages(), *graphics.checks()])
    assert found["training_part"].verdict == Verdict.GOOD
    assert "In an environment of its own." in found["training_part"].text and "2.15.0" in found["training_part"].text
    assert {"driver", "torch", "device"} <= found.keys()


def test_that_a_training_part_that_cannot_be_loaded_is_bad(
    beside: Installed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(place, "python", lambda: tmp_path / "python")
    (found,) = graphics.checks()
    assert found.verdict == Verdict.BAD and "cannot be loaded" in found.text and place.COMMAND in found.hint


def test_that_a_training_part_of_another_version_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, *parts.PACKAGES)
    before = Installed(version="0.0.9", build="cpu", torch="2.14.0", python="3.12.4")
    monkeypatch.setattr(place, "others", lambda: (before,))
    found = by_key(machine.packages())["training_part"]
    assert (
        found.verdict == Verdict.WARN and "installed for Fullfield 0.0.9" in found.text and place.COMMAND in found.hint
    )


def test_that_an_engine_without_a_window_is_called_that_and_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "has_window", lambda: False)
    monkeypatch.setattr(machine, "OF_THE_WINDOW", ("no-such-window",))
    (found,) = screen.checks("")
    assert found.verdict == Verdict.GOOD and "engine" in found.text
    assert by_key(machine.packages())["packages"].verdict == Verdict.GOOD


def test_that_a_half_of_the_training_part_is_told_with_what_brings_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "matplotlib")
    found = by_key(machine.packages())["training_part"]
    assert found.verdict == Verdict.WARN and found.text.startswith("matplotlib not found")
    assert found.hint == parts.remedy()


def test_that_a_missing_compiler_is_told_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch)
    monkeypatch.setattr(machine.compiler, "missing", lambda: "torch.compile needs a C++ compiler.")
    monkeypatch.setattr(machine.system, "cpp_compiler", lambda: "g++")
    monkeypatch.setattr("shutil.which", lambda tool: tool if tool == "apt-get" else None)
    found = by_key(machine.checks())["compiler"]
    assert found.verdict == Verdict.WARN and found.hint == "sudo apt install g++ python3-dev"


def test_that_a_report_says_the_verdict_in_words() -> None:
    text = as_text([good("a", "Memory", "8 GiB."), bad("b", "GPU", "It is not used.", "Update the driver.")])
    assert text == "[good] Memory: 8 GiB.\n[bad ] GPU: It is not used.\n       Update the driver.\n"
