"""The queue, without a window."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.image.method import Method
from fullfield.protocol.events import (
    ItemClosed,
    ItemSkipped,
    ItemStarted,
    ItemWarned,
)
from fullfield.protocol.session_commands import Cancel, Close, Enhance, Open
from fullfield_app.gui.enhance.queue_model import OPENS_AHEAD, WORK_AHEAD, Queue
from fullfield_app.gui.enhance.row_texts import state_text
from fullfield_app.gui.queue.row import State
from gui.queue_steps import bring_to_result, decoded, dropped, enhanced, files, refused


@pytest.fixture
def queue() -> Queue:
    return dropped()


def test_that_damage_is_kept_apart_from_notes_and_is_gone_when_the_file_is_read_anew_whole(queue: Queue) -> None:
    queue.due()
    queue.apply(decoded(0))
    queue.apply(ItemWarned(index=0, text="This file is damaged.", damaged=True))
    queue.apply(ItemWarned(index=0, text="Its spacing is odd."))
    assert (queue[0].damage, queue[0].source_notes) == ("This file is damaged.", ("Its spacing is odd.",))
    queue.apply(decoded(0))
    assert queue[0].damage == ""


def test_that_a_row_of_a_damaged_file_says_so_in_every_state_but_failed(queue: Queue) -> None:
    queue.due()
    queue.apply(decoded(0))
    queue.apply(ItemWarned(index=0, text="This file is damaged.", damaged=True))
    assert state_text(queue[0]).startswith("Damaged file. ")
    queue.due([0])
    queue.apply(ItemStarted(index=0))
    queue.apply(enhanced(0))
    assert state_text(queue[0]) == "Damaged file. Enhanced in 1.0 s"
    assert state_text(queue[1]) == "Opening"


def test_that_images_are_opened_before_anything_else_in_their_order(queue: Queue) -> None:
    assert queue.due() == [Open(index=index, source=f"/in/{name}.dcm") for index, name in enumerate("abc")]
    assert queue.due() == []


def test_that_an_opened_image_is_enhanced_with_its_choice(queue: Queue) -> None:
    queue.due()
    queue.apply(decoded(1))
    assert queue.due() == [Enhance(index=1, choice="auto")]
    assert queue[1].state is State.WAITING
    queue.apply(ItemStarted(index=1))
    assert queue[1].state is State.ENHANCING
    queue.apply(enhanced(1))
    assert queue[1].state is State.ENHANCED and queue[1].result is not None
    assert queue[1].result.path == Path("/run/1.npy")


def test_that_the_same_file_is_not_taken_in_twice(queue: Queue) -> None:
    assert queue.add(files("b.dcm", "d.dcm"), Method()) == [3]
    assert [row.name for row in queue.rows()] == ["a.dcm", "b.dcm", "c.dcm", "d.dcm"]


def test_that_the_worker_is_asked_for_little_ahead_so_that_the_image_one_looks_at_is_soon_next() -> None:
    queue = Queue()
    queue.add(files(*(f"{number}.dcm" for number in range(20))), Method())
    assert len(queue.due()) == OPENS_AHEAD
    for index in range(OPENS_AHEAD):
        queue.apply(decoded(index))
    asked = [command for command in queue.due([3]) if isinstance(command, Enhance)]
    assert [command.index for command in asked] == [3, 0][:WORK_AHEAD]


def test_that_a_failure_keeps_its_reason_and_what_to_do(queue: Queue) -> None:
    queue.due()
    queue.apply(refused(0))
    row = queue[0]
    assert row.state is State.FAILED and row.trouble is not None
    assert (row.trouble.detail, row.trouble.hint) == ("It is a CT.", "Choose another.")
    assert not row.pending


def test_that_a_failed_image_can_be_tried_again(queue: Queue) -> None:
    queue.due()
    queue.apply(refused(0))
    queue.ask_enhance(dict.fromkeys([0], Method(choice="chest")))
    assert queue.due() == [Open(index=0, source="/in/a.dcm")]


def test_that_a_preset_chosen_while_another_is_at_work_comes_next_though_that_one_fails(queue: Queue) -> None:
    queue.due()
    queue.apply(decoded(0))
    for lost in (False, True):
        queue.due([0])
        queue.apply(ItemStarted(index=0))
        if lost:
            queue.worker_lost()
            queue.due([0])
            queue.apply(decoded(0))
            queue.due([0])
            queue.apply(ItemStarted(index=0))
        queue.ask_enhance({0: Method(choice="hand" if lost else "chest")})
        if lost:
            queue.worker_lost()
        else:
            queue.apply(refused(0))
        assert queue[0].trouble is None and queue[0].pending
    queue.due([0])
    queue.apply(decoded(0))
    assert Enhance(index=0, choice="hand") in queue.due([0])


def test_that_cancelling_leaves_out_what_has_not_begun_and_keeps_what_is_done(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.apply(decoded(1))
    queue.due()
    changed, command = queue.cancel([0, 1, 2])
    assert changed == {1, 2} and command == Cancel(indexes=(1, 2))
    queue.apply(ItemSkipped(index=1, reason="cancelled"))
    queue.apply(ItemSkipped(index=2, reason="cancelled"))
    assert [row.state for row in queue.rows()] == [State.ENHANCED, State.CANCELLED, State.CANCELLED]
    assert not queue.busy and queue.due() == []


def test_that_an_image_in_hand_when_cancelled_keeps_its_result(queue: Queue) -> None:
    queue.due()
    queue.apply(decoded(0))
    queue.due()
    queue.apply(ItemStarted(index=0))
    queue.cancel([0])
    assert queue[0].state is State.ENHANCING
    queue.apply(enhanced(0))
    assert queue[0].state is State.ENHANCED


def test_that_asking_again_after_a_cancel_is_not_lost_to_the_answer_of_the_cancel(queue: Queue) -> None:
    queue.due()
    queue.apply(decoded(0))
    queue.due()
    queue.cancel([0])
    queue.ask_enhance(dict.fromkeys([0], Method(choice="chest")))
    queue.apply(ItemSkipped(index=0, reason="cancelled"))
    assert Enhance(index=0, choice="chest") in queue.due()


def test_that_another_choice_made_meanwhile_is_done_next(queue: Queue) -> None:
    queue.due()
    queue.apply(decoded(0))
    queue.due()
    queue.ask_enhance(dict.fromkeys([0], Method(choice="chest")))
    queue.apply(enhanced(0))
    assert not queue[0].exportable
    assert Enhance(index=0, choice="chest") in queue.due()


def test_that_an_earlier_result_never_stands_in_for_one_that_failed(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.ask_enhance({0: Method(choice="broken.safetensors")})
    queue.due([0])
    queue.apply(refused(0))
    assert not queue[0].exportable
    queue.ask_enhance(dict.fromkeys([0], Method(choice="auto")))
    bring_to_result(queue, 0)
    assert queue[0].exportable


def test_that_cancelling_another_choice_leaves_the_result_that_is_there(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.ask_enhance(dict.fromkeys([0], Method(choice="chest")))
    queue.cancel([0])
    assert queue[0].exportable and queue[0].method == Method()
    assert queue[0].state is State.ENHANCED


def test_that_a_cancel_that_came_too_late_leaves_the_new_result(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.ask_enhance(dict.fromkeys([0], Method(choice="chest")))
    queue.due([0])
    queue.apply(ItemStarted(index=0))
    queue.cancel([0])
    queue.apply(enhanced(0))
    assert queue[0].exportable and queue[0].method.choice == "chest"


def test_that_nothing_is_lost_when_the_worker_dies(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.apply(decoded(1))
    queue.due()
    queue.apply(ItemStarted(index=1))
    queue.worker_lost()
    assert [row.state for row in queue.rows()] == [State.ENHANCED, State.WAITING, State.WAITING]
    commands = queue.due()
    assert {command.index for command in commands if isinstance(command, Open)} == {1, 2}
    queue.apply(decoded(1))
    assert queue.due() == [Enhance(index=1, choice="auto")]


def test_that_an_image_at_which_the_worker_died_twice_is_not_tried_a_third_time(queue: Queue) -> None:
    for _ in range(2):
        queue.due()
        queue.apply(decoded(0))
        queue.due([0])
        queue.apply(ItemStarted(index=0))
        queue.worker_lost()
    assert queue[0].state is State.FAILED and queue[0].trouble is not None
    assert "twice" in queue[0].trouble.detail
    assert all(not isinstance(command, Cancel) and command.index != 0 for command in queue.due())


def test_that_a_worker_that_its_user_ended_after_a_cancel_has_not_died_at_the_image(queue: Queue) -> None:
    for _ in range(3):
        queue.due()
        queue.apply(decoded(0))
        queue.due([0])
        queue.apply(ItemStarted(index=0))
        queue.cancel([0])
        queue.worker_lost()
        assert queue[0].state is State.CANCELLED and queue[0].trouble is None
        queue.ask_enhance({0: Method()})


def test_that_warnings_of_the_file_outlive_another_enhancement(queue: Queue) -> None:
    queue.due()
    queue.apply(decoded(0))
    queue.apply(ItemWarned(index=0, text="The spacing is not trusted."))
    queue.due()
    queue.apply(ItemStarted(index=0))
    queue.apply(ItemWarned(index=0, text="The scale differs."))
    queue.apply(enhanced(0))
    queue.ask_enhance(dict.fromkeys([0], Method(choice="chest")))
    queue.due()
    queue.apply(ItemStarted(index=0))
    assert queue[0].source_notes == ("The spacing is not trusted.",) and queue[0].result_notes == ()


def test_that_news_of_an_image_that_left_the_list_is_no_error(queue: Queue) -> None:
    queue.due()
    assert queue.remove([1]) == Close(indexes=(1,))
    assert queue.apply(decoded(1)) == frozenset()
    assert [row.name for row in queue.rows()] == ["a.dcm", "c.dcm"]


def test_that_the_worker_is_asked_to_forget_what_it_knows_and_leaves_the_list(queue: Queue) -> None:
    assert queue.remove([2]) is None, "it was asked nothing of it"
    bring_to_result(queue, 0)
    assert queue.remove([0, 1]) == Close(indexes=(0, 1))


def test_that_an_image_that_comes_back_is_opened_and_enhanced_anew(queue: Queue) -> None:
    bring_to_result(queue, 1)
    row = queue[1]
    queue.remove([1])
    queue.apply(ItemClosed(index=1))
    assert queue.restore([row]) == [1] and queue[1].result is None
    assert any(isinstance(command, Open) and command.index == 1 for command in queue.due([1]))
    queue.apply(decoded(1))
    assert any(isinstance(command, Enhance) and command.index == 1 for command in queue.due([1]))
    queue.apply(enhanced(1))
    assert queue[1].exportable and [row.index for row in queue.rows()] == [0, 1, 2]


def test_that_an_image_that_has_come_back_is_not_asked_for_before_the_worker_has_forgotten_it(queue: Queue) -> None:
    bring_to_result(queue, 0)
    queue.ask_enhance({0: Method(choice="chest")})
    queue.due([0])
    row = queue[0]
    queue.remove([0])
    queue.restore([row])
    assert all(command.index != 0 for command in queue.due([0]))
    queue.apply(enhanced(0))
    assert not queue[0].opened and queue[0].result is None, "that was news from before it left"
    queue.apply(ItemClosed(index=0))
    assert any(isinstance(command, Open) and command.index == 0 for command in queue.due([0]))
    queue.apply(decoded(0))
    assert queue[0].opened


def test_that_a_worker_that_died_owes_no_answer(queue: Queue) -> None:
    queue.due()
    row = queue[0]
    queue.remove([0])
    queue.worker_lost()
    queue.restore([row])
    queue.due([0])
    queue.apply(decoded(0))
    assert queue[0].opened


def test_that_what_failed_does_not_count_as_done(queue: Queue) -> None:
    bring_to_result(queue, 0)
    for index in (1, 2):
        queue.apply(refused(index))
    assert queue.progress() == (1, 3) and not queue.busy
    queue.ask_enhance({0: Method(choice="chest")})
    bring_to_result(queue, 0)
    assert queue.progress() == (1, 3), "at rest all images count, not the last one that was asked for"


def test_that_progress_counts_what_was_asked_since_the_queue_was_at_rest(queue: Queue) -> None:
    assert queue.progress() == (0, 3)
    bring_to_result(queue, 0)
    assert queue.progress() == (1, 3)
    for index in (1, 2):
        bring_to_result(queue, index)
    assert queue.progress() == (3, 3) and not queue.busy
    queue.ask_enhance(dict.fromkeys([2], Method(choice="chest")))
    assert queue.progress() == (0, 1)
