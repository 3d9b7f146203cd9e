"""What is left out of the light installation's tests is what cannot come out otherwise there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import unlike
from fullfield import parts
from support import ROOT

FILES = {
    "computes": "def test(): assert 1 + 1 == 2",
    "imports": "def test(): import torch",
    "imports_from": "def test(): from fullfield.memory import trace",
    "imports_by_name": "import importlib\ndef test(): importlib.import_module('fullfield.train.step')",
    "asks": "from fullfield import parts\ndef test(): parts.is_here('matplotlib')",
    "asks_for_a_version": "from importlib.metadata import version\ndef test(): version('torch')",
    "begins_a_process": "import subprocess, sys\ndef test(): subprocess.run([sys.executable, '-c', ''], check=True)",
    "begins_a_decoder": (
        "import subprocess, sys\n"
        "def test(): subprocess.run([sys.executable, '-P', '-m', 'fullfield.dicom.child'], stdin=subprocess.DEVNULL)"
    ),
    "is_skipped": "import pytest\ndef test(): pytest.skip('not here')",
    "makes_what_is_shared": "def test(shared): pass",
    "shares_it": "def test(shared): pass",
}
"""A file of tests each."""
HOUSE = """
import importlib.util, subprocess, sys
import pytest
from pathlib import Path
import torch, fullfield.train.step, fullfield.memory.trace

found = importlib.util.spec_from_file_location("whole_house", {conftest!r})
house = importlib.util.module_from_spec(found)
found.loader.exec_module(house)
globals().update({{name: value for name, value in vars(house).items() if name.startswith("pytest_") or name in
    ("measured_libraries", "of_processes", "private_folders")}})

@pytest.fixture(scope="session")
def shared():
    subprocess.run([sys.executable, "-c", ""], check=True)
"""
"""The conftest of those files: ours; and all that they import has been imported, as after other tests."""


@pytest.fixture
def lanes(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import lanes

    return lanes


def left(folder: Path) -> list[str]:
    """Notes of `FILES`, which have run in a process of their own."""
    for name, text in FILES.items():
        (folder / f"test_{name}.py").write_text(text)
    (folder / "conftest.py").write_text(HOUSE.format(conftest=str(ROOT / "tests" / "conftest.py")))
    (folder / "notes").mkdir()
    paths = [str(ROOT / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={folder}", str(folder)],
        env=os.environ | {unlike.NOTES: str(folder / "notes"), "PYTHONPATH": os.pathsep.join(paths)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"{len(FILES) - 1} passed, 1 skipped" in done.stdout, done.stdout + done.stderr
    return [line for file in (folder / "notes").glob("*.txt") for line in file.read_text().splitlines()]


@pytest.mark.slow
@pytest.mark.training
def test_that_of_all_that_tests_do_only_what_asks_for_nothing_and_begins_nothing_is_alike(tmp_path: Path) -> None:
    verdicts = {"computes": "alike", "begins_a_decoder": "alike"}
    assert sorted(left(tmp_path)) == sorted(f"{verdicts.get(name, 'unlike')} test_{name}.py" for name in FILES)


def test_that_the_child_that_decodes_can_neither_import_nor_ask_for_the_training_part() -> None:
    reached = unlike.decoder_reaches()
    assert {"fullfield.dicom.child", "fullfield.dicom.pixels", "gdcm", "pydicom"} <= reached
    assert not reached & {"fullfield.parts", "importlib", *parts.PACKAGES}
    assert all(map(parts.is_light, reached))


def test_that_a_file_is_left_out_where_every_test_of_it_was_seen_alike_in_these_sources(
    lanes: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes, "NOTES", tmp_path)
    (tmp_path / "1.txt").write_text("alike tests/a.py\nalike tests/a.py\nalike tests/b.py\nunlike tests/c.py\n")
    (tmp_path / "2.txt").write_text("unlike tests/b.py\nalike tests/d.py\n")
    assert lanes.seen_alike() == []  # of which sources is not told: the tests have not passed
    (tmp_path / "sources").write_text(lanes.sources())
    assert lanes.seen_alike() == ["tests/a.py", "tests/d.py"]
    (tmp_path / "sources").write_text("others")
    assert lanes.seen_alike() == []
