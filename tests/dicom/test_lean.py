"""pydicom brings no decoders of its own into our processes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fullfield.dicom import lean


def _loaded(code: str) -> set[str]:
    """Which of the optional libraries a process has in memory that runs `code`."""
    code += f"\nimport sys\nprint(*(set({sorted(lean.OPTIONAL)}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("module", ["fullfield.dicom.child", "fullfield.dicom.write"])
def test_that_pydicom_is_loaded_without_the_libraries_of_its_decoders(module: str) -> None:
    assert _loaded(f"import {module}, pydicom") == set()
    assert _loaded("import pydicom") >= {"gdcm", "PIL"}, "the test shows nothing where they are not installed"


def test_that_everybody_else_still_finds_them() -> None:
    code = "import fullfield.dicom.child\nimport gdcm, openjpeg, importlib\nfrom PIL import Image\nimport rle.utils"

    assert _loaded(code) >= {"gdcm", "openjpeg", "PIL", "rle"}


def test_that_they_are_found_by_name_as_well_as_by_a_statement() -> None:
    code = "import importlib, fullfield.dicom.child\nimportlib.import_module('PIL')"

    assert _loaded(code) == {"PIL"}


def test_that_it_is_told_to_python_once() -> None:
    before = list(sys.meta_path)

    lean.install()

    assert sys.meta_path == before
