"""The network with a part of its channels: all of its stages and names, in a small part of the time."""

from __future__ import annotations

import torch
from torch import nn

from fullfield.model.network import Network, NetworkSpec, build


def network(encoder: str = "resnet18", *, by: int = 8, seed: int = 7) -> Network:
    """In fp64, with BatchNorm weights and running statistics that are not the neutral ones. `by`: of so many channels
    one is left."""
    torch.manual_seed(seed)
    whole = build(NetworkSpec(encoder=encoder)).double().train()
    for module in whole.modules():
        if isinstance(module, nn.Conv2d):
            out, into = max(1, module.out_channels // by), max(1, module.in_channels // by)
            groups = module.groups if module.groups == 1 else into
            module.out_channels, module.in_channels, module.groups = out, into, groups
            module.weight = nn.Parameter(module.weight.detach()[:out, : into // groups].clone())
            if module.bias is not None:
                module.bias = nn.Parameter(module.bias.detach()[:out].clone())
        elif isinstance(module, nn.BatchNorm2d):
            module.num_features //= by
            for name in ("weight", "bias"):
                setattr(module, name, nn.Parameter(torch.empty(module.num_features, dtype=torch.float64)))
            for name in ("running_mean", "running_var"):
                setattr(module, name, getattr(module, name)[: module.num_features].clone())
    liven(whole)
    return whole


def liven(module: nn.Module) -> None:
    """Give BatchNorm weights and running statistics that are not the neutral ones."""
    for part in module.modules():
        if isinstance(part, nn.BatchNorm2d):
            nn.init.uniform_(part.weight, 0.5, 1.5)
            nn.init.uniform_(part.bias, -0.3, 0.3)
            assert part.running_mean is not None and part.running_var is not None
            nn.init.uniform_(part.running_mean, -0.2, 0.2)
            nn.init.uniform_(part.running_var, 0.5, 1.5)
