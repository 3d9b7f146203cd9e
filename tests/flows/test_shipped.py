"""The model that ships, in a batch: by its name, wherever it is called from, and refused in words where none ships."""

from __future__ import annotations

from pathlib import Path

import pydicom
import pytest

import map_file
import samples
from flows.command import fullfield
from fullfield.model import shipped

SAMPLE = "hand-dx.dcm"


def test_that_a_batch_takes_it_by_its_name_and_says_its_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shipped").mkdir()  # what lies here under that name is not meant
    (tmp_path / "shipped.safetensors").write_bytes(b"another")
    monkeypatch.chdir(tmp_path)
    words = ("--batch", samples.write(tmp_path / "in", SAMPLE), "-o", "out", "--json", "--model", "shipped")
    refused = fullfield(*words)
    assert refused.code == 9 and "No trained model ships with this installation" in refused.err
    sha256 = map_file.write(shipped.folder() / "shipped.safetensors")
    made = fullfield(*words)
    (done,) = made.of("ItemDone")
    assert made.code == 0 and done["method_wanted"] == "", made.err
    (result,) = (tmp_path / "out").rglob("*.dcm")
    assert sha256 in str(pydicom.dcmread(result))
