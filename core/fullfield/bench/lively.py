"""A network and images that tell exact gradients from others, in fp64, and how far two sets of them are apart.

MS-SSIM of an untrained network can be 0 to the last bit: its gradients are 0 then, and all techniques exact. Here
BatchNorm's weights are drawn, and references are close to the images. Those have 16 bits, as what trainings store.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from fullfield.errors import UsageError
from fullfield.kernels.stored import LEVELS
from fullfield.memory.account import Shape
from fullfield.model import network as networks
from fullfield.model.card import NetworkSpec
from fullfield.model.network import Network


def given(shape: Shape) -> tuple[Network, Tensor, Tensor]:
    """The network, images and their references; the same every time."""
    torch.manual_seed(0)
    network = networks.build(NetworkSpec(encoder=shape.encoder)).double().train()
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.uniform_(module.bias, -0.3, 0.3)
    x_NCHW = torch.rand(shape.batch, 1, shape.height, shape.width, dtype=torch.float64)
    y_NCHW = 0.7 * x_NCHW + 0.1 * torch.rand_like(x_NCHW) + 0.1
    return network, _in_levels(x_NCHW), _in_levels(y_NCHW)


def _in_levels(images: Tensor) -> Tensor:
    """Values that are the same where images are stored in 16 bits."""
    return images.mul(LEVELS - 1).round_().div_(LEVELS - 1)


def worst(found: Mapping[str, Tensor], wanted: Mapping[str, Tensor]) -> float:
    """The maximum over tensors of ‖found − wanted‖₂/‖wanted‖₂. Raises UsageError where they are not the same ones."""
    if found.keys() != wanted.keys():
        raise UsageError("A technique lost parameters.", detail=f"{sorted(set(wanted) ^ set(found))[:3]}")
    differences = [
        float((found[name].double() - value.double()).norm() / value.double().norm().clamp_min(1e-300))
        for name, value in wanted.items()
    ]
    return max((value if math.isfinite(value) else math.inf for value in differences), default=0.0)
