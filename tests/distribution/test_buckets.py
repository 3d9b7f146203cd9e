"""Gradients that go to all ranks together."""

from __future__ import annotations

import pytest

from fullfield.distribution.buckets import BUCKET_BYTES, LARGE, Summed, divided

SMALL = LARGE // 2
WHOLE = BUCKET_BYTES


def test_that_a_bucket_ends_with_the_tensor_that_fills_it_and_the_last_one_with_the_last() -> None:
    sizes = [SMALL, WHOLE, WHOLE, SMALL, SMALL]
    assert list(divided(sizes)) == [range(2), range(2, 3), range(3, 5)]
    assert not list(divided([]))


def test_that_small_tensors_are_one_message_and_each_large_one_is_its_own() -> None:
    summed = Summed(gradients=[("a", SMALL), ("a", WHOLE), ("b", SMALL), ("b", SMALL)])
    assert summed.messages == 3 and summed.bytes == WHOLE + 3 * SMALL


@pytest.mark.parametrize(
    ("released", "after", "a", "b", "c"),
    [
        (False, False, SMALL, 0, 2 * SMALL),  # the copy of what is small in a bucket, where it leaves
        (False, True, 0, 0, 0),  # nothing leaves while backward goes on
        # What waits for others to go with, for its sum until the next gradient is there, and copies where they leave.
        (True, False, 2 * SMALL, SMALL + WHOLE, WHOLE + 0),
    ],
)
def test_that_of_what_lies_beside_gradients_each_stage_has_its_own(
    released: bool, after: bool, a: int, b: int, c: int
) -> None:
    summed = Summed(gradients=[("a", SMALL), ("a", WHOLE), ("b", WHOLE), ("c", SMALL), ("c", SMALL)], after=after)
    assert summed.beside(released=released) == {"a": a, "b": b, "c": c}
    assert summed.last == (2 * SMALL if after else 0)


def test_that_what_is_made_of_gradients_lies_beside_all_of_a_bucket() -> None:
    summed = Summed(gradients=[("a", WHOLE), ("b", 2 * LARGE)], copies=0.5, sent=0.5)
    assert summed.beside(released=False) == {"a": WHOLE // 2, "b": LARGE}
    assert summed.bytes == WHOLE // 2 + LARGE and summed.messages == 2
