"""Convolutions of all rows that a rank has, of any stride: at once where it is alone, else in bands padded by hand."""

from __future__ import annotations

import torch
from torch import Tensor

from fullfield.bands import halo, handmade
from fullfield.bands.halo import Divided
from fullfield.bands.normed import Normed
from fullfield.bands.spans import hull
from fullfield.distribution.share import Span

ROWS = 64  # in a band


def pull(x: Divided, *steps: Normed) -> Divided:
    """`x` with the rows of others that the convolutions `steps`, whose outputs are equally high, read of it."""

    def read(lo: int, hi: int) -> Span:
        found = None
        for step in steps:
            found = hull(found, step.window.sees((lo, hi)))
        assert found is not None
        return found

    return x.pull(read, of=steps[0].window.height(x.height))


def convolved(step: Normed, x: Divided) -> Divided:
    """z. `x`: with the rows of others that are read, see `pull`."""
    window, team = step.window, x.team
    height = window.height(x.height)
    if team.size == 1:
        return Divided(step.convolve(x.map), height, team)
    first, last = team.own(height)
    z = halo.like(x.map, step.weight.shape[0], last - first, window.height(x.map.shape[3]), step.dtype)
    made = Divided(z, height, team)
    for first, last in halo.bands(made.own, ROWS):
        near = x.padded(*window.sees((first, last)))
        made.mine(first, last).copy_(step.convolve(near, padding=(0, window.padding)))
    return made


def learn(step: Normed, g: Divided, x: Divided) -> None:
    """As `Normed.learn`. `x`: as `convolved` takes it."""
    if x.team.size == 1:
        step.learn(g.map, x.map)
        return
    for first, last in halo.bands(g.own, ROWS):
        near = x.padded(*step.window.sees((first, last)))
        step.learn(g.mine(first, last).contiguous(), near, padding=(0, step.window.padding))


def input_gradient(step: Normed, g: Divided, x: Divided) -> Tensor:
    """As `Normed.input_gradient`, after pulling what is read of `g`."""
    window = step.window
    g.pull(lambda lo, hi: window.reach((lo, hi), g.height), of=x.height)
    if x.team.size == 1:
        return step.input_gradient(g.map, x.map)
    found = x.alike(torch.empty_like(x.map))
    for first, last in halo.bands(x.own, ROWS, grain=window.stride):
        above = window.reach((first, last), g.height)
        seen = window.sees(above)
        like = x.map[:, :, :1].expand(-1, -1, seen[1] - seen[0], -1)
        new = handmade.input_gradient(
            g.rows(*above), step.weight, like, stride=step.stride, padding=(0, window.padding)
        )
        found.mine(first, last).copy_(halo.fitted(new, seen, (first, last)))
    return found.map
