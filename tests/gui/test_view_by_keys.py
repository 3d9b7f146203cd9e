"""The image that is seen, changed by keys as OHIF has them, and how each is left."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt

from gui.hands import Hands

CONTROL = Qt.KeyboardModifier.ControlModifier


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


def test_that_an_image_is_turned_and_inverted_as_it_was_left_until_it_is_reset(
    hands: Hands, radiographs: list[Path]
) -> None:
    hands.drop_and_wait(radiographs[:2])
    hands.choose_row(1)
    for key in (Qt.Key.Key_R, Qt.Key.Key_I):
        hands.key(key)
    assert stance(hands) == (1, True)
    hands.choose_row(0)
    assert stance(hands) == (0, False)
    hands.choose_row(1)
    assert stance(hands) == (1, True)
    middle = hands.view().rect().center()
    hands.qtbot.mouseDClick(hands.view(), Qt.MouseButton.LeftButton, pos=middle)
    hands.choose_row(0)
    hands.choose_row(1)
    assert stance(hands) == (0, False)


def stance(hands: Hands) -> tuple[int, bool]:
    """Quarter turns of the image that is seen, and whether it is inverted."""
    view = hands.view()
    hands.wait(lambda: view.image_size() is not None)
    found = view.shown_at(QPointF(view.rect().center()))
    assert found is not None
    return view.orientation.turns, found[1].inverted


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
