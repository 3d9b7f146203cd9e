""" "Fit it for me": a budget goes in, the planner's choice comes back with its reasons, and the ways that take less."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from fullfield.errors import FullfieldError, UsageError
from fullfield.protocol.plan import CurvePoint
from fullfield.runs.decimated import Curve
from fullfield.units import parse_bytes
from fullfield_app.gui import numbers
from fullfield_app.gui.train.plan_facts import Facts
from fullfield_app.gui.train.techniques import readable, title
from fullfield_app.gui.translation import say_core, say_error
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import plain_label, tooltip

WIDTH, HEIGHT = 640, 560  # pixels: smaller than a small laptop's screen
CURVE_HEIGHT = 190
LEAST = 2**26  # bytes: no training fits in less, and a number without a unit would be bytes


class FitDialog(QDialog):
    """`asked`: bytes that it may take (0: what is free), and whether it need not be exact. `used`: texts of a set."""

    asked = Signal(object, bool)
    used = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Fit it for me"))
        name(self, self.tr("Fit it for me, dialog"))
        self._count = 0
        self._build()
        self.resize(WIDTH, HEIGHT)

    def show_free(self, free_bytes: int) -> None:
        """What the device has free is the budget unless another is typed."""
        text = self.tr("what is free: {amount}").format(amount=numbers.data(free_bytes)) if free_bytes else ""
        self._budget.setPlaceholderText(text)

    def ask(self) -> None:
        """Ask with what is set here."""
        text = numbers.amount(self._budget.text())
        try:
            budget = parse_bytes(text) if text else 0
            if text and budget < LEAST:
                raise UsageError(self.tr("Write an amount with its unit, for instance 4 GiB."))
        except UsageError as error:
            self._reported.setText(say_core(error.hint or error.title))
            return
        self._reported.setText(
            self.tr("Looking for the fastest plan that fits… The first time this takes a few seconds.")
        )
        self._clear()
        self.asked.emit(budget, self._approximate.isChecked())

    def show_plan(
        self,
        chosen: Facts,
        rungs: tuple[Facts, ...],
        refused: tuple[str, ...],
        curve: tuple[CurvePoint, ...] = (),
    ) -> None:
        """The choice, the ways that take less, and why the others were not chosen. `curve`: as in PlanTold."""
        self._clear()
        self._reported.setText(self.tr("This is the plan: {reason}").format(reason=chosen.reason))
        self.show_free(chosen.limit)  # looked at anew for this plan
        titles = self._titles((chosen, *rungs))
        self._add_plan(self.tr("Chosen"), titles[0], chosen, primary=True)
        self._add_curve(curve)
        if rungs:
            self._add_text(self.tr("If you would rather leave more memory free:"))
        for place, facts in enumerate(rungs, 1):
            self._add_plan(self.tr("Less memory {number}").format(number=place), titles[place], facts)
        if refused:
            self._add_text(self.tr("Not chosen:"))
        for text in refused:
            self._add_text(readable(text), look="quiet")
        self._rows.addStretch(1)
        complete(self)

    def show_refusal(self, error: FullfieldError) -> None:
        """Nothing fits, or it cannot be asked."""
        self._clear()
        self._reported.setText(say_error(error))

    def _build(self) -> None:
        self._budget = QLineEdit()
        name(self._budget, self.tr("Budget"))
        self._approximate = QCheckBox(self.tr("Also techniques that are not exact"))
        name(self._approximate, self.tr("Allow techniques that are not exact"))
        again = QPushButton(self.tr("Look again"))
        name(again, self.tr("Look for a plan with this budget"))
        again.setDefault(True)
        again.clicked.connect(self.ask)
        line = QHBoxLayout()
        label = plain_label(self.tr("It may take"))
        name(label, self.tr("Budget, caption"))
        label.setBuddy(self._budget)
        line.addWidget(label)
        line.addWidget(self._budget, 1)
        line.addWidget(again)
        self._reported = plain_label(wrap=True)
        name(self._reported, self.tr("What the planner says"))
        self._inside = QWidget()
        name(self._inside, self.tr("Plans"))
        self._rows = QVBoxLayout(self._inside)
        self._scroll = QScrollArea()
        name(self._scroll, self.tr("All plans"))
        self._scroll.setWidget(self._inside)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        close = QPushButton(self.tr("Close"))
        name(close, self.tr("Close without taking a plan"))
        close.setAutoDefault(False)
        close.clicked.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addLayout(line)
        layout.addWidget(self._approximate)
        layout.addWidget(self._reported)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(close, alignment=Qt.AlignmentFlag.AlignRight)

    def _titles(self, plans: tuple[Facts, ...]) -> list[str]:
        """What plans are called; of two that differ in options alone, the second, which takes less, says so."""
        found: list[str] = []
        for facts in plans:
            plain = _title(facts.techniques) or self.tr("No technique")
            variant = self.tr("{techniques} (variant with less memory)").format(techniques=plain)
            found.append(variant if plain in found else plain)
        return found

    def _add_plan(self, plan: str, techniques: str, facts: Facts, *, primary: bool = False) -> None:
        row = QFrame()
        name(row, plan)
        words = plain_label(techniques, wrap=True)
        words.setToolTip(tooltip(" + ".join(facts.techniques)))
        name(words, self.tr("{plan}: techniques").format(plan=plan))
        figures = self.tr("{memory}, {factor} × time, {exact}").format(
            memory=numbers.data(facts.total),
            factor=numbers.number(facts.time, 2),
            exact=self.tr("exact") if facts.exact else self.tr("not exact"),
        )
        quiet = plain_label(figures, object_name="quiet", wrap=True)
        name(quiet, self.tr("{plan}: figures").format(plan=plan))
        use = QPushButton(self.tr("Use this"))
        use.setAutoDefault(False)
        use.setObjectName("primary" if primary else "")
        name(use, self.tr("{plan}: use this").format(plan=plan))
        use.clicked.connect(lambda: self._use(facts))
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(words)
        texts.addWidget(quiet)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addLayout(texts, 1)
        layout.addWidget(use)
        self._rows.addWidget(row)

    def _add_curve(self, points: tuple[CurvePoint, ...]) -> None:
        """Memory against work, of the plans that no other one beats in both, also of those above the budget."""
        if len(points) < 2:
            return
        from fullfield_app.gui.runs.plot import Line, Plot  # not before somebody asks: pyqtgraph takes a while

        plot = Plot(
            self.tr("Memory against work"),
            x=self.tr("memory (MiB)"),
            y=self.tr("work (plain step = 1)"),
        )
        x, y = (one.process_bytes / 2**20 for one in points), (one.flop_factor for one in points)
        text = self.tr("{memory}: {factor} × the work")
        reported = (
            text.format(memory=numbers.data(one.process_bytes), factor=numbers.number(one.flop_factor, 2))
            for one in points
        )
        line = Line(
            title=self.tr("Plans that no other one beats in both"),
            curve=Curve(x=tuple(x), y=tuple(y)),
            place=0,
            marked=True,
        )
        plot.show_lines([line], says="; ".join(reported))
        plot.setFixedHeight(CURVE_HEIGHT)
        self._rows.addWidget(plot)

    def _add_text(self, text: str, look: str = "") -> None:
        label = plain_label(text, object_name=look, wrap=True)
        self._count += 1
        name(label, self.tr("Remark {number}").format(number=self._count))
        self._rows.addWidget(label)

    def _clear(self) -> None:
        self._count = 0
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()

    def _use(self, facts: Facts) -> None:
        self.accept()
        self.used.emit(facts.techniques)


def _title(texts: tuple[str, ...]) -> str:
    """The titles of a set's techniques; their options are in the tooltip."""
    return " + ".join(title(text.partition(":")[0]) for text in texts)
