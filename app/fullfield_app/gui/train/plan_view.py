"""What a training will take and whether that fits: a light, the memory by kind, time, exactness, and what to know."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from fullfield.errors import FullfieldError
from fullfield.plan.plan import HERE
from fullfield_app.gui import numbers
from fullfield_app.gui.train.memory_bar import MemoryBar
from fullfield_app.gui.train.plan_facts import Facts, Light
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label

_SIGNS = {Light.ROOM: ("●", "fine"), Light.TIGHT: ("◐", "caution"), Light.NO: ("✕", "trouble")}


class PlanView(QWidget):
    """Shows the facts of a plan, or why there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("What it will take"))
        self._facts: Facts | None = None
        self._on_cpu = False
        self._build()
        self._bar.hide()
        self.show_waiting()

    def show_waiting(self) -> None:
        """Nothing is known yet of what is asked now; the bar keeps its room, so that what is below stays in place."""
        self._facts = None
        self._bar.show_facts(None)
        self._show_light("…", "quiet", self.tr("Computing…"))
        for label in (self._total, self._whose, self._time, self._notes, self._fixed):
            label.setText("")

    def show_facts(self, facts: Facts, *, on_cpu: bool, machine: str = "") -> None:
        """Show these; `on_cpu`: it is the computer's own memory; `machine`: whose, "" for this computer's."""
        self._facts, self._on_cpu = facts, on_cpu
        sign, look = _SIGNS[facts.light]
        self._show_light(sign, look, self._word(facts.light))
        whose = self.tr("of the computer's memory (no GPU)") if on_cpu else self.tr("of the card's memory")
        if on_cpu and facts.cards:
            whose = self.tr("of the computer's memory")
        if machine:
            of_card = self.tr("of the memory of the card of {machine}")
            whose = (self.tr("of the memory of {machine} (no GPU)") if on_cpu else of_card).format(machine=machine)
        self._total.setText(numbers.data(facts.total))
        self._whose.setText(whose)
        self._bar.show()
        self._bar.show_facts(facts)
        self._time.setText(self._sentence(facts))
        self._notes.setText("\n".join(self._remarks(facts)))
        self._notes.setVisible(bool(self._notes.text()))
        self._fixed.setText("")  # of the plan before; this one's are told when its techniques are judged

    def show_refusal(self, error: FullfieldError) -> None:
        """There is no plan, and why."""
        self._facts = None
        self._bar.hide()
        self._show_light("✕", "trouble", say_core(error.title))
        self._total.setText("")
        self._whose.setText("")
        self._time.setText(f"{say_core(error.detail)} {say_core(error.hint)}".strip())
        self._notes.setText("")
        self._fixed.setText("")

    def show_fixed(self, fixed_bytes: int) -> None:
        """What no image size changes, with numbers. Of several processes it may be shared."""
        facts = self._facts
        if not fixed_bytes or facts is None or len(facts.ranks) > 1:
            self._fixed.setText("")
            return
        maps = sum(count for kind, count in facts.parts if kind in ("activations", "loss", "workspace"))
        text = self.tr(
            "Weights, gradients and optimizer together take {fixed} at any image size, and no technique for the "
            "optimizer can save more than that. At this size the images in between take {maps}."
        )
        self._fixed.setText(text.format(fixed=numbers.data(fixed_bytes), maps=numbers.data(maps)))

    def _word(self, light: Light) -> str:
        return {
            Light.ROOM: self.tr("Fits with room"),
            Light.TIGHT: self.tr("Tight: it fits, with little to spare"),
            Light.NO: self.tr("Does not fit"),
        }[light]

    def _sentence(self, facts: Facts) -> str:
        plain = self.tr("Each step takes as long as a plain one.")
        more = self.tr("Each step takes {factor} times as long as a plain one.").format(
            factor=numbers.number(facts.time, 2)
        )
        time = plain if abs(facts.time - 1) < 0.005 else more
        exact = self.tr("Exact: it learns the same as without techniques.")
        other = self.tr("Not exact: it learns nearly the same as without techniques, or another model.")
        return f"{time} {exact if facts.exact else other}"

    def _remarks(self, facts: Facts) -> list[str]:
        text = self.tr("The process will hold at most {most}; of it the training's tensors {tensors}.")
        found = [text.format(most=numbers.data(facts.total), tensors=numbers.data(facts.tensors))]
        if facts.estimate == HERE:
            found.append(self.tr("An estimate: no training has been measured on a card like this yet."))
        elif facts.estimate and self._on_cpu:
            found.append(self.tr("An estimate: what the program itself takes could not be measured here."))
        elif facts.estimate:
            found.append(self.tr("An estimate: this card is not in this computer (± 10 %)."))
        if facts.host_bytes:
            text = self.tr("Beside it {amount} of the computer's own memory.")
            if len(facts.ranks) > 1:
                text = self.tr("Beside them all processes together take {amount} of their computers' own memory.")
            found.append(text.format(amount=numbers.data(facts.host_bytes)))
        return [*found, *facts.notes]

    def _show_light(self, sign: str, look: str, word: str) -> None:
        for label, text in ((self._sign, sign), (self._light, word)):
            label.setText(text)
            label.setObjectName(look)
            label.style().unpolish(label)
            label.style().polish(label)
        self._light.setAccessibleDescription(word)

    def _build(self) -> None:
        self._sign, self._light = plain_label(), plain_label(wrap=True)
        name(self._sign, self.tr("Light, sign"))
        name(self._light, self.tr("Whether it fits"))
        font = self._light.font()
        font.setBold(True)
        self._light.setFont(font)
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self._sign)
        head.addWidget(self._light, 1)
        self._total, self._whose = plain_label(object_name="figure"), plain_label(object_name="quiet", wrap=True)
        name(self._total, self.tr("Memory in all"))
        name(self._whose, self.tr("Whose memory"))
        figure = QHBoxLayout()
        figure.addWidget(self._total)
        figure.addWidget(self._whose, 1)
        self._bar = MemoryBar()
        self._time, self._notes, self._fixed = self._text(), self._text("quiet"), self._text("quiet")
        name(self._time, self.tr("Time and exactness"))
        name(self._notes, self.tr("What to know of these figures"))
        name(self._fixed, self.tr("What techniques cannot change"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addLayout(figure)
        for widget in (self._bar, self._time, self._notes, self._fixed):
            layout.addWidget(widget)

    def _text(self, look: str = "") -> QLabel:
        return plain_label(object_name=look, wrap=True)
