"""The map network: it draws nothing, but says how much of the image's own bands is shown where; see `map_form`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from fullfield.model.families.base import Family
from fullfield.model.stages import HEAD, INPUT

MAPS = "maps"
"""The stage that sees the image, and its map: the parameters of every place; behind it the picture is rebuilt."""


class GainMap(Family):
    """See the module."""

    name = "map"
    title = "Map network, at any size"
    module = "fullfield.model.map_network"
    stages: ClassVar[Mapping[str, tuple[str, ...]]] = {MAPS: (INPUT,), HEAD: (INPUT, MAPS)}
    defaults: ClassVar[Mapping[str, Any]] = {
        "size": 1024,
        "batch": 2,
        "loss": "ms_ssim+l1+bands",
        "learning_rate": 2e-3,
        "l1_steps": 0,
    }
    preset_tone = True
    added = (f"{MAPS}.quiet.weight", f"{MAPS}.beside.weight")
    any_scale = True
    whole = True

    def describe(self, encoder: str) -> str:
        """There is one."""
        return "map network"

    def tensor_names(self, encoder: str) -> Mapping[str, str]:
        """Its own."""
        return {f"{MAPS}.": f"{MAPS}."}
