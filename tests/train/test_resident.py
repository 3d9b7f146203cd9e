"""What a training's process holds beside its tensors: loaded and not compiled."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
import torch

from fullfield.hardware import compiler
from fullfield.techniques import registry
from fullfield.train import resident


def compile_nothing(*_: Any, **__: Any) -> Any:
    raise AssertionError("a compilation takes as long as all else together")


def test_that_the_compiler_is_loaded_and_reckoned_and_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    registry.all_techniques()  # they are imported once, by the very function that is replaced here
    loaded: list[str] = []
    monkeypatch.setattr(compiler, "missing", lambda: "")
    monkeypatch.setattr(torch, "compile", compile_nothing)
    load = importlib.import_module

    def watched(name: str, package: str | None = None) -> Any:
        return loaded.append(name) if name == resident.COMPILER else load(name, package)

    monkeypatch.setattr(resident.importlib, "import_module", watched)
    assert resident._train(["banded_loss"]) == resident.COMPILED_BYTES
    assert loaded == [resident.COMPILER]


def test_that_without_a_compiler_nothing_is_reckoned_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "missing", lambda: "There is none.")
    assert resident._train(["banded_loss"]) == 0
    assert resident._train([]) == 0
