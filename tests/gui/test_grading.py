"""Blind grading as a reader does it: set up, read, pause, resume, be told; judged by the files that are left."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QTableWidget, QWidget

from fullfield import files
from fullfield.grading import store
from gui.grading_steps import (
    KEYS,
    answer,
    brighter,
    checked,
    close,
    combo,
    end,
    enhanced,
    lines,
    open_dialog,
    press,
    start,
    view,
    wait_for_pair,
)
from gui.hands import Hands

__all__ = ["enhanced"]


def test_that_a_whole_grading_leaves_answers_and_statistics(enhanced: Hands, documents: Path) -> None:
    hands = enhanced
    assert "Pairs: 3" in hands.text("How many pairs")
    reader = hands.widget("Reader's initials")
    assert isinstance(reader, QLineEdit)
    hands.qtbot.keyClicks(reader, "AB")
    start(hands)
    for score in (2, 1, 2):
        answer(hands, score)
        if hands.sees("Questions"):
            wait_for_pair(hands)
    hands.wait(lambda: hands.sees("End the grading and show the result?"))
    hands.click("Show result")
    hands.wait(lambda: hands.sees("Scores by criterion"))
    table = hands.widget("Scores by criterion")
    assert isinstance(table, QTableWidget)
    cells = [table.item(0, column).text() for column in range(table.columnCount())]
    assert cells[:4] == ["Noise", "3", "+1.67", "+2.00"] and cells[4].startswith("3 (100") and cells[5] == "too few"
    assert "As enhanced" not in hands.text("What the scores mean") and "Original" in hands.text("What the scores mean")
    assert "Too few pairs" in hands.text("What the numbers cannot say")
    reported = lines(documents / "Fullfield" / "Grading")
    assert sorted(int(line["score"]) for line in reported) == [1, 2, 2]
    assert {line["reader"] for line in reported} == {"AB"} and len({line["image"] for line in reported}) == 3
    (statistics,) = (documents / "Fullfield" / "Grading").glob("*-statistics.csv")
    (line,) = csv.DictReader(io.StringIO(statistics.read_text(encoding="utf-8-sig")))
    assert (line["criterion"], line["pairs"], line["mean"], line["better"]) == ("Noise", "3", "1.66667", "3")
    assert line["p"] == "" and line["answers_+2"] == "2"
    (text,) = (documents / "Fullfield" / "Grading").glob("*.txt")
    assert "mean +1.67" in text.read_text(encoding="utf-8") and "too few for a test" in text.read_text(encoding="utf-8")
    hands.click("Close the grading")
    hands.wait(lambda: not hands.sees("Blind grading"))


def test_that_nothing_in_sight_tells_which_image_is_which(enhanced: Hands) -> None:
    start(enhanced)
    dialog = enhanced.widget("Blind grading")
    words = " ".join(
        f"{widget.accessibleName()} {widget.accessibleDescription()} {widget.toolTip()}"
        for widget in dialog.findChildren(QWidget)
        if widget.isVisible()
    ).lower()
    for telling in (
        "before",
        "after",
        "original",
        "enhanced",
        "automatic",
        "preset",
        "chest",
        "im000",
        "65535",
        "4095",
    ):
        assert telling not in words, telling
    assert view(enhanced, "left").numbers(view(enhanced, "left")._shown).endswith("%")


def test_that_both_images_are_looked_at_alike(enhanced: Hands) -> None:
    start(enhanced)
    left, right = view(enhanced, "left"), view(enhanced, "right")
    enhanced.wheel(right, right.rect().center(), 3)
    assert left.camera == right.camera and not left.camera.fitted
    before = [view._shown.voi for view in (left, right)]
    enhanced.drag(left, left.rect().center(), left.rect().center() + QPoint(-60, 20))
    changed = [view._shown.voi for view in (left, right)]
    for was, now, shown in zip(before, changed, (left, right), strict=True):
        assert now != was and shown._shown.picture.lowest <= now.low < now.high
    press(enhanced, Qt.Key.Key_I)
    assert left._shown.inverted and right._shown.inverted
    press(enhanced, Qt.Key.Key_F)
    assert left.camera.fitted


def test_that_keys_answer_line_by_line_and_go_back_and_forth(enhanced: Hands) -> None:
    start(enhanced, "Noise\nOverall")
    for key in (Qt.Key.Key_1, Qt.Key.Key_5):
        press(enhanced, key)
    assert checked(enhanced) == ["Noise: left much better", "Overall: right much better"]
    press(enhanced, Qt.Key.Key_Up)
    press(enhanced, Qt.Key.Key_3)
    assert checked(enhanced) == ["Noise: equal", "Overall: right much better"]
    press(enhanced, Qt.Key.Key_Return)
    wait_for_pair(enhanced)
    assert checked(enhanced) == [] and enhanced.text("Which pair") == "Pair 2 of 3"
    enhanced.click("Noise: right better")
    press(enhanced, Qt.Key.Key_Return)  # not the button that has the focus
    wait_for_pair(enhanced)
    assert enhanced.text("Which pair") == "Pair 3 of 3"
    press(enhanced, Qt.Key.Key_Backspace)
    press(enhanced, Qt.Key.Key_Backspace)
    assert enhanced.text("Which pair") == "Pair 1 of 3"
    wait_for_pair(enhanced)
    assert checked(enhanced) == ["Noise: equal", "Overall: right much better"]


def test_that_a_pair_that_is_not_answered_is_come_back_to(enhanced: Hands) -> None:
    start(enhanced)
    press(enhanced, Qt.Key.Key_Return)
    for _ in range(2):
        wait_for_pair(enhanced)
        answer(enhanced, 1)
    assert enhanced.text("Which pair") == "Pair 1 of 3"
    assert "not answered" in enhanced.text("What is missing") and enhanced.sees("What is missing")


def test_that_a_paused_grading_is_resumed_in_the_same_order_and_forgets_no_answer(
    enhanced: Hands, documents: Path
) -> None:
    start(enhanced)
    answer(enhanced, 2)
    wait_for_pair(enhanced)
    sides = brighter(enhanced)
    press(enhanced, KEYS[0])
    enhanced.click("Pause grading")
    enhanced.wait(lambda: "paused" in enhanced.text("What the worker says"))
    (kept,) = store.kept()
    assert kept.study.done == 2
    open_dialog(enhanced)
    enhanced.wait(lambda: enhanced.sees("Earlier grading"))
    assert "2 of 3 pairs" in combo(enhanced, "Earlier grading").currentText()
    enhanced.click("Open the earlier grading")
    wait_for_pair(enhanced)
    assert enhanced.text("Which pair") == "Pair 3 of 3"
    press(enhanced, Qt.Key.Key_Backspace)
    wait_for_pair(enhanced)
    assert brighter(enhanced) == sides and checked(enhanced) == ["Noise: equal"]
    table = end(enhanced)
    assert table.item(0, 1).text() == "2"
    assert sorted(int(line["score"]) for line in lines(documents / "Fullfield" / "Grading")) == [0, 2]


def test_that_closing_in_the_middle_keeps_the_last_answer(enhanced: Hands) -> None:
    start(enhanced)
    press(enhanced, KEYS[1])
    close(enhanced)
    enhanced.wait(lambda: [kept.study.done for kept in store.kept()] == [1])


def test_that_nothing_kept_names_a_file_or_a_patient(enhanced: Hands, documents: Path) -> None:
    start(enhanced)
    answer(enhanced, 1)
    end(enhanced)
    kept = [*files.gradings_folder().glob("*.json"), *(documents / "Fullfield" / "Grading").iterdir()]
    assert len(kept) == 4
    for path in kept:
        assert "IM000" not in path.read_text(encoding="utf-8") and "IM000" not in path.name


def test_that_another_reader_grades_the_same_pairs_and_both_are_in_the_table(enhanced: Hands, documents: Path) -> None:
    start(enhanced)
    answer(enhanced, 2)
    end(enhanced)
    enhanced.click("Let another reader grade the same pairs")
    dialog = enhanced.widget("Another reader")
    enhanced.qtbot.keyClicks(dialog.focusWidget(), "CD")
    enhanced.qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    enhanced.wait(lambda: enhanced.sees("Questions"))
    wait_for_pair(enhanced)
    assert enhanced.text("Which pair") == "Pair 1 of 3" and checked(enhanced) == []
    answer(enhanced, -1)
    end(enhanced)
    reported = lines(documents / "Fullfield" / "Grading")
    assert sorted((line["reader"], int(line["score"])) for line in reported) == [("1", 2), ("CD", -1)]


def test_that_an_earlier_grading_can_be_deleted(enhanced: Hands) -> None:
    start(enhanced)
    close(enhanced)
    open_dialog(enhanced)
    enhanced.wait(lambda: enhanced.sees("Earlier grading"))
    enhanced.click("Delete the earlier grading")
    enhanced.wait(lambda: enhanced.sees("Delete this grading?"))
    enhanced.click("Delete")
    enhanced.wait(lambda: not enhanced.sees("Earlier grading"))
    assert store.kept() == ()


def test_that_the_dialog_fits_a_small_screen_and_names_every_part_once(enhanced: Hands) -> None:
    start(enhanced, "\n".join(f"A criterion of some length, number {number}" for number in range(12)))
    dialog = enhanced.widget("Blind grading")
    assert dialog.minimumSizeHint().height() <= 700 and dialog.minimumSizeHint().width() <= 1280
    names = [widget.accessibleName() for widget in dialog.findChildren(QWidget) if not widget.isWindow()]
    assert all(names) and len(set(names)) == len(names)
    assert sum(name.startswith("Question: ") for name in names) == 10
