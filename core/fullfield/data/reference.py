"""Where a single image's reference comes from: the conventional processor with a preset, or the image itself."""

from __future__ import annotations

from dataclasses import replace

from fullfield.data import planes, review
from fullfield.data.pairs import PAIRS
from fullfield.data.prepared import Unit
from fullfield.image import multiscale, normalise, presets
from fullfield.image.header import Header
from fullfield.image.image import Image
from fullfield.image.preset import PARAMETERS, Preset
from fullfield.image.presets import AUTO

IMAGE = "image"


class Reference:
    """Makes references. `name`: "auto" (the preset that fits each image), "image", or a preset's name or file.

    Raises UsageError for a preset that is not there or is not for processed images.
    """

    def __init__(self, name: str) -> None:
        self._preset = None if name in (AUTO, PAIRS, IMAGE) else presets.load(name)
        self.processes = name != IMAGE

    @property
    def identity(self) -> str:
        """What the result depends on."""
        if self._preset is not None:
            return self._preset.sha256()
        every = (*map(presets.load, presets.names()), *presets.own())
        return "|".join(preset.sha256() for preset in every) if self.processes else IMAGE

    def make(self, image: Image, header: Header) -> tuple[Unit, str]:
        """The reference of `image`, float32 in 0…1, and who made it, in words."""
        if not self.processes:
            return planes.stretched(image), "the images themselves"
        return processed(image, self.preset(image, header))

    def preset(self, image: Image, header: Header) -> Preset:
        """The preset that `make` takes for an image."""
        return self._preset or fitting(image, header)


def processed(image: Image, preset: Preset, strength: float = review.PLAIN) -> tuple[Unit, str]:
    """The conventional processor's reference, and who made it, in words."""
    how = f" at {strength:.0%} of its strength" if strength != review.PLAIN else ""
    made_by = f"the conventional processor, preset {preset.name} {preset.version}{how}"
    return enhanced(image, strengthened(preset, strength)), made_by


def strengthened(preset: Preset, strength: float) -> Preset:
    """`preset` with `strength` times its gains of detail and edges and its evening of coarse levels, as far as its
    parameters may go: 0 changes little but the gradation."""
    limits = {parameter.attribute: parameter for parameter in PARAMETERS}

    def within(name: str, value: float) -> float:
        return min(max(value, limits[name].low), limits[name].high)

    def even(name: str, factor: float) -> float:
        return within(name, 1 - (1 - factor) * strength)

    if strength == review.PLAIN:
        return preset
    return replace(
        preset,
        detail_gain=within("detail_gain", preset.detail_gain * strength),
        edges_gains=tuple(within("edges_gains", gain * strength) for gain in preset.edges_gains),
        latitude_gains=tuple(even("latitude_gains", factor) for factor in preset.latitude_gains),
        latitude_residual=even("latitude_residual", preset.latitude_residual),
    )


def fitting(image: Image, header: Header) -> Preset:
    """The preset that fits an image."""
    return presets.choose(**header.subject, kind=image.kind)


def enhanced(image: Image, preset: Preset) -> Unit:
    """The conventional processor's output in 0…1, bone bright, and padding black. Raises InputRefused: the preset is
    for another kind."""
    result = multiscale.enhance(image, preset)
    return planes.padding_black(normalise.to_target(replace(image, pixels=result.pixels, bits=result.bits)), image)
