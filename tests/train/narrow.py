"""The network with an eighth of its channels: all of its stages and names, in a hundredth of the time."""

from __future__ import annotations

import torch
from torch import nn

from fullfield.model.network import Network, NetworkSpec, build

BY = 8


def network(seed: int = 7) -> Network:
    """In fp64, with BatchNorm weights that matter."""
    torch.manual_seed(seed)
    whole = build(NetworkSpec(encoder="resnet18")).double().train()
    for module in whole.modules():
        if isinstance(module, nn.Conv2d):
            out, into = max(1, module.out_channels // BY), max(1, module.in_channels // BY)
            module.out_channels, module.in_channels = out, into
            module.weight = nn.Parameter(module.weight.detach()[:out, :into].clone())
        elif isinstance(module, nn.BatchNorm2d):
            module.num_features //= BY
            for name in ("weight", "bias"):
                setattr(module, name, nn.Parameter(torch.empty(module.num_features, dtype=torch.float64)))
            for name in ("running_mean", "running_var"):
                setattr(module, name, getattr(module, name)[: module.num_features].clone())
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.uniform_(module.bias, -0.3, 0.3)
    return whole
