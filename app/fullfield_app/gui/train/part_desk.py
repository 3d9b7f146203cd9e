"""Between the bar that offers the training part, what would come, and the worker that installs it once agreed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from fullfield import __version__, parts
from fullfield.errors import FullfieldError
from fullfield.jobs.handle import JobHandle, Launch
from fullfield.protocol.commands import Stop
from fullfield.protocol.events import Event, PhaseStarted
from fullfield.protocol.setup_events import BytesFetched
from fullfield.protocol.small import InstallSpec
from fullfield.training_part import offer, place
from fullfield.training_part.offer import Offer
from fullfield_app.gui.bridge.job_bridge import Session
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import own_job
from fullfield_app.gui.train.part_bar import PartBar
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.message_bar import Message
from fullfield_app.gui.widgets.question import Answer, Question, ask

GRACE_SECONDS = 10.0  # for pip to be ended


class PartDesk(QObject):
    """`obstacle`: why a training cannot start; empty where it can. `changed`: that may be another one; `installed`: it
    is here from now on; `said`: a Message; `lost`: an error of an installation, after which it can be tried again;
    `failed`: an exception. Looks and installs in the background."""

    changed = Signal()
    installed = Signal()
    said = Signal(object)
    lost = Signal(object)
    failed = Signal(object)

    def __init__(self, launch: Launch, bar: PartBar, owner: QWidget) -> None:
        super().__init__(owner)
        self._launch, self._bar, self._owner = launch, bar, owner
        self._session: Session | None = None
        self._offer: Offer | None = None
        self._phase = self.obstacle = ""
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self._fail)
        bar.install_asked.connect(lambda: self._look(None))
        bar.folder_asked.connect(self._ask_folder)
        bar.cancel_asked.connect(self._cancel)

    def look(self) -> None:
        """See whether it is here; the bar stays away where it is."""
        self._tasks.start(_missing, self._show)

    def close(self) -> None:
        """Stop installing; what has been fetched is kept."""
        if self._session is not None:
            self._session.close()
        self._tasks.close()

    # Asking -----------------------------------------------------------------------------------------------------

    def _show(self, missing: tuple[str, ...] | None) -> None:
        if self._offer is not None:  # it is being installed meanwhile
            return
        before, self.obstacle = self.obstacle, "" if missing is None else self.tr("Install the training part first.")
        self.changed.emit()
        if missing is None and before:
            self.installed.emit()
        if missing is None:
            self._bar.hide()
        elif missing:
            text = self.tr(
                "The training part was installed for Fullfield {before}, and this is {now}: install it again."
            )
            self._bar.show_offer(text.format(before=missing[-1], now=__version__))
        else:
            text = self.tr("Trainings and models need PyTorch, which this light installation does not have.")
            self._bar.show_offer(text)

    def _ask_folder(self) -> None:
        title = self.tr("Choose the folder that holds the wheels")
        dialog = QFileDialog(self._owner, title)
        name(dialog, title)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda path: self._look(Path(path)))
        dialog.open()

    def _look(self, wheels: Path | None) -> None:
        self._bar.show_work(self.tr("Looking at what fits this computer."), cancel=False)
        self._tasks.start(lambda: None if _missing() is None else offer.make(wheels=wheels), self._ask)

    def _ask(self, made: Offer | None) -> None:
        """None: another window has installed it meanwhile."""
        self.look()
        if made is None:
            return
        text = " ".join(map(say_core, made.sentences()))
        where = self.tr("It comes into the folder {folder}").format(folder=place.folder())
        go = Answer(text=self.tr("Install"), act=lambda: self._begin(made), default=True)
        question = Question(
            title=self.tr("Install the training part?"),
            text=f"{text} {where}",
            answers=(go,),
            cancel=self.tr("Do not install"),
        )
        ask(self._owner, question)

    # Installing -------------------------------------------------------------------------------------------------

    def _begin(self, made: Offer) -> None:
        if self._offer is not None:
            return
        self._offer, self._phase = made, self.tr("Installing the training part")
        self._bar.show_work(self._phase)
        if self._session is None:
            self._session = Session(self._start, self, grace=GRACE_SECONDS)
            self._session.reported.connect(self._take)
            self._session.refused.connect(lambda error: self._end("failed", error))
            self._session.ended.connect(self._end)
        self._session.start()

    def _start(self) -> JobHandle:
        made = self._offer
        assert made is not None
        wheels = str(made.wheels or "")
        handle: JobHandle = self._launch(own_job(InstallSpec(build=made.build.name, wheels=wheels)))
        return handle

    def _cancel(self) -> None:
        if self._session is not None:
            self._session.post(Stop())

    def _take(self, news: tuple[Event, ...]) -> None:
        for event in news:
            match event:
                case PhaseStarted():
                    self._phase = event.name
                    self._bar.show_work(event.name, 0, event.total)
                case BytesFetched():
                    self._bar.show_work(self._phase, event.done, event.total)
                case _:
                    pass

    def _end(self, reason: str, error: FullfieldError) -> None:
        self._offer = None
        self.look()
        if reason == "completed":
            title = self.tr("The training part is installed.")
            text = self.tr("Trainings can begin now. To enhance with models, start Fullfield again.")
            self.said.emit(Message(title=title, text=text, trouble=False))
        elif reason != "stopped":
            self.lost.emit(error)

    def _fail(self, error: BaseException) -> None:
        self.look()
        self.failed.emit(error)


def _missing() -> tuple[str, ...] | None:
    """None where nothing is missing; else the other versions of Fullfield for which it was installed."""
    if not parts.absent(*parts.NETWORK) or place.installed() is not None:
        return None
    return tuple(found.version for found in place.others())
