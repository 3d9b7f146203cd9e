"""A while without the search for cycles of garbage; and the end of a process, without taking down its modules."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref

import pytest

from fullfield.interpreter import uncollected


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


def test_that_what_stays_is_never_looked_through() -> None:
    with uncollected(stays=True):
        end = weakref.ref(Cycle())
    gc.collect()
    assert end() is not None
    gc.unfreeze()
    gc.collect()
    gc.freeze()  # as the tests' own process does
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


def test_that_who_leaves_has_done_and_said_all_but_takes_nothing_down() -> None:
    code = """
import atexit, sys
from fullfield import interpreter
class Held:
    def __del__(self): print("taken down", flush=True)
held = Held()
atexit.register(lambda: print("registered", end=""))
print("said", end=" ")
interpreter.leave(7)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (7, "said registered", "")
