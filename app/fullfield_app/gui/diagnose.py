"""Help > Diagnose: the same diagnosis as `fullfield doctor`, made by a worker, and the bundle for support."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QStandardPaths, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QPushButton, QVBoxLayout, QWidget

from fullfield.diagnosis.check import as_text
from fullfield.errors import FullfieldError
from fullfield.jobs.handle import Launch
from fullfield.protocol.checks import Verdict
from fullfield.protocol.events import Event, RunEnded
from fullfield_app import diagnosing
from fullfield_app.gui.bridge.job_bridge import Session
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP, say_error
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.check_list import CheckList
from fullfield_app.gui.widgets.label import clean, plain_label

SIZE = (760, 560)
FILE_NAME = "fullfield-diagnosis.zip"
_PARTS = {  # as the worker names its phases
    "Computer": QT_TRANSLATE_NOOP("DiagnoseDialog", "computer"),
    "Installation": QT_TRANSLATE_NOOP("DiagnoseDialog", "installation"),
    "Folders": QT_TRANSLATE_NOOP("DiagnoseDialog", "folders"),
    "Window": QT_TRANSLATE_NOOP("DiagnoseDialog", "window"),
    "Decoders": QT_TRANSLATE_NOOP("DiagnoseDialog", "decoders"),
    "GPU": QT_TRANSLATE_NOOP("DiagnoseDialog", "GPU"),
}


def show_diagnosis(owner: QWidget, launch: Launch) -> QDialog:
    """Open the dialog and begin."""
    dialog = DiagnoseDialog(owner, launch)
    dialog.open()
    dialog.begin()
    return dialog


class DiagnoseDialog(QDialog):
    """Shows what a worker finds out; closing it ends the worker."""

    def __init__(self, owner: QWidget, launch: Launch) -> None:
        super().__init__(owner)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Diagnose"))
        name(self, self.tr("Diagnose"))
        self._diagnosis = diagnosing.Diagnosis()
        self._tasks = Tasks(self)
        window = _shown_by()
        self._session = Session(lambda: diagnosing.start(launch, window=window), self, grace=0.0)
        self._build()
        self._connect_signals(owner)

    def begin(self) -> None:
        """Diagnose, anew where it has been done."""
        self._diagnosis = diagnosing.Diagnosis()
        self._list.clear()
        self._say(self.tr("Looking at this computer…"))
        self._set_busy(True)
        self._session.start()

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._summary = plain_label(object_name="message-title", wrap=True)
        name(self._summary, self.tr("Diagnosis in short"))
        self._list = CheckList()
        self._again = QPushButton(self.tr("Diagnose again"))
        self._copy = QPushButton(self.tr("Copy as text"))
        self._save = QPushButton(self.tr("Save for support…"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        name(buttons, self.tr("What to do with the diagnosis"))
        for button in (self._again, self._copy, self._save):
            name(button, button.text().rstrip("…"))
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        note = plain_label(
            self.tr(
                "What is saved for support holds this list, the settings and the logs of the last runs, without names "
                "of patients, files or users."
            ),
            object_name="quiet",
            wrap=True,
        )
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(self._summary)
        layout.addWidget(self._list, 1)
        layout.addWidget(note)
        layout.addWidget(buttons)
        self.resize(*SIZE)
        complete(self)

    def _connect_signals(self, owner: QWidget) -> None:
        self._again.clicked.connect(self.begin)
        self._copy.clicked.connect(self._copy_text)
        self._save.clicked.connect(self._ask_where)
        self._session.reported.connect(self._take_in)
        self._session.refused.connect(self._fail)
        self._tasks.failed.connect(self._fail)
        self.finished.connect(self._close_down)
        # However the window goes, it is told before its children are destroyed: no thread may outlive its objects.
        owner.destroyed.connect(self._close_down)
        application = QCoreApplication.instance()
        assert application is not None
        application.aboutToQuit.connect(self._close_down)

    # News -------------------------------------------------------------------------------------------------------

    def _take_in(self, news: tuple[Event, ...]) -> None:
        for event in news:
            made = self._diagnosis.take(event)
            if made is not None:
                self._list.add(made)
            if isinstance(event, RunEnded):
                self._end()
                return
        if self._diagnosis.phase:
            part = QCoreApplication.translate(
                "DiagnoseDialog", _PARTS.get(self._diagnosis.phase, self._diagnosis.phase)
            )
            self._say(self.tr("Looking at: {part}…").format(part=part))

    def _end(self) -> None:
        wrong = sum(check.verdict == Verdict.BAD for check in self._diagnosis.checks)
        several = self.tr("{count} things are wrong. Each says what to do.").format(count=wrong)
        one = self.tr("One thing is wrong. It says what to do.")
        self._say((one if wrong == 1 else several) if wrong else self.tr("Nothing is wrong."))
        self._set_busy(False)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self._say(say_error(error) if isinstance(error, FullfieldError) else type(error).__name__)
        self._set_busy(False)

    def _say(self, text: str) -> None:
        self._summary.setText(clean(text))

    def _set_busy(self, busy: bool) -> None:
        for button in (self._again, self._copy, self._save):
            button.setEnabled(not busy)

    # Asking -----------------------------------------------------------------------------------------------------

    def _copy_text(self) -> None:
        QGuiApplication.clipboard().setText(as_text(self._diagnosis.checks))
        self._say(self.tr("The list has been copied."))

    def _ask_where(self) -> None:
        title = self.tr("Save the diagnosis for support")
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        dialog = QFileDialog(self, title, documents)
        name(dialog, title)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(self.tr("ZIP archives (*.zip)"))
        dialog.setDefaultSuffix("zip")
        dialog.selectFile(FILE_NAME)
        dialog.fileSelected.connect(lambda path: self._store(Path(path)))
        dialog.open()

    def _store(self, target: Path) -> None:
        diagnosis, said = self._diagnosis, self.tr("Saved. Look through it before you send it.")
        self._tasks.start(lambda: diagnosis.save(target), lambda _: self._say(said))

    @Slot()
    def _close_down(self) -> None:
        self._session.close()
        self._tasks.close()


def _shown_by() -> str:
    """The platform of Qt and the screens, in English: it is for support."""
    screens = [
        f"{screen.size().width()} × {screen.size().height()} at {round(100 * screen.devicePixelRatio())} %"
        for screen in QGuiApplication.screens()
    ]
    return f"Qt shows the window by “{QGuiApplication.platformName()}” on {', '.join(screens)}."
