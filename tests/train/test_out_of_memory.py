"""Memory that runs out is told by where it ran out, and other errors stay as they are."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from fullfield.errors import OutOfMemory, RankLost
from fullfield.plan import spec as specs
from fullfield.plan.spec import TrainSpec
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


@pytest.mark.parametrize("lost", [False, True])
def test_that_a_training_goes_on_with_what_it_is_told_to_change_and_a_new_folder_is_named_for_the_rest(
    lost: bool,
) -> None:
    with pytest.raises(OutOfMemory) as found, out_of_memory.named(lambda: True):
        raise MemoryError
    goes_on, anew = (RankLost.HINT if lost else found.value.hint).split(". A smaller ")
    assert "needs a new folder" in anew
    begun = TrainSpec(data="there", size=1024, batch=2)
    smaller = {"fit": "4GiB", "size": 512, "batch": 1}
    for words, allowed in ((goes_on, True), (anew, False)):
        changed = [name for name in re.findall(r"--(\w+)", words) if name != "resume"]
        assert changed
        for name in changed:
            assert (specs.differences(replace(begun, **{name: smaller[name]}), begun) == []) is allowed


def test_that_an_error_of_another_kind_stays_as_it_is() -> None:
    with pytest.raises(RuntimeError, match="CUDA error"), out_of_memory.named(lambda: True):
        raise RuntimeError("CUDA error: an illegal instruction")
