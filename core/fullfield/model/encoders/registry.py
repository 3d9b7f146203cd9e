"""The list of all encoders: a line each. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping

from fullfield.model.encoders.base import Encoder
from fullfield.model.encoders.mobilenet_v2 import MobileNetV2
from fullfield.model.encoders.resnet18 import ResNet18
from fullfield.model.encoders.resnet34 import ResNet34
from fullfield.model.encoders.resnet50 import ResNet50

ENCODERS: Mapping[str, Encoder] = {
    kind.name: kind()
    for kind in (
        ResNet34,
        ResNet18,
        ResNet50,
        MobileNetV2,
    )
}
"""By name, in the order in which they are offered; the first is the paper's."""
