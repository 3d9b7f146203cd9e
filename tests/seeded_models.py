"""Seeded models for tests of several rooms: a network's weights and statistics take seconds, and are made once."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from fullfield.model import seeded
from fullfield.model.spec import NetworkSpec

_network = functools.cache(seeded.seeded)


def make(path: Path, spec: NetworkSpec, *, seed: int, input_kind: str = "any") -> None:
    """See `fullfield.model.seeded.make`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seeded, "seeded", _network)
        seeded.make(path, spec, seed=seed, input_kind=input_kind)
