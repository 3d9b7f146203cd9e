"""One technique in the list: switched on or off, its mark, one sentence, what it would change, why it cannot be."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from fullfield.techniques.base import Effect
from fullfield_app.gui import numbers
from fullfield_app.gui.train.options_form import OptionsForm
from fullfield_app.gui.train.techniques import Entry
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.flow import Flow
from fullfield_app.gui.widgets.label import ElidedLabel, plain_label, tooltip

MARKS = {
    Effect.EXACT: ("=", QT_TRANSLATE_NOOP("techniques", "exact")),
    Effect.APPROXIMATE: ("≈", QT_TRANSLATE_NOOP("techniques", "approximate")),
    Effect.MODEL: ("△", QT_TRANSLATE_NOOP("techniques", "changes the model")),
}
MIB = 2**20


class TechniqueRow(QFrame):
    """`switched`: on or off; `option_changed`: an option by its name, and its value."""

    switched = Signal(bool)
    option_changed = Signal(str, object)

    def __init__(self, entry: Entry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QCoreApplication.translate("techniques", entry.title)
        name(self, self.tr("Technique {title}").format(title=self._title))
        self._build(entry)

    def show_state(self, on: bool, values: dict[str, Any], obstacle: str) -> None:
        """Switched on or off, with these options; `obstacle`: why it cannot be switched on."""
        self._box.blockSignals(True)
        self._box.setChecked(on)
        self._box.blockSignals(False)
        self._box.setEnabled(on or not obstacle)
        self._reason.setText(obstacle)
        self._reason.setVisible(bool(obstacle))
        self._box.setAccessibleDescription(obstacle)
        if self._form is not None:
            self._form.show_values(values)
        self._arrange()

    def show_unknown(self, *, awaited: bool) -> None:
        """Nobody knows what switching it would change; `awaited`: yet."""
        self._change.show_text(self.tr("not computed yet") if awaited else "")
        self._change.setAccessibleDescription("")

    def show_change(self, bytes_more: int, times: float) -> None:
        """What switching it would change: bytes, and the factor on the time of a step."""
        few, same = abs(bytes_more) < MIB, abs(times - 1) < 0.005
        amount = self.tr("same memory") if few else ("+" if bytes_more > 0 else "−") + numbers.data(abs(bytes_more))
        time = self.tr("same time") if same else self.tr("{factor} × time").format(factor=numbers.number(times, 2))
        text = self.tr("{memory}, {time}").format(memory=amount, time=time)
        text = self.tr("same memory and time") if few and same else text
        on = self._box.isChecked()
        tip = self.tr("Without it: {change}") if on else self.tr("With it: {change}")
        self._change.show_text(tip.format(change=text) if on else text)
        self._change.setAccessibleDescription(tip.format(change=text))

    def _build(self, entry: Entry) -> None:
        self._box = QCheckBox(self._title)
        name(self._box, self.tr("Use {title}").format(title=self._title))
        sign, word = MARKS[entry.effect]
        self._mark = plain_label(
            f"{sign} {QCoreApplication.translate('techniques', word)}", object_name=_LOOKS[entry.effect]
        )
        name(self._mark, self.tr("{title}: mark").format(title=self._title))
        self._change = ElidedLabel()
        self._change.setObjectName("quiet")
        self._change.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._change.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        name(self._change, self.tr("{title}: what it changes").format(title=self._title))
        sentence = plain_label(QCoreApplication.translate("techniques", entry.sentence), object_name="quiet", wrap=True)
        sentence.setToolTip(tooltip(self.tr("Source: {source}").format(source=entry.source)))
        name(sentence, self.tr("{title}: in a sentence").format(title=self._title))
        self._reason = plain_label(object_name="trouble", wrap=True)
        name(self._reason, self.tr("{title}: why not").format(title=self._title))
        self._form = OptionsForm(self._title, entry.options) if entry.options else None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 6, 10, 6)
        layout.setSpacing(2)
        layout.addLayout(self._head())
        for widget in (sentence, self._reason):
            widget.setContentsMargins(26, 0, 0, 0)
            layout.addWidget(widget)
        if self._form is not None:
            layout.addWidget(self._form)
            self._form.changed.connect(self.option_changed)
            self._form.hide()
        self._reason.hide()
        self._box.toggled.connect(self.switched)
        self._arrange()

    def _head(self) -> QHBoxLayout:
        self._more = QToolButton()
        self._more.setCheckable(True)
        self._more.setToolTip(tooltip(self.tr("Options")))
        self._more.setArrowType(Qt.ArrowType.RightArrow)
        name(self._more, self.tr("{title}: show options").format(title=self._title))
        self._more.toggled.connect(lambda _: self._arrange())
        texts = Flow(spacing=10, below=2)
        for widget in (self._box, self._mark, self._change):
            texts.addWidget(widget)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addLayout(texts, 1)
        head.addWidget(self._more)
        return head

    def _arrange(self) -> None:
        can = self._form is not None and self._box.isChecked()
        self._more.setVisible(can)
        opened = can and self._more.isChecked()
        self._more.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        if self._form is not None:
            self._form.setVisible(opened)


_LOOKS = {Effect.EXACT: "fine", Effect.APPROXIMATE: "caution", Effect.MODEL: "trouble"}
