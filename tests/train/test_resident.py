"""What a training's process holds beside its tensors: loaded and not compiled."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import torch

from fullfield.hardware import compiler
from fullfield.image.image import InputKind
from fullfield.memory.account import Shape
from fullfield.memory.costs import Costs, Facts
from fullfield.model.phantom import phantom
from fullfield.techniques import registry
from fullfield.techniques.site import Site
from fullfield.train import resident
from fullfield.train.baselines import processed


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


def test_that_what_is_resident_is_told_before_there_is_a_network_and_when_nothing_is_left_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[object] = []
    used = iter((10, 30))
    monkeypatch.setattr(resident.devices, "compute_with", lambda count: done.append(f"with {count} thread"))
    monkeypatch.setattr(resident.devices, "free_cached", lambda: done.append("freed"))
    monkeypatch.setattr(resident.devices, "used_bytes", lambda: done.append("looked") or next(used))
    monkeypatch.setattr(resident, "_plan", lambda techniques: done.append(("planned", *techniques)))
    monkeypatch.setattr(resident, "_train", lambda techniques: done.append(("trained", *techniques)) or 5)
    assert resident.measure(["banded_loss"]) == {"begin": 10, "whole": 35}
    assert done == [
        "with 1 thread",
        ("planned", "banded_loss"),
        "freed",
        "looked",
        ("trained", "banded_loss"),
        "freed",
        "looked",
    ]


def test_that_before_a_network_it_does_what_a_training_does_by_then(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []

    class Told:
        costs = Costs(Facts(weights={}, buffers=0))

        def __init__(self, *given: str) -> None:
            asked.append(given)

        def account(self, techniques: Any, site: Site) -> None:
            asked.append((*map(str, techniques), site.shape, site.kind, site.costs))

    monkeypatch.setattr(resident, "Costing", Told)
    monkeypatch.setattr(resident.evaluate, "of_pair", lambda image, plane: asked.append((image, plane)))
    resident._plan(["banded_loss"])
    shape = Shape(height=256, width=256, encoder="resnet18")
    assert asked[:2] == [("resnet18", "none"), ("banded_loss", shape, "cpu", Told.costs)]
    image, plane = asked[2]
    assert np.array_equal(plane, phantom(256, 256, seed=0)) and np.array_equal(image, processed(plane, InputKind.RAW))
