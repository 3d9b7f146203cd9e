"""The network with a part of its channels: all of its stages and names, in a small part of the time."""

from __future__ import annotations

import contextlib
import copy
import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensor

import warm
from fullfield.memory import trace
from fullfield.model import unet
from fullfield.model.network import Network, NetworkSpec, build
from fullfield.techniques import costing

_whole, _kernels, _on_meta = unet.build, costing._kernels, trace._on_meta


def network(encoder: str = "resnet18", *, by: int = 8, seed: int = 7) -> Network:
    """In fp64, with BatchNorm weights and running statistics that are not the neutral ones. `by`: of so many channels
    one is left."""
    torch.manual_seed(seed)
    whole = build(NetworkSpec(encoder=encoder)).double().train()
    thin(whole, by)
    liven(whole)
    return whole


@contextlib.contextmanager
def everywhere(by: int = 4) -> Iterator[None]:
    """Within it, whatever builds a U-Net in this process gets one of which one of `by` channels is left; also within
    another one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unet, "build", _narrowed(by))
        patch.setattr(costing, "_kernels", _costs(by))
        patch.setattr(trace, "_on_meta", functools.cache(_on_meta.__wrapped__))
        yield


def as_processes() -> contextlib.AbstractContextManager[None]:
    """Within it, a U-Net is here as it is in the processes that a test begins."""
    return everywhere(int(os.environ.get(warm.NARROW, "1")))


def begin() -> None:
    """Have `everywhere` hold to the end of a process that was forked where `warm.narrow` holds."""
    if warm.NARROW in os.environ and unet.build is _whole:
        by = int(os.environ[warm.NARROW])
        unet.build, costing._kernels = _narrowed(by), _costs(by)


def _costs(by: int) -> Callable[[str], str]:
    """What is kept of its parts lies in a file of its own: it is of no use to the whole network."""
    return lambda device: f"{_kernels(device)}-1-of-{by}"


def _narrowed(by: int) -> Callable[[NetworkSpec], Network]:
    def narrowed(spec: NetworkSpec) -> Network:
        like = torch.empty(())
        if isinstance(like, FakeTensor):
            made = _whole(spec)
            thin(made, by)
            return made
        made = copy.deepcopy(_part(spec, by))
        if not like.is_meta:
            made.to_empty(device=like.device)
            for module in made.modules():
                if isinstance(module, nn.Conv2d | nn.BatchNorm2d):
                    module.reset_parameters()
        return made

    return narrowed


@functools.cache
def _part(spec: NetworkSpec, by: int) -> Network:
    """Made once, and without values, of which none need be drawn: to copy it takes less than to make it."""
    with torch.random.fork_rng(devices=[]), torch.device("meta"):
        made = _whole(spec)
        thin(made, by)
        return made.to("meta")  # smp makes the first convolution on the CPU


def networks(by: int = 4) -> Any:
    """A fixture that has `everywhere` hold for all tests of the file in which it is, and for what they share."""

    @pytest.fixture(scope="module", autouse=True)
    def narrowed() -> Iterator[None]:
        with everywhere(by):
            yield

    return narrowed


def thin(whole: nn.Module, by: int) -> None:
    """Leave one of `by` channels of every map."""
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
            for name in ("weight", "bias", "running_mean", "running_var"):
                value = getattr(module, name)
                left = value.detach()[: module.num_features].clone()
                setattr(module, name, nn.Parameter(left) if isinstance(value, nn.Parameter) else left)


def liven(module: nn.Module) -> None:
    """Give BatchNorm weights and running statistics that are not the neutral ones."""
    for part in module.modules():
        if isinstance(part, nn.BatchNorm2d):
            nn.init.uniform_(part.weight, 0.5, 1.5)
            nn.init.uniform_(part.bias, -0.3, 0.3)
            assert part.running_mean is not None and part.running_var is not None
            nn.init.uniform_(part.running_mean, -0.2, 0.2)
            nn.init.uniform_(part.running_var, 0.5, 1.5)
