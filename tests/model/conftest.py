"""One seeded model, made once for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from fullfield.model import seeded
from fullfield.model.card import NetworkSpec


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A resnet18 of seed 3. Read only: a test that changes it works on a copy."""
    path = tmp_path_factory.mktemp("model") / "seeded.safetensors"
    seeded.make(path, NetworkSpec(encoder="resnet18"), seed=3)
    return path
