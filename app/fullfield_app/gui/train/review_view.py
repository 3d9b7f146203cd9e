"""One reference to judge: an image and what the conventional processor made of it; preset, strength, verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QSlider, QToolButton, QVBoxLayout, QWidget

from fullfield.data.review import LEAST, MOST, Judgement
from fullfield_app.gui.train.reviewing import Reviewing
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.compare_view import CompareView
from fullfield_app.gui.view.image_view import ImageView
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.flow import Flow
from fullfield_app.gui.widgets.label import clean, plain_label

STEP = 10  # percent of the strength by one press of an arrow key
KEYS = ("review_previous", "review_reject", "review_take_back", "review_approve", "review_next")
VERDICTS = ("review_reject", "review_approve")


class ReviewView(QWidget):
    """`left`: back to the settings; `preset_chosen`, `strength_chosen` (percent): make it otherwise."""

    left = Signal()
    preset_chosen = Signal(str)
    strength_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Review of references"))
        self.compare = CompareView()
        names = (self.tr("Image under review"), self.tr("Reference under review"))
        self.compare.set_captions(self.tr("Image"), self.tr("Reference"), names=names)
        self._build()

    def add_actions(self, actions: Mapping[str, QAction]) -> None:
        """The verdicts as buttons."""
        for key in KEYS:
            button = QToolButton()
            button.setDefaultAction(actions[key])
            actions[key].setAutoRepeat(key not in VERDICTS)  # a key that is held is one verdict
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            name(button, actions[key].text().replace("&", ""))
            self._verdicts.addWidget(button)

    def take_focus(self) -> None:
        """The keys of the review work from here on."""
        view = self.compare.findChild(ImageView)
        if view is not None:
            view.setFocus()

    def offer(self, presets: Sequence[tuple[str, str]]) -> None:
        """The presets there are: name and title of each."""
        with QSignalBlocker(self._preset):
            for key, title in presets:
                self._preset.addItem(clean(title), key)

    def show_way(self, reviewing: Reviewing) -> None:
        """Which image, how it is made, and what was said of it."""
        one, way = reviewing.current, reviewing.way
        done = self.tr("{reviewed} of {total} reviewed")
        self._done.setText(done.format(reviewed=reviewing.reviewed, total=reviewing.total))
        if one is not None:
            text = self.tr("Image {place} of {total}, patient {patient}: {verdict}")
            verdict = self._word(reviewing)
            reported = text.format(
                place=reviewing.place + 1, total=reviewing.total, patient=one.patient, verdict=verdict
            )
            self._which.setText(reported)
        with QSignalBlocker(self._preset), QSignalBlocker(self._strength):
            self._preset.setCurrentIndex(max(0, self._preset.findData(way.preset)))
            self._strength.setValue(round(100 * way.strength))
        self._percent.setText(f"{self._strength.value()} %")

    def show_nothing(self) -> None:
        """Another image is reviewed, which is not there yet."""
        self.compare.show_pair(None, None)

    def show_waiting(self) -> None:
        """Another reference is being made."""
        self._made_by.setText(self.tr("Making the reference…"))

    def show_reference(self, image: Picture, reference: Picture, made_by: str, *, anew: bool) -> None:
        """The image and its reference; `anew`: another image, seen as a whole."""
        if anew:
            self.compare.show_pair(None, None)
        self.compare.show_side(Side.BEFORE, image)
        self.compare.show_side(Side.AFTER, reference)
        self._made_by.setText(say_core(made_by))

    def show_refusal(self, text: str) -> None:
        """Why there is no reference."""
        self.compare.show_side(Side.AFTER, None, message=text)
        self._made_by.setText("")

    def _word(self, reviewing: Reviewing) -> str:
        verdict = reviewing.verdict
        if verdict is None:
            return self.tr("not reviewed")
        return {
            Judgement.APPROVED: self.tr("✓ approved"),
            Judgement.ADJUSTED: self.tr("± adjusted"),
            Judgement.REJECTED: self.tr("✕ rejected, left out"),
        }[verdict.judgement]

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(self._build_head())
        layout.addWidget(self.compare, 1)
        layout.addLayout(self._build_way())

    def _build_head(self) -> QHBoxLayout:
        back = QPushButton(self.tr("← Back to the settings"))
        name(back, self.tr("Back to the settings"))
        back.clicked.connect(self.left)
        self._which, self._done = plain_label(), plain_label(object_name="quiet")
        name(self._which, self.tr("Which image"))
        name(self._done, self.tr("How many are reviewed"))
        line = QHBoxLayout()
        line.setSpacing(14)
        for widget in (back, self._which):
            line.addWidget(widget)
        line.addStretch(1)
        line.addWidget(self._done)
        return line

    def _build_way(self) -> QVBoxLayout:
        self._preset = QComboBox()
        self._preset.addItem(self.tr("The preset that fits"), "")
        name(self._preset, self.tr("Preset of the reference"))
        self._preset.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._preset.setMinimumContentsLength(18)
        self._strength = QSlider(Qt.Orientation.Horizontal)
        self._strength.setRange(round(100 * LEAST), round(100 * MOST))
        self._strength.setSingleStep(STEP)
        self._strength.setPageStep(2 * STEP)
        self._strength.setFixedWidth(160)
        name(self._strength, self.tr("Strength of the reference"))
        self._percent, self._made_by = plain_label("100 %"), plain_label(object_name="quiet", wrap=True)
        name(self._percent, self.tr("Strength in percent"))
        name(self._made_by, self.tr("Who made the reference"))
        caption = plain_label(self.tr("Strength"))
        name(caption, self.tr("Strength, caption"))
        self._preset.activated.connect(lambda place: self.preset_chosen.emit(str(self._preset.itemData(place))))
        self._strength.valueChanged.connect(self._tell_strength)
        self._verdicts = QHBoxLayout()
        self._verdicts.setSpacing(8)
        self._verdicts.addStretch(1)
        making = QHBoxLayout()
        making.setSpacing(10)
        for widget in (self._preset, caption, self._strength, self._percent):
            making.addWidget(widget)
        making.addStretch(1)
        line = Flow(spacing=10, below=6)
        line.add_layout(making)
        line.add_layout(self._verdicts)
        both = QVBoxLayout()
        both.setSpacing(4)
        both.addLayout(line)
        both.addWidget(self._made_by)
        return both

    def _tell_strength(self, percent: int) -> None:
        self._percent.setText(f"{percent} %")
        self.strength_chosen.emit(percent)
