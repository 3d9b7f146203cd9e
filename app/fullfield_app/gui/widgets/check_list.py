"""The checks of a diagnosis as a list: sign and word of the verdict, what was checked, what was found, what to do."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from fullfield.protocol.checks import CheckMade, Verdict
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP, say_core
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import clean, plain_label

_SIGNS = {Verdict.BAD: "✗", Verdict.WARN: "!", Verdict.GOOD: "✓"}  # worst first, as they are shown
_WORDS = {
    Verdict.BAD: QT_TRANSLATE_NOOP("CheckList", "Wrong"),
    Verdict.WARN: QT_TRANSLATE_NOOP("CheckList", "Notice"),
    Verdict.GOOD: QT_TRANSLATE_NOOP("CheckList", "Good"),
}
_LOOKS = {Verdict.BAD: "trouble", Verdict.WARN: "message-title", Verdict.GOOD: "quiet"}
_TITLES = {
    "system": QT_TRANSLATE_NOOP("CheckList", "System"),
    "processor": QT_TRANSLATE_NOOP("CheckList", "Processor"),
    "memory": QT_TRANSLATE_NOOP("CheckList", "Memory"),
    "language": QT_TRANSLATE_NOOP("CheckList", "Language"),
    "compiler": QT_TRANSLATE_NOOP("CheckList", "Compiler"),
    "packages": QT_TRANSLATE_NOOP("CheckList", "Packages"),
    "cache": QT_TRANSLATE_NOOP("CheckList", "Folder of decoded images"),
    "runs": QT_TRANSLATE_NOOP("CheckList", "Folder of runs"),
    "temporary": QT_TRANSLATE_NOOP("CheckList", "Folder for temporary files"),
    "folder-0": QT_TRANSLATE_NOOP("CheckList", "Folder of documents"),
    "folder-1": QT_TRANSLATE_NOOP("CheckList", "Folder of settings"),
    "screen": QT_TRANSLATE_NOOP("CheckList", "Screen"),
    "libraries": QT_TRANSLATE_NOOP("CheckList", "System libraries of the window"),
    "decoders": QT_TRANSLATE_NOOP("CheckList", "Decoders"),
    "training_part": QT_TRANSLATE_NOOP("CheckList", "Training part"),
    "damage": QT_TRANSLATE_NOOP("CheckList", "Damaged files"),
    "decoding_child": QT_TRANSLATE_NOOP("CheckList", "Decoding child"),
    "driver": QT_TRANSLATE_NOOP("CheckList", "NVIDIA driver"),
    "device": QT_TRANSLATE_NOOP("CheckList", "Device for models and training"),
    "diagnosis": QT_TRANSLATE_NOOP("CheckList", "Diagnosis"),
}
VERDICT_WIDTH = 84


class CheckList(QScrollArea):
    """Shows checks as they are made, the wrong ones on top."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Checks"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._verdicts: list[Verdict] = []
        self._start()

    def clear(self) -> None:
        """Show none."""
        self._verdicts = []
        self._start()

    def add(self, check: CheckMade) -> None:
        """Show one more, after all that are as bad or worse."""
        verdict, order = Verdict(check.verdict), list(_SIGNS)
        place = sum(order.index(other) <= order.index(verdict) for other in self._verdicts)
        self._verdicts.insert(place, verdict)
        self._rows.insertWidget(place, self._row(check, verdict))
        complete(self)

    def _start(self) -> None:
        inner = QWidget()
        name(inner, self.tr("All checks"))
        self._rows = QVBoxLayout(inner)
        self._rows.setContentsMargins(10, 8, 10, 8)
        self._rows.setSpacing(8)
        self._rows.addStretch()
        self.setWidget(inner)

    def _row(self, check: CheckMade, verdict: Verdict) -> QWidget:
        title = _title(check)
        row = QFrame()
        name(row, title)
        word = QCoreApplication.translate("CheckList", _WORDS[verdict])
        sign = plain_label(f"{_SIGNS[verdict]}  {word}", object_name=_LOOKS[verdict])
        sign.setMinimumWidth(VERDICT_WIDTH)
        name(sign, self.tr("{check}: {verdict}").format(check=title, verdict=word))
        head = plain_label(title, object_name="message-title", wrap=True)
        name(head, self.tr("{check}, title").format(check=title))
        layout = QGridLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(10)
        layout.setVerticalSpacing(1)
        layout.setColumnStretch(1, 1)
        layout.addWidget(sign, 0, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(head, 0, 1)
        layout.addWidget(_text(say_core(check.text), self.tr("{check}: what was found").format(check=title)), 1, 1)
        if check.hint:
            layout.addWidget(
                _text(f"→ {say_core(check.hint)}", self.tr("{check}: what to do").format(check=title)), 2, 1
            )
        return row


def _title(check: CheckMade) -> str:
    known = _TITLES.get(check.key)
    return QCoreApplication.translate("CheckList", known) if known else clean(check.title)


def _text(text: str, accessible: str) -> QLabel:
    label = plain_label(clean(text), wrap=True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)  # a line to type can be copied
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    name(label, accessible)
    return label
