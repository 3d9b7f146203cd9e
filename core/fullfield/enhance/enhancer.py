"""What enhances: one small interface, and the conventional presets behind it. Imports no torch."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Protocol

from fullfield import __version__, system
from fullfield.errors import OutOfMemory
from fullfield.image import multiscale, presets
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced, Image, Recipe
from fullfield.image.preset import Preset
from fullfield.image.presets import AUTO

MOST_AT_ONCE = 4
Compute = Callable[[Image, Preset], Enhanced]
"""An image enhanced by a preset: on this computer (`here`) or on another machine."""


def here(image: Image, preset: Preset) -> Enhanced:
    """See `multiscale.enhance`."""
    return multiscale.enhance(image, preset)


def presets_at_once() -> int:
    """How many images are best enhanced at once by presets on this computer."""
    return min(MOST_AT_ONCE, system.spare_cores())


class Enhancer(Protocol):
    """A method with all its settings. Several threads may use one."""

    @property
    def recipe(self) -> Recipe:
        """Names the method exactly: two enhancers of one recipe give equal pixels."""

    def enhance(self, decoded: Decoded) -> Enhanced:
        """The image enhanced, of the same matrix, in max(12, its own) bits.

        Raises InputRefused where the method is not made for this kind of image, OutOfMemory.
        """


def open_preset(name: str, compute: Compute = here) -> Enhancer:
    """A preset by name or TOML file; "auto" chooses for each image by body part, species, modality and kind.

    Raises UsageError for a preset that is not there or not valid.
    """
    return _Auto(compute) if name == AUTO else _Fixed(presets.load(name), compute)


class _Fixed:
    """One preset for every image."""

    def __init__(self, preset: Preset, compute: Compute) -> None:
        self._preset, self._compute = preset, compute
        self.recipe = multiscale.recipe(preset)

    def enhance(self, decoded: Decoded) -> Enhanced:
        """See `Enhancer`."""
        return by_preset(decoded, self._preset, self._compute)


class _Auto:
    """The preset that fits each image; the result's recipe names the one that was chosen.

    Its own recipe stands for all presets together: when one of them changes, so does it.
    """

    def __init__(self, compute: Compute) -> None:
        self._compute = compute
        hashes = sorted(preset.sha256() for preset in (*map(presets.load, presets.names()), *presets.own()))
        self.recipe = Recipe(
            method="preset",
            name=AUTO,
            version=__version__,
            sha256=hashlib.sha256(" ".join(hashes).encode()).hexdigest(),
        )

    def enhance(self, decoded: Decoded) -> Enhanced:
        """See `Enhancer`."""
        preset = presets.choose(**decoded.header.subject, kind=decoded.image.kind)
        return by_preset(decoded, preset, self._compute)


def by_preset(decoded: Decoded, preset: Preset, compute: Compute = here) -> Enhanced:
    """The image enhanced by a preset. Raises InputRefused where that is not made for such an image, OutOfMemory."""
    image = decoded.image
    presets.require(preset, kind=image.kind, **decoded.header.subject, why=image.kind_reason)
    try:
        return compute(image, preset)
    except MemoryError as error:
        raise OutOfMemory(
            f"Cannot enhance the image with the preset {preset.name}.",
            detail="Memory ran out.",
            hint="Close other programs, or run fewer images at once (--jobs 1).",
        ) from error
