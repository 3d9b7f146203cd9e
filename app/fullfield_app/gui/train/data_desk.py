"""Between the worker that looks at a data folder and the part of the page that shows what it found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from fullfield.data.survey import Survey
from fullfield.errors import FullfieldError
from fullfield.protocol.small import SurveySpec
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.data_side import DataSide
from fullfield_app.gui.train.surveying import Surveying
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.message_bar import Message

_DECIDING = ("reference", "validation", "seed", "review", "use_on")  # settings that a survey depends on


class DataDesk(QObject):
    """`surveyed`: a Survey, or None while there is none; `lost`: an error, after which `look` can be tried again;
    `failed`: an exception that nobody foresaw; `said`: a Message, `withdrawn` by its title."""

    surveyed = Signal(object)
    lost = Signal(object)
    failed = Signal(object)
    said = Signal(object)
    withdrawn = Signal(str)

    def __init__(self, surveying: Surveying, side: DataSide, owner: QWidget) -> None:
        super().__init__(owner)
        self._surveying, self._side, self._owner = surveying, side, owner
        self._choices = self._surveyed = Choices()  # now, and as the survey was asked for
        self._tasks = Tasks(self, waits=False)
        self._taken = 0
        self.folder: Path | None = None
        self._tasks.failed.connect(self.failed)
        surveying.read.connect(lambda done, total: side.show_reading(self._title(), done, total))
        surveying.surveyed.connect(self._show)
        surveying.drawn.connect(side.show_pair)
        surveying.failed.connect(self._fail)
        surveying.stopped.connect(self._forget)
        side.folder_asked.connect(self.ask_folder)
        side.cancel_asked.connect(surveying.cancel)

    def ask_folder(self) -> None:
        """Choose a folder in a dialog."""
        title = self.tr("Choose the folder of images to train on")
        dialog = QFileDialog(self._owner, title)
        name(dialog, title)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda path: self.take([Path(path)]))
        dialog.open()

    def take(self, paths: Sequence[Path]) -> None:
        """Look at the first folder of these, else at the one that a file lies in; what is taken of more is said."""
        self._taken = taken = self._taken + 1

        def choose(folder: Path | None) -> None:
            if taken == self._taken:  # a drive that answers late does not undo what was chosen since
                self._choose(folder, alone=[folder] == [*paths])

        self._tasks.start(lambda: _folder(paths), choose)

    def follow(self, choices: Choices) -> None:
        """The settings have changed: some change who is held back or what the model will be for, another the
        references."""
        self._choices = choices
        changed = {key for key in _DECIDING if self._surveyed.value(key) != choices.value(key)}
        if self.folder is None or not changed or choices.mistakes().keys() & _DECIDING:
            return
        if "reference" in changed:
            self.look()
        else:
            self.split_anew()

    def split_anew(self) -> None:
        """Say anew who is held back: by other settings, or because images were rejected."""
        value = self._choices.value
        if not self._choices.mistakes().keys() & _DECIDING:
            self._surveyed = self._choices
            self._surveying.split(
                float(value("validation")), int(value("seed")), bool(value("review")), str(value("use_on"))
            )

    def look(self) -> None:
        """Look at the folder that was chosen, from the beginning."""
        if self.folder is None:
            return
        self._surveyed = self._choices
        self.surveyed.emit(None)
        self._side.show_reading(self._title(), 0, 0)
        values = {key: self._choices.value(key) for key in _DECIDING}
        self._surveying.look_at(SurveySpec(data=str(self.folder), **values))

    def close(self) -> None:
        """Choose nothing any more."""
        self._tasks.close()

    def _choose(self, folder: Path | None, *, alone: bool) -> None:
        title = self.tr("A training takes one folder of images.")
        self.withdrawn.emit(title)
        if folder is None:
            text = self.tr("Unpack the ZIP archive first, then drop the folder that comes out of it.")
            self.said.emit(Message(title=title, text=text))
            return
        if not alone:
            text = self.tr("“{name}” was taken, and nothing else.").format(name=folder.name)
            self.said.emit(Message(title=title, text=text, trouble=False))
        self.folder = folder
        self.look()

    def _show(self, survey: Survey) -> None:
        self._side.show_survey(survey)
        self.surveyed.emit(survey)

    def _fail(self, error: FullfieldError) -> None:
        """The folder stays chosen: what is wrong may be mended, or was not its fault."""
        self._side.show_nothing(self._title())
        self.surveyed.emit(None)
        self.lost.emit(error)

    def _forget(self) -> None:
        self.folder = None
        self._side.show_nothing("")
        self.surveyed.emit(None)

    def _title(self) -> str:
        return self.folder.name if self.folder is not None else ""


def _folder(paths: Sequence[Path]) -> Path | None:
    """The first folder, else the one of the first file; None where there are only archives."""
    beside = (path.parent for path in paths if path.suffix.lower() != ".zip")
    return next((path for path in paths if path.is_dir()), None) or next(beside, None)
