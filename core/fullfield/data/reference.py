"""Where a single image's reference comes from: the conventional processor with a preset, or the image itself."""

from __future__ import annotations

from dataclasses import replace

from fullfield.data.pairs import AUTO, PAIRS
from fullfield.data.prepared import Unit
from fullfield.dicom.header import Header
from fullfield.image import multiscale, normalise, presets
from fullfield.image.image import Image
from fullfield.image.preset import Preset

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
        return "|".join(presets.load(name).sha256() for name in presets.names()) if self.processes else IMAGE

    def make(self, image: Image, header: Header) -> tuple[Unit, str]:
        """The reference of `image`, float32 in 0…1, and who made it, in words."""
        if not self.processes:
            return normalise.to_target(image), "the images themselves"
        preset = self._preset or fitting(image, header)
        return enhanced(image, preset), f"the conventional processor, preset {preset.name} {preset.version}"


def fitting(image: Image, header: Header) -> Preset:
    """The preset that fits an image."""
    return presets.choose(
        body_part=header.body_part, species=header.patient.species, kind=image.kind, modality=header.modality
    )


def enhanced(image: Image, preset: Preset) -> Unit:
    """The conventional processor's output in 0…1, bone bright. Raises InputRefused: the preset is for another kind."""
    result = multiscale.enhance(image, preset)
    return normalise.to_target(replace(image, pixels=result.pixels, bits=result.bits))
