"""A machine of the user's list, or a new one: its name, its address, and whether images may go there; and a test."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from fullfield.errors import UsageError
from fullfield.nodes.node import COMMAND, Node
from fullfield.protocol.setup_events import NodeProbed
from fullfield_app.gui.train import node_words
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import plain_label

WIDTH = 520


class MachineDialog(QDialog):
    """`given`: the Node as it shall be listed; `test_asked`: one to be asked what it has; `remove_asked`: this one is
    wanted no more."""

    given = Signal(object)
    test_asked = Signal(object)
    remove_asked = Signal()

    def __init__(self, before: Node | None, taken: frozenset[str], parent: QWidget | None = None) -> None:
        """`before`: as it is listed, None for a new one; `taken`: names that are."""
        super().__init__(parent)
        self._before, self._taken = before, taken
        title = self.tr("Another machine") if before is None else before.name
        self.setWindowTitle(title)
        name(self, self.tr("Machine, dialog"))
        self._build()
        self._lay_out()
        if before is not None:
            self._show(before)
        self._address.textChanged.connect(self._withdraw)
        complete(self)

    @property
    def node_name(self) -> str:
        """What the machine is called."""
        return self._name.text().strip()

    def show_probed(self, reported: NodeProbed) -> None:
        """What it has said; what is told of another name is of a test before."""
        if reported.name == self.node_name:
            self._say(node_words.state(reported), trouble=bool(reported.error))

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._name, self._address, self._command = QLineEdit(), QLineEdit(), QLineEdit()
        name(self._name, self.tr("Name of the machine"))
        name(self._address, self.tr("Address of the machine"))
        name(self._command, self.tr("Command that calls Fullfield there"))
        self._name.setPlaceholderText(self.tr("such as: gpu"))
        self._address.setPlaceholderText(self.tr("user@host, or as ssh knows it"))
        self._command.setPlaceholderText(COMMAND)
        self._allow = QCheckBox(self.tr("Images may go there without being asked each time"))
        name(self._allow, self.tr("Images may go there"))
        self._reported = plain_label(wrap=True)
        name(self._reported, self.tr("What the machine says"))
        self._test = QPushButton(self.tr("Test"))
        name(self._test, self.tr("Test the machine"))
        self._test.setAutoDefault(False)
        self._test.clicked.connect(self._ask_test)
        self._remove = QPushButton(self.tr("Remove…"))
        name(self._remove, self.tr("Remove the machine"))
        self._remove.setAutoDefault(False)
        self._remove.clicked.connect(self.remove_asked)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        name(self._buttons, self.tr("Keep or leave"))
        keep = QPushButton(self.tr("Add") if self._before is None else self.tr("Save"))
        name(keep, self.tr("Keep the machine"))
        self._buttons.addButton(keep, QDialogButtonBox.ButtonRole.AcceptRole)
        name(self._buttons.button(QDialogButtonBox.StandardButton.Cancel), self.tr("Leave the machine as it is"))
        self._buttons.accepted.connect(self._give)
        self._buttons.rejected.connect(self.reject)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        help_text = self.tr(
            "A Linux machine that your ssh reaches with a key, with the same versions of Fullfield and PyTorch. "
            "Connect to it once with ssh yourself: Fullfield accepts no unknown host key."
        )
        help_label = plain_label(help_text, object_name="quiet", wrap=True)
        name(help_label, self.tr("Which machines can be added"))
        layout.addWidget(help_label)
        for text, widget in (
            (self.tr("Name"), self._name),
            (self.tr("Address"), self._address),
            (self.tr("How Fullfield is called there"), self._command),
        ):
            caption: QLabel = plain_label(text, object_name="quiet")
            name(caption, self.tr("{field}, caption").format(field=text))
            caption.setBuddy(widget)
            layout.addWidget(caption)
            layout.addWidget(widget)
        layout.addWidget(self._allow)
        test = QHBoxLayout()
        test.addWidget(self._test, 0, Qt.AlignmentFlag.AlignTop)
        test.addWidget(self._reported, 1)
        layout.addLayout(test)
        layout.addStretch(1)
        below = QHBoxLayout()
        below.addWidget(self._remove)
        self._remove.setHidden(self._before is None)
        below.addWidget(self._buttons, 1)
        layout.addLayout(below)
        self.setMinimumWidth(WIDTH)

    # Doing ------------------------------------------------------------------------------------------------------

    def _show(self, node: Node) -> None:
        self._name.setText(node.name)
        self._name.setReadOnly(True)  # runs know it by this name
        self._address.setText(node.address)
        self._address.setFocus()
        self._command.setText("" if node.command == COMMAND else node.command)
        self._allow.setChecked(node.allow_images)

    def _withdraw(self, address: str) -> None:
        """What was allowed, was for the machine of the address before."""
        if self._before is not None:
            self._allow.setChecked(self._before.allow_images and address.strip() == self._before.address)

    def _node(self) -> Node | None:
        """As it is typed; None, saying why, where that is none."""
        try:
            node = Node(
                name=self.node_name,
                address=self._address.text().strip(),
                command=self._command.text().strip() or COMMAND,
                allow_images=self._allow.isChecked(),
            )
        except UsageError as error:
            self._say(say_core(error.detail), trouble=True)
            return None
        if self._before is None and node.name in self._taken:
            self._say(self.tr("There is a machine of this name already."), trouble=True)
            return None
        return node

    def _ask_test(self) -> None:
        node = self._node()
        if node is not None:
            self._say(node_words.state(None), trouble=False)
            self.test_asked.emit(node)

    def _give(self) -> None:
        node = self._node()
        if node is not None:
            self.given.emit(node)
            self.accept()

    def _say(self, text: str, *, trouble: bool) -> None:
        self._reported.setObjectName("trouble" if trouble else "")
        self._reported.style().unpolish(self._reported)
        self._reported.style().polish(self._reported)
        self._reported.setText(text)
