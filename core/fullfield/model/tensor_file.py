"""safetensors files, written and read tensor by tensor: no second copy of what a file holds is ever in memory.

    8 bytes     the length of the header
    header      JSON: metadata; of every tensor its dtype, shape and place
    tensors     their bytes, in the header's order

Byte for byte the file that safetensors' own `save` makes, which builds it in memory first.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from fullfield import files
from fullfield.checked import Fields
from fullfield.model.ensemble import Place

# In the order in which their tensors stand in a file: the widest alignment first, as safetensors sorts them.
_DTYPES = {
    torch.uint64: "U64",
    torch.int64: "I64",
    torch.float64: "F64",
    torch.float32: "F32",
    torch.uint32: "U32",
    torch.int32: "I32",
    torch.bfloat16: "BF16",
    torch.float16: "F16",
    torch.uint16: "U16",
    torch.int16: "I16",
    torch.float8_e4m3fn: "F8_E4M3",
    torch.float8_e5m2: "F8_E5M2",
    torch.int8: "I8",
    torch.uint8: "U8",
    torch.bool: "BOOL",
}
_BY_NAME = {name: dtype for dtype, name in _DTYPES.items()}
_ORDER = {dtype: place for place, dtype in enumerate(_DTYPES)}
_ALIGNMENT = 8


class Content:
    """What a file shall hold. `header`: its first bytes, up to the first tensor's; they may be changed in place."""

    def __init__(self, tensors: Mapping[str, Tensor], metadata: dict[str, str]) -> None:
        """Raises KeyError for a dtype that no checkpoint and no model has."""
        self._tensors = sorted(tensors.items(), key=lambda item: (_ORDER[item[1].dtype], item[0]))
        self.header = bytearray(self._header(metadata))

    def tensors(self) -> Iterator[memoryview]:
        """The bytes of one tensor after the other, each brought from its device when it is asked for."""
        for _, tensor in self._tensors:
            flat = tensor.detach().cpu().contiguous().reshape(-1)
            yield flat.view(torch.uint8).numpy().data

    def _header(self, metadata: dict[str, str]) -> bytes:
        values: Fields = {"__metadata__": metadata}
        place = 0
        for name, tensor in self._tensors:
            end = place + tensor.numel() * tensor.element_size()
            values[name] = {
                "dtype": _DTYPES[tensor.dtype],
                "shape": list(tensor.shape),
                "data_offsets": [place, end],
            }
            place = end
        text = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % _ALIGNMENT)
        return len(text).to_bytes(8, "little") + text


def write(target: Path, content: Content) -> str:
    """Leave the file, whole or not at all; its SHA-256. Raises CannotWrite."""
    digest = hashlib.sha256(content.header)
    with files.atomic_write(target) as stream:
        stream.write(content.header)
        for part in content.tensors():
            stream.write(part)
            digest.update(part)
    return digest.hexdigest()


class _Tensor(NamedTuple):
    dtype: torch.dtype
    shape: list[int]
    first: int
    end: int


class Stored(Mapping[str, Tensor]):
    """The tensors of a file, each read when it is asked for, into memory of its own. `metadata`: the file's."""

    def __init__(self, path: Path, place: Place | None = None) -> None:
        """`place`: where in the file it lies, where that is not all of it. Raises OSError; ValueError, KeyError,
        TypeError where the file is none of these, or not whole."""
        self._path = path
        with path.open("rb") as stream:
            first, size = place or (0, stream.seek(0, io.SEEK_END))
            stream.seek(first)
            length = int.from_bytes(stream.read(8), "little")
            size -= 8 + length
            if size < 0:
                raise ValueError("the file is cut short")
            values = json.loads(stream.read(length))
        self.metadata: dict[str, str] = values.pop("__metadata__", {})
        self._begin = first + 8 + length
        self._places = {name: _place(value, size) for name, value in values.items()}

    def __getitem__(self, name: str) -> Tensor:
        """Raises KeyError for another name, OSError, ValueError where the file has become shorter."""
        place = self._places[name]
        content = bytearray(place.end - place.first)
        with self._path.open("rb", buffering=0) as stream:
            stream.seek(self._begin + place.first)
            read, view = 0, memoryview(content)
            while read < len(content) and (count := stream.readinto(view[read:])):
                read += count
        if read < len(content):
            raise ValueError("the file is cut short")
        if not content:
            return torch.empty(place.shape, dtype=place.dtype)
        return torch.frombuffer(content, dtype=torch.uint8).view(place.dtype).reshape(place.shape)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _place(value: Mapping[str, Any], size: int) -> _Tensor:
    dtype, shape = _BY_NAME[value["dtype"]], [int(side) for side in value["shape"]]
    first, end = (int(offset) for offset in value["data_offsets"])
    if not 0 <= first <= end <= size or end - first != math.prod(shape) * dtype.itemsize:
        raise ValueError("a tensor's place is not in the file")
    return _Tensor(dtype, shape, first, end)
