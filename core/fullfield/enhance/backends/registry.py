"""The engines of inference. A new one is its function `open_backend` in a file beside this, and a line here."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from fullfield import parts
from fullfield.enhance.backends.base import OpenBackend
from fullfield.interpreter import uncollected
from fullfield.model.families.gain_map import GainMap
from fullfield.model.families.unet import Unet


@dataclass(frozen=True, kw_only=True)
class Engine:
    """`module`: has the function `open_backend`. `families`: of the networks that it computes. `needs`: the packages
    without which it cannot be used."""

    module: str
    families: tuple[str, ...]
    needs: tuple[str, ...] = ()

    def load(self) -> OpenBackend:
        """Its function; the module is imported only now."""
        with uncollected(stays=True):
            open_backend: OpenBackend = importlib.import_module(self.module).open_backend
        return open_backend


ENGINES: tuple[Engine, ...] = (
    Engine(module="fullfield.enhance.backends.opencv", families=(GainMap.name,)),
    Engine(module="fullfield.enhance.backends.pytorch", families=(Unet.name,), needs=parts.NETWORK),
)
"""Of a family the first that is installed is used; what is told where none is, is what the last one needs."""


def find(family: str) -> Engine:
    """The engine of this installation for networks of a family. Raises MissingPart."""
    *first, last = (engine for engine in ENGINES if family in engine.families)
    for engine in first:
        if not parts.absent(*engine.needs):
            return engine
    parts.require(*last.needs)
    return last
