"""How far the border of a tile is felt inside it, measured for given weights.

A tile sees zeros where the image goes on. The fault that this makes fades with the distance to the tile's border; the
halo is the distance from which on it is below `TOLERANCE`, and one step of the grid more. In theory it ends at the
receptive field (`FULL_HALO`); trained weights forget sooner, seeded ones later, so it is measured for each model and
kept in its card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from fullfield.model.card import FULL_HALO, GRID
from fullfield.model.network import Network
from fullfield.model.phantom import phantom

TOLERANCE = 1e-4  # of the output's 0…1: a tenth of what is promised, for a tile has four borders and images differ
_WHOLE, _PART = 1088, 704  # pixels; the whole goes on for 384 beyond the part
_SEEDS = (11, 12)

Unit = NDArray[np.float32]
Forward = Callable[[Tensor], Tensor]


def calibrate(network: Network, images: Iterable[Unit] | None = None, *, forward: Forward | None = None) -> int:
    """The halo in pixels, a multiple of 32, for these weights on the CPU or wherever they lie.

    `images`: inputs in 0…1 to measure on, at least 1,088 pixels a side (the rest is not used); phantoms by default.
    `forward`: another way to compute what `network` does, such as one in less memory.
    About six seconds an image on one core. Never more than the whole receptive field.
    """
    samples = images if images is not None else (phantom(_WHOLE, _WHOLE, seed=seed) for seed in _SEEDS)
    parts = (np.ascontiguousarray(image[:_WHOLE, :_WHOLE]) for image in samples)
    faults = [fault_by_distance(network, image, forward=forward) for image in parts]
    worst = np.max(faults, axis=0)
    full = FULL_HALO[network.spec.encoder]
    reach = next((distance for distance in range(GRID, full, GRID) if worst[distance:].max() <= TOLERANCE), full)
    return min(reach + GRID, full)


def fault_by_distance(network: Network, image: Unit, *, forward: Forward | None = None) -> Unit:
    """The largest fault among the pixels that lie `i` pixels inside a false border, for each `i` from 0.

    The false borders are the lower and the right one of the part of 704 × 704 pixels in the upper left corner.
    """
    device, forward = next(network.parameters()).device, forward or network
    was_training = network.training
    network.eval()
    try:
        with torch.inference_mode():
            whole = torch.from_numpy(image)[None, None].to(device)
            wanted = forward(whole)[0, 0, :_PART, :_PART]
            fault = (forward(whole[:, :, :_PART, :_PART])[0, 0] - wanted).abs().cpu().numpy()
    finally:
        network.train(was_training)
    inside = np.minimum(np.arange(_PART)[::-1, None], np.arange(_PART)[None, ::-1])
    worst = np.zeros(_PART, np.float32)
    np.maximum.at(worst, inside.ravel(), fault.ravel())
    return worst
