"""safetensors files that are written and read tensor by tensor."""

from __future__ import annotations

import hashlib
import tracemalloc
from pathlib import Path

import pytest
import torch
from safetensors import torch as safetensors

from fullfield.model import tensor_file
from fullfield.model.tensor_file import Content, Stored

METADATA = {"state": '{"a":"é\n\\/\t\x01"}'}


def every_kind() -> dict[str, torch.Tensor]:
    """A tensor of every dtype, of odd names, empty, without sides, and not contiguous."""
    kinds = {str(dtype): torch.arange(6).reshape(2, 3).to(dtype) for dtype in tensor_file._DTYPES}
    odd = {'q"uo\\te é': torch.ones(1), "empty": torch.zeros(0, 3), "scalar": torch.tensor(2.5)}
    return {**kinds, **odd, "b": torch.rand(5, 3, 4, 4).to(memory_format=torch.channels_last)}


def test_that_a_file_is_byte_for_byte_what_safetensors_makes(tmp_path: Path) -> None:
    tensors = every_kind()
    digest = tensor_file.write(tmp_path / "a", Content(tensors, METADATA))
    wanted = safetensors.save({name: value.contiguous() for name, value in tensors.items()}, metadata=METADATA)
    assert (tmp_path / "a").read_bytes() == wanted
    assert digest == hashlib.sha256(wanted).hexdigest()


def test_that_every_tensor_comes_back_equal(tmp_path: Path) -> None:
    tensors = every_kind()
    tensor_file.write(tmp_path / "a", Content(tensors, METADATA))
    stored = Stored(tmp_path / "a")
    assert stored.metadata == METADATA and stored.keys() == tensors.keys()
    for name, tensor in tensors.items():
        found = stored[name]
        assert found.dtype == tensor.dtype and found.shape == tensor.shape
        assert found.view(torch.uint8).equal(tensor.contiguous().view(torch.uint8)) if tensor.ndim else found == tensor


def test_that_neither_writing_nor_reading_holds_the_file_a_second_time(tmp_path: Path) -> None:
    tensors = {str(number): torch.rand(256, 1024) for number in range(32)}  # of 1 MiB each
    tensor_file.write(tmp_path / "warm", Content({"a": torch.ones(1)}, {}))
    tracemalloc.start()
    try:
        tensor_file.write(tmp_path / "a", Content(tensors, {}))
        stored = Stored(tmp_path / "a")
        for name in stored:
            assert stored[name].equal(tensors[name])
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("length", [0, 7, 40, -1])
def test_that_a_file_cut_short_is_refused(tmp_path: Path, length: int) -> None:
    tensor_file.write(tmp_path / "a", Content({"a": torch.ones(9)}, {}))
    (tmp_path / "a").write_bytes((tmp_path / "a").read_bytes()[:length])
    with pytest.raises((ValueError, KeyError)):
        Stored(tmp_path / "a")
