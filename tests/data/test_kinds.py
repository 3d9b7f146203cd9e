"""What a model is to be used on, and so what it learns from."""

from __future__ import annotations

import pytest

from fullfield.data import kinds
from fullfield.image.image import InputKind

RAW, PROCESSED = InputKind.RAW, InputKind.PROCESSED


@pytest.mark.parametrize(
    ("found", "use_on"),
    [([PROCESSED] * 3, "processed"), ([RAW, RAW], "raw"), ([RAW, PROCESSED, RAW], "both"), ([], "raw")],
)
def test_that_by_default_a_model_serves_the_kinds_of_images_that_are_there(found: list[InputKind], use_on: str) -> None:
    assert kinds.decided("auto", found) == use_on
    for asked in ("raw", "processed", "both"):
        assert kinds.decided(asked, found) == asked


@pytest.mark.parametrize(
    ("use_on", "kind", "inputs"),
    [
        ("raw", RAW, (RAW,)),
        ("raw", PROCESSED, (RAW,)),
        ("processed", PROCESSED, (PROCESSED,)),
        ("processed", RAW, ()),
        ("both", PROCESSED, (RAW, PROCESSED)),
        ("both", RAW, (RAW,)),
    ],
)
def test_that_a_processed_image_is_learned_from_as_either_kind_and_a_raw_one_as_raw_alone(
    use_on: str, kind: InputKind, inputs: tuple[InputKind, ...]
) -> None:
    assert kinds.inputs(use_on, kind) == inputs
