"""The window, used by hand, with a worker that answers at once."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from fullfield.events import ItemDecoded, Notice
from fullfield.jobs.inputs import Found, discover
from fullfield_app.gui.view.viewer import Viewer
from fullfield_app.gui.widgets.label import ElidedLabel
from gui.conftest import make_files
from gui.fake_job import FakeJob, leave_decoded
from gui.hands import Hands

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def test_that_dropped_files_are_queued_shown_and_enhanced(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    assert [row.split(":")[0] for row in hands.rows()] == ["IM0001.dcm", "IM0002.dcm", "IM0003.dcm"]
    hands.wait(lambda: hands.view("Image after").image_size() is not None)
    assert hands.view().image_size() == (180, 240)


@pytest.mark.parametrize("place", [(5, 5), (700, 400), (1270, 710)])
def test_that_files_may_be_dropped_anywhere(hands: Hands, radiographs: list[Path], place: tuple[int, int]) -> None:
    hands.drop(radiographs[:1], at=place)
    hands.wait(lambda: len(hands.rows()) == 1)


def test_that_files_may_be_dropped_on_images_that_are_shown(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.drop(radiographs[1:], at=(900, 300))
    hands.wait(lambda: len(hands.rows()) == 3)


def test_that_a_dropped_folder_is_walked(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop([radiographs[0].parent])
    hands.wait(lambda: len(hands.rows()) == 3)


def test_that_an_image_is_visible_before_it_is_enhanced(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    jobs[0].hold.add("enhance")
    hands.drop(radiographs[:1])
    hands.wait(lambda: hands.view().image_size() is not None)
    assert hands.view("Image after").image_size() is None
    assert "Enhanced" not in hands.rows()[0]


def test_that_a_failed_image_says_why_and_what_to_do_and_costs_only_its_row(hands: Hands, tmp_path: Path) -> None:
    hands.drop_and_wait(make_files(tmp_path / "in", ["bad.dcm", "good.dcm"]))
    assert hands.rows() == ["bad.dcm: Failed: It ends too early.", "good.dcm: Enhanced in 0.4 s"]
    assert hands.text("Problem of this image") == "Cannot read the file. It ends too early."
    assert hands.text("What to do of this image") == "Copy it anew."


def test_that_markup_in_a_file_name_is_shown_letter_by_letter(hands: Hands, tmp_path: Path) -> None:
    name = "<b>bad<img src=x>.dcm"
    hands.drop_and_wait(make_files(tmp_path / "in", [name]))
    assert hands.text("File of this image") == name
    for label in hands.window.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText, label.accessibleName()
    model = hands.list.model()
    shown = str(model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole))
    assert "&lt;b&gt;" in shown and "<b>" not in shown


def test_that_signs_that_reorder_a_name_are_not_shown_as_such(hands: Hands, tmp_path: Path) -> None:
    hands.drop_and_wait(make_files(tmp_path / "in", ["IM\u202emcd.exe"]))
    assert "\u202e" not in hands.rows()[0]


def test_that_the_kind_of_input_is_shown_with_its_reason(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.wait(lambda: bool(hands.text("Input of this image")))
    assert hands.text("Input of this image") == "Processed for display. The file says that it is for presentation."


def test_that_what_the_worker_says_of_its_device_is_in_the_status_bar(hands: Hands, jobs: list[FakeJob]) -> None:
    jobs[0].told.append(Notice(text="The GPU's driver is too old: the CPU is used."))
    hands.wait(lambda: "too old" in hands.text("What the worker says"))


def test_that_it_always_says_what_it_is_not(hands: Hands) -> None:
    label = hands.widget("What this program is not")
    assert label.isVisible() and "Not a medical device" in hands.text("What this program is not")


def test_that_the_next_image_comes_by_key_and_its_window_is_remembered(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    hands.wait(lambda: hands.view("Image after").image_size() is not None)
    hands.drag(hands.view(), QPoint(100, 100), QPoint(60, 130))
    changed = hands.view().accessibleDescription()
    hands.key(Qt.Key.Key_PageDown)
    hands.wait(lambda: hands.text("File of this image") == "IM0002.dcm")
    hands.wait(lambda: hands.view().image_size() is not None)
    assert hands.view().accessibleDescription() != changed
    hands.key(Qt.Key.Key_PageUp)
    hands.wait(lambda: hands.view().accessibleDescription() == changed)


def test_that_the_keys_of_ohif_change_the_view(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.wait(lambda: hands.view().image_size() == (180, 240))
    view = hands.view()
    fitted = view.camera.scale
    hands.key(Qt.Key.Key_Plus)
    assert view.camera.scale > fitted
    hands.key(Qt.Key.Key_Minus)
    hands.key(Qt.Key.Key_Minus)
    assert view.camera.scale < fitted
    hands.key(Qt.Key.Key_Equal)
    assert view.camera.scale == fitted
    hands.key(Qt.Key.Key_R)
    assert view.image_size() == (240, 180)
    hands.key(Qt.Key.Key_L)
    hands.key(Qt.Key.Key_H)
    assert view.orientation.mirrored
    hands.key(Qt.Key.Key_1, CONTROL)
    assert view.camera.scale == 1.0
    hands.qtbot.mouseClick(view, Qt.MouseButton.RightButton)
    view.setFocus()
    hands.key(Qt.Key.Key_Space)
    assert not view.orientation.mirrored and view.camera.scale == fitted


def test_that_the_space_bar_still_presses_a_button(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs[:1])
    curtain = hands.widget("Button: Curtain")
    curtain.setFocus()
    hands.key(Qt.Key.Key_Space)
    assert hands.view("Before and after under a curtain").isVisible()


def test_that_the_curtain_comes_and_goes_by_key(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.key(Qt.Key.Key_C)
    assert hands.view("Before and after under a curtain").isVisible()
    hands.key(Qt.Key.Key_S)
    assert hands.view("Image after").isVisible()


def test_that_another_preset_enhances_the_selected_image_again(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs)
    hands.choose("Preset or model", 1)
    hands.wait(lambda: "auto" not in hands.text("Enhanced of this image"))
    assert hands.text("Enhanced of this image").startswith("preset general 1")
    again = [command for command in jobs[0].posted if command.get("choice") == "general"]
    assert [command["index"] for command in again] == [0]
    hands.click("Enhance all images with this choice")
    hands.wait(lambda: len([command for command in jobs[0].posted if command.get("choice") == "general"]) == 4)


def test_that_cancel_leaves_what_has_not_begun(hands: Hands, radiographs: list[Path], jobs: list[FakeJob]) -> None:
    jobs[0].hold.add("enhance")
    hands.drop(radiographs)
    hands.wait(lambda: all("Opened, waiting" in row for row in hands.rows()) and len(hands.rows()) == 3)
    hands.click("Cancel what has not begun")
    hands.wait(lambda: all("Cancelled" in row for row in hands.rows()))
    jobs[0].hold.clear()
    hands.list.setFocus()
    hands.key(Qt.Key.Key_A, CONTROL)
    hands.key(Qt.Key.Key_Return, CONTROL)
    hands.wait(lambda: all("Enhanced" in row for row in hands.rows()))


def test_that_results_are_exported_under_the_files_names_into_documents(
    hands: Hands, radiographs: list[Path], documents: Path
) -> None:
    hands.drop_and_wait(radiographs)
    hands.click("Export all images")
    hands.wait(lambda: all("Exported" in row for row in hands.rows()))
    names = sorted(path.name for path in (documents / "Fullfield").iterdir())
    assert names == ["IM0001_enhanced.dcm", "IM0002_enhanced.dcm", "IM0003_enhanced.dcm"]
    hands.wait(lambda: hands.text("Message, in short") == "3 images were exported.")
    assert str(documents / "Fullfield") in hands.text("Message, in full")


def test_that_only_the_selected_image_is_exported_in_the_chosen_format(
    hands: Hands, radiographs: list[Path], documents: Path, jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs)
    hands.choose_row(1)
    hands.choose("Format of exports", 1)
    hands.click("Export the selected images")
    hands.wait(lambda: "Exported" in hands.rows()[1])
    assert [path.name for path in (documents / "Fullfield").iterdir()] == ["IM0002_enhanced.png"]
    assert jobs[0].posted[-1]["format"] == "png16"


@pytest.mark.parametrize(
    ("answer", "left"),
    [("Replace", {"IM0001_enhanced.dcm": b"exported"}), ("Do not export", {"IM0001_enhanced.dcm": b"earlier"})],
)
def test_that_an_existing_file_is_only_replaced_when_that_is_agreed(
    hands: Hands, radiographs: list[Path], documents: Path, answer: str, left: dict[str, bytes]
) -> None:
    folder = documents / "Fullfield"
    folder.mkdir(parents=True)
    (folder / "IM0001_enhanced.dcm").write_bytes(b"earlier")
    hands.drop_and_wait(radiographs[:1])
    hands.click("Export all images")
    hands.wait(lambda: exists(hands, "Replace existing files?"))
    hands.click(answer)
    hands.qtbot.wait(150)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == left


def test_that_keeping_both_writes_beside_the_existing_file(
    hands: Hands, radiographs: list[Path], documents: Path
) -> None:
    folder = documents / "Fullfield"
    folder.mkdir(parents=True)
    (folder / "IM0001_enhanced.dcm").write_bytes(b"earlier")
    hands.drop_and_wait(radiographs[:1])
    hands.click("Export all images")
    hands.wait(lambda: exists(hands, "Replace existing files?"))
    hands.click("Keep both")
    hands.wait(lambda: (folder / "IM0001_enhanced-2.dcm").exists())
    assert (folder / "IM0001_enhanced.dcm").read_bytes() == b"earlier"


def test_that_a_worker_that_dies_is_said_plainly_and_can_be_started_again(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs[:1])
    jobs[0].hold.add("enhance")
    hands.drop(radiographs)
    hands.wait(lambda: "Opened, waiting" in hands.rows()[-1])
    jobs[0].die()
    hands.wait(lambda: hands.widget("Message").isVisible())
    assert "ended unexpectedly" in hands.text("Message, in short")
    assert "Your list is kept" in hands.text("Message, in full")
    assert [row.split(": ")[1].split(" ")[0] for row in hands.rows()] == ["Enhanced", "Opened,", "Opened,"]
    hands.click("Do what the message proposes")
    hands.wait(lambda: all("Enhanced" in row for row in hands.rows()))
    assert len(jobs) == 2 and not hands.widget("Message").isVisible()


def test_that_dropping_files_starts_a_dead_worker_again(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    jobs[0].die()
    hands.wait(lambda: hands.widget("Message").isVisible())
    hands.drop_and_wait(radiographs)
    hands.wait(lambda: not hands.widget("Message").isVisible())
    assert len(jobs) == 2


def test_that_an_image_in_hand_can_be_stopped_at_once(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    jobs[0].hold.update({"enhance", "cancel"})
    hands.drop(radiographs[:1])
    hands.wait(lambda: "Opened, waiting" in "".join(hands.rows()))
    hands.key(Qt.Key.Key_Escape)
    hands.wait(lambda: hands.widget("Message").isVisible())
    hands.click("Do what the message proposes")
    hands.wait(lambda: len(jobs) == 2)
    assert jobs[0].killed and "Cancelled" in hands.rows()[0]


def test_that_starting_again_after_a_refused_command_leaves_one_worker_that_knows_the_images(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(command: dict[str, object]) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(jobs[0], "post", refuse)
    hands.drop(radiographs[:1])
    hands.wait(lambda: hands.widget("Message").isVisible())
    jobs[0].told.append(ItemDecoded(index=0, decoded="/cache/0"))
    hands.wait(lambda: not jobs[0].told)
    hands.qtbot.wait(50)
    hands.click("Do what the message proposes")
    hands.wait(lambda: "Enhanced" in hands.rows()[0])
    assert len(jobs) == 2 and jobs[0].killed and jobs[1].posted[0]["command"] == "open"


def test_that_an_image_that_left_the_cache_is_shown_once_it_was_removed_and_opened_again(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    jobs[0].hold.update({"open", "enhance"})
    folder = jobs[0].folder / "decoded-0"
    hands.drop(radiographs[:1])
    hands.wait(lambda: bool(jobs[0].posted))
    jobs[0].told.append(ItemDecoded(index=0, decoded=str(folder)))
    hands.wait(lambda: "no longer in the cache" in hands.text("Message, in full"))
    hands.list.setFocus()
    hands.key(Qt.Key.Key_Delete)
    hands.wait(lambda: not hands.rows())
    hands.drop(radiographs[:1])
    hands.wait(lambda: jobs[0].posted[-1] == jobs[0].posted[0] | {"index": 1})
    leave_decoded(folder)
    jobs[0].told.append(ItemDecoded(index=1, decoded=str(folder)))
    hands.wait(lambda: hands.view().image_size() == (180, 240))


def test_that_an_image_removed_before_it_was_exported_does_not_keep_the_others_from_being_told(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs)
    jobs[0].hold.add("export")
    hands.click("Export all images")
    hands.wait(lambda: jobs[0].posted[-1]["command"] == "export")
    hands.choose_row(2)
    hands.key(Qt.Key.Key_Delete)
    hands.wait(lambda: len(hands.rows()) == 2)
    jobs[0].hold.clear()
    for command in [command for command in jobs[0].posted if command["command"] == "export"]:
        jobs[0].post(command)
    hands.wait(lambda: hands.text("Message, in short") == "2 images were exported.")


def test_that_images_leave_the_list_by_key_and_files_stay(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    hands.choose_row(0)
    hands.key(Qt.Key.Key_Delete)
    hands.wait(lambda: len(hands.rows()) == 2)
    hands.key(Qt.Key.Key_A, CONTROL)
    hands.key(Qt.Key.Key_Delete)
    hands.wait(lambda: hands.widget("Start: no images yet").isVisible())
    assert all(path.exists() for path in radiographs)


def test_that_a_file_that_is_there_already_is_said(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    hands.drop(radiographs)
    hands.wait(lambda: "already" in hands.text("Message, in full"))


def test_that_a_missing_path_is_an_error_in_the_window(hands: Hands, tmp_path: Path) -> None:
    hands.drop([tmp_path / "gone.dcm"])
    hands.wait(lambda: "gone.dcm" in hands.text("Message, in short"))
    hands.click("Dismiss the message")
    assert not hands.widget("Message").isVisible()


def test_that_closing_stops_the_worker(hands: Hands, jobs: list[FakeJob]) -> None:
    hands.window.close()
    assert jobs[0].stopped and not hands.window.isVisible()


def test_that_closing_ends_the_worker_before_it_waits_for_a_folder_that_is_being_walked(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    walking, ended = threading.Event(), list[bool]()

    def walk(paths: list[Path]) -> Found:
        walking.set()
        end = time.monotonic() + 5
        while not jobs[0].ended and time.monotonic() < end:
            time.sleep(0.01)
        ended.append(jobs[0].ended)
        return discover(paths)

    monkeypatch.setattr("fullfield_app.gui.enhance.panel.discover", walk)
    hands.drop(radiographs)
    assert walking.wait(5)
    hands.window.close()
    assert ended == [True]


def test_that_closing_asks_when_results_would_be_lost(
    hands: Hands, radiographs: list[Path], jobs: list[FakeJob]
) -> None:
    hands.drop_and_wait(radiographs[:1])
    hands.window.close()
    assert hands.window.isVisible() and not jobs[0].stopped
    hands.click("Go back")
    assert hands.window.isVisible()
    hands.window.close()
    hands.click("Close")
    hands.wait(lambda: jobs[0].stopped)
    assert not hands.window.isVisible()


def test_that_the_window_fits_a_laptop_of_1366_by_768(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    least = hands.window.minimumSizeHint()
    assert least.width() <= 1280 and least.height() <= 680


def test_that_no_text_is_cut_off(hands: Hands, tmp_path: Path) -> None:
    assert cut_off(hands.window) == []
    hands.drop_and_wait(make_files(tmp_path / "in", ["bad.dcm", f"{'long_' * 30}name.dcm"]))
    hands.drop([tmp_path / "gone.dcm"])
    hands.wait(lambda: hands.widget("Message").isVisible())
    hands.key(Qt.Key.Key_PageDown)
    hands.wait(lambda: hands.view().image_size() is not None)
    assert cut_off(hands.window) == []


def cut_off(window: QWidget) -> list[str]:
    """Texts of labels and buttons that are smaller than their letters."""
    application = QApplication.instance()
    assert application is not None
    application.processEvents()
    found = []
    for widget in (*window.findChildren(QLabel), *window.findChildren(QAbstractButton)):
        if not widget.isVisible() or not widget.text() or isinstance(widget, ElidedLabel):
            continue
        wraps = isinstance(widget, QLabel) and widget.wordWrap()
        need = widget.heightForWidth(widget.width()) if wraps else widget.sizeHint().height()
        if widget.height() < need or (not wraps and widget.width() < widget.minimumSizeHint().width()):
            found.append(f"{widget.accessibleName()}: {widget.text()}")
    return found


def test_that_the_list_of_keys_names_every_action(hands: Hands) -> None:
    hands.qtbot.keyClick(hands.window, "?")
    hands.wait(lambda: exists(hands, "Mouse and keys"))
    texts = {label.text() for label in hands.widget("Mouse and keys").findChildren(QLabel)}
    assert {"Curtain", "Invert", "Export all", "zoom at the cursor"} <= texts


def test_that_the_views_of_both_modes_are_there(hands: Hands) -> None:
    assert len(hands.window.findChildren(Viewer)) == 3


def exists(hands: Hands, name: str) -> bool:
    """A widget of that name is to be seen."""
    try:
        found: QWidget = hands.widget(name)
    except LookupError:
        return False
    return found.isVisible()
