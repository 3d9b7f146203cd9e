"""The job that installs: whole or not at all, from a folder or an index, stopped and gone on with."""

from __future__ import annotations

import contextlib
from pathlib import Path

import filelock
import psutil
import pytest

from fullfield import __version__
from fullfield.errors import CannotWrite, Interrupted, MissingPart, UsageError
from fullfield.protocol.events import PhaseStarted
from fullfield.protocol.setup_events import BytesFetched
from fullfield.training_part import build, needs, offer, place
from training_part.conftest import FakeContext, Install
from training_part.fake_index import TORCH, Index, serving, training_part, wheel

LONG = 3_000_000


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    return training_part(tmp_path / "with spaces, wheels")


def left() -> set[str]:
    return {path.name for path in place.folder().iterdir()}


def test_that_a_folder_of_wheels_is_as_good_as_the_network_and_asks_none(
    wheels: Path, installing: Install, context: FakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Index(wheels)) as index:
        monkeypatch.setenv("PIP_FIND_LINKS", index.url)
        monkeypatch.setenv("PIP_EXTRA_INDEX_URL", index.url)
        summary = installing(wheels=str(wheels))
    assert index.asked == []
    found = place.installed()
    assert found is not None and found.version == __version__ and found.torch == TORCH and found.build == "cpu"
    assert summary["torch"] == TORCH
    assert place.python().exists() and left() == {
        "environment",
        "installed",
        "install.lock",
        "pip.log",
        "constraints.txt",
    }
    names = [event.name for event in context.reported if isinstance(event, PhaseStarted)]
    assert [name.split()[0] for name in names] == ["Preparing", "Installing", "Installing", "Trying"]
    assert installing(wheels="/nowhere") == summary, "what is whole is not installed again"


def test_that_an_index_of_pips_own_settings_is_asked_alone_and_the_bytes_are_told(
    tmp_path: Path, installing: Install, context: FakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Index(training_part(tmp_path / "served", torch=LONG))) as index:
        monkeypatch.setenv("PIP_INDEX_URL", index.url)
        installing(build="cpu")
    assert place.installed() is not None
    assert sum(name.startswith("torch-") for name in index.wheels()) == 1
    reported = [event.done for event in context.reported if isinstance(event, BytesFetched)]
    assert max(reported) > LONG


def running() -> list[list[str]]:
    """The command lines of the processes below this one; one that has ended and waits to be fetched has none."""
    found = []
    for child in psutil.Process().children(True):
        with contextlib.suppress(psutil.NoSuchProcess):
            found.append(child.cmdline())
    return found


def test_that_a_stop_ends_pip_keeps_what_has_come_and_the_next_start_goes_on_with_it(
    tmp_path: Path, installing: Install, context: FakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = Index(training_part(tmp_path / "served", torch=LONG))
    index.stalls, context.stop_at = "torchvision", LONG
    with serving(index):
        monkeypatch.setenv("PIP_INDEX_URL", index.url)
        with pytest.raises(Interrupted, match="kept"):
            installing(build="cpu")
        assert place.installed() is None
        assert not [words for words in running() if "pip" in " ".join(words)]
        index.stalls, context.stop_at = "-", -1
        context.stopped.clear()
        before = list(index.wheels())
        index.asked.clear()
        installing(build="cpu")
    assert any(name.startswith("torch-") for name in before)
    assert not any(name.startswith("torch-") for name in index.wheels())
    assert any(name.startswith("torchvision-") for name in index.wheels())
    assert place.installed() is not None


def test_that_a_wheel_that_was_exchanged_is_not_installed(wheels: Path, installing: Install) -> None:
    version = next(
        line.partition("==")[2].split()[0] for line in needs.pinned(needs.lock()) if line.startswith("psutil==")
    )
    wheel(wheels, "psutil", version, {"psutil/__init__.py": "evil"})
    with pytest.raises(MissingPart, match=f"psutil {version} is not the file"):
        installing(wheels=str(wheels))
    assert place.installed() is None


def test_that_a_folder_that_lacks_a_wheel_is_told_by_its_name(wheels: Path, installing: Install) -> None:
    next(wheels.glob("timm-*.whl")).unlink()
    with pytest.raises(MissingPart, match="no wheel of timm"):
        installing(wheels=str(wheels))
    assert place.installed() is None


def test_that_a_folder_of_wheels_that_is_not_there_is_not_told_as_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(MissingPart, match="There is no such folder"):
        offer.make(wheels=tmp_path / "nope")


def test_that_a_folder_without_torch_is_told_so_before_an_environment_is_made(
    wheels: Path, installing: Install
) -> None:
    next(wheels.glob("torch-*.whl")).unlink()
    with pytest.raises(MissingPart, match="no wheel of torch "):
        installing(wheels=str(wheels))
    assert not place.environment().exists()


def test_that_an_environment_whose_torch_cannot_be_loaded_is_not_whole(wheels: Path, installing: Install) -> None:
    wheel(wheels, "torch", TORCH, {"torch/__init__.py": "raise OSError('no libc10')"})
    with pytest.raises(MissingPart, match="cannot be loaded"):
        installing(wheels=str(wheels))
    assert place.installed() is None


def test_that_another_build_than_the_one_that_was_agreed_to_is_refused(
    tmp_path: Path, installing: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyTorch's index was not reached, and pip took the build of cards, with gigabytes, from another one."""
    usual = tmp_path / "usual"
    for name, version in (("torch", "2.14.0"), ("torchvision", "0.29.0")):
        wheel(usual, name, version)
    monkeypatch.setenv("PIP_FIND_LINKS", str(usual))
    monkeypatch.setattr(build, "PYTORCH", (tmp_path / "unreachable").as_uri())
    with pytest.raises(MissingPart, match=build.HOST):
        installing(build="cpu")
    assert not list(place.folder().glob("wheels-*/torch*"))


def test_that_two_installations_do_not_work_in_one_folder(wheels: Path, installing: Install) -> None:
    with filelock.FileLock(place.prepare() / "install.lock"), pytest.raises(UsageError, match="being installed"):
        installing(wheels=str(wheels))


def test_that_too_small_a_disk_is_said_before(
    wheels: Path, installing: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(build._SIZES, ("cpu", "linux"), (400, 10**9))
    with pytest.raises(CannotWrite, match="1,000,000,000 MB"):
        installing(wheels=str(wheels))
