"""One place shows errors, and none of them ends the window."""

from __future__ import annotations

import logging
import sys
import threading

import pytest
from PySide6.QtCore import QTimer

from fullfield.errors import UsageError
from fullfield_app.gui.widgets.message_bar import Message, MessageBar
from gui.hands import Hands


def test_that_an_error_says_what_was_done_what_is_wrong_and_what_to_do(hands: Hands) -> None:
    hands.window.errors.show(UsageError("Cannot do it.", detail="It is closed.", hint="Open it."))
    assert hands.text("Message, in short") == "Cannot do it."
    assert hands.text("Message, in full") == "It is closed. Open it."


def test_that_an_unforeseen_exception_of_a_slot_is_shown_without_its_values(
    hands: Hands, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise KeyError("DOE^JANE")

    with hands.qtbot.captureExceptions():
        hands.window.errors.install()
        QTimer.singleShot(0, fail)
        hands.wait(lambda: hands.widget("Message").isVisible())
    hands.window.errors.uninstall()
    assert "KeyError" in hands.text("Message, in full")
    assert "DOE" not in hands.text("Message, in full") + caplog.text


def test_that_an_exception_of_a_thread_is_shown(hands: Hands) -> None:
    hands.window.errors.install()
    try:
        thread = threading.Thread(target=lambda: [][1])
        thread.start()
        thread.join()
        hands.wait(lambda: "IndexError" in hands.text("Message, in full"))
    finally:
        hands.window.errors.uninstall()


def test_that_closing_the_window_gives_the_hooks_back(hands: Hands) -> None:
    hands.window.errors.install()
    hands.window.close()
    assert sys.excepthook is sys.__excepthook__ and threading.excepthook is threading.__excepthook__


def test_that_an_expected_error_is_not_logged_as_an_unexpected_one(
    hands: Hands, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        hands.window.errors.show(UsageError("Cannot do it."))
    assert caplog.text == ""


def test_that_messages_come_back_one_after_another_and_none_twice(hands: Hands) -> None:
    bar = hands.widget("Message")
    assert isinstance(bar, MessageBar)
    for title in ("first", "second", "second"):
        bar.add(Message(title=title))
    assert bar.text() == "second"
    hands.click("Dismiss the message")
    assert bar.text() == "first"
    hands.click("Dismiss the message")
    assert not bar.isVisible()
