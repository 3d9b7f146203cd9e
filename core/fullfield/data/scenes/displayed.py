"""Scenes as an archive has them: a picture processed for display, from which a raw input is simulated.

What a real radiograph brings to training, a scene brings too, and nobody's licence: a good exposure without blades,
shown by a maker, is the picture; `data.acquire` makes a raw image of it, at doses far below any detector's usual; the
wanted output is what the general preset makes of the picture, or the one for mammograms of a mammogram.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from fullfield.data import acquire, reference
from fullfield.data.prepared import Unit
from fullfield.data.scenes import detector, latent, makers
from fullfield.data.scenes.latent import PARTS, Latent
from fullfield.image import presets
from fullfield.image.image import Image, InputKind

BY = "the general preset on scenes as a maker shows them"

_DOSE = (4.0, 40.0)  # µGy, of the exposure that is shown
_FINER = 0.75
_STREAM = 0xD15B1


def shown(scene: Latent, seed: int) -> Image:
    """The picture of a scene that was well exposed."""
    random = np.random.default_rng([_STREAM, seed])
    exposure = detector.draw(scene, seed, blades=False)
    kerma = math.exp(random.uniform(math.log(_DOSE[0]), math.log(_DOSE[1])))
    exposure = replace(exposure, kerma=kerma, saturation=math.inf, columns=(), border=0, grid=None)
    counted = detector.expose(scene, exposure, noise=seed)
    return makers.processed(counted, makers.draw(seed), scene.spacing_mm)


def raw_like(picture: Image, scene: Latent, seed: int) -> Image:
    """A raw image of the picture; three of four are of a detector that has finer pixels, up to the part's own: most of
    an archive's pictures, reduced, have little noise."""
    random = np.random.default_rng([_STREAM, seed, 1])
    finer = max(1.0, latent.native(scene.part, seed) / max(picture.pixels.shape))
    factor = finer ** random.uniform(0, 1) if random.random() < _FINER else 1.0
    key = f"{seed:016x}"
    exposure = acquire.reduced(acquire.draw(seed, key), factor)
    return acquire.simulate(picture, exposure, seed=seed, key=key)


def wanted(picture: Image, scene: Latent) -> Unit:
    """See the module."""
    part = PARTS[scene.part]
    general = presets.load(presets.GENERAL[InputKind.PROCESSED])
    breast = presets.choose(body_part=part.words, species="", kind=InputKind.PROCESSED, modality=part.modality)
    return reference.enhanced(picture, breast if part.modality == "MG" else general)


__all__ = ["BY", "raw_like", "shown", "wanted"]
