"""The head of a run's page: what it is called, how far it is, what can be done with it, and what happened.

Pause, stop and discard are different buttons: the first frees the card for a while, the second ends and keeps, the
third deletes.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from fullfield.runs.run_state import RunSnapshot
from fullfield_app.gui import numbers
from fullfield_app.gui.bridge.run_bridge import Following
from fullfield_app.gui.runs import happening, member_words, words
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import ElidedLabel, clean, plain_label, tooltip


class RunHead(QWidget):
    """Shows a run's state. `asked`: the key of the button that was pressed."""

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Head of the run"))
        self._buttons: dict[str, QPushButton] = {}
        self._ensemble = False
        self._build()
        self.show_nothing()

    def show_title(self, title: str, *, ensemble: bool = False) -> None:
        """What the run is called; that of an `ensemble`, which follows its members, has less that can be done."""
        self._title.show_text(title)
        self._ensemble = ensemble

    def show_nothing(self) -> None:
        """How far it is is not known yet, and so is what can be done with it."""
        for key, button in self._buttons.items():
            button.setVisible(key == "back")
        self._chip.clear()
        self._text.show_text("")
        self._bar.hide()
        self._show_happening(None)

    def show_following(self, now: Following) -> None:
        """How far it is."""
        self._show_state(now)
        reported = now.reported
        self._bar.setVisible(now.state.alive)
        self._bar.setRange(0, reported.steps if reported.stepping else 0)  # 0 to 0: no end is known yet
        self._bar.setValue(reported.step)
        text = self._progress(now)
        self._text.show_text(text)
        free = now.whole and not now.stopping
        wanted = {
            "pause": now.state.alive,
            "stop": now.state.alive,
            "discard": now.state.alive and not self._ensemble,
            "resume": now.state.resumable,
            "keep": now.has_model and not now.state.alive,
            "delete": not now.state.alive,
            "report": not self._ensemble,
            "label": True,
        }
        for key, button in self._buttons.items():
            if key != "back":
                button.setVisible(wanted[key])
                button.setEnabled(free or key in ("report", "label", "discard"))
        self._show_happening(happening.of(now))

    def _progress(self, now: Following) -> str:
        reported = now.reported
        if reported.members:
            return member_words.progress(reported, live=now.state.alive)
        if not now.state.alive:
            return self._totals(reported)
        if not reported.stepping:
            return reported.phase or self.tr("Starting…")
        text = self.tr("Epoch {epoch} of {epochs}, step {step} of {steps}").format(
            epoch=min(reported.epoch + 1, reported.epochs_wanted) if reported.epochs_wanted else 1,
            epochs=reported.epochs_wanted or "…",
            step=numbers.number(reported.step),
            steps=numbers.number(reported.steps),
        )
        if reported.seconds_left is not None:
            left = numbers.seconds(reported.seconds_left)
            return self.tr("{progress}; about {time} left").format(progress=text, time=left)
        return text

    def _totals(self, reported: RunSnapshot) -> str:
        """How far a run came that no worker is at."""
        if not reported.steps:
            return ""
        return self.tr("{epoch} of {epochs} epochs in {time}").format(
            epoch=reported.epoch, epochs=reported.epochs_wanted or "…", time=numbers.seconds(reported.seconds)
        )

    def _show_state(self, now: Following) -> None:
        self._chip.setText(words.signed(now.state, kept=now.reported.kept))
        self._chip.setAccessibleDescription(words.state(now.state, kept=now.reported.kept))
        if self._chip.objectName() != words.LOOKS[now.state]:  # the stylesheet knows its colour, in every palette
            self._chip.setObjectName(words.LOOKS[now.state])
            self._chip.style().unpolish(self._chip)
            self._chip.style().polish(self._chip)

    def _show_happening(self, found: happening.Happening | None) -> None:
        self._band.setVisible(found is not None)
        if found is None:
            return
        self._band_title.setText(clean(found.title))
        self._band_text.setText(clean(found.text))
        self._band_text.setVisible(bool(found.text))
        self._band.setAccessibleDescription(f"{found.title} {found.text}")
        if self._band.property("trouble") != found.trouble:
            self._band.setProperty("trouble", found.trouble)
            self._band.style().unpolish(self._band)
            self._band.style().polish(self._band)

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._title, self._chip, self._text = ElidedLabel(), QLabel(), ElidedLabel()
        self._title.setObjectName("message-title")
        self._text.setObjectName("quiet")
        name(self._title, self.tr("Name of the run"))
        name(self._chip, self.tr("State of the run"))
        name(self._text, self.tr("Progress of the run"))
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(4)
        name(self._bar, self.tr("Progress of the run, as a bar"))
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self._button("back", self.tr("‹ All runs"), self.tr("Back to the list of runs.")))
        line.addSpacing(6)
        line.addWidget(self._title, 2)
        line.addWidget(self._chip)
        for key, text, tip in self._texts():
            line.addWidget(self._button(key, text, tip))
        self._buttons["resume"].setObjectName("primary")
        under = QHBoxLayout()
        under.addWidget(self._text, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(line)
        layout.addLayout(under)
        layout.addWidget(self._bar)
        layout.addWidget(self._make_band())

    def _texts(self) -> tuple[tuple[str, str, str], ...]:
        return (
            (
                "pause",
                self.tr("Pause"),
                self.tr("End the worker after the step in hand, so that its memory is free; resume goes on exactly."),
            ),
            (
                "stop",
                self.tr("Stop and keep"),
                self.tr("End the training after the step in hand, and keep its best model."),
            ),
            (
                "discard",
                self.tr("Cancel and discard…"),
                self.tr("End the training at once, and delete all that it left."),
            ),
            ("resume", self.tr("Resume"), self.tr("Go on with this training from what was saved last.")),
            ("keep", self.tr("Keep its model…"), self.tr("Put the model of the best epoch among your models.")),
            ("report", self.tr("Report…"), self.tr("Save a report of this run as HTML or PDF.")),
            ("label", self.tr("Name and notes…"), self.tr("Give this run a name, and write notes of it.")),
            ("delete", self.tr("Delete…"), self.tr("Delete this run and all that it left.")),
        )

    def _button(self, key: str, text: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        name(button, self._named(key, text.rstrip("…")))
        button.setToolTip(tooltip(tip))
        button.clicked.connect(lambda: self.asked.emit(key))
        self._buttons[key] = button
        return button

    def _named(self, key: str, text: str) -> str:
        """The list of runs has buttons of the same words."""
        words = {
            "report": self.tr("Report of this run"),
            "label": self.tr("Name and notes of this run"),
            "delete": self.tr("Delete this run"),
        }
        return words.get(key, text)

    def _make_band(self) -> QFrame:
        self._band = QFrame()
        self._band.setObjectName("band")
        name(self._band, self.tr("What happened"))
        self._band_title = plain_label(object_name="message-title", wrap=True)
        self._band_text = plain_label(wrap=True)
        name(self._band_title, self.tr("What happened, in short"))
        name(self._band_text, self.tr("What happened, in full"))
        layout = QVBoxLayout(self._band)
        layout.setContentsMargins(12, 6, 12, 6)
        layout.setSpacing(2)
        layout.addWidget(self._band_title)
        layout.addWidget(self._band_text)
        self._band.hide()
        return self._band
