"""Which build comes is the driver's to decide, or the user's; and pip's own settings are not gone past."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest

from fullfield import system
from fullfield.errors import UsageError
from fullfield.training_part import build, driver
from fullfield.training_part.build import CPU, CUDA
from fullfield.training_part.driver import Driver

NEW = Driver(version="580.65", cuda=(13, 0), cards=("RTX 2060", "RTX 2060"))
OLD = Driver(version="550.54", cuda=(12, 4), cards=("RTX 2060",))


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Be on a system."""

    def be(name: str) -> None:
        monkeypatch.setattr(system, "WINDOWS", name == "windows")
        monkeypatch.setattr(system, "MAC", name == "mac")

    return be


@pytest.mark.parametrize(
    ("place", "found", "name", "index"),
    [
        ("linux", NEW, CUDA, ""),
        ("linux", OLD, CPU, "/cpu"),
        ("linux", None, CPU, "/cpu"),
        ("windows", NEW, CUDA, "/cu130"),
        ("windows", None, CPU, ""),
        ("mac", None, CPU, ""),
    ],
)
def test_that_the_driver_decides_and_pytorchs_index_is_asked_only_for_what_the_usual_one_lacks(
    on: Callable[[str], None], place: str, found: Driver | None, name: str, index: str
) -> None:
    on(place)
    made = build.choose(found)
    assert made.name == name and made.index == (build.PYTORCH + index if index else "")
    assert made.megabytes and made.disk_megabytes > made.megabytes


def test_that_a_driver_that_is_too_old_is_told_with_what_to_do(on: Callable[[str], None]) -> None:
    on("linux")
    assert build.choose(OLD).why == (
        "The driver 550.54 of RTX 2060 allows CUDA up to 12.4, and CUDA 13 is needed: "
        "update it first to train on the card."
    )


def test_that_who_says_which_build_gets_it(on: Callable[[str], None]) -> None:
    on("linux")
    assert build.choose(NEW, wanted=CPU).name == CPU and build.choose(None, wanted=CUDA).name == CUDA
    on("mac")
    with pytest.raises(UsageError, match="one build for a Mac"):
        build.choose(None, wanted=CUDA)


def test_that_nobody_is_asked_past_an_index_of_pips_own(on: Callable[[str], None]) -> None:
    on("linux")
    made = build.choose(None, own_index=True)
    assert made.index == "" and "decides which build comes" in made.why


class FakeNvml:
    """The driver's library, with two cards. `works`: it can talk to its driver."""

    works = True

    def nvmlInit_v2(self) -> int:
        return 0 if self.works else 9

    def nvmlShutdown(self) -> int:
        return 0

    def nvmlSystemGetCudaDriverVersion_v2(self, found: object) -> int:
        found._obj.value = 13020  # type: ignore[attr-defined]
        return 0

    def nvmlSystemGetDriverVersion(self, text: ctypes.Array[ctypes.c_char], size: int) -> int:
        text.value = b"580.65"
        return 0

    def nvmlDeviceGetCount_v2(self, found: object) -> int:
        found._obj.value = 2  # type: ignore[attr-defined]
        return 0

    def nvmlDeviceGetHandleByIndex_v2(self, number: object, found: object) -> int:
        return 0

    def nvmlDeviceGetName(self, card: object, text: ctypes.Array[ctypes.c_char], size: int) -> int:
        text.value = b"RTX 2060"
        return 0


def test_that_the_driver_is_asked_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeNvml()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: fake)
    assert driver.ask() == Driver(version="580.65", cuda=(13, 2), cards=("RTX 2060", "RTX 2060"))
    fake.works = False
    assert driver.ask() is None


def test_that_a_computer_without_a_driver_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", missing)
    assert driver.ask() is None
