"""What results can be exported as: the kinds of file, a sentence on each, and what is asked of the worker for it.

No widget. What a user has chosen is `ExportChoices` of the settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from fullfield.image.delivery import Appearance, Delivery
from fullfield.image.export import SUFFIX, OutputFormat
from fullfield.protocol.session_commands import Export
from fullfield_app.gui import texts
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP
from fullfield_app.settings import ExportChoices

translate = QCoreApplication.translate


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of file. `displayed`: the picture as one sees it; else all of the data."""

    format: OutputFormat
    displayed: bool
    title: str

    def say(self) -> str:
        """Its title in the user's language."""
        return translate("exports", self.title)


KINDS: tuple[Kind, ...] = (
    Kind(format=OutputFormat.DICOM, displayed=False, title=QT_TRANSLATE_NOOP("exports", "DICOM, full data")),
    Kind(format=OutputFormat.PNG16, displayed=False, title=QT_TRANSLATE_NOOP("exports", "PNG, full data")),
    Kind(format=OutputFormat.TIFF, displayed=False, title=QT_TRANSLATE_NOOP("exports", "TIFF, full data")),
    Kind(format=OutputFormat.PNG16, displayed=True, title=QT_TRANSLATE_NOOP("exports", "PNG, as displayed")),
    Kind(format=OutputFormat.TIFF, displayed=True, title=QT_TRANSLATE_NOOP("exports", "TIFF, as displayed")),
)


@dataclass(frozen=True, kw_only=True)
class Order:
    """What to write into `folder`: the images by their index, each as its delivery says; `tail`: how names end."""

    folder: Path
    format: OutputFormat
    tail: str
    deliveries: Mapping[int, Delivery]


def kind_of(choices: ExportChoices) -> Kind:
    """The kind of file that is chosen; DICOM is always full data."""
    wanted = (choices.format, choices.displayed and choices.format != OutputFormat.DICOM)
    return next(kind for kind in KINDS if (kind.format, kind.displayed) == wanted)


def has_mark(choices: ExportChoices) -> bool:
    """The mark is burned in."""
    return {OutputFormat.PNG16: choices.mark_png, OutputFormat.TIFF: choices.mark_tiff}.get(
        kind_of(choices).format, False
    )


def with_mark(choices: ExportChoices, on: bool) -> ExportChoices:
    """The same, with the mark of this format on or off."""
    match kind_of(choices).format:
        case OutputFormat.PNG16:
            return replace(choices, mark_png=on)
        case OutputFormat.TIFF:
            return replace(choices, mark_tiff=on)
    return choices


def order(choices: ExportChoices, folder: Path, looks: Mapping[int, Appearance]) -> Order:
    """The order to write these images as chosen; `looks`: how each of them is seen now."""
    kind = kind_of(choices)
    beside = kind.displayed and choices.beside
    plain = Delivery(
        displayed=kind.displayed,
        beside=beside,
        captions=(translate("exports", "Before"), translate("exports", "After")),
        mark=texts.not_a_medical_device() if has_mark(choices) else "",
        window=kind.format is OutputFormat.DICOM and choices.window,
    )
    deliveries = {index: replace(plain, look=look) for index, look in looks.items()}
    return Order(folder=folder, format=kind.format, tail=_tail(kind.format, plain), deliveries=deliveries)


def again(failed: Iterable[Export], folder: Path) -> list[Order]:
    """Orders to write what has failed, each as it was ordered, into `folder`: another one may be chosen now."""
    found: dict[tuple[OutputFormat, str], dict[int, Delivery]] = {}
    for export in failed:
        written = OutputFormat(export.format)
        found.setdefault((written, _tail(written, export.delivery)), {})[export.index] = export.delivery
    return [
        Order(folder=folder, format=written, tail=tail, deliveries=deliveries)
        for (written, tail), deliveries in found.items()
    ]


def _tail(written: OutputFormat, delivery: Delivery) -> str:
    part = "-before-and-after" if delivery.beside else "-displayed" if delivery.displayed else ""
    return part + SUFFIX[written]


def explain(choices: ExportChoices) -> str:
    """What will be in the files, in a sentence or two."""
    kind = kind_of(choices)
    if kind.format is OutputFormat.DICOM:
        window = translate("exports", "It opens with the window as displayed.") if choices.window else ""
        return f"{translate('exports', _DICOM)} {window}".strip()
    what = _DISPLAYED if kind.displayed else _FULL
    mark = _MARK if has_mark(choices) else _NO_MARK
    return f"{translate('exports', what)} {translate('exports', mark)}"


_DICOM = QT_TRANSLATE_NOOP(
    "exports", "Full data: all enhanced values at native size; window, inversion and turn are not applied."
)
_FULL = QT_TRANSLATE_NOOP(
    "exports", "Full data: all enhanced values in 16 bits at native size; window, inversion and turn are not applied."
)
_DISPLAYED = QT_TRANSLATE_NOOP(
    "exports", "As displayed: the whole image in 8 bits at native size, with your window, inversion and turn."
)
_MARK = QT_TRANSLATE_NOOP("exports", "With the mark “not for diagnosis”.")
_NO_MARK = QT_TRANSLATE_NOOP("exports", "Without the mark.")
