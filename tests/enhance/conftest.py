"""A seeded model, made once, and radiographs that have been read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pictures

import light
from enhance.own_window import Window
from fullfield import parts
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.image import HighValues, Image, InputKind
from fullfield.model.card import NetworkSpec
from fullfield.model.phantom import phantom

MakeDecoded = Callable[..., Decoded]


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    if parts.is_here("torch"):
        import torch

        torch.set_num_threads(1)


@pytest.fixture(scope="session")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A resnet18 of seed 3 for processed images. Read only."""
    light.require(*parts.NETWORK)
    from fullfield.model import seeded

    path = tmp_path_factory.mktemp("model") / "seeded.safetensors"
    seeded.make(path, NetworkSpec(encoder="resnet18"), seed=3, input_kind="processed")
    return path


@pytest.fixture
def radiograph() -> MakeDecoded:
    """`radiograph(rows, columns, **fields of Image)`: a phantom of 12 bits, processed."""

    def make(rows: int, columns: int, *, body_part: str = "", modality: str = "DX", **fields: object) -> Decoded:
        values = {
            "pixels": (phantom(rows, columns, seed=rows) * 4095).astype(np.uint16),
            "bits": 12,
            "high": HighValues.BRIGHT,
            "kind": InputKind.PROCESSED,
            **fields,
        }
        header = Header(
            source_format="dicom",
            sha256="0" * 64,
            rows=rows,
            columns=columns,
            bits_stored=12,
            photometric="MONOCHROME2",
            body_part=body_part,
            modality=modality,
        )
        return Decoded(image=Image(**values), header=header, folder=Path())  # type: ignore[arg-type]  # fields by name

    return make


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    made = Window(tmp_path / "run")
    made.folder.mkdir()
    made.begin()
    yield made
    made.end()


@pytest.fixture
def pictures(tmp_path: Path) -> Callable[[int], Path]:
    """Small radiographs, each of its own."""

    def picture(number: int) -> Path:
        ramp = np.add.outer(np.arange(96) * 300, np.arange(80) * 200 + number).astype(np.uint16)
        Pictures.fromarray(ramp).save(tmp_path / f"{number}.png")
        return tmp_path / f"{number}.png"

    return picture
