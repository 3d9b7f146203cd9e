"""What tests of plans share: a cache, and a costing of this process, in which each part is traced once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from fullfield.plan import libraries
from fullfield.plan.libraries import Libraries
from fullfield.techniques import costing, registry
from fullfield.techniques.costing import Costing

LIBRARIES = Libraries(begin=800 << 20, whole=900 << 20)
TOGETHER = 3  # techniques that bring libraries of their own, at most, in a plan of a test


_costing = functools.cache(Costing)
_kept = costing.kept


@pytest.fixture
def traced(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a cache that these tests share; in it libraries are measured already, by hand. What is traced is
    known to the next test of this process, but where a test looks on (`each`)."""

    def known(encoder: str, device: str, each: Callable[[], None] | None = None) -> Costing:
        return _costing(encoder, device) if each is None else _kept(encoder, device, each)

    monkeypatch.setattr(costing, "kept", known)
    folder = tmp_path_factory.getbasetemp() / "traced"
    monkeypatch.setenv("FULLFIELD_CACHE", str(folder))
    bringing = sorted(name for name, kind in registry.all_techniques().items() if kind.brings)
    for count in range(TOGETHER + 1):
        for brings in combinations(bringing, count):
            libraries.keep(brings, LIBRARIES)
    return folder


@pytest.fixture
def on_disk(traced: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As `traced`, with nothing known but what lies there."""
    monkeypatch.setattr(costing, "kept", _kept)
    return traced
