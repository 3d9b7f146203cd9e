"""The second of two 3×3 convolutions, in bands: what lies between the two, y1 = relu(bn1(z1)), never exists whole.

`one`, `two`: the convolutions with their BatchNorm; z1: the output of the first, which the second does not shrink. It
and its gradient come with the rows of others beside those that a rank has; what is made is the rank's own.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.bands import halo
from fullfield.bands.halo import Divided
from fullfield.bands.normed import Normed

Bands = Iterable[tuple[int, int]]


def convolved(one: Normed, two: Normed, z1: Divided, bands: Bands, *, over: bool = False) -> Divided:
    """z2, as a new map or written over z1."""
    z2 = z1 if over else z1.alike(torch.empty_like(z1.map))
    rolling = halo.Rolling(z1) if over else None
    for first, last in bands:
        near = z1.around(first, last) if rolling is None else rolling.around(first, last)
        y1 = halo.edged(one.normalise(near, relu=True), first, last, z1.height)
        z2.mine(first, last).copy_(two.convolve(y1, padding=halo.BESIDE))
    return z2


def rows(one: Normed, two: Normed, z1: Divided, first: int, last: int) -> Tensor:
    """z2 at rows [first, last)."""
    return two.convolve(_between(one, z1, first, last), padding=halo.BESIDE)


def back_(one: Normed, two: Normed, z1: Divided, g: Divided, bands: Bands) -> None:
    """`g` of z2 becomes that of y1, in place; the second convolution learns."""
    rolling, turned = halo.Rolling(g), halo.turned(two.weight)
    for first, last in bands:
        near = halo.edged(rolling.around(first, last), first, last, g.height)
        two.learn(near[:, :, 1:-1].contiguous(), _between(one, z1, first, last), padding=halo.BESIDE)
        g.mine(first, last).copy_(functional.conv2d(near, turned, padding=halo.BESIDE))


def _between(one: Normed, z1: Divided, first: int, last: int) -> Tensor:
    """y1 at rows [first − 1, last + 1), with zeros outside of the map."""
    return halo.edged(one.normalise(z1.around(first, last), relu=True), first, last, z1.height)
