"""Between the form, what is on this computer of ImageNet's weights, and the worker that fetches them when asked to."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from fullfield.errors import FullfieldError
from fullfield.image.method import SHIPPED
from fullfield.jobs.handle import JobHandle, Launch
from fullfield.plan import encoders, first_weights
from fullfield.plan.first_weights import HOST, Kept
from fullfield.plan.spec import AUTO, IMAGENET, NO_WEIGHTS
from fullfield.protocol.commands import Stop
from fullfield.protocol.events import Event
from fullfield.protocol.setup_events import BytesFetched
from fullfield.protocol.small import FetchSpec
from fullfield_app.gui.bridge.job_bridge import Session
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import own_job
from fullfield_app.gui.train import places
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.weights_line import MEGABYTE, WeightsLine
from fullfield_app.gui.widgets.question import Answer, Question, ask

GRACE_SECONDS = 2.0  # for a fetch to remove what it has


class WeightsDesk(QObject):
    """`changed`: what is here, and so `obstacle`; `lost`: an error of a fetch; `failed`: an exception that nobody
    foresaw. Looks and fetches in the background."""

    changed = Signal()
    lost = Signal(object)
    failed = Signal(object)

    def __init__(self, launch: Launch, line: WeightsLine, owner: QWidget) -> None:
        super().__init__(owner)
        self._launch, self._line, self._owner = launch, line, owner
        self._weights = self._encoder = self._node = ""
        self._kept: dict[str, Kept] = {}
        self._session: Session | None = None
        self._fetching = ""
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)
        line.fetch_asked.connect(self._ask)
        line.cancel_asked.connect(self._cancel)

    @property
    def obstacle(self) -> str:
        """Why a training cannot start with the weights that are chosen; empty where it can."""
        if self._node:
            from_file = self._weights not in (AUTO, IMAGENET, NO_WEIGHTS, SHIPPED)
            return self.tr("A file of first weights stays on this computer: choose others.") if from_file else ""
        if self._weights == IMAGENET and self._unknown:
            return self.tr("There are no ImageNet weights for this encoder: choose other first weights.")
        one = self._kept.get(self._encoder)
        wanted = self._weights == IMAGENET or (self._weights == AUTO and one is not None and one.path is not None)
        if one is None or not wanted or (one.path is not None and one.whole):
            return ""
        return self.tr("Fetch the ImageNet weights first, or choose other first weights.")

    def look(self) -> None:
        """See what is on this computer."""
        self._tasks.start(first_weights.kept, self._take)

    def follow(self, choices: Choices) -> None:
        """The settings have changed."""
        self._weights, self._node = str(choices.value("weights")), places.node(choices)
        self._encoder = encoders.called(str(choices.value("network")), str(choices.value("encoder")))
        self._show()

    def close(self) -> None:
        """Stop fetching; nothing half stays."""
        if self._session is not None:
            self._session.close()
        self._tasks.close()

    def _take(self, kept: tuple[Kept, ...]) -> None:
        self._kept = {one.encoder: one for one in kept}
        self._show()
        self.changed.emit()

    @property
    def _unknown(self) -> bool:
        """Whether nobody knows of ImageNet weights for the encoder that is chosen."""
        return bool(self._encoder) and self._encoder not in encoders.fetched()

    def _show(self) -> None:
        one = self._kept.get(self._encoder)
        if self._fetching:
            return
        if self._node and self._weights in (AUTO, IMAGENET):
            self._line.show_weights(self._there(), offered=False)
            return
        if one is None and not self._unknown:
            return
        here, whole = one is not None and one.path is not None, one is not None and one.whole
        if self._weights == NO_WEIGHTS or (self._weights == AUTO and self._unknown):
            text = self.tr("First weights: none, the network starts from scratch.")
        elif self._weights == SHIPPED:
            text = self.tr("First weights: those of the model that ships.")
        elif self._weights not in (AUTO, IMAGENET):
            text = self.tr("First weights: from a file.")
        elif here and whole:
            text = self.tr("First weights: ImageNet's, from this computer.")
        elif here:
            text = self.tr("First weights: ImageNet's, and the file on this computer is damaged.")
        elif self._unknown:
            text = self.tr("First weights: ImageNet's, of which there are none for this encoder.")
        elif self._weights == IMAGENET:
            text = self.tr("First weights: ImageNet's, which are not on this computer.")
        else:
            text = self.tr("First weights: none, the network starts from scratch: ImageNet's are not on this computer.")
        offered = self._weights in (AUTO, IMAGENET) and not (here and whole) and not self._unknown
        self._line.show_weights(text, offered=offered)

    def _there(self) -> str:
        if self._weights == IMAGENET:
            return self.tr("First weights: ImageNet's, which {machine} must have.").format(machine=self._node)
        text = self.tr("First weights: ImageNet's where {machine} has them, else none.")
        return text.format(machine=self._node)

    def _ask(self) -> None:
        text = self.tr(
            "{size} MB come from {host}, once for all trainings with this encoder. Nothing of yours is sent."
        ).format(size=first_weights.megabytes(self._encoder), host=HOST)
        go = Answer(text=self.tr("Fetch"), act=self._begin, default=True)
        title = self.tr("Fetch the ImageNet weights?")
        ask(self._owner, Question(title=title, text=text, answers=(go,), cancel=self.tr("Do not fetch")))

    def _begin(self) -> None:
        if self._fetching:
            return
        self._fetching = self._encoder
        self._line.show_fetching(0, first_weights.megabytes(self._encoder) * MEGABYTE)
        if self._session is None:
            self._session = Session(self._start, self, grace=GRACE_SECONDS)
            self._session.reported.connect(self._receive)
            self._session.refused.connect(lambda error: self._end("failed", error))
            self._session.ended.connect(self._end)
        self._session.start()

    def _start(self) -> JobHandle:
        handle: JobHandle = self._launch(own_job(FetchSpec(encoder=self._fetching)))
        return handle

    def _cancel(self) -> None:
        if self._session is not None:
            self._session.post(Stop())

    def _receive(self, news: tuple[Event, ...]) -> None:
        for event in news:
            if isinstance(event, BytesFetched):
                self._line.show_fetching(event.done, event.total)

    def _end(self, reason: str, error: FullfieldError) -> None:
        self._fetching = ""
        self._show()
        if reason not in ("completed", "stopped"):
            self.lost.emit(error)
        self.look()
