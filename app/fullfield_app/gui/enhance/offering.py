"""With what one can enhance: the presets and models there are, and a model from a file, whose card is shown first.

Files are read in the background.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from fullfield.enhance.methods import Offer, find_offers, passed_over
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import complete, name

if TYPE_CHECKING:
    from fullfield.enhance.models import Model
    from fullfield.errors import UsageError


class Offering(QObject):
    """`offered`: the Offers there are; `chosen`: a model's path, its card having been seen; `failed`: an exception."""

    offered = Signal(object)
    chosen = Signal(str)
    failed = Signal(object)

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner
        self._found: tuple[Offer, ...] = ()
        self._files: dict[str, Offer] = {}  # models that were chosen from files
        self._reported: set[str] = set()
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)

    def look(self) -> None:
        """Tell what is offered now, and once which presets of the user cannot be used."""
        asked = tuple(self._files.values())

        def tell(news: tuple[tuple[Offer, ...], tuple[UsageError, ...]]) -> None:
            found, faults = news
            for error in faults:
                if str(error) not in self._reported:
                    self._reported.add(str(error))
                    self.failed.emit(error)
            since = (offer for offer in self._files.values() if offer not in asked)
            self._offer(_with(found, since))

        self._tasks.start(lambda: (_find(asked), passed_over()), tell)

    def ask_file(self) -> None:
        """Let the user choose a model from a file."""
        title, kinds = self.tr("Choose a model"), self.tr("Fullfield models (*.safetensors)")
        dialog = QFileDialog(self._owner, title, "", kinds)
        name(dialog, self.tr("Choose a model file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.ask_model)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def ask_model(self, path: str) -> None:
        """Show the card of a model that is to be confirmed before it is used."""
        self._tasks.start(lambda: _inspect(Path(path)), self._show)

    def close(self) -> None:
        """Read no more."""
        self._tasks.close()

    def _offer(self, found: tuple[Offer, ...]) -> None:
        self._found = found
        self.offered.emit(found)

    def _choose(self, offer: Offer) -> None:
        """A model in a file that was seen; it may not be for the image that one looks at."""
        self._files[offer.key] = offer
        self._offer(_with(self._found, (offer,)))
        self.chosen.emit(offer.key)

    def _show(self, model: Model) -> None:
        from fullfield_app.gui.runs.card_dialog import CardDialog  # not before somebody asks

        title, use = self.tr("Use this model?"), self.tr("Use it")
        dialog = CardDialog(model, title=title, act=use, parent=self._owner.window())
        complete(dialog)
        dialog.accepted.connect(lambda: self._choose(model.offer))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


def _find(chosen: Iterable[Offer]) -> tuple[Offer, ...]:
    """`chosen`: models in files, which are offered as long as these are there."""
    found = tuple(replace(offer, title=say_core(offer.title)) for offer in find_offers())
    return _with(found, (offer for offer in chosen if _is_there(Path(offer.key))))


def _is_there(path: Path) -> bool:
    with contextlib.suppress(OSError):  # a folder that may no longer be read, a drive that does not answer
        return path.is_file()
    return False


def _with(found: tuple[Offer, ...], others: Iterable[Offer]) -> tuple[Offer, ...]:
    there = {offer.key for offer in found}
    return (*found, *(offer for offer in others if offer.key not in there))


def _inspect(path: Path) -> Model:
    from fullfield.enhance import models

    return models.inspect(path)
