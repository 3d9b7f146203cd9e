"""Threads that do work in turn."""

from __future__ import annotations

import threading

import pytest

from fullfield.enhance.lanes import Lane


def test_that_a_lane_does_what_it_is_given_in_its_order_and_all_of_it_before_it_ends() -> None:
    done: list[int] = []
    lane = Lane()
    for number in range(20):
        lane.put(lambda number=number: done.append(number))  # type: ignore[misc]
    lane.close()
    assert done == list(range(20))
    lane.check()


def test_that_a_lane_of_several_threads_does_as_much_at_once() -> None:
    together, lane = threading.Barrier(3), Lane(threads=3)
    for _ in range(3):
        lane.put(lambda: together.wait(30) and None)
    lane.close()
    lane.check()


def test_that_the_first_error_is_told_and_what_comes_after_it_is_done_all_the_same() -> None:
    done: list[str] = []

    def fail(text: str) -> None:
        raise ValueError(text)

    lane = Lane()
    lane.put(lambda: fail("first"))
    lane.put(lambda: fail("second"))
    lane.put(lambda: done.append("third"))
    lane.close()
    assert done == ["third"]
    with pytest.raises(ValueError, match="first"):
        lane.check()


@pytest.mark.parametrize(("latest", "wanted"), [(False, [0, 1, 2, 3]), (True, [0, 3])])
def test_that_of_what_waits_in_a_lane_of_the_latest_the_last_alone_is_done(latest: bool, wanted: list[int]) -> None:
    begun, go, done = threading.Event(), threading.Event(), list[int]()
    lane = Lane(latest=latest)

    def first() -> None:
        begun.set()
        go.wait(30)
        done.append(0)

    lane.put(first)
    assert begun.wait(30)
    for number in (1, 2, 3):
        lane.put(lambda number=number: done.append(number))  # type: ignore[misc]
    last = threading.Event()
    if latest:
        go.set()
        while 3 not in done:
            last.wait(0.001)
    go.set()
    lane.close()
    assert done == wanted


def test_that_what_waits_in_a_lane_of_the_latest_is_dropped_at_its_end() -> None:
    begun, go, done = threading.Event(), threading.Event(), list[str]()
    lane = Lane(latest=True)
    lane.put(lambda: (begun.set(), go.wait(30), None)[2])
    assert begun.wait(30)
    lane.put(lambda: done.append("late"))
    threading.Timer(0.02, go.set).start()
    lane.close()
    assert done == []
