"""`packaging/start.py` says what pip would not: why nothing can be installed here, and how much is fetched."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import IO

import pytest

from support import ROOT, packaged


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "packaging")  # as Python does for a script
    return packaged("start")


def test_that_nothing_is_said_where_everything_can_be_installed(start: ModuleType) -> None:
    assert start.why_not_here() == ""


@pytest.mark.parametrize("version", [(3, 10, 4), (3, 15, 0)])
def test_that_a_python_without_wheels_is_named_before_pip_fails(
    version: tuple[int, ...], start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    assert start.why_not_here().startswith("Fullfield needs Python 3.11 to 3.14")


@pytest.mark.parametrize(
    ("libc", "words"), [(("glibc", "2.28"), "here is glibc 2.28"), (("", ""), "here is another C library")]
)
def test_that_an_old_linux_is_named_before_pip_fails(
    libc: tuple[str, str], words: str, start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "libc_ver", lambda: libc)
    assert "glibc 2.34 or later" in start.why_not_here() and words in start.why_not_here()
    monkeypatch.setattr(platform, "libc_ver", lambda: ("glibc", "2.34"))
    assert start.why_not_here() == ""


def test_that_an_old_macos_is_named_before_pip_fails(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    monkeypatch.setattr(platform, "mac_ver", lambda: ("13.6", ("", "", ""), "arm64"))
    assert start.why_not_here() == "Fullfield needs macOS 14 or later on Apple silicon; this is 13.6."


def test_that_what_pip_fetches_is_told_with_its_megabytes(
    start: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        "Collecting torch==2.15.0",
        "  Downloading torch-2.15.0.whl.metadata (28 kB)",
        "  Downloading torch-2.15.0.whl (539.1 MB)",
        "  Using cached tqdm-4.70.1.whl (500 kB)",
        "Installing collected packages: tqdm, torch",
    ]
    start.run_told([sys.executable, "-c", f"print({chr(10).join(lines)!r})"])
    reported = capsys.readouterr().out.splitlines()
    assert reported == [
        "     539 MB  torch-2.15.0.whl (539.1 MB)",
        "     540 MB  tqdm-4.70.1.whl (0.5 MB)",
        "     540 MB are here; unpacking them …",
    ]


def test_that_a_pip_that_fails_ends_it_with_its_code(start: ModuleType) -> None:
    with pytest.raises(SystemExit, match="3"):
        start.run_told([sys.executable, "-c", "raise SystemExit(3)"])


@pytest.mark.parametrize("name", ["requirements-develop.txt", "requirements.txt"])
def test_that_every_pin_of_a_lock_is_unpacked_once_and_what_is_large_beside_the_rest(
    start: ModuleType, tmp_path: Path, name: str
) -> None:
    lock = ROOT / "packaging" / name
    parts = [part.read_text("utf-8").splitlines() for part in start.divided(lock, tmp_path)]
    assert sorted(line for part in parts for line in part) == sorted(lock.read_text("utf-8").splitlines())
    large = [[line.startswith("nvidia-") for line in part if line[:1].isalpha()] for part in parts]
    assert all(all(part) or not any(part) for part in large) and len(parts) == (2 if "develop" in name else 1)


def test_that_of_several_at_once_all_end_before_the_code_of_one_that_fails(start: ModuleType, tmp_path: Path) -> None:
    ended = tmp_path / "ended"
    later = f"import pathlib, time; time.sleep(0.3); pathlib.Path({str(ended)!r}).touch()"
    with pytest.raises(SystemExit, match="3"):
        start.run_at_once([[sys.executable, "-c", "raise SystemExit(3)"], [sys.executable, "-c", later]])
    assert ended.exists()


class Checks:
    """In the place of processes: what was begun, in its order, and which one, by module or last word, ends with 2."""

    def __init__(self, start: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch, *, fails: str = "") -> None:
        self.commands, self.fails = list[list[str]](), fails
        monkeypatch.setattr(start.subprocess, "run", self.run)
        monkeypatch.setattr(start.subprocess, "Popen", self.begin)
        monkeypatch.setattr(start.lanes, "NOTES", folder / "notes")
        monkeypatch.setattr(start.lanes.shutil, "which", lambda name: None)  # no screen

    def run(self, command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        self.commands.append(command)
        return subprocess.CompletedProcess(command, 2 if self.fails in (command[2], command[-1]) else 0)

    def begin(self, command: list[str], *, stdout: IO[str], **options: object) -> subprocess.CompletedProcess[str]:
        done = self.run(command)
        stdout.write(f"{command[2]} was here")
        stdout.flush()
        vars(done)["wait"] = lambda: done.returncode
        return done

    @property
    def modules(self) -> list[str]:
        return [command[2] for command in self.commands if command[1] == "-m"]


@pytest.mark.parametrize(("fast", "asked"), [(True, 1), (False, 2)])
def test_that_the_fast_tests_are_asked_after_style_and_are_neither_slow_nor_windows(
    fast: bool, asked: int, start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = Checks(start, tmp_path, monkeypatch)
    assert start.lanes.test(Path("python"), fast=fast) == 0
    assert done.modules == ["mypy", "ruff", "ruff", "pytest", *["pytest"] * asked]  # the first one collects
    last = done.commands[-1]
    places = [part for command in done.commands for part in command if part.startswith("tests/")]
    assert places and all((ROOT / place).exists() for place in places)
    assert ("not slow" in last) is fast
    if fast:
        assert {"tests/flows", "tests/tasks", "tests/gui", "tests/train", "tests/bench"}.isdisjoint(places)


def test_that_no_test_is_asked_where_a_check_fails_and_that_says_what_it_found(
    start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = Checks(start, tmp_path, monkeypatch, fails="ruff")
    assert start.lanes.test(Path("python")) == 2
    assert done.modules == ["mypy", "ruff", "ruff", "pytest"]  # which collects
    assert "== ruff check .\nruff was here" in capsys.readouterr().out


@pytest.mark.parametrize("fast", [True, False])
def test_that_types_are_looked_at_beside_the_tests_and_what_is_wrong_with_them_is_told_behind(
    fast: bool, start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = Checks(start, tmp_path, monkeypatch, fails="mypy")
    assert start.lanes.test(Path("python"), fast=fast) == 2
    assert done.modules.count("pytest") >= 2
    assert capsys.readouterr().out.endswith("\n== mypy\nmypy was here\n\nmypy failed.\n")


def test_that_users_tasks_are_played_beside_the_tests_and_told_behind_them_and_one_that_fails_is_a_failure(
    start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = Checks(start, tmp_path, monkeypatch, fails="tests/tasks")
    assert start.lanes.test(Path("python")) == 2
    *_, tasks, tests = done.commands
    assert tasks[-1] == "tests/tasks" and "--ignore=tests/tasks" in tests
    assert "tests/tasks\npytest was here\n\npytest failed.\n" in capsys.readouterr().out
    assert not (tmp_path / "notes" / "sources").exists(), "no file of tests is left out of the light part's"


@pytest.mark.parametrize("line", [["try", "--fast"], ["test", "--fast", "--light"]])
def test_that_fast_is_refused_where_it_would_mean_nothing(
    line: list[str], start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["start.py", *line])
    with pytest.raises(SystemExit):
        start.main()
    assert "--fast is an option of test alone" in capsys.readouterr().err


def test_that_an_environment_is_meant_from_where_its_command_is_typed(
    start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(start, "set_up", lambda folder, lock: asked.append(folder))
    monkeypatch.setattr("sys.argv", ["start.py", "set-up", "--venv", "mine"])
    monkeypatch.chdir(tmp_path)
    assert start.main() == 0 and asked == [tmp_path / "mine"]


def test_that_a_first_look_shows_nothing_of_the_last_one(
    start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "ROOT", tmp_path)
    out = tmp_path / "build" / "first-look"
    out.mkdir(parents=True)
    (out / "contact-sheet.png").touch()
    there: list[bool] = []
    monkeypatch.setattr(start, "set_up", lambda folder, lock: Path("python"))
    monkeypatch.setattr(start, "check_qt", lambda python: None)
    monkeypatch.setattr(start, "run", lambda command: there.append((out / "contact-sheet.png").exists()))
    assert start.try_it(tmp_path / "own", light=True) == 0 and there == [False]
