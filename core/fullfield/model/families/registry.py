"""The list of all families of networks: a line each. Imports neither torch nor numpy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fullfield.model.families.base import Family
from fullfield.model.families.gain_map import GainMap
from fullfield.model.families.unet import Unet

if TYPE_CHECKING:
    from fullfield.image.normalise import Normalisation

FAMILIES: Mapping[str, Family] = {
    kind.name: kind()
    for kind in (
        Unet,
        GainMap,
    )
}
"""By name, in the order in which they are offered; the first is the paper's."""

NAMES: tuple[str, ...] = tuple(name for one in FAMILIES.values() for name in one.names)
"""Of all networks."""


def of(name: str) -> Family:
    """The family of the network of this name. Raises KeyError."""
    for one in FAMILIES.values():
        if name in one.names:
            return one
    raise KeyError(name)


def normalisation(family: str) -> Normalisation:
    """Of the inputs of a family's networks. Raises KeyError."""
    from fullfield.image.normalise import BY_PRESET, DEFAULT

    return BY_PRESET if FAMILIES[family].preset_tone else DEFAULT
