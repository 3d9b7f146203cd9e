"""An ensemble that enhances: every member makes its own result, one after another, and the picture is their mean.

    z       the mean over the members of the logit of their results in 0…1; the picture is σ(z)
    sd      the standard deviation of the results themselves, in units of white, over the members (÷ N)

Both families of networks end in a logistic function, and the form of the map network is linear before it: the mean of
logits is again a picture whose bands are the image's own times gains ≥ 0, the members' mean gains. The mean of the
results would not be, and what the guards hold at zero would not stay there. A mean of logits lies between its members.
Where all members say what they did, the picture is made of the means of that: a result's last values, black and white,
do not tell how far beyond them its logit was.

Where all members are wrong alike they agree: the deviation is no measure of truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.enhance import tiles
from fullfield.enhance.backends.opencv import OpenCvBackend
from fullfield.enhance.elsewhere import Network
from fullfield.enhance.network import Notice, enhance_in, open_model
from fullfield.image import normalise
from fullfield.image.cache import Decoded
from fullfield.image.declared import Declared, mean
from fullfield.image.image import Enhanced, Image, Pixels
from fullfield.image.marks import DISAGREED, MARKS_CELL, Disagreement
from fullfield.image.normalise import Unit
from fullfield.model import card as cards
from fullfield.model import registry

_STRIP = 16 * MARKS_CELL  # rows
_END = 0.25  # of a value: as far from black and white as the logit of the last values is taken
_STEPS = 10_000  # of white: how finely the percentile is told
_PERCENTILE = 0.99


def open_any(path: Path, open_one: Callable[[int | None], Network]) -> Network:
    """The model in a file: by `open_one`, which is given the number of a member, or None where it is no ensemble."""
    count = len(cards.read(path).members)
    if not count:
        return open_one(None)
    registry.inspect(path)
    return Ensemble(path, tuple(open_one(member) for member in range(count)))


def open_here(path: Path, *, device: str, notice: Notice) -> Network:
    """The model in a file, on this computer; see `open_model`."""
    return open_any(path, lambda member: open_model(path, device=device, notice=notice, member=member))


class Ensemble:
    """See the module. The members' weights are in memory together; what they compute with is so one after another."""

    def __init__(self, path: Path, members: Sequence[Network]) -> None:
        self.card = cards.read(path)
        self._members = members
        self.recipe = replace(
            members[0].recipe,
            name=self.card.name,
            sha256=cards.sha256(path),
            parameters=_said(members[0].recipe.parameters, len(members)),
        )

    @property
    def at_once(self) -> int:
        """See `Network`."""
        return self._members[0].at_once

    def enhance(self, decoded: Decoded) -> Enhanced:
        """See `Enhancer`. Takes as long as all members together."""
        results = [member.enhance(decoded) for member in self._members]
        first, image, each = results[0], decoded.image, [one.pixels for one in results]
        recipe = replace(self.recipe, parameters=_said(first.recipe.parameters, len(results)))
        said = [one.declared for one in results if one.declared is not None]
        declared = mean(said) if len(said) == len(results) else None
        pixels = averaged(image, each, first.bits) if declared is None else _made_of(declared, image, first)
        return replace(
            first,
            pixels=pixels,
            recipe=recipe,
            declared=declared,
            disagreement=disagreement(image, each, first.bits),
        )


def _made_of(declared: Declared, image: Image, first: Enhanced) -> Pixels:
    """The picture of what is declared, by the network's own application. `first`: a member's result."""
    assert first.seen is not None
    whole = tiles.by_core(*declared.shape, core=max(declared.shape), halo=0)
    pixels, _ = enhance_in(whole, [OpenCvBackend(declared)], image, first.seen)
    return pixels


def averaged(image: Image, results: Sequence[Pixels], bits: int) -> Pixels:
    """The mean of the members' results, in the logit. `image`: what they were made from."""
    top, count = (1 << bits) - 1, np.float32(len(results))
    shares = np.clip(np.arange(1 << 16, dtype=np.float32), _END, top - _END) / np.float32(top)
    logits = np.log(shares / (1 - shares))
    made = np.empty(results[0].shape, np.uint16)
    for low in range(0, len(made), _STRIP):
        strip = slice(low, low + _STRIP)
        parts = [cv2.LUT(np.ascontiguousarray(one[strip]), logits) for one in results]
        z = sum(parts[1:], parts[0]) / count
        made[strip] = np.rint(np.float32(top) / (1 + np.exp(-z)))
        hole = normalise.is_padding(image, image.pixels[strip])
        if hole is not None:
            made[strip][hole] = 0
    return made


def disagreement(image: Image, results: Sequence[Pixels], bits: int) -> Disagreement:
    """How much the members' results disagree; padding is left out of the percentile."""
    values = np.arange(1 << 16, dtype=np.float32) / np.float32((1 << bits) - 1)
    cells, seen = [], np.zeros(_STEPS + 1, np.int64)
    for low in range(0, len(results[0]), _STRIP):
        strip = slice(low, low + _STRIP)
        hole = normalise.is_padding(image, image.pixels[strip])
        variance = _variance([cv2.LUT(np.ascontiguousarray(one[strip]), values) for one in results])
        cells.append(_cells(variance))
        reported = np.rint(np.sqrt(variance if hole is None else variance[~hole]) * _STEPS)
        seen += np.bincount(reported.astype(np.int64).ravel(), minlength=_STEPS + 1)
    below = np.cumsum(seen)
    p99 = int(np.searchsorted(below, _PERCENTILE * below[-1])) / _STEPS
    return Disagreement(cells=np.concatenate(cells), p99=p99)


def _variance(parts: Sequence[Unit]) -> Unit:
    """Over the members, at every pixel: about the mean, for squares of float32 lose what is small."""
    mean = sum(parts[1:], parts[0]) / np.float32(len(parts))
    squares = [np.square(part - mean) for part in parts]
    return np.asarray(sum(squares[1:], squares[0]) / np.float32(len(parts)), np.float32)


def _cells(variance: Unit) -> NDArray[np.uint8]:
    rows, columns = (-(-side // MARKS_CELL) for side in variance.shape)
    down, right = rows * MARKS_CELL - variance.shape[0], columns * MARKS_CELL - variance.shape[1]
    wide = cv2.copyMakeBorder(variance, 0, down, 0, right, cv2.BORDER_REPLICATE)
    roots = np.sqrt(cv2.resize(wide, (columns, rows), interpolation=cv2.INTER_AREA))
    return np.asarray(np.minimum(np.rint(roots * (255 / DISAGREED)), 255), np.uint8)


def _said(parameters: str, count: int) -> str:
    return f"{parameters}, mean of {count} networks"


__all__ = ["Ensemble", "averaged", "disagreement", "open_any", "open_here"]
