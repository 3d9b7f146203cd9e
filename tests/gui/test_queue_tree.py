"""The list as a tree: which group an image is in, what the groups are called, and that nothing jumps meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from fullfield.image.header import Header, Patient
from fullfield.image.method import Method
from fullfield.inputs.files import InputFile
from fullfield.protocol.events import ItemDecoded, ItemFailed
from fullfield_app.gui.enhance.queue_model import Queue
from fullfield_app.gui.enhance.queue_tree import QueueTree
from fullfield_app.gui.enhance.queue_view import QueueView


def header(patient: str = "Doe^Jane", study: str = "1", series: str = "1") -> Header:
    return Header(
        source_format="dicom",
        sha256="0",
        rows=9,
        columns=9,
        bits_stored=12,
        photometric="MONOCHROME2",
        study_instance_uid=f"{patient}.{study}" if patient else "",
        series_instance_uid=f"{patient}.{study}.{series}" if patient else "",
        study_date="20240503" if patient else "",
        modality="DX",
        body_part="CHEST",
        patient=Patient(name=patient),
    )


@pytest.fixture
def queue() -> Queue:
    queue = Queue()
    queue.add([InputFile(source=f"/in/{number}.dcm", relative=f"{number}.dcm") for number in range(6)], Method())
    return queue


@pytest.fixture
def tree(queue: Queue, qtbot: QtBot) -> Iterator[QueueTree]:
    """Six images that wait to be opened; every change is watched by Qt's own judge of models."""
    tree = QueueTree(queue)
    tester = QAbstractItemModelTester(tree, QAbstractItemModelTester.FailureReportingMode.Fatal)
    tree.arrange()
    yield tree
    del tester


def shape(tree: QueueTree, parent: QModelIndex | None = None) -> list[object]:
    """Titles of groups with what is in them, names of images."""
    found: list[object] = []
    for row in range(tree.rowCount(parent or QModelIndex())):
        place = tree.index(row, 0, parent or QModelIndex())
        title = place.data(Qt.ItemDataRole.DisplayRole)
        found += [title, shape(tree, place)] if tree.rowCount(place) else [title]
    return found


def put(tree: QueueTree, index: int, *header_texts: str) -> None:
    tree.put_stamp(index, QImage(), header(*header_texts))
    tree.arrange()


def test_that_images_wait_in_a_group_of_their_own_until_they_are_opened(tree: QueueTree) -> None:
    assert shape(tree) == ["Opening…", [f"{number}.dcm" for number in range(6)]]


def test_that_patients_studies_and_series_are_told_apart_without_patient_data(tree: QueueTree) -> None:
    for index, texts in enumerate((("A", "1", "1"), ("A", "1", "2"), ("A", "2", "1"), ("B",), ("B",), ("",))):
        put(tree, index, *texts)
    series = "Series {}, DX CHEST".format
    assert shape(tree) == [
        "Patient 1",
        ["Study 1", [series(1), ["0.dcm"], series(2), ["1.dcm"]], "Study 2 · DX CHEST", ["2.dcm"]],
        "Patient 2 · DX CHEST",
        ["3.dcm", "4.dcm"],
        "Without patient data",
        ["5.dcm"],
    ]


def test_that_names_and_dates_are_shown_where_patient_data_is(tree: QueueTree) -> None:
    put(tree, 0, "Doe^Jane")
    tree.show_names(True)
    assert shape(tree)[0] == "Doe, Jane · 3 May 2024 · DX CHEST"
    tree.show_names(False)
    assert shape(tree)[0] == "Patient 1 · DX CHEST"


def test_that_a_file_that_cannot_be_opened_says_so_in_its_own_group(tree: QueueTree, queue: Queue) -> None:
    queue.due()
    queue.apply(ItemFailed(index=0, error={"title": "Cannot read it."}))
    tree.refresh([0])
    tree.arrange()
    assert shape(tree)[:2] == ["Not opened", ["0.dcm"]]


def test_that_what_is_selected_stays_so_while_images_find_their_groups(tree: QueueTree, qtbot: QtBot) -> None:
    view = QueueView(tree)
    qtbot.addWidget(view)
    view.choose(3)
    reported: list[int] = []
    view.current_changed.connect(reported.append)
    for index in range(6):
        put(tree, index, "AB"[index % 2], "12"[index // 3])
    assert (view.current(), view.selected(), reported) == (3, [3], [])
    view.set_grouped(False)
    assert (view.current(), view.selected(), reported) == (3, [3], [])
    assert shape(tree) == [f"{number}.dcm" for number in range(6)]


def test_that_a_selected_group_is_its_images_and_one_looks_at_the_first(tree: QueueTree, qtbot: QtBot) -> None:
    view = QueueView(tree)
    qtbot.addWidget(view)
    for index in range(6):
        put(tree, index, "AB"[index % 2])
    view.setCurrentIndex(tree.place(1).parent())
    assert view.selected() == [1, 3, 5] and view.current() == 1
    view.step(1)
    assert view.current() == 3


def test_that_hundreds_that_are_selected_are_no_work_for_each_image_that_moves_or_leaves(
    tree: QueueTree, queue: Queue, qtbot: QtBot
) -> None:
    view = QueueView(tree)
    qtbot.addWidget(view)
    for index in range(6):
        put(tree, index, "AB"[index % 2])
    view.selectAll()
    followed: list[object] = []
    view.selection_changed.connect(lambda: followed.append(view.selected()))
    tree.rowsMoved.connect(lambda *_: followed.append(view.selectionModel().selectedIndexes()))
    tree.rowsRemoved.connect(lambda *_: followed.append("some leave"))
    view.set_grouped(False)
    assert view.selected() == list(range(6)) and not any(found for found in followed if found != "some leave")
    followed.clear()
    queue.remove(range(6))
    tree.arrange()
    assert followed == ["some leave"] and not shape(tree)


def test_that_what_shift_adds_comes_to_what_was_selected_before_images_found_their_groups(
    tree: QueueTree, qtbot: QtBot
) -> None:
    view = QueueView(tree)
    qtbot.addWidget(view)
    view.set_grouped(False)
    view.resize(300, 900)
    view.show()
    for index, key in ((0, "NoModifier"), (2, "ControlModifier"), (4, "ShiftModifier")):
        place = view.visualRect(tree.place(index)).center()
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier[key], place)
        put(tree, index, "A")
    assert view.selected() == [0, 2, 3, 4]


def test_that_a_group_says_how_many_of_its_images_are_done(tree: QueueTree, queue: Queue) -> None:
    queue.due()
    queue.apply(ItemDecoded(index=0, decoded="/cache/0"))
    put(tree, 0, "A")
    group = tree.place(0).parent()
    text = group.data(Qt.ItemDataRole.AccessibleTextRole)
    assert text == "Patient 1 · DX CHEST: one image, 0 done"


def test_that_images_and_empty_groups_leave(tree: QueueTree, queue: Queue) -> None:
    for index in range(6):
        put(tree, index, "AB"[index % 2])
    queue.remove([0, 2, 4])
    tree.arrange()
    assert shape(tree) == ["Patient 2 · DX CHEST", ["1.dcm", "3.dcm", "5.dcm"]]


def test_that_any_order_of_news_gives_the_same_tree(queue: Queue, qtbot: QtBot) -> None:
    texts = [("A", "1", "1"), ("A", "2", "1"), ("B", "1", "1"), ("A", "1", "2"), ("B", "1", "1"), ("A", "1", "1")]
    shapes = []
    for order in ((0, 1, 2, 3, 4, 5), (5, 3, 1, 4, 2, 0), (2, 4, 0, 5, 3, 1)):
        tree = QueueTree(queue)
        tester = QAbstractItemModelTester(tree, QAbstractItemModelTester.FailureReportingMode.Fatal)
        tree.arrange()
        for index in order:
            put(tree, index, *texts[index])
        shapes.append([tree.images(tree.index(row, 0)) for row in range(tree.rowCount())])
        del tester
    assert shapes[0] == [[0, 5, 3, 1], [2, 4]] == shapes[1] == shapes[2]


def test_that_images_that_find_their_groups_together_are_arranged_together(tree: QueueTree, qtbot: QtBot) -> None:
    for index in range(6):
        tree.put_stamp(index, QImage(), header("A"))
    assert "Opening…" in shape(tree)
    qtbot.waitUntil(lambda: "Opening…" not in shape(tree))


def test_that_an_image_whose_thumbnail_comes_while_it_is_out_of_the_list_has_its_group_when_it_is_back(
    queue: Queue, tree: QueueTree
) -> None:
    assert tree.needs_stamp(0)
    row = queue[0]
    queue.remove([0])
    tree.arrange()
    put(tree, 0, "A")
    queue._put(row)
    tree.arrange()
    assert shape(tree)[:2] == ["Patient 1 · DX CHEST", ["0.dcm"]] and not tree.needs_stamp(0)


def test_that_a_thumbnail_that_failed_is_asked_for_again(tree: QueueTree) -> None:
    assert tree.needs_stamp(0) and not tree.needs_stamp(0)
    tree.miss_stamp(0)
    assert tree.needs_stamp(0)
