"""Which weights a training starts from, decided before it starts. No torch, and no network.

ImageNet's are taken where they are on this computer. They are fetched by `fullfield weights fetch` and by a button of
the window, never by a training: with and without a connection the same command would else train another network.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from fullfield import files
from fullfield.image.method import SHIPPED
from fullfield.model import imagenet, registry, shipped
from fullfield.model.families.registry import FAMILIES
from fullfield.model.imagenet import HOST
from fullfield.model.spec import NetworkSpec, representable
from fullfield.plan.spec import AUTO, IMAGENET, NO_WEIGHTS, TrainSpec, network
from fullfield.techniques import compose
from fullfield.techniques.momentum import Momentum

__all__ = ["HOST", "Kept", "decided", "fetch_command", "here", "kept", "megabytes", "named", "trained"]

fetch_command, megabytes = imagenet.fetch_command, imagenet.megabytes


@dataclass(frozen=True, kw_only=True)
class Kept:
    """The ImageNet weights of an encoder: where they lie (None: nowhere), their SHA-256, and whether they are whole."""

    encoder: str
    path: Path | None
    sha256: str = ""
    whole: bool = True


def here(spec: TrainSpec) -> bool:
    """Whether ImageNet's weights of its encoder are on this computer."""
    return bool(FAMILIES[spec.network].encoders) and imagenet.find(spec.encoder) is not None


def decided(spec: TrainSpec, *, everywhere: bool = True) -> TrainSpec:
    """`spec` with "auto" replaced by what that is on this computer. `everywhere`: those that train along have
    ImageNet's.

    Raises ModelError where ImageNet's are asked for by name and are not here, or the network cannot begin from a file.
    """
    if spec.weights == AUTO:
        return replace(spec, weights=IMAGENET if everywhere and here(spec) else NO_WEIGHTS)
    if spec.weights == IMAGENET and not here(spec):
        raise imagenet.missing(spec.encoder)
    if spec.weights not in (IMAGENET, NO_WEIGHTS):
        registry.begins_from(spec.weights, trained(spec))
    return spec


def trained(asked: TrainSpec) -> NetworkSpec:
    """The network as techniques make it: weights of another one mean nothing to it. Raises ValueError."""
    found = network(asked)
    for one in compose.read(asked.techniques):
        if isinstance(one, Momentum):
            found = replace(found, momentum=representable(one.options.gamma))
    return found


def named(weights: str) -> str:
    """The setting for a file that a user has chosen: the name of the model that ships where it is that one, which every
    computer has; else its path."""
    ships = shipped.file_of(Path(), SHIPPED)
    return SHIPPED if ships.is_file() and os.path.realpath(weights) == os.path.realpath(ships) else weights


def kept() -> tuple[Kept, ...]:
    """Of each encoder what is here; reads the files. Raises OSError."""
    return tuple(_kept(encoder) for encoder in imagenet.SOURCES)


def _kept(encoder: str) -> Kept:
    path = imagenet.find(encoder)
    if path is None:
        return Kept(encoder=encoder, path=None)
    return Kept(encoder=encoder, path=path, sha256=files.sha256(path), whole=imagenet.is_whole(path))
