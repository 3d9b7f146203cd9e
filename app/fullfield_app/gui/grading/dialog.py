"""The dialog of blind grading: set up, read, be told. It routes between its pages and keeps the grading on disk.

The list behind it cannot be changed meanwhile, so that what a pair is made of stays as it is.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QInputDialog, QStackedWidget, QVBoxLayout, QWidget

from fullfield import files
from fullfield.enhance import models
from fullfield.errors import FullfieldError
from fullfield.grading import criteria, statistics, store, study
from fullfield.grading.criteria import CriteriaSet
from fullfield.grading.statistics import Outcome
from fullfield.grading.store import Kept
from fullfield.grading.study import Study
from fullfield_app.gui import language
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.grading import graded, report
from fullfield_app.gui.grading.candidates import LISTED, Candidate, Version, identify, versions
from fullfield_app.gui.grading.reading_page import ReadingPage
from fullfield_app.gui.grading.results_page import ResultsPage
from fullfield_app.gui.grading.setup_page import LONGEST_READER, SetupPage, Wish
from fullfield_app.gui.grading.takes import Takes
from fullfield_app.gui.queue.row import Row
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import clean
from fullfield_app.gui.widgets.question import Answer, Question, ask
from fullfield_app.gui.widgets.scrolled import on_screen

LEAST = QSize(960, 600)
FOLDER_NAME = "Grading"


class GradingDialog(QDialog):
    """`failed` carries an exception. Once it has finished, `end` it, then delete it."""

    failed = Signal(object)

    def __init__(
        self, owner: QWidget, workers: Workers, rows: Sequence[Row], folder: Path, *, test: Path | None = None
    ) -> None:
        """`rows`: the whole list; `folder`: where results are written, in a folder of their own. `test`: a model that
        is graded against what the list has, where that is asked for."""
        super().__init__(owner)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(self.tr("Grade blind"))
        name(self, self.tr("Blind grading"))
        self._workers, self._folder = workers, folder / FOLDER_NAME
        self._tasks, self._writing = Tasks(self), Tasks(self)  # no answer waits for the folder of results
        self._test = test
        self._candidates: tuple[Candidate, ...] = ()
        self._versions: tuple[Version, ...] = ()
        self._study: Study | None = None
        self._kept: Study | None = None  # as the file has it
        self._path = Path()
        self._takes: Takes | None = None
        self._setup = SetupPage()
        self._pages = QStackedWidget()
        name(self._pages, self.tr("Steps of the grading"))
        self._pages.addWidget(self._setup)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)
        self.resize(owner.size().expandedTo(on_screen(self, LEAST)))
        self._connect_signals()
        complete(self)
        self._tasks.start(partial(_look_up, tuple(rows), language.spoken().code), self._offer)

    def end(self) -> bool:
        """Keep what was answered, and end all that is at work; whether there are pairs left to grade.

        Takes seconds at times, so it is a background task's; more than once does no harm. Raises CannotWrite.
        """
        self._tasks.close()
        try:
            self._save()  # a task that was cut off might not have
        finally:
            if self._takes is not None:
                self._takes.close()
            self._writing.close()
        return self._study is not None and not self._study.reading.ended

    def _connect_signals(self) -> None:
        self._tasks.failed.connect(self._fail)
        self._setup.wished.connect(self._begin)
        self._setup.left.connect(self.reject)
        self._setup.paused.open_asked.connect(self._open)
        self._setup.paused.delete_asked.connect(self._ask_delete)

    # Set up -----------------------------------------------------------------------------------------------------

    def _offer(self, found: tuple[tuple[Candidate, ...], tuple[Version, ...], tuple[CriteriaSet, ...]]) -> None:
        self._candidates, self._versions, sets = found
        self._setup.offer(self._candidates, self._versions, sets)
        if self._test is not None:
            self._setup.choose(LISTED, str(self._test))
        self._offer_kept()

    def _offer_kept(self) -> None:
        there = {one.image for one in self._candidates}
        self._tasks.start(store.kept, lambda kept: self._setup.paused.offer(kept, there))

    def _ask_delete(self, kept: Kept) -> None:
        question = Question(
            title=self.tr("Delete this grading?"),
            text=self.tr("Its answers are lost. Results that were written stay where they are."),
            answers=(Answer(text=self.tr("Delete"), act=lambda: self._delete(kept)),),
            cancel=self.tr("Keep it"),
        )
        ask(self, question)

    def _delete(self, kept: Kept) -> None:
        self._tasks.start(partial(kept.path.unlink, missing_ok=True), lambda _: self._offer_kept())

    def _begin(self, wish: Wish) -> None:
        made = study.new(
            wish.pairs,
            wish.criteria,
            source=wish.source,
            reader=wish.reader,
            seed=secrets.randbits(32),
            started=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"),
        )
        self._tasks.start(lambda: store.free_path(made.started), lambda path: self._read(made, path))

    def _open(self, kept: Kept) -> None:
        self._tasks.start(partial(store.load, kept.path), partial(self._resume, kept.path))

    def _resume(self, path: Path, found: Study) -> None:
        self._kept = found
        if found.reading.ended:
            self._path = path
            self._end(found)
        else:
            self._read(found, path)

    # Read -------------------------------------------------------------------------------------------------------

    def _read(self, begun: Study, path: Path) -> None:
        self._study, self._path = begun, path
        self._keep(begun)
        if self._takes is None:
            self._takes = Takes(self._workers.session, self._candidates, self, graded=True)
        page = ReadingPage(begun, self._takes)
        page.answered.connect(self._keep)
        page.paused.connect(self.reject)
        page.ended.connect(self._ask_end)
        self._turn_to(page)
        page.setFocus()

    def _keep(self, now: Study) -> None:
        self._study = now
        self._tasks.start(self._save, lambda _: None)

    def _save(self) -> None:
        """A background task's."""
        now = self._study
        if now is not None and now != self._kept:
            store.save(now, self._path, over=self._kept)
            self._kept = now

    def _ask_end(self) -> None:
        now = self._study
        assert now is not None
        left = len(now.pairs) - now.done
        text = self.tr("It is told which image was which; this reading takes no more answers.")
        if left:
            missing = self.tr("{left} of {count} pairs are not answered wholly.").format(
                left=left, count=len(now.pairs)
            )
            text = f"{missing} {text}"
        question = Question(
            title=self.tr("End the grading and show the result?"),
            text=text,
            answers=(Answer(text=self.tr("Show result"), act=lambda: self._end(now.with_end()), default=not left),),
            cancel=self.tr("Go on grading"),
        )
        ask(self, question)

    # Be told ----------------------------------------------------------------------------------------------------

    def _end(self, ended: Study) -> None:
        self._keep(ended)
        self._pages.setEnabled(False)  # it takes no more answers
        names = report.versions_of(ended, self._versions)

        def show(found: tuple[tuple[Outcome, ...], str]) -> None:
            outcomes, why_not = found
            part = self._offered(ended, outcomes)
            page = ResultsPage(outcomes, names, self._folder, offer=part, why_not=why_not)
            page.left.connect(self.accept)
            page.take_asked.connect(lambda: self._take(ended))
            page.again.connect(self._ask_reader)
            self._turn_to(page)

        write = partial(_write, ended, names, self._folder, self._path.stem)
        self._writing.start(write, show, failed=self._tell_nothing)

    def _tell_nothing(self, error: BaseException) -> None:
        """The result cannot be written: nobody has been told, and the reading can go on."""
        self._pages.setEnabled(True)
        self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """A message in the window lies behind this dialog."""
        self.failed.emit(error)
        if isinstance(error, FullfieldError):
            text = f"{say_core(error.detail)} {say_core(error.hint)}".strip()
            ask(self, Question(title=say_core(error.title), text=text, answers=(), cancel=self.tr("Go back")))

    def _offered(self, ended: Study, outcomes: tuple[Outcome, ...]) -> str:
        """The part of the body that the test model may be taken for by this grading; "": none. What was held against
        originals alone has not been held against a preset, whose place it would take."""
        part = self._part(ended) if all(pair.reference is not None for pair in ended.pairs) else ""
        return part if part and statistics.favoured(outcomes) and graded.model(ended) is not None else ""

    def _part(self, ended: Study) -> str:
        """What all of the graded images show, where a model can be taken for it; "" also where the list lacks one."""
        known = {one.image: one.part for one in self._candidates}
        parts = {known.get(pair.image, "") for pair in ended.pairs}
        return parts.pop() if len(parts) == 1 and parts <= set(models.body_parts()) else ""

    def _take(self, ended: Study) -> None:
        model, part, (sha256,) = graded.model(ended), self._part(ended), graded.made_by(ended)
        if model is not None:
            work = partial(models.take, model, model.stem, part, sha256=sha256)
            self._tasks.start(work, lambda _: self.accept())

    def _ask_reader(self) -> None:
        dialog = QInputDialog(self)
        name(dialog, self.tr("Another reader"))
        dialog.setWindowTitle(self.tr("Another reader"))
        dialog.setLabelText(self.tr("Initials of the reader (may stay empty)"))
        dialog.textValueSelected.connect(self._read_again)
        complete(dialog)
        dialog.open()

    def _read_again(self, reader: str) -> None:
        assert self._study is not None
        again = self._study.with_reader(clean(reader.strip())[:LONGEST_READER], secrets.randbits(32))
        self._read(again, self._path)

    def _turn_to(self, page: QWidget) -> None:
        old = self._pages.currentWidget()
        self._pages.setEnabled(True)
        self._pages.addWidget(page)
        self._pages.setCurrentWidget(page)
        if old is not None and old is not self._setup:
            self._pages.removeWidget(old)
            old.setParent(None)  # at once, or its parts would still have the names of the new page's
            old.deleteLater()
        complete(self)


def _look_up(
    rows: tuple[Row, ...], code: str
) -> tuple[tuple[Candidate, ...], tuple[Version, ...], tuple[CriteriaSet, ...]]:
    return identify(rows), versions(), criteria.load_all(code)


def _write(ended: Study, names: tuple[str, str], folder: Path, stem: str) -> tuple[tuple[Outcome, ...], str]:
    """Leave the answers and the statistics as CSV and the result as text in `folder`; the outcomes, and why a model of
    which they are is not offered, see `graded.why_not`."""
    outcomes = study.outcomes(ended)
    # The byte order mark lets spreadsheets read letters with accents.
    files.write_text(folder / f"grading-{stem}.csv", "\ufeff" + store.table(ended))
    files.write_text(folder / f"grading-{stem}-statistics.csv", "\ufeff" + store.statistics(outcomes))
    files.write_text(folder / f"grading-{stem}.txt", report.text(ended, outcomes, names))
    return outcomes, graded.why_not(ended)
