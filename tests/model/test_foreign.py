"""Weights from outside: whatever the file holds, it is read within limits, and the answer is tensors or a sentence."""

from __future__ import annotations

import io
import pickle
import tempfile
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import torch as safetensors

from fullfield import files, serving
from fullfield.checked import Fields
from fullfield.errors import ModelError
from fullfield.model import foreign, initial
from fullfield.model.card import NetworkSpec

SPEC = NetworkSpec(encoder="resnet18")
ONE = torch.ones(1)


def saved(value: Any, tmp_path: Path) -> Path:
    path = tmp_path / "x.pth"
    torch.save(value, path)
    return path


def replaced_pickle(content: bytes, tmp_path: Path) -> Path:
    """A `.pth` whose pickle is `content`."""
    whole = io.BytesIO()
    torch.save({"a": ONE}, whole)
    path = tmp_path / "x.pth"
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            target.writestr(name, content if name.endswith("data.pkl") else source.read(name))
    return path


@pytest.fixture
def childless(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the child does is done here: it takes a second to come up, and these files are no danger."""

    class Here:
        def __init__(self, module: str, *, folder: Path, **limits: float) -> None:
            monkeypatch.setattr(tempfile, "tempdir", str(folder))

        def ask(self, request: Fields) -> Fields:
            return serving.answer(foreign.work, request)

        def end(self) -> None:
            """Nothing was started."""

    monkeypatch.setattr(foreign, "Child", Here)


def test_that_a_file_s_tensors_come_back_whatever_their_strides(tmp_path: Path) -> None:
    shared = torch.arange(12.0).reshape(3, 4)
    given = OrderedDict(plain=shared, turned=shared.t(), part=shared[1], count=torch.tensor(7), half=shared.half())
    found = foreign.state(saved(given, tmp_path))
    assert list(found.keys() ^ given.keys()) == []
    assert all(torch.equal(found[name], given[name]) and found[name].dtype == given[name].dtype for name in given)
    assert list((files.cache_folder()).glob("weights-*")) == []


def refused(value: Any, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as refusal:
        initial.start(SPEC, str(saved(value, tmp_path)), seed=0)
    assert refusal.value.detail.endswith(".") and refusal.value.hint and str(tmp_path) not in str(refusal.value)


@pytest.mark.usefixtures("childless")
@pytest.mark.parametrize(
    "value",
    [
        {1: ONE, 2: ONE},
        {"a": ONE, "b": "no tensor"},
        [ONE],
        {},
        {f"t{number}": ONE for number in range(foreign.MOST_TENSORS + 1)},
        {"sparse": torch.eye(3).to_sparse()},
    ],
    ids=["integer keys", "a text", "a list", "empty", "too many", "sparse"],
)
def test_that_what_is_no_set_of_plain_tensors_is_refused_in_a_sentence(value: Any, tmp_path: Path) -> None:
    refused(value, tmp_path)


@pytest.mark.usefixtures("childless")
def test_that_tensors_that_would_be_terabytes_are_refused_in_a_sentence(tmp_path: Path) -> None:
    for huge in (torch.ones(1).expand(64, 3, 1 << 14, 1 << 13), torch.ones(1).expand([2] * 40)):
        refused({"conv1.weight": huge}, tmp_path)


STUMBLES = {
    "empty stack": b"\x80\x02" + b"0" * 5,  # POP from it: IndexError
    "no memo": b"\x80\x02h\x09.",  # KeyError
    "no tensors": b"\x80\x02}q\x00.",
    "marks alone": b"\x80\x02" + b"(" * 100_000 + b".",
    "a number of 5,000 digits": pickle.dumps({"a": 10**5000}),
}


def stumbles(name: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as refusal:
        foreign.state(replaced_pickle(STUMBLES[name], tmp_path))
    assert refusal.value.detail and refusal.value.hint


@pytest.mark.usefixtures("childless")
@pytest.mark.parametrize("name", STUMBLES)
def test_that_an_unpickler_that_stumbles_costs_a_sentence(name: str, tmp_path: Path) -> None:
    stumbles(name, tmp_path)


def test_that_one_that_stumbles_in_its_own_process_costs_a_sentence_too(tmp_path: Path) -> None:
    stumbles("empty stack", tmp_path)


def test_that_a_file_that_takes_too_much_time_or_memory_is_stopped(tmp_path: Path) -> None:
    marks = replaced_pickle(b"\x80\x02" + b"(" * 30_000_000, tmp_path)
    for limits in ({"seconds": 0.05}, {"memory": 64 << 20}):
        with pytest.raises(ModelError) as refusal:
            foreign.state(marks, **limits)
        assert refusal.value.hint
    assert list((files.cache_folder()).glob("weights-*")) == []


def test_that_a_tensor_s_name_cannot_write_to_a_terminal(tmp_path: Path) -> None:
    safetensors.save_file({"\x1b[31m" + "x" * 100_000: ONE}, tmp_path / "x.safetensors")
    with pytest.raises(ModelError) as refusal:
        initial.start(SPEC, str(tmp_path / "x.safetensors"), seed=0)
    assert "\x1b" not in str(refusal.value) and len(str(refusal.value)) < 1000
