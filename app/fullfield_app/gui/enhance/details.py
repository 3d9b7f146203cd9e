"""What is known of the image one looks at: size, kind of input and why, what was done, warnings, what went wrong."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QWidget

from fullfield.image.header import Header
from fullfield.image.image import InputKind
from fullfield.image.method import AUTO
from fullfield_app.gui import numbers
from fullfield_app.gui.enhance.row_texts import took
from fullfield_app.gui.queue.row import Row
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.view.camera import SQUARE
from fullfield_app.gui.view.picture import Source
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import breakable, clean, plain_label


class Details(QScrollArea):
    """Shows one row and its source; what there is nothing to say about is hidden."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("About this image"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._values: dict[str, QLabel] = {}
        self._captions: dict[str, QLabel] = {}
        self._build()

    def show_row(self, row: Row | None, source: Source | None) -> None:
        """Show an image's facts, or nothing."""
        texts = {} if row is None else _texts(row)
        if source is not None and row is not None:
            texts["size"] = self._size(source)
            texts["kind"] = self._kind(row, source)
            texts["exposure"] = self._exposure(source.header)
        if row is not None and row.result is not None and row.result.disagreement is not None:
            percent = numbers.number(100 * row.result.disagreement, 2)
            text = self.tr(
                "On 99 % of the image its members disagree by {percent} % of white at most. It is no measure of truth."
            )
            texts["disagreement"] = text.format(percent=percent)
        for key, value in self._values.items():
            text = clean(texts.get(key, "")).replace("�", " ")
            value.setText(breakable(text))
            value.setVisible(bool(text))
            self._captions[key].setVisible(bool(text))

    def _build(self) -> None:
        inner = QWidget()
        name(inner, self.tr("Facts about this image"))
        grid = QGridLayout(inner)  # a form cuts wrapped text off when other rows are shown than before
        grid.setContentsMargins(10, 8, 10, 8)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        facts = (
            ("name", self.tr("File")),
            ("title", self.tr("Problem")),
            ("hint", self.tr("What to do")),
            ("damage", self.tr("Damage")),
            ("notes", self.tr("Note")),
            ("kind", self.tr("Input")),
            ("size", self.tr("Size")),
            ("exposure", self.tr("Exposure")),
            ("recipe", self.tr("Enhanced")),
            ("disagreement", self.tr("Ensemble")),
            ("exported", self.tr("Exported")),
        )
        for line, (key, label) in enumerate(facts):
            value = plain_label(object_name="trouble" if key in ("title", "damage") else "", wrap=True)
            value.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            value.setMinimumWidth(60)
            name(value, self.tr("{fact} of this image").format(fact=label))
            caption = plain_label(label, object_name="quiet")
            caption.setAlignment(Qt.AlignmentFlag.AlignTop)
            name(caption, self.tr("{fact}, caption").format(fact=label))
            grid.addWidget(caption, line, 0)
            grid.addWidget(value, line, 1)
            self._values[key], self._captions[key] = value, caption
        grid.setRowStretch(len(facts), 1)
        self.setWidget(inner)
        self.show_row(None, None)

    def _kind(self, row: Row, source: Source) -> str:
        found = f"{self._say_kind(source.kind)}. {say_core(source.kind_reason)}".strip()
        if row.method.kind == AUTO:
            return found
        said = self._say_kind(row.method.kind_of(source.kind))
        return self.tr("{kind}, as chosen here. Found: {found}").format(kind=said, found=found)

    def _size(self, source: Source) -> str:
        kind = " ".join(part for part in (source.header.modality, source.header.body_part) if part)
        matrix = f"{source.picture.columns} × {source.picture.rows} px"
        down, across = map(numbers.short, source.image.spacing_mm or (0.0, 0.0))
        apart = across if across == down else f"{across} × {down}"
        spacing = f"{apart} mm" if source.image.spacing_mm is not None else ""
        bits = self.tr("{bits} bit").format(bits=source.image.bits)
        facts = ", ".join(part for part in (kind, matrix, spacing, bits) if part)
        proportions = self.tr("Its pixels are not square: it is shown in its true proportions.")
        return facts if source.picture.pixel == SQUARE else f"{facts}. {proportions}"

    def _exposure(self, header: Header) -> str:
        """The Exposure Index, its target and its deviation (IEC 62494-1): above or below, which is no judgement."""
        parts = []
        if header.exposure_index is not None:
            parts.append(self.tr("Exposure Index {index}").format(index=numbers.short(header.exposure_index, 6)))
        if header.target_exposure_index is not None:
            parts.append(self.tr("target {index}").format(index=numbers.short(header.target_exposure_index, 6)))
        if (deviation := header.deviation) is not None:
            where = self.tr("above the target") if deviation > 0 else self.tr("below the target")
            said = numbers.signed(deviation, 1)
            on = round(deviation, 1) == 0
            parts.append(self.tr("Deviation Index {index}").format(index=said if on else f"{said}, {where}"))
        return "; ".join(parts)

    def _say_kind(self, kind: InputKind) -> str:
        return self.tr("Raw") if kind is InputKind.RAW else self.tr("Processed for display")


def _texts(row: Row) -> dict[str, str]:
    texts = {"name": row.name, "damage": row.damage, "notes": " ".join((*row.source_notes, *row.result_notes))}
    if row.trouble is not None:
        texts["title"] = f"{row.trouble.title} {row.trouble.detail}".strip()
        texts["hint"] = row.trouble.hint
    if row.result is not None:
        texts["recipe"] = f"{say_core(row.result.recipe)}, {took(row.result.seconds)}"
    if row.exported is not None:
        texts["exported"] = row.exported.name
    return texts
