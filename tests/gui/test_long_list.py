"""What the window does for each piece of news of its worker, while the list is long."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from fullfield.image.method import Method
from fullfield.inputs.files import InputFile
from fullfield.protocol.events import ItemDecoded
from fullfield_app.gui.enhance.queue_model import Queue
from fullfield_app.gui.enhance.queue_side import QueueSide
from fullfield_app.gui.enhance.queue_tree import QueueTree, Role
from gui.fake_job import FakeJob
from gui.hands import Hands

COUNT = 60


def files() -> list[InputFile]:
    return [InputFile(source=f"/in/{number}.dcm", relative=f"{number}.dcm") for number in range(COUNT)]


def test_that_a_long_list_is_not_counted_anew_for_each_piece_of_news(
    hands: Hands, jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs[0].hold.update({"open", "enhance"})
    work = hands.window._page.work
    work.add(files(), Method())
    counted: list[bool] = []
    (side,) = hands.window.findChildren(QueueSide)
    show = side.progress.show_progress

    def count(*numbers: object, **state: object) -> None:
        counted.append(bool(state["busy"]))
        show(*numbers, **state)  # type: ignore[arg-type]

    monkeypatch.setattr(side.progress, "show_progress", count)
    for index in range(COUNT - 1):
        work._take_in((ItemDecoded(index=index, decoded=f"/cache/{index}", sha256=str(index)),))
    assert len(counted) <= 1
    hands.wait(lambda: bool(counted))
    counted.clear()
    work.cancel(range(COUNT))  # what its user asks is seen at once
    assert len(counted) == 1


@pytest.mark.parametrize("role", [Role.PARTS, Role.INDEX, Qt.ItemDataRole.FontRole])
def test_that_the_height_of_a_group_is_found_without_looking_at_each_of_its_images(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, role: int
) -> None:
    queue = Queue()
    queue.add(files(), Method())
    tree = QueueTree(queue)
    tree.arrange()
    looked: list[int] = []
    get: Callable[[int], object] = queue.get
    monkeypatch.setattr(queue, "get", lambda index: looked.append(index) or get(index))
    tree.index(0, 0).data(role)
    assert not looked
    assert tree.index(0, 0).data(Role.COUNT) == f"0/{COUNT}" and looked
