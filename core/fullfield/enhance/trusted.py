"""Every result of a network is judged before anybody sees it; see `fullfield.image.trust` for the bound."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fullfield.enhance.enhancer import Enhancer
from fullfield.errors import ModelError
from fullfield.image import normalise, trust
from fullfield.image.bounds import Agreement, Bounds
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced, HighValues, Image
from fullfield.image.normalise import Unit
from fullfield.image.trust import Part
from fullfield.model.card import Card


class Network(Enhancer, Protocol):
    """A model that enhances, here or elsewhere: `NetworkEnhancer` is one."""

    @property
    def card(self) -> Card:
        """What the model says of itself."""

    def input_table(self, image: Image) -> Unit:
        """See `normalise.input_table`."""


class Trusted:
    """An `Enhancer` that gives a network's results where they can be those of their images.

    `force`: gives the others too, with a warning.
    """

    def __init__(self, network: Network, *, force: bool) -> None:
        self.recipe = network.recipe
        self._network, self._force = network, force
        self._bounds = Bounds.from_json(network.card.bounds)

    def enhance(self, decoded: Decoded) -> Enhanced:
        """See `Enhancer`. Raises ModelError where the result is not trustworthy and not forced."""
        enhanced = self._network.enhance(decoded)
        found = judged(decoded.image, enhanced, self._network)
        reasons = ", and ".join(self._bounds.objections(found))
        if not reasons:
            return enhanced
        text = f"This result is not trustworthy: {reasons}."
        if self._force:
            return replace(enhanced, warnings=(*enhanced.warnings, text))
        raise ModelError(
            text,
            detail=f"The model {self.recipe.name} does not work on this image.",
            hint="Use a preset or another model. With --force-result it is kept all the same.",
        )


def judged(image: Image, enhanced: Enhanced, network: Network) -> Agreement:
    """What the network made of an image, beside what it was given."""
    table = network.input_table(image)

    def source(rows: slice, columns: slice) -> NDArray[np.float32]:
        pixels = image.pixels[rows, columns]
        values = table[pixels]
        padding = normalise.is_padding(image, pixels)
        return values if padding is None else np.where(padding, np.float32(np.nan), values)

    return trust.agreement(source, _output(enhanced, image), (image.pixels.shape[0], image.pixels.shape[1]))


def _output(enhanced: Enhanced, image: Image) -> Part:
    """The network's own output again: bone is bright, whatever the file's rendering."""
    top = np.float32((1 << enhanced.bits) - 1)

    def part(rows: slice, columns: slice) -> NDArray[np.float32]:
        values = enhanced.pixels[rows, columns].astype(np.float32) / top
        return 1 - values if image.beam is HighValues.BRIGHT else values

    return part
