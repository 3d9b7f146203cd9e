"""The encoders that a training can be asked for, told without their code."""

from __future__ import annotations

from fullfield.model.encoders.registry import ENCODERS
from fullfield.plan import encoders


def test_that_each_encoder_is_told_by_its_name_and_its_title() -> None:
    found = dict(encoders.titles())
    assert list(found) == list(ENCODERS)
    assert found["resnet34"] == ENCODERS["resnet34"].title and all(found.values())
