"""The network's stages by name, and what each takes: apart from `network`, to be read without torch."""

from __future__ import annotations

from collections.abc import Mapping

STAGES: Mapping[str, tuple[str, ...]] = {
    "stem": ("input",),
    "layer1": ("stem",),
    "layer2": ("layer1",),
    "layer3": ("layer2",),
    "layer4": ("layer3",),
    "d1": ("layer4", "layer3"),
    "d2": ("d1", "layer2"),
    "d3": ("d2", "layer1"),
    "d4": ("d3", "stem"),
    "d5": ("d4",),
    "head": ("d5",),
}
"""Every stage in order, and the maps that it takes."""
