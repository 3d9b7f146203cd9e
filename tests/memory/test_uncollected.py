"""A while without the search for cycles of garbage."""

from __future__ import annotations

import gc
import weakref

import pytest

from fullfield.memory.uncollected import uncollected


class Cycle:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.own = self


def test_that_a_cycle_lives_to_the_end_whatever_is_made_meanwhile() -> None:
    with uncollected():
        end = weakref.ref(Cycle())
        many = [[number] for number in range(20 * sum(gc.get_threshold()))]
        assert many and end() is not None
    assert gc.isenabled()
    gc.collect()
    assert end() is None


@pytest.mark.parametrize("enabled", [True, False])
def test_that_the_search_is_afterwards_what_it_was_before(enabled: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with pytest.raises(KeyError), uncollected():
            raise KeyError
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()
