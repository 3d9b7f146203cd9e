"""One image after another, as it is enhanced now and as it would be, and what is warned of in each; then the choice.

Keys: Enter goes on, Backspace back; F fits, + and − zoom, I inverts.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from fullfield.enhance import models
from fullfield_app.gui.grading.takes import Take, Takes
from fullfield_app.gui.grading.takes_view import Keys, TakesView, Version
from fullfield_app.gui.switching.finder import Finder, Own
from fullfield_app.gui.switching.wanted import Switch
from fullfield_app.gui.translation import in_lines, say_core
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import breakable, clean, plain_label

PANEL_WIDTH, GAP = 340, 12


class LookingPage(QWidget):
    """`used`, `kept`: the choice; `others_asked`: other images are to be looked at."""

    used = Signal()
    kept = Signal()
    others_asked = Signal()

    def __init__(self, switch: Switch, takes: Takes, finder: Finder, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Images to compare"))
        self._switch, self._takes, self._finder = switch, takes, finder
        self._owns: list[Own] = []
        self._place = -1
        self._warned: dict[int, tuple[bool, bool]] = {}
        self._build()
        self._connect_signals()
        self._tell()

    def go(self, place: int) -> None:
        """Show the image at a place."""
        if 0 <= place < len(self._owns):
            self._place = place
            ahead = self._keys(place + 1) if place + 1 < len(self._owns) else None
            self._images.show_versions(self._keys(place), ahead)
            self._tell()

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        titles = (
            self.tr("In use now: {model}").format(model=self._switch.now),
            self.tr("Instead: {model}").format(model=self._switch.new),
        )
        self._images = TakesView(self._takes, titles)
        self._images.show_pair(self.tr("Looking for images of this body part…"), "")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(10)
        layout.addWidget(self._images, 1)
        layout.addWidget(self._build_panel(titles))

    def _build_panel(self, titles: tuple[str, str]) -> QWidget:
        panel = QWidget()
        name(panel, self.tr("What is warned of, and the choice"))
        panel.setFixedWidth(PANEL_WIDTH)
        self._number, self._search = plain_label(object_name="step"), plain_label(object_name="quiet", wrap=True)
        name(self._number, self.tr("Which image"))
        name(self._search, self.tr("How many files were looked at"))
        self._notes = tuple(plain_label(wrap=True) for _ in titles)
        heads = tuple(plain_label(breakable(title), object_name="step", wrap=True) for title in titles)
        for head, label, side in zip(heads, self._notes, (self.tr("now"), self.tr("instead")), strict=True):
            name(head, self.tr("What is shown {side}").format(side=side))
            name(label, self.tr("Warned of {side}").format(side=side))
        self._count = plain_label(wrap=True)
        name(self._count, self.tr("How many images are warned of"))
        keys = plain_label(
            self.tr("Keys: Enter next, Backspace back, F fit, + − zoom, I invert; the wheel zooms both."),
            object_name="quiet",
            wrap=True,
        )
        self._again = self._button(self.tr("Try again"), self._takes.try_again)
        name(self._again, self.tr("Try to make the image again"))
        self._again.hide()
        self._back = self._button(self.tr("Back"), lambda: self.go(self._place - 1))
        self._next = self._button(self.tr("Next"), lambda: self.go(self._place + 1))
        name(self._back, self.tr("Previous image"))
        name(self._next, self.tr("Next image"))
        self._next.setObjectName("primary")  # to look is proposed, and neither of the two
        others = self._button(self.tr("Other images…"), self.others_asked.emit)
        name(others, self.tr("Compare on other images"))
        use = self._button(self.tr("Use it"), self.used.emit)
        keep = self._button(self.tr("Keep the one in use"), self.kept.emit)
        layout = QVBoxLayout(panel)
        layout.setContentsMargins(0, 0, 0, 0)
        for label in (self._number, self._search):
            layout.addWidget(label)
        for head, label in zip(heads, self._notes, strict=True):
            layout.addSpacing(GAP)
            layout.addWidget(head)
            layout.addWidget(label)
        layout.addWidget(self._again)
        layout.addStretch()
        for below in (self._count, keys):
            layout.addWidget(below)
        buttons = QGridLayout()
        buttons.addWidget(self._back, 0, 0)
        buttons.addWidget(self._next, 0, 1)
        buttons.addWidget(others, 1, 0, 1, 2)
        buttons.addWidget(use, 2, 0)
        buttons.addWidget(keep, 2, 1)
        layout.addLayout(buttons)
        return panel

    def _button(self, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)  # Enter goes on, whatever has the focus; the space bar presses a button
        name(button, text)
        button.clicked.connect(lambda: act())
        return button

    def _connect_signals(self) -> None:
        self._finder.found.connect(self._add)
        self._finder.moved.connect(self._tell)
        self._images.shown.connect(self._show)
        self._images.take_keys(self)
        for key, button in {"Return": self._next, "Enter": self._next, "Backspace": self._back}.items():
            QShortcut(QKeySequence(key), self).activated.connect(button.click)

    # News -------------------------------------------------------------------------------------------------------

    def _add(self, own: Own) -> None:
        self._takes.add(own.candidate)
        self._owns.append(own)
        last = len(self._owns) - 1
        if last == 0:
            self.go(0)
        elif last == self._place + 1:
            self._images.prepare(self._keys(last))

    def _keys(self, place: int) -> Keys:
        image = self._owns[place].candidate.image
        now, new = self._switch.methods(self._owns[place])
        return (image, now), (image, new)

    def _show(self) -> None:
        versions = self._images.versions
        for label, version in zip(self._notes, versions, strict=True):
            self._say(label, version)
        self._again.setVisible(any(map(self._takes.can_help, versions)))
        if None not in versions:
            now, new = (not isinstance(version, Take) or bool(version.notes) for version in versions)
            self._warned[self._place] = (now, new)
        self._tell()

    def _say(self, label: QLabel, version: Version) -> None:
        match version:
            case None:
                text, look = "…", "quiet"
            case Take(notes=()):
                text, look = self.tr("{recipe}. Nothing is warned of.").format(recipe=say_core(version.recipe)), "quiet"
            case Take():
                text, look = " ".join(map(say_core, version.notes)), "caution"
            case _:
                text, look = f"{say_core(version.title)} {say_core(version.detail)}", "trouble"
        label.setText(breakable(clean(text)))
        label.setObjectName(look)
        label.style().polish(label)

    def _tell(self) -> None:
        count, finder = len(self._owns), self._finder
        self._number.setText(self.tr("Image {place} of {count}").format(place=self._place + 1, count=count))
        self._number.setVisible(count > 0)
        looked = self.tr("Files looked at: {looked} of {total}.").format(looked=finder.looked, total=finder.total)
        trouble = finder.trouble  # there may be more images than it has found
        self._search.setText(in_lines(looked, trouble.title, trouble.detail, trouble.hint) if trouble else looked)
        self._search.setVisible(not finder.ended or not count or trouble is not None)
        self._back.setEnabled(self._place > 0)
        self._next.setEnabled(self._place + 1 < count)
        if finder.ended and not count:
            self._images.show_pair(self._why_none(), "")
        now, new = (sum(pair[side] for pair in self._warned.values()) for side in (0, 1))
        text = self.tr("Images seen: {seen}. Warned of or not made: {now} as enhanced now, {new} as they would be.")
        self._count.setText(text.format(seen=len(self._warned), now=now, new=new))
        self._count.setVisible(bool(self._warned))

    def _why_none(self) -> str:
        trouble = self._finder.trouble
        if trouble is not None:
            return in_lines(trouble.title, trouble.detail, trouble.hint)
        part = say_core(models.body_parts()[self._switch.part])
        return self.tr("None of these files shows this body part: {part}. Choose other images.").format(part=part)
