"""The network's stages: their names, their roles, and what each takes; apart from `network`, to be read without torch.

    input ─ stem ─ layers ─ decoders ─ head

Every encoder has these stages, whatever they are made of (`fullfield.model.encoders`). Outside of this room nobody
writes a stage's name: who means a stage asks for its role. Names are what users type (`nested=layer1+layer2`), what
costs are kept by, and what state dictionaries hold, so they stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a stage does for the U-Net."""

    STEM = "stem"  # the encoder's first map, at half resolution
    RESIDUAL = "residual"  # a layer of the encoder: blocks of one resolution, the first of which halves it
    DECODE = "decode"  # a decoder block: twice the resolution, beside the map of the encoder that it is joined with
    HEAD = "head"  # the prediction


@dataclass(frozen=True, kw_only=True)
class Stage:
    """`takes`: names of the maps that it computes its own of; of a decoder block, the one below and the skip."""

    role: Role
    takes: tuple[str, ...]


INPUT = "input"
"""The image's name among maps."""

_ALL: Mapping[str, Stage] = {
    "stem": Stage(role=Role.STEM, takes=(INPUT,)),
    "layer1": Stage(role=Role.RESIDUAL, takes=("stem",)),
    "layer2": Stage(role=Role.RESIDUAL, takes=("layer1",)),
    "layer3": Stage(role=Role.RESIDUAL, takes=("layer2",)),
    "layer4": Stage(role=Role.RESIDUAL, takes=("layer3",)),
    "d1": Stage(role=Role.DECODE, takes=("layer4", "layer3")),
    "d2": Stage(role=Role.DECODE, takes=("d1", "layer2")),
    "d3": Stage(role=Role.DECODE, takes=("d2", "layer1")),
    "d4": Stage(role=Role.DECODE, takes=("d3", "stem")),
    "d5": Stage(role=Role.DECODE, takes=("d4",)),
    "head": Stage(role=Role.HEAD, takes=("d5",)),
}

STAGES: Mapping[str, tuple[str, ...]] = {name: stage.takes for name, stage in _ALL.items()}
"""Every stage in order, and the maps that it takes."""


def of(role: Role) -> tuple[str, ...]:
    """The stages of a role, in order."""
    return tuple(name for name, stage in _ALL.items() if stage.role is role)


def role(name: str) -> Role:
    """Of a stage. Raises KeyError."""
    return _ALL[name].role


(STEM,) = of(Role.STEM)
LAYERS = of(Role.RESIDUAL)
DECODERS = of(Role.DECODE)
(HEAD,) = of(Role.HEAD)
OUTPUT = HEAD
DEEP = tuple(name for name in DECODERS if STAGES[name][-1] in LAYERS)
"""The decoder blocks that are joined with layers."""
(HALF,) = (name for name in DECODERS if STAGES[name][-1] == STEM)
"""The decoder block that is joined with the stem, and makes a map of half the image's resolution."""
(FULL,) = (name for name in DECODERS if len(STAGES[name]) == 1)
"""The decoder block that is joined with nothing, and makes a map of the image's resolution."""
STRIDES: dict[str, int] = {INPUT: 1}
"""Rows of the image for each row of a map, by the map."""
for _name, _stage in _ALL.items():
    _below = STRIDES[_stage.takes[0]]
    STRIDES[_name] = {Role.DECODE: _below // 2, Role.HEAD: _below}.get(_stage.role, 2 * _below)
POOL = f"{LAYERS[0]}.pool"
"""The map between the stem and the first layer of an encoder that pools there."""
