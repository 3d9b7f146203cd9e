"""Phantoms that tests share: the first process of a run that exposes one leaves it in a folder to all others."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from fullfield.image.phantom import PhantomKind
from fullfield.image.phantoms.shapes import Plane

Expose = Callable[[PhantomKind, int, int], tuple[Plane, float]]


def once(expose: Expose, folder: Path) -> Expose:
    """What exposes a phantom that is not in `folder`, and leaves it there; each call has an array of its own."""

    def exposed(kind: PhantomKind, longer: int, seed: int) -> tuple[Plane, float]:
        kept = folder / f"{kind}-{longer}-{seed}.npz"
        if not kept.exists():
            signal, pixel = expose(kind, longer, seed)
            new = folder / f"{kept.stem}-{os.getpid()}.new.npz"
            np.savez(new, signal=signal, pixel=pixel)
            new.replace(kept)
            return signal, pixel
        with np.load(kept) as file:
            return file["signal"], float(file["pixel"])

    return exposed


__all__ = ["Expose", "once"]
