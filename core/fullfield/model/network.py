"""The network: one channel in, one out, as a chain of named stages. Most are segmentation_models_pytorch's U-Net:

    input ─ stem ─ layer1 ─ layer2 ─ layer3 ─ layer4 ─ d1 ─ d2 ─ d3 ─ d4 ─ d5 ─ head ─ output in 0…1
              └──────┴────────┴────────┴──────── skips to d4, d3, d2, d1

It knows nothing of devices, ranks, precision or memory. Its forward is one loop over its stages, so that a stage can
be cut off, checkpointed, streamed or sharded from outside. Numerically it is smp's own forward. Sides are multiples of
32 (`GRID`); whoever calls it pads. What the stem and the layers are made of is the encoder's (`encoders`), which stages
a network of another kind has is its family's (`families`).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import Any, cast

from torch import Tensor, nn

from fullfield.model.blocks import Block
from fullfield.model.card import GRID
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.modules import Decode, Head, Layer, Stem
from fullfield.model.spec import NetworkSpec, named
from fullfield.model.stages import DECODERS, HEAD, INPUT, OUTPUT, STAGES

__all__ = [
    "GRID",
    "STAGES",
    "Decode",
    "Head",
    "Layer",
    "Network",
    "NetworkSpec",
    "Stem",
    "build",
    "from_smp",
    "to_smp",
]


class Network(nn.Module):
    """The stages by name, and the loop over them. `x`: float (N, 1, H, W) in 0…1, H and W multiples of 32."""

    def __init__(self, spec: NetworkSpec, stages: Mapping[str, nn.Module]) -> None:
        super().__init__()
        self.spec = spec
        self.takes = spec.of.stages
        self.stages = nn.ModuleDict({name: stages[name] for name in self.takes})

    def forward(self, x: Tensor) -> Tensor:
        """(N, 1, H, W) in 0…1, fp32."""
        maps = {INPUT: x}
        for position, (name, stage) in enumerate(self.stages.items()):
            maps[name] = stage(*(maps[taken] for taken in self.takes[name]))
            for spent in set(maps) - {name} - self._taken_after(position):
                del maps[spent]  # so that inference holds no map longer than it is needed
        return maps[OUTPUT]

    def _taken_after(self, position: int) -> set[str]:
        later: Iterable[tuple[str, ...]] = list(self.takes.values())[position + 1 :]
        return {name for taken in later for name in taken}

    def blocks(self, name: str) -> tuple[Block, ...]:
        """What the stem or a layer consists of, behind its pooling."""
        return ENCODERS[self.spec.encoder].blocks(self.stages[name])

    def channels(self, name: str) -> int:
        """Of the image, or of a stage's map."""
        if name == INPUT:
            return 1
        if name in DECODERS:
            return int(cast(Any, self.stages[name]).conv2[0].out_channels)
        return 1 if name == HEAD else self.blocks(name)[-1].channels


def build(spec: NetworkSpec) -> Network:
    """The network with torch's (and smp's) random initialisation: seed torch first, or fill it from a file.

    Under `torch.device("meta")` it takes no memory.
    """
    made: Network = importlib.import_module(spec.of.module).build(spec)
    return made


def to_smp(state: Mapping[str, Tensor], network: str) -> dict[str, Tensor]:
    """Our state dictionary of the network of that name as files have it; a U-Net's under smp's names, so that
    `smp.Unet(...).load_state_dict` takes it."""
    prefixes = _tensor_names(network)
    return {_renamed(name.removeprefix("stages."), prefixes): value for name, value in state.items()}


def from_smp(state: Mapping[str, Tensor], network: str) -> dict[str, Tensor]:
    """A file's state dictionary under our names; names that are none of the network's stay as they are."""
    back = {theirs: f"stages.{ours}" for ours, theirs in _tensor_names(network).items()}
    return {_renamed(name, back): value for name, value in state.items()}


def _tensor_names(network: str) -> Mapping[str, str]:
    spec = named(network)
    return spec.of.tensor_names(spec.encoder)


def _renamed(name: str, prefixes: Mapping[str, str]) -> str:
    for prefix, other in prefixes.items():
        if name.startswith(prefix):
            return other + name[len(prefix) :]
    return name
