"""Exports in the queue, without a window: each is written once, of the result that it was ordered of."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.image.method import Method
from fullfield.protocol.commands import Command
from fullfield.protocol.events import (
    ItemClosed,
    ItemDone,
    ItemSkipped,
    ItemStarted,
)
from fullfield.protocol.session_commands import Cancel, Enhance, Export, Open
from fullfield_app.gui.enhance.queue_model import Queue
from fullfield_app.gui.queue.row import State
from gui.queue_steps import bring_to_result, decoded, dropped, enhanced, export, refused, written


@pytest.fixture
def queue() -> Queue:
    return dropped()


def test_that_a_result_is_exported_once_and_says_where_to(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.ask_export([export(0)])
    assert export(0) in queue.due()
    queue.apply(ItemDone(index=0, output="", seconds=0.1, peak_bytes=1))
    assert queue[0].state is State.EXPORTED and queue[0].exported == Path("/out/0.dcm")


def test_that_an_export_is_of_the_result_it_was_ordered_of_though_another_is_wanted_since(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.ask_export([export(0)])
    queue.ask_enhance({0: Method(choice="hand")})
    assert export(0) in queue.due()
    queue.apply(ItemDone(index=0, output="", seconds=0.1, peak_bytes=1))
    assert [command.index for command in queue.due() if isinstance(command, Enhance)] == [0]


def test_that_a_second_order_waits_for_the_first_instead_of_taking_its_place(queue: Queue) -> None:
    bring_to_result(queue, 0)
    first, second = export(0), Export(index=0, target="/out/0.png", format="png16")
    queue.ask_export([first])
    assert first in queue.due()
    queue.ask_export([second])
    queue.apply(written(0))
    assert queue[0].exported == Path("/out/0.dcm"), "the worker has written the first one"
    assert second in queue.due()
    queue.apply(written(0))
    assert queue[0].exported == Path("/out/0.png") and not queue[0].exports


def test_that_the_same_order_given_twice_is_carried_out_once(queue: Queue) -> None:
    bring_to_result(queue, 0)
    for _ in range(2):
        queue.ask_export([export(0)])
    assert queue[0].exports == (export(0),)
    assert export(0) in queue.due()
    queue.ask_export([export(0)])
    assert queue[0].exports == (export(0),)


def test_that_an_export_that_was_taken_back_or_lost_with_its_worker_is_asked_again(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.ask_export([export(0)])
    queue.due()
    queue.apply(ItemSkipped(index=0, reason="cancelled"))
    assert export(0) in queue.due()
    queue.worker_lost()
    assert queue[0].exports == (export(0),) and queue[0].writing is None


def test_that_only_what_a_lost_worker_was_writing_may_be_there_already(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.ask_export([export(0), Export(index=0, target="/out/0.png", format="png16")])
    queue.due()
    queue.worker_lost()
    assert [one.again for one in queue[0].exports] == [True, False]


def test_that_what_is_in_hand_is_written_though_the_rest_is_cancelled(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.ask_export([export(0), Export(index=0, target="/out/0.png", format="png16")])
    queue.due()
    queue.cancel([0])
    queue.apply(written(0))
    assert queue[0].exported == Path("/out/0.dcm") and not queue[0].pending


def test_that_a_failed_export_keeps_the_result(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.ask_export([export(0)])
    queue.due()
    queue.apply(refused(0))
    assert queue[0].state is State.FAILED and queue[0].exportable


def test_that_a_new_worker_is_told_what_an_export_needs(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.worker_lost()
    queue.ask_export([export(0)])
    asked: list[Command] = []
    for answer in (decoded(0), enhanced(0)):
        asked += [command for command in queue.due([0]) if command not in asked]
        queue.apply(answer)
    asked += queue.due([0])
    steps = [command for command in asked if not isinstance(command, Cancel) and command.index == 0]
    assert [type(step) for step in steps] == [Open, Enhance, Export]


def test_that_an_export_is_of_the_result_it_was_ordered_of_though_the_worker_died_and_another_is_wanted(
    queue: Queue,
) -> None:
    bring_to_result(queue, 0)
    queue.ask_export([export(0)])
    queue.due()
    queue.ask_enhance({0: Method(choice="hand")})
    queue.worker_lost()
    asked: list[Command] = []
    for answer in (decoded(0), enhanced(0), written(0), enhanced(0)):
        asked += [command for command in queue.due([0]) if command.index == 0]
        queue.apply(answer)
    assert asked[1:] == [Enhance(index=0, choice="auto"), export(0), Enhance(index=0, choice="hand")]
    assert queue[0].exportable and queue[0].method.choice == "hand"


def test_that_an_export_is_not_of_another_result_than_it_was_ordered_of_though_its_image_left_and_came_back(
    queue: Queue,
) -> None:
    bring_to_result(queue, 0)
    queue.ask_export([export(0)])
    queue.ask_enhance({0: Method(choice="hand")})
    row = queue[0]
    queue.remove([0])
    queue.restore([row])
    assert queue[0].exports == () and queue[0].failed_exports == (export(0),)
    queue.apply(ItemClosed(index=0))
    queue.due([0])
    queue.apply(decoded(0))
    assert Enhance(index=0, choice="hand") in queue.due([0])
    queue.apply(enhanced(0))
    assert queue[0].new, "it waits for an export"


def test_that_an_export_of_an_image_at_which_the_worker_died_twice_is_known_to_have_failed(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.ask_export([export(0)])
    queue.worker_lost()
    for _ in range(2):
        queue.due([0])
        queue.apply(decoded(0))
        queue.due([0])
        queue.apply(ItemStarted(index=0))
        queue.worker_lost()
    assert queue[0].state is State.FAILED and queue[0].failed_exports == (export(0),)


def test_that_a_cancelled_export_is_not_written_after_its_worker_was_ended_in_the_middle_of_it(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.ask_export([export(0)])
    queue.due()
    queue.cancel([0])
    queue.worker_lost()
    assert queue[0].exports == () and queue[0].new, "it waits for an export"


@pytest.mark.parametrize("back_at_once", [True, False])
def test_that_an_image_that_comes_back_is_not_written_again_where_it_was_written_meanwhile(
    queue: Queue, back_at_once: bool
) -> None:
    bring_to_result(queue, 0)
    queue.ask_export([export(0)])
    queue.due()
    row = queue[0]
    queue.remove([0])
    if back_at_once:
        queue.restore([row])
    queue.apply(written(0))
    queue.apply(ItemClosed(index=0))
    queue.restore([row])
    assert queue[0].exports == () and list(queue[0].written) == [Path("/out/0.dcm")]


def test_that_an_ordered_export_counts_as_not_exported_though_another_preset_is_chosen_since(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.pause()
    queue.ask_export([export(0)])
    queue.ask_enhance({0: Method(choice="hand")})
    assert queue[0].unexported and not queue[0].new
