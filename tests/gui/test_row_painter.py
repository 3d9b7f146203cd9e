"""What the list's painter writes where there is little room."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fullfield.image.header import Patient
from fullfield.image.method import Method
from fullfield.inputs.files import InputFile
from fullfield.protocol.events import ItemDecoded, ItemWarned
from fullfield_app.gui.enhance.queue_model import Queue
from fullfield_app.gui.enhance.queue_tree import QueueTree
from fullfield_app.gui.enhance.queue_view import QueueView
from fullfield_app.gui.enhance.row_painter import MARK, PAD, STAMP, fitting, lines
from gui.test_queue_tree import header

PATIENT, DATE, SERIES = "Doe, Jane Maria Elisabeth · 1234567890", "3 May 2024", "CR CHEST"


@pytest.mark.usefixtures("qapp")
def test_that_a_title_without_room_shortens_the_patient_and_keeps_date_and_modality() -> None:
    metrics = QFontMetrics(QFont())
    whole = f"{PATIENT} · {DATE} · {SERIES}"
    width = metrics.horizontalAdvance(whole)
    assert fitting((PATIENT, DATE, SERIES), metrics, width) == whole
    shortened = fitting((PATIENT, DATE, SERIES), metrics, 2 * width // 3)
    assert shortened.startswith("Doe, Jane") and shortened.endswith(f"… · {DATE} · {SERIES}")
    assert metrics.horizontalAdvance(shortened) <= 2 * width // 3


@pytest.mark.usefixtures("qapp")
def test_that_a_title_in_hardly_any_room_begins_with_the_patient_all_the_same() -> None:
    metrics = QFontMetrics(QFont())
    width = metrics.horizontalAdvance(f"{DATE} · {SERIES}")
    shortened = fitting((PATIENT, DATE, SERIES), metrics, width)
    assert shortened.startswith("Doe") and shortened.endswith("…")
    assert metrics.horizontalAdvance(shortened) <= width


def test_that_the_thumbnail_of_a_damaged_file_carries_a_mark(qtbot: QtBot) -> None:
    queue = Queue()
    queue.add([InputFile(source=f"/in/{name}", relative=name) for name in ("whole.dcm", "cut.dcm")], Method())
    queue.due()
    tree = QueueTree(queue)
    for index in (0, 1):
        queue.apply(ItemDecoded(index=index, decoded=f"/cache/{index}"))
    queue.apply(ItemWarned(index=1, text="This file is damaged.", damaged=True))
    view = QueueView(tree)
    qtbot.addWidget(view)
    palette = view.palette()
    palette.setColor(QPalette.ColorRole.BrightText, QColor(255, 0, 255))
    view.setPalette(palette)
    view.set_grouped(False)
    tree.arrange()
    view.resize(300, 400)
    view.show()
    picture = view.viewport().grab().toImage()
    marked = []
    for index in (0, 1):
        room = view.visualRect(tree.place(index))
        bottom = room.center().y() - STAMP // 2 + STAMP
        marked.append(picture.pixelColor(room.left() + PAD + STAMP - MARK // 3, bottom - 3) == QColor(255, 0, 255))
    assert marked == [False, True]


@pytest.fixture
def tree(qapp: QApplication) -> QueueTree:
    """One image of a patient with one study, two of one with two."""
    queue = Queue()
    queue.add([InputFile(source=f"/in/{number}.dcm", relative=f"{number}.dcm") for number in range(3)], Method())
    tree = QueueTree(queue)
    tree.show_names(True)
    for index, (patient, study) in enumerate((("ANON^ANON", "1"), ("Doe^Jane", "1"), ("Doe^Jane", "2"))):
        named = replace(header(patient, study), patient=Patient(name=patient, id="A1234567890"))
        tree.put_stamp(index, QImage(), named)
    tree.arrange()
    return tree


def test_that_a_patients_name_has_a_line_of_its_own_and_is_whole_in_a_narrow_list(tree: QueueTree) -> None:
    name, below = lines(tree.place(0).parent())
    assert (name, below) == (("ANON, ANON",), ("A1234567890", "3 May 2024", "DX CHEST"))
    font = QFont()
    font.setBold(True)
    whole = ("Fernandez-Villaverde, Maria",)
    assert fitting(whole, QFontMetrics(font), 290 - 40) == whole[0]


def test_that_a_study_of_several_needs_no_second_line(tree: QueueTree) -> None:
    study = tree.place(1).parent()
    assert lines(study) == (("Study 3 May 2024", "DX CHEST"),)
    assert lines(study.parent()) == (("Doe, Jane",), ("A1234567890",))


def test_that_a_row_has_room_for_its_lines(tree: QueueTree, qtbot: QtBot) -> None:
    view = QueueView(tree)
    qtbot.addWidget(view)
    patient, study = tree.place(1).parent().parent(), tree.place(1).parent()
    assert view.sizeHintForIndex(patient).height() > 1.5 * view.sizeHintForIndex(study).height()
