"""The filter above the list: what it finds, what it leaves alone, and what acts on what it shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLineEdit

from fullfield_app.gui.enhance.list_filter import ListFilter
from fullfield_app.gui.enhance.queue_tree import ARRANGE_MILLISECONDS
from gui.conftest import make_files
from gui.fake_job import FakeJob
from gui.hands import LEFT, NO_KEYS, Hands
from gui.test_queue_tree import header

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.mark.parametrize(
    ("typed", "known", "found"),
    [
        ("", "anything", True),
        ("muller", "Müller, Ana 123", True),
        ("ana  MÜLLER", "Müller, Ana 123", True),
        ("ana 124", "Müller, Ana 123", False),
    ],
)
def test_that_all_words_are_wanted_in_any_order_accents_and_capitals_apart(typed: str, known: str, found: bool) -> None:
    assert ListFilter.of(typed).accepts(known, exported=False) is found


def test_that_what_is_not_exported_is_asked_for_in_these_words() -> None:
    wanted = ListFilter.of("Not exported hand")
    assert (wanted.words, wanted.unexported) == (("hand",), True)
    assert wanted.accepts("CR HAND", exported=False) and not wanted.accepts("CR HAND", exported=True)


def line(hands: Hands) -> QLineEdit:
    found = hands.widget("Filter the list")
    assert isinstance(found, QLineEdit)
    return found


def type_filter(hands: Hands, text: str) -> None:
    """By keys alone."""
    hands.key(Qt.Key.Key_F, CONTROL)
    hands.wait(line(hands).hasFocus)
    hands.qtbot.keyClicks(line(hands), text)


def names(hands: Hands) -> list[str]:
    return [row.partition(":")[0] for row in hands.rows()]


@pytest.fixture
def listed(hands: Hands, tmp_path: Path) -> Hands:
    """Three images of two patients, and a file that failed."""
    hands.drop_and_wait(make_files(tmp_path / "in", ["A1.dcm", "A2.dcm", "B1.dcm", "bad.dcm"]))
    hands.wait(lambda: len(hands.groups()) == 2 and len(hands.rows()) == 4)
    tree = hands.window._page._tree
    for index, patient in enumerate(("Müller^Ana", "Müller^Ana", "Doe^Jane")):
        tree.put_stamp(index, QImage(), header(patient))
    tree.arrange()
    hands.choose_row(0)
    return hands


def current(hands: Hands) -> int:
    index = hands.window._page._showing.index
    assert isinstance(index, int)
    return index


@pytest.mark.parametrize(
    ("typed", "found", "groups"),
    [
        ("jane", ["B1.dcm"], 1),
        ("muller chest", ["A1.dcm", "A2.dcm"], 1),
        ("a2", ["A2.dcm"], 1),
        ("3 may 2024", ["A1.dcm", "A2.dcm", "B1.dcm"], 2),
        ("failed", ["bad.dcm"], 1),
        ("patient doe", ["B1.dcm"], 1),
    ],
)
def test_that_images_are_found_by_patient_file_study_and_state_and_empty_groups_leave(
    listed: Hands, typed: str, found: list[str], groups: int
) -> None:
    type_filter(listed, typed)
    listed.wait(lambda: sorted(names(listed)) == found)
    assert len(listed.groups()) == groups
    assert listed.text("How many images are shown").startswith(f"{len(found)} of 4 images are shown")


def test_that_escape_shows_all_again_and_cancels_nothing(listed: Hands, jobs: list[FakeJob]) -> None:
    type_filter(listed, "jane")
    listed.wait(lambda: names(listed) == ["B1.dcm"])
    assert current(listed) == 2, "what is seen is in the list"
    jobs[0].hold.add("enhance")
    listed.window._page.work.enhance({0: listed.window._page.work.queue[0].method})
    listed.qtbot.keyClick(line(listed), Qt.Key.Key_Escape)
    listed.wait(lambda: len(names(listed)) == 4)
    assert listed.list.hasFocus() and line(listed).text() == "" and not listed.sees("How many images are shown")
    assert current(listed) == 2 and listed.window._page.work.queue.busy


def test_that_escape_in_a_filtered_list_first_shows_all_again(listed: Hands, jobs: list[FakeJob]) -> None:
    jobs[0].hold.add("enhance")
    listed.window._page.work.enhance({0: listed.window._page.work.queue[0].method})
    type_filter(listed, "jane")
    listed.wait(lambda: names(listed) == ["B1.dcm"])
    listed.qtbot.keyClick(line(listed), Qt.Key.Key_Return)
    listed.key(Qt.Key.Key_Escape)
    listed.wait(lambda: len(names(listed)) == 4)
    assert not any(row.cancelled for row in listed.window._page.work.queue.rows())
    listed.key(Qt.Key.Key_Escape)
    assert listed.window._page.work.queue[0].cancelled


def test_that_the_image_one_looks_at_stays_so_where_it_is_found_and_comes_back_where_nothing_was(
    listed: Hands,
) -> None:
    type_filter(listed, "a1")
    listed.wait(lambda: names(listed) == ["A1.dcm"])
    assert current(listed) == 0
    listed.qtbot.keyClicks(line(listed), "xyz")
    listed.wait(lambda: names(listed) == [])
    assert current(listed) == -1 and "None of 4 images" in listed.text("How many images are shown")
    listed.qtbot.keyClick(line(listed), Qt.Key.Key_Escape)
    listed.wait(lambda: len(names(listed)) == 4)
    assert current(listed) == 0 and listed.list.selectionModel().selectedIndexes() != []


def test_that_what_is_selected_stays_selected_as_far_as_it_is_shown(listed: Hands) -> None:
    listed.list.selectAll()
    type_filter(listed, "muller")
    listed.wait(lambda: names(listed) == ["A1.dcm", "A2.dcm"])
    assert listed.list.selected() == [0, 1]


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_that_exports_and_the_choice_for_all_act_on_what_is_shown(
    listed: Hands, jobs: list[FakeJob], documents: Path
) -> None:
    type_filter(listed, "muller")
    listed.wait(lambda: names(listed) == ["A1.dcm", "A2.dcm"])
    button = listed.widget("Export the new images")
    assert button.property("text") == "Export 2 new"
    listed.click("Export the new images")
    listed.wait(lambda: button.property("text") == "Nothing new to export")
    listed.wait(
        lambda: left(documents / "Fullfield") == ["A1_enhanced.dcm", "A2_enhanced.dcm"]
    )  # what waits is not new
    listed.click("Enhance all images with this choice")
    listed.qtbot.wait(50)
    listed.qtbot.keyClick(line(listed), Qt.Key.Key_Escape)
    listed.wait(lambda: button.property("text") == "Export 1 new")
    enhanced = [command["index"] for command in jobs[0].posted if command["command"] == "enhance"]
    assert enhanced == [0, 1, 2, 0, 1]


def test_that_images_leave_the_list_of_what_is_not_exported_as_they_are(listed: Hands, documents: Path) -> None:
    type_filter(listed, "not exported")
    listed.wait(lambda: listed.text("How many images are shown").startswith("4 of 4"))
    listed.list.setFocus()
    listed.window._page.actions_by_key["export_selected"].trigger()
    listed.wait(lambda: sorted(names(listed)) == ["A2.dcm", "B1.dcm", "bad.dcm"])
    assert current(listed) == 1


def test_that_an_image_that_a_hand_holds_stays_in_the_list_until_it_is_let_go(listed: Hands, documents: Path) -> None:
    type_filter(listed, "not exported")
    listed.wait(lambda: listed.window._page._tree._filter.unexported)
    view = listed.view("Image after")
    listed.wait(lambda: view.image_size() is not None)
    middle = view.rect().center()
    listed.qtbot.mousePress(view, LEFT, NO_KEYS, middle)
    listed.window._page.actions_by_key["export_selected"].trigger()
    listed.wait(lambda: any("Exported" in row for row in listed.rows()) or len(names(listed)) == 3)
    listed.qtbot.wait(2 * ARRANGE_MILLISECONDS)
    assert current(listed) == 0
    listed.move(view, middle + QPoint(-60, 20), LEFT)
    listed.qtbot.mouseRelease(view, LEFT, NO_KEYS, middle + QPoint(-60, 20))
    listed.wait(lambda: sorted(names(listed)) == ["A2.dcm", "B1.dcm", "bad.dcm"])
    looks = [listed.window._page._showing.appearance(index).after for index in (0, 1)]
    assert looks[0] is not None and looks[1] is None


def test_that_opening_more_shows_all_again(listed: Hands, tmp_path: Path) -> None:
    type_filter(listed, "jane")
    listed.wait(lambda: names(listed) == ["B1.dcm"])
    listed.drop(make_files(tmp_path / "more", ["NEXT.dcm"]))
    listed.wait(lambda: len(names(listed)) == 5)
    assert line(listed).text() == "" and current(listed) == 4


def test_that_letters_in_the_filter_are_no_commands(listed: Hands) -> None:
    before = QApplication.focusWidget()
    type_filter(listed, "x c")
    assert line(listed).text() == "x c" and before is not line(listed)
    assert listed.window._page._compare.mode.value == "side by side"
