"""What `packaging/environment.py` makes ready: an environment that is not whole is mended when it is set up again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from support import packaged


@pytest.fixture
def environment() -> ModuleType:
    return packaged("environment")


@pytest.fixture
def folder(environment: ModuleType, tmp_path: Path) -> Path:
    """An environment with a package of two files."""
    environment.prepare(tmp_path / "own")
    return tmp_path / "own"


def package(folder: Path) -> Path:
    """Install one in `folder` as pip would; returns where its information lies."""
    [place] = folder.glob("Lib/site-packages" if sys.platform == "win32" else "lib/python*/site-packages")
    information = place / "inked-1.0.dist-info"
    for path, text in {"inked/__init__.py": "A = 1\n", "inked/lines.py": "B = 2\n"}.items():
        (place / path).parent.mkdir(exist_ok=True)
        (place / path).write_bytes(text.encode())
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: inked\nVersion: 1.0\n")
    listed = "inked/__init__.py,sha256=x,6\ninked/lines.py,sha256=x,6\ninked/__pycache__/lines.pyc,,\n"
    (information / "RECORD").write_text(f"{listed}inked-1.0.dist-info/METADATA,,\ninked-1.0.dist-info/RECORD,,\n")
    return information


def test_that_a_whole_package_is_left_as_it_is(environment: ModuleType, folder: Path) -> None:
    information = package(folder)
    python = environment.prepare(folder)
    assert (information / "RECORD").exists()
    assert subprocess.run([str(python), "-c", "import inked.lines"]).returncode == 0


@pytest.mark.parametrize("lost", ["inked/lines.py", "inked-1.0.dist-info/RECORD"])
def test_that_pip_is_not_told_of_a_package_of_which_a_file_is_gone(
    lost: str, environment: ModuleType, folder: Path
) -> None:
    information = package(folder)
    (information.parent / lost).unlink()
    environment.prepare(folder)
    assert not information.exists()


def test_that_pip_is_not_told_of_a_package_with_a_file_that_a_power_cut_has_emptied(
    environment: ModuleType, folder: Path
) -> None:
    information = package(folder)
    (information.parent / "inked/lines.py").write_bytes(b"")
    environment.prepare(folder)
    assert not information.exists()


@pytest.mark.parametrize(
    "left", [lambda text: text[: text.index(b"\n")] + b"\0" * 90, lambda text: text[: text.rindex(b"inked-1.0")]]
)
def test_that_pip_is_not_told_of_a_package_whose_list_a_power_cut_has_spoiled(
    left: Callable[[bytes], bytes], environment: ModuleType, folder: Path
) -> None:
    record = package(folder) / "RECORD"
    record.write_bytes(left(record.read_bytes()))
    environment.prepare(folder)
    assert not record.parent.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="an environment there has a Python of its own")
def test_that_an_environment_whose_python_is_gone_is_made_anew(environment: ModuleType, folder: Path) -> None:
    information = package(folder)
    for name in folder.glob("bin/python*"):
        name.unlink()
        name.symlink_to("/nowhere/python3")
    python = environment.prepare(folder)
    assert subprocess.run([str(python), "-c", "pass"]).returncode == 0
    assert not information.exists(), "pip installs all again"


def say_another_version(folder: Path) -> None:
    settings = folder / "pyvenv.cfg"
    here = f"version = {sys.version_info[0]}.{sys.version_info[1]}."
    assert here in settings.read_text()
    settings.write_text(settings.read_text().replace(here, "version = 3.99."))


def test_that_an_empty_environment_of_another_version_of_python_is_made_anew(
    environment: ModuleType, folder: Path
) -> None:
    say_another_version(folder)
    environment.prepare(folder)
    assert "3.99" not in (folder / "pyvenv.cfg").read_text()


def test_that_an_environment_of_another_version_keeps_what_is_installed_in_it(
    environment: ModuleType, folder: Path
) -> None:
    information = package(folder)
    say_another_version(folder)
    environment.prepare(folder)
    assert (information / "RECORD").exists()


def test_that_nothing_is_removed_from_a_folder_that_is_no_environment(environment: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("x")
    environment.prepare(tmp_path)
    assert (tmp_path / "theirs").read_text() == "x"
