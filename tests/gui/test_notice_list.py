"""What a run has said, with the time."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale
from pytestqt.qtbot import QtBot

from fullfield.protocol.events import Notice
from fullfield_app.gui.runs.notice_list import NoticeList

NOON = 1_790_000_000.0
DAY = 86400.0


def test_that_a_notice_of_another_day_than_the_one_before_has_its_date(qtbot: QtBot) -> None:
    shown = NoticeList()
    qtbot.addWidget(shown)
    said = tuple(Notice(text="x", time=NOON + days * DAY) for days in (0, 0, 3, 3, 4))
    shown.show_notices(said[:3])
    shown.show_notices(said)
    moments = [QDateTime.fromSecsSinceEpoch(int(one.time)) for one in said]
    parts = [moments[0].time(), moments[1].time(), moments[2], moments[3].time(), moments[4]]
    short = QLocale.FormatType.ShortFormat
    assert [shown.item(row).text() for row in range(5)] == [f"{QLocale().toString(part, short)}   x" for part in parts]
