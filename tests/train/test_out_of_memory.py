"""Memory that runs out is told by where it ran out, and other errors stay as they are."""

from __future__ import annotations

import pytest

from fullfield.errors import OutOfMemory
from fullfield.train import out_of_memory


@pytest.mark.parametrize(
    ("error", "place"),
    [
        (RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB."), "graphics card"),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), "computer"),
        (MemoryError("cuda"), "computer"),
    ],
)
@pytest.mark.parametrize("kept", [True, False])
def test_that_it_is_told_whose_memory_ran_out_and_whether_a_checkpoint_is_kept(
    error: Exception, place: str, kept: bool
) -> None:
    with pytest.raises(OutOfMemory) as found, out_of_memory.named(lambda: kept):
        raise error
    assert f"than the {place} has free" in found.value.detail
    assert ("the last checkpoint is kept" in found.value.hint) is kept


def test_that_an_error_of_another_kind_stays_as_it_is() -> None:
    with pytest.raises(RuntimeError, match="CUDA error"), out_of_memory.named(lambda: True):
        raise RuntimeError("CUDA error: an illegal instruction")
