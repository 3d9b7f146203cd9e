"""The facts about an image."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from fullfield.inputs.files import InputFile
from fullfield_app.gui.enhance.details import Details
from fullfield_app.gui.enhance.row_texts import took
from fullfield_app.gui.queue.row import Row, Trouble

LONG = "Fullfield works on single-frame grey radiographs, and on pictures of them that another program has made. "


def row(name: str, words: int = 0) -> Row:
    trouble = Trouble(title=LONG * words, detail="", hint=LONG) if words else None
    notes = (LONG,) if words % 2 else ()
    return Row(index=0, item=InputFile(source=f"/in/{name}", relative=name), trouble=trouble, source_notes=notes)


def test_that_no_fact_is_cut_off_however_low_the_window_and_whatever_was_shown_before(qtbot: QtBot) -> None:
    details = Details()
    qtbot.addWidget(details)
    details.resize(350, 121)
    details.show()
    for one in (row("a.dcm"), row("b.dcm", 1), row("c.dcm"), row("d.dcm", 2), row("e" * 60, 1), row("f.dcm", 3)):
        details.show_row(one, None)
        qtbot.wait(30)
        for label in details.findChildren(QLabel):
            if label.isVisible():
                assert label.height() >= label.heightForWidth(label.width()), label.text()


def test_that_damage_is_told_apart_from_notes(qtbot: QtBot) -> None:
    details = Details()
    qtbot.addWidget(details)
    details.show_row(replace(row("a.dcm", 0), damage="This file is damaged."), None)
    (label,) = (label for label in details.findChildren(QLabel) if label.text() == "This file is damaged.")
    assert label.objectName() == "trouble" and not label.isHidden()
    details.show_row(row("b.dcm"), None)
    assert label.isHidden()


def test_that_an_image_takes_no_time_less_than_is_told() -> None:
    assert [took(seconds) for seconds in (0.0, 0.04, 0.1, 2.34)] == ["less than 0.1 s"] * 2 + ["0.1 s", "2.3 s"]
