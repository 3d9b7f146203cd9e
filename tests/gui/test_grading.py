"""Blind grading as a reader does it: set up, read, pause, resume, be told; judged by the files that are left."""

from __future__ import annotations

import csv
import io
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QTableWidget, QTextEdit, QToolButton, QWidget

from fullfield import files
from fullfield.grading import store
from fullfield.protocol.events import ItemEnhanced
from fullfield_app.gui.grading.candidates import versions
from fullfield_app.gui.grading.takes import Takes
from fullfield_app.gui.view.image_view import ImageView
from gui.fake_job import FakeJob
from gui.hands import PATIENT, Hands

CONTROL = Qt.KeyboardModifier.ControlModifier
KEYS = {-2: Qt.Key.Key_1, -1: Qt.Key.Key_2, 0: Qt.Key.Key_3, 1: Qt.Key.Key_4, 2: Qt.Key.Key_5}


@pytest.fixture
def enhanced(hands: Hands, radiographs: list[Path]) -> Hands:
    """A window whose three images are enhanced, and its dialog of blind grading."""
    hands.drop_and_wait(radiographs)
    open_dialog(hands)
    return hands


def open_dialog(hands: Hands) -> None:
    activate(hands, hands.window)
    hands.list.setFocus()
    hands.key(Qt.Key.Key_B, CONTROL)
    hands.wait(lambda: hands.sees("Images to grade") and combo(hands, "Criteria for").count() > 0)


def combo(hands: Hands, name: str) -> QComboBox:
    found = hands.widget(name)
    assert isinstance(found, QComboBox)
    return found


def press(hands: Hands, key: Qt.Key) -> None:
    dialog = hands.widget("Blind grading")
    activate(hands, dialog)
    hands.qtbot.keyClick(dialog.focusWidget() or dialog, key)


def activate(hands: Hands, window: QWidget) -> None:
    """What a desktop does when the window above is closed, and this test's desktop does not."""
    window.activateWindow()
    hands.wait(window.isActiveWindow)


def write_criteria(hands: Hands, text: str) -> None:
    lines = hands.widget("Criteria, one per line")
    assert isinstance(lines, QTextEdit)
    lines.setFocus()
    hands.qtbot.keyClick(lines, Qt.Key.Key_A, CONTROL)
    for number, line in enumerate(text.splitlines()):
        if number:
            hands.qtbot.keyClick(lines, Qt.Key.Key_Return)
        hands.qtbot.keyClicks(lines, line)


def start(hands: Hands, criteria: str = "Noise") -> None:
    write_criteria(hands, criteria)
    hands.click("Start grading")
    wait_for_pair(hands)


def wait_for_pair(hands: Hands, seconds: float = PATIENT) -> None:
    hands.wait(lambda: hands.sees("Questions") and hands.widget("Questions").isEnabled(), seconds)


def view(hands: Hands, side: str) -> ImageView:
    found = hands.widget(f"Image on the {side}")
    assert isinstance(found, ImageView)
    return found


def brighter(hands: Hands) -> str:
    """Which side the enhanced image of this pair is on: the one with values beyond the original's 12 bits."""
    bits = {side: view(hands, side)._shown.picture.bits for side in ("left", "right")}
    return max(bits, key=lambda side: bits[side])


def answer(hands: Hands, score: int) -> None:
    """Answer a pair so that the enhanced image gets this score, and go on."""
    clicked = score if brighter(hands) == "right" else -score
    press(hands, KEYS[clicked])
    press(hands, Qt.Key.Key_Return)


def lines(folder: Path) -> list[dict[str, str]]:
    (table,) = (path for path in folder.glob("*.csv") if "statistics" not in path.name)
    return list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig"))))


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


def end(hands: Hands) -> QTableWidget:
    hands.click("End grading")
    hands.wait(lambda: hands.sees("End the grading and show the result?"))
    hands.click("Show result")
    hands.wait(lambda: hands.sees("Scores by criterion"))
    table = hands.widget("Scores by criterion")
    assert isinstance(table, QTableWidget)
    return table


def close(hands: Hands) -> None:
    press(hands, Qt.Key.Key_Escape)
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


def checked(hands: Hands) -> list[str]:
    buttons = hands.widget("Questions").findChildren(QToolButton)
    return [button.accessibleName() for button in buttons if button.isChecked()]


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


def test_that_it_is_closed_at_once_however_long_its_worker_and_its_folder_take(
    enhanced: Hands, jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    going, left, really_close = threading.Event(), list[bool](), Takes.close

    def wait_for(self: Takes) -> None:
        assert going.wait(20)
        really_close(self)
        left.append(True)

    monkeypatch.setattr(Takes, "close", wait_for)
    start(enhanced)
    press(enhanced, KEYS[1])
    close(enhanced)
    assert not left
    open_dialog(enhanced)
    close(enhanced)
    going.set()
    enhanced.wait(lambda: bool(left) and "paused" in enhanced.text("What the worker says"))


def test_that_nothing_kept_names_a_file_or_a_patient(enhanced: Hands, documents: Path) -> None:
    start(enhanced)
    answer(enhanced, 1)
    end(enhanced)
    kept = [*files.gradings_folder().iterdir(), *(documents / "Fullfield" / "Grading").iterdir()]
    assert len(kept) == 4
    for path in kept:
        assert "IM000" not in path.read_text(encoding="utf-8") and "IM000" not in path.name


def test_that_two_methods_are_compared_by_a_worker_of_the_grading_s_own(
    enhanced: Hands, jobs: list[FakeJob], documents: Path
) -> None:
    posted = len(jobs[0].posted)
    choose_version(enhanced, "First version", "Chest")
    choose_version(enhanced, "Second version", "General")
    start(enhanced)
    assert len(jobs) == 2 and len(jobs[0].posted) == posted  # the list's worker is left alone
    asked = {command["choice"] for command in jobs[1].posted if command["command"] == "enhance"}
    assert asked == {"chest", "general"}
    press(enhanced, KEYS[1])
    end(enhanced)
    (line,) = lines(documents / "Fullfield" / "Grading")
    assert (line["reference"], line["test"]) == ("preset chest 1", "preset general 1")
    close(enhanced)
    enhanced.wait(lambda: jobs[1].ended)
    assert not jobs[0].ended


def choose_version(hands: Hands, name: str, title: str) -> None:
    hands.choose(name, combo(hands, name).findText(title))
    assert combo(hands, name).currentText() == title


def test_that_a_version_that_cannot_be_made_says_why_and_can_be_tried_again(
    enhanced: Hands, jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    busy, answers = [True], FakeJob._enhance
    monkeypatch.setattr(FakeJob, "_enhance", lambda self, command: [] if busy else answers(self, command))
    choose_version(enhanced, "First version", "Chest")
    write_criteria(enhanced, "Noise")
    enhanced.click("Start grading")
    enhanced.wait(lambda: len(jobs) == 2)
    jobs[1].die()
    enhanced.wait(lambda: enhanced.sees("Try to make the image again"))
    assert "ended unexpectedly" in view(enhanced, "left")._message + view(enhanced, "right")._message
    assert not enhanced.widget("Questions").isEnabled()
    press(enhanced, KEYS[1])
    assert checked(enhanced) == []
    busy.clear()
    enhanced.click("Try to make the image again")
    wait_for_pair(enhanced)
    assert len(jobs) == 3 and not enhanced.sees("Try to make the image again")


def test_that_what_a_worker_tells_after_it_was_given_up_is_not_heard(
    enhanced: Hands, jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(job: FakeJob, command: dict[str, object]) -> None:
        raise OSError(28, "No space left on device")

    choose_version(enhanced, "First version", "Chest")
    write_criteria(enhanced, "Noise")
    monkeypatch.setattr(FakeJob, "post", refuse)
    enhanced.click("Start grading")
    enhanced.wait(lambda: enhanced.sees("Try to make the image again"))
    jobs[1].reported.append(ItemEnhanced(index=0, enhanced="/cache/0.npy", bits=16, recipe="", seconds=0.1))
    enhanced.wait(lambda: not jobs[1].reported)
    enhanced.qtbot.wait(50)
    assert enhanced.sees("Try to make the image again") and not enhanced.sees("Message")


def test_that_the_presets_are_called_as_everywhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fullfield_app.gui.grading.candidates.say_core", lambda text: f"said: {text}")
    assert "said: Chest" in [version.title for version in versions()]


def test_that_a_choice_that_makes_no_pair_cannot_be_started(enhanced: Hands) -> None:
    choose_version(enhanced, "First version", "As enhanced in the list")
    assert "different" in enhanced.text("How many pairs") and not enhanced.widget("Start grading").isEnabled()
    choose_version(enhanced, "First version", "Original")
    enhanced.click("Grade no image")
    assert "enhanced" in enhanced.text("How many pairs") and not enhanced.widget("Start grading").isEnabled()
    enhanced.click("Grade all images")
    write_criteria(enhanced, " ")
    assert "criterion" in enhanced.text("How many pairs") and not enhanced.widget("Start grading").isEnabled()


def test_that_criteria_of_one_s_own_are_said_to_be_so(enhanced: Hands) -> None:
    assert "EUR 16260" in enhanced.text("Where the criteria come from")
    write_criteria(enhanced, "Is the screw loose?")
    assert "own" in enhanced.text("Where the criteria come from")


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
