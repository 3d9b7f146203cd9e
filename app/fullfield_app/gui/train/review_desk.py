"""Between an expert's review, the worker that makes references, and what shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from fullfield.data.survey import Survey
from fullfield.plan.spec import NATIVE
from fullfield.protocol.setup_events import ReferenceProposed, ReferenceRefused
from fullfield_app.gui.bridge.throttle import Throttle
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.review_view import ReviewView
from fullfield_app.gui.train.reviewing import Reviewing, Way, with_strength
from fullfield_app.gui.train.surveying import Surveying
from fullfield_app.gui.translation import in_lines
from fullfield_app.gui.view.picture import Picture

SLIDER_MILLISECONDS = 120  # a reference takes about as long to make


class ReviewDesk(QObject):
    """`counted`: how many were reviewed, of how many; `failed`: an exception."""

    counted = Signal(int, int)
    failed = Signal(object)

    def __init__(self, surveying: Surveying, view: ReviewView, owner: QWidget) -> None:
        super().__init__(owner)
        self.reviewing = Reviewing(self)
        self._surveying, self._view = surveying, view
        self._throttle = Throttle(SLIDER_MILLISECONDS, self)
        self._choices = Choices()
        self._seen = ""
        self._asked: tuple[int, str, Way] | None = None  # number of the question, and what it was
        self._event: ReferenceProposed | None = None  # of the reference that is seen, made in the way that is set
        self._connect_signals()

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What the actions of the review do."""
        return {
            "review_approve": self._approve,
            "review_reject": self._reject,
            "review_take_back": self.reviewing.take_back,
            "review_next": lambda: self.reviewing.step(1),
            "review_previous": lambda: self.reviewing.step(-1),
        }

    def take(self, survey: Survey | None, choices: Choices) -> None:
        """The images of a folder that was read."""
        self._choices = choices
        self.reviewing.take(survey, processes=choices.value("reference") not in ("image", "pairs"))
        self._count()

    def follow(self, choices: Choices) -> None:
        """The settings have changed."""
        self._choices = choices

    def begin(self) -> None:
        """Show the first that is not reviewed."""
        self._seen = ""
        self.reviewing.begin()
        self._view.take_focus()

    def close(self) -> None:
        """Wait for what is being written."""
        self.reviewing.close()

    def _connect_signals(self) -> None:
        reviewing, view = self.reviewing, self._view
        reviewing.moved.connect(self._move)
        reviewing.judged.connect(self._count)
        reviewing.failed.connect(self.failed)
        view.preset_chosen.connect(lambda preset: reviewing.set_way(replace(reviewing.way, preset=preset)))
        view.strength_chosen.connect(lambda percent: reviewing.set_way(with_strength(reviewing.way, percent)))
        self._throttle.passed.connect(self._ask)
        self._surveying.proposed.connect(self._show)
        self._surveying.unproposed.connect(self._refuse)

    @property
    def _key(self) -> str:
        """Of the image that is shown; what else is known of it may change while its reference is made."""
        return self.reviewing.current.key if self.reviewing.current is not None else ""

    def _move(self) -> None:
        self._event = None
        self._view.show_way(self.reviewing)
        if self._seen != self._key:
            self._view.show_nothing()
        self._view.show_waiting()
        self._throttle.offer((self._key, self.reviewing.way))

    def _ask(self, wanted: object) -> None:
        one, way = self.reviewing.current, self.reviewing.way
        if one is not None and wanted == (one.key, way):
            size = self._choices.value("size")
            pixels = 0 if size == NATIVE or not isinstance(size, int) else size
            self._asked = self._surveying.propose(one.key, way.preset, way.strength, pixels), one.key, way

    def _show(self, event: ReferenceProposed, image: Picture, reference: Picture) -> None:
        if event.key != self._key:
            return
        self._event = event if self._asked == (event.number, event.key, self.reviewing.way) else None
        self._view.show_reference(image, reference, event.made_by, anew=self._seen != event.key)
        if self._event is None:  # what a slider passed on its way: seen, and not yet to be approved
            self._view.show_waiting()
        self._seen = event.key

    def _refuse(self, event: ReferenceRefused) -> None:
        if event.key == self._key:
            self._view.show_refusal(in_lines(event.error["title"], event.error["detail"], event.error["hint"]))
            self._seen = event.key

    def _approve(self) -> None:
        """What is not seen yet, in the way that is set, cannot be approved."""
        if self._event is not None:
            self.reviewing.approve(self._event.preset, self._event.made_by)

    def _reject(self) -> None:
        """Nor can an image be left out that is not seen yet, and of which nobody has said why it has no reference."""
        if self._seen == self._key:
            self.reviewing.reject()

    def _count(self) -> None:
        self.counted.emit(self.reviewing.reviewed, self.reviewing.total)
        self._view.show_way(self.reviewing)
