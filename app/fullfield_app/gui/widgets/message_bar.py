"""A message that stays in the window until it is dismissed: what happened, what to do, and perhaps a way to do it.

Never a dialog that stops the work, never markup: a file's name is shown letter by letter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean, plain_label


@dataclass(frozen=True, kw_only=True)
class Message:
    """`title`: what happened; `text`: what is wrong and what to do; `action`: a button's label for `act`; `other`: of a
    second one, for `act_other`."""

    title: str
    text: str = ""
    trouble: bool = True
    action: str = ""
    act: Callable[[], object] | None = None
    other: str = ""
    act_other: Callable[[], object] | None = None


class MessageBar(QFrame):
    """Shows the latest message; an equal one is not shown twice, an older one comes back when it is dismissed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Message"))
        self._messages: list[Message] = []
        self._build()
        self._show_last()

    def add(self, message: Message) -> None:
        """Show a message."""
        self._messages = [*(item for item in self._messages if item.title != message.title), message]
        self._show_last()

    def dismiss(self) -> None:
        """The message has been read."""
        self._messages = self._messages[:-1]
        self._show_last()

    def withdraw(self, title: str) -> None:
        """A message is no longer true."""
        self._messages = [item for item in self._messages if item.title != title]
        self._show_last()

    def text(self) -> str:
        """What is shown now."""
        return f"{self._title.text()}\n{self._text.text()}".strip() if self._messages else ""

    def _build(self) -> None:
        self._title = plain_label(object_name="message-title", wrap=True)
        name(self._title, self.tr("Message, in short"))
        self._text = plain_label(wrap=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        name(self._text, self.tr("Message, in full"))
        self._action = QPushButton()
        name(self._action, self.tr("Do what the message proposes"))
        self._other = QPushButton()
        name(self._other, self.tr("Do the other thing that the message proposes"))
        self._dismiss = QPushButton(self.tr("Dismiss"))
        name(self._dismiss, self.tr("Dismiss the message"))
        self._action.clicked.connect(lambda: self._do(self._messages[-1].act))
        self._other.clicked.connect(lambda: self._do(self._messages[-1].act_other))
        self._dismiss.clicked.connect(self.dismiss)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(self._title)
        texts.addWidget(self._text)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 8, 10, 8)
        layout.setSpacing(10)
        layout.addLayout(texts, 1)
        for button in (self._action, self._other, self._dismiss):
            layout.addWidget(button, alignment=Qt.AlignmentFlag.AlignVCenter)

    def _do(self, act: Callable[[], object] | None) -> None:
        self.dismiss()
        if act is not None:
            act()

    def _show_last(self) -> None:
        self.setVisible(bool(self._messages))
        if not self._messages:
            return
        message = self._messages[-1]
        self._title.setText(clean(message.title))
        self._text.setText(clean(message.text))
        self._text.setVisible(bool(message.text))
        for button, text in ((self._action, message.action), (self._other, message.other)):
            button.setText(text)
            button.setVisible(bool(text))
        self.setAccessibleDescription(f"{message.title} {message.text}")
        self.setProperty("trouble", message.trouble)
        self.style().unpolish(self)
        self.style().polish(self)
