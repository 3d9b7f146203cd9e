"""The first step: the folder of images, what it holds, what is wrong with it, and its pairs as small pictures."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from fullfield.data.survey import Survey
from fullfield_app.gui import numbers
from fullfield_app.gui.train import survey_words
from fullfield_app.gui.train.size_plot import SizePlot
from fullfield_app.gui.train.use_form import UseForm
from fullfield_app.gui.view.thumbnail import STAMP
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import ElidedLabel, clean, plain_label
from fullfield_app.gui.widgets.scrolled import Scrolled

MOST_LISTED = 400


class DataSide(QWidget):
    """`folder_asked`: choose a folder; `cancel_asked`: stop reading it; `review_asked`: look at the references.

    `use`: the part that asks what the model is for.
    """

    folder_asked = Signal()
    cancel_asked = Signal()
    review_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("First step"))
        self._items: dict[str, QListWidgetItem] = {}
        self._build()
        self.show_nothing("")

    def hover(self, above: bool) -> None:
        """A folder is held above the page."""
        self._drop.setFrameShape(QFrame.Shape.Box if above else QFrame.Shape.NoFrame)

    def show_nothing(self, folder: str) -> None:
        """No data, or none that could be read to the end."""
        self._folder.show_text(clean(folder))
        self._stack.setCurrentWidget(self._drop)

    def show_reading(self, folder: str, done: int, total: int) -> None:
        """The folder is being read."""
        self._folder.show_text(clean(folder))
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        text = self.tr("Reading the images: {done} of {total}").format(done=done, total=total)
        self._progress.setText(text if total else self.tr("Looking for images…"))
        self._stack.setCurrentWidget(self._reading)

    def show_survey(self, survey: Survey) -> None:
        """What it holds."""
        self._counts.setText(survey_words.counts(survey))
        self.use.show_survey(survey)
        self._references.setText(survey_words.references(survey))
        self._sizes.setText(survey_words.sizes(survey))
        self._split.setText(survey_words.split(survey))
        self._split.setObjectName("trouble" if survey.problem else "")
        self._split.style().polish(self._split)
        self._plot.show_sides(tuple(max(one.rows, one.columns) for one in survey.radiographs))
        self._list_pairs(survey)
        self._problems.clear()
        for problem in survey.problems[:MOST_LISTED]:
            self._problems.addItem(survey_words.problem(problem))
        self._say_more(self._problems, len(survey.problems))
        title = self.tr("Problems ({count})").format(count=len(survey.problems))
        self._tabs.setTabText(1, title)
        if not survey.radiographs:
            self._tabs.setCurrentWidget(self._problems)
        self._stack.setCurrentWidget(self._found)

    def show_pair(self, key: str, image: QImage) -> None:
        """The small picture of a pair is there."""
        item = self._items.get(key)
        if item is not None:
            item.setIcon(QIcon(QPixmap.fromImage(image)))

    def show_review(self, reviewed: int, total: int) -> None:
        """How many references have been reviewed; none are made: there is nothing to review."""
        self._review.setVisible(total > 0)
        text = self.tr("Review references… ({reviewed} of {total} done)")
        self._review.setText(text.format(reviewed=reviewed, total=total))

    def _build(self) -> None:
        title = plain_label(self.tr("1  Images"), object_name="step")
        name(title, self.tr("First step, title"))
        choose = QPushButton(self.tr("Choose folder…"))
        name(choose, self.tr("Choose the folder of images"))
        choose.clicked.connect(self.folder_asked)
        self._folder = ElidedLabel()
        self._folder.setObjectName("quiet")
        name(self._folder, self.tr("Folder of images"))
        line = QHBoxLayout()
        line.addWidget(choose)
        line.addWidget(self._folder, 1)
        self._stack = QStackedWidget()
        name(self._stack, self.tr("About the images"))
        self._drop, self._reading = self._build_drop(), self._build_reading()
        self._found = Scrolled(self._build_found(), across=False)
        name(self._found, self.tr("What the folder holds, scrolled"))
        for page in (self._drop, self._reading, self._found):
            self._stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(title)
        layout.addLayout(line)
        layout.addWidget(self._stack, 1)

    def _build_drop(self) -> QFrame:
        page = QFrame()
        page.setMinimumWidth(2 * STAMP.width() + 8)
        name(page, self.tr("No images yet"))
        text = plain_label(
            self.tr(
                "Drop a folder of radiographs here, of at least two patients. Best are pairs: raw/ and reference/ with "
                "equal names. From images alone, the conventional processor makes references that you can review."
            ),
            object_name="quiet",
            wrap=True,
        )
        name(text, self.tr("What to drop here"))
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(page)
        layout.addStretch(2)
        layout.addWidget(text)
        layout.addStretch(3)
        return page

    def _build_reading(self) -> QWidget:
        page = QWidget()
        name(page, self.tr("Reading the folder"))
        self._progress = plain_label(wrap=True)
        name(self._progress, self.tr("How far reading is"))
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(4)
        name(self._bar, self.tr("Progress of reading"))
        cancel = QPushButton(self.tr("Cancel"))
        name(cancel, self.tr("Stop reading the folder"))
        cancel.clicked.connect(self.cancel_asked)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._progress)
        layout.addWidget(self._bar)
        layout.addWidget(cancel, alignment=Qt.AlignmentFlag.AlignRight)
        layout.addStretch(1)
        return page

    def _build_found(self) -> QWidget:
        page = QWidget()
        name(page, self.tr("What the folder holds"))
        self._counts, self._references = plain_label(wrap=True), plain_label(object_name="quiet", wrap=True)
        self._sizes, self._split = plain_label(object_name="quiet", wrap=True), plain_label(wrap=True)
        name(self._counts, self.tr("Images and patients"))
        name(self._references, self.tr("Where references come from"))
        name(self._sizes, self.tr("Sizes of the images"))
        name(self._split, self.tr("Who is held back"))
        self.use, self._plot = UseForm(), SizePlot()
        self._review = QPushButton()
        name(self._review, self.tr("Review references"))
        self._review.clicked.connect(self.review_asked)
        self._tabs = self._build_tabs()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        for widget in (self._counts, self.use, self._references, self._split, self._sizes, self._plot):
            layout.addWidget(widget)
        layout.addWidget(self._tabs, 1)
        layout.addWidget(self._review)
        return page

    def _build_tabs(self) -> QTabWidget:
        self._pairs = QListWidget()
        name(self._pairs, self.tr("Pairs"))
        self._pairs.setViewMode(QListWidget.ViewMode.IconMode)
        self._pairs.setIconSize(STAMP)
        self._pairs.setResizeMode(QListWidget.ResizeMode.Adjust)
        self._pairs.setMovement(QListWidget.Movement.Static)
        self._pairs.setUniformItemSizes(True)
        self._problems = QListWidget()
        name(self._problems, self.tr("Problems"))
        self._problems.setWordWrap(True)
        tabs = QTabWidget()
        name(tabs, self.tr("Pairs and problems"))
        tabs.addTab(self._pairs, self.tr("Before / after"))
        tabs.addTab(self._problems, self.tr("Problems (0)"))
        tabs.setDocumentMode(True)
        return tabs

    def _list_pairs(self, survey: Survey) -> None:
        """Again where the split has changed: pictures that are there stay."""
        icons = {key: item.icon() for key, item in self._items.items()}
        self._pairs.clear()
        self._items.clear()
        blank = QPixmap(STAMP)
        blank.fill(Qt.GlobalColor.black)
        for one in survey.radiographs[:MOST_LISTED]:
            item = QListWidgetItem(icons.get(one.key, QIcon(blank)), survey_words.radiograph(one))
            item.setSizeHint(QSize(STAMP.width() + 12, STAMP.height() + self.fontMetrics().height() + 12))
            self._items[one.key] = item
            self._pairs.addItem(item)
        self._say_more(self._pairs, len(survey.radiographs))

    def _say_more(self, shown: QListWidget, count: int) -> None:
        """That there are more than are listed."""
        if count > MOST_LISTED:
            item = QListWidgetItem(self.tr("… and {count} more").format(count=numbers.number(count - MOST_LISTED)))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            shown.addItem(item)
