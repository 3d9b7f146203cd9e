"""The engine's own wheel: the files that run here, as pip takes them."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import fullfield
import fullfield_app
from fullfield import __version__, system
from fullfield.errors import MissingPart
from fullfield.training_part import own, pythons


def test_that_a_checkouts_workers_import_its_source() -> None:
    assert system.source_folder() is not None
    assert own.wheel(Path("/nowhere")) is None


def test_that_pip_installs_the_wheel_with_all_of_its_files(tmp_path: Path) -> None:
    made = own.write(
        [Path(fullfield.__file__).parent, Path(fullfield_app.__file__).parent],
        tmp_path / f"{own.NAME}-{__version__}-py3-none-any.whl",
    )
    with zipfile.ZipFile(made) as archive:
        assert not [name for name in archive.namelist() if "__pycache__" in name or "/gui/" in name]
    pip = [str(pythons.find().path), "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--target", str(tmp_path / "to"), str(made)], check=True)
    code = "import fullfield.jobs.registry as r, fullfield, fullfield_app.cli.bench; "
    code += "print(fullfield.__version__, r.__file__)"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={"PYTHONPATH": str(tmp_path / "to")},
        capture_output=True,
        text=True,
        check=True,
    )
    version, path = done.stdout.split()
    assert version == __version__ and Path(path).is_relative_to(tmp_path / "to")


def test_that_a_frozen_program_without_its_source_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "source_folder", lambda: None)
    monkeypatch.setattr(own, "__file__", str(tmp_path / "fullfield" / "training_part" / "own.pyc"))
    with pytest.raises(MissingPart, match="edition"):
        own.wheel(tmp_path)
