"""What the list's painter writes where there is little room."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPalette
from pytestqt.qtbot import QtBot

from fullfield.events import ItemDecoded, ItemWarned
from fullfield.image.method import Method
from fullfield.jobs.inputs import InputFile
from fullfield_app.gui.enhance.queue_model import Queue
from fullfield_app.gui.enhance.queue_tree import QueueTree
from fullfield_app.gui.enhance.queue_view import QueueView
from fullfield_app.gui.enhance.row_painter import MARK, PAD, STAMP, fitting

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
