"""Who imports what, asked of a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib

import pytest

from support import ROOT

HEAVY = ("torch", "PySide6", "pydicom", "SimpleITK", "cv2", "segmentation_models_pytorch", "pyqtgraph")


def imported_by(code: str) -> set[str]:
    """The heavy packages that are loaded after `code` ran in a fresh interpreter."""
    ask = f"{code}\nimport json, sys\nprint(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    result = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    return set(json.loads(result.stdout.splitlines()[-1]))


def test_that_the_command_line_starts_without_torch_qt_or_dicom() -> None:
    assert imported_by("from fullfield_app.arguments import parse; parse(['--batch', 'x', '-o', 'y'])") == set()


def test_that_help_imports_nothing_heavy() -> None:
    code = (
        "import contextlib, io\nfrom fullfield_app.__main__ import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit): main(['--help'])"
    )
    assert imported_by(code) == set()


def test_that_the_batch_with_a_preset_never_imports_torch_or_qt() -> None:
    code = "import fullfield.enhance.batch, fullfield.enhance.session, fullfield.jobs.worker"
    assert imported_by(code).isdisjoint({"torch", "PySide6", "segmentation_models_pytorch"})


def test_that_the_main_window_is_imported_without_what_reads_files_and_what_computes() -> None:
    ask = (
        "import json, sys\nimport fullfield_app.gui.main_window\n"
        "print(json.dumps([name for name in sys.modules if name.startswith('fullfield.')]))"
    )
    result = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    rooms = {name.split(".")[1] for name in json.loads(result.stdout.splitlines()[-1])}
    assert "image" in rooms and rooms.isdisjoint({"dicom", "model", "hardware", "memory", "train", "bands"})


@pytest.mark.parametrize("module", ["fullfield.plan.spec", "fullfield.jobs.launchers.local", "fullfield.inputs.files"])
def test_that_values_and_launching_import_nothing_heavy(module: str) -> None:
    assert imported_by(f"import {module}") == set()


@pytest.mark.parametrize("room", ["dicom", "model", "hardware", "train"])
def test_that_a_contract_keeps_the_window_from_naming_what_reads_files_and_what_computes(room: str) -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    window = {"fullfield_app", "fullfield_app.gui"}
    named = [contract for contract in contracts if f"fullfield.{room}" in contract.get("forbidden_modules", ())]
    assert any(window & set(contract["source_modules"]) for contract in named)
    assert not any("fullfield_app" in line for contract in named for line in contract.get("ignore_imports", ()))
