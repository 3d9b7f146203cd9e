"""Between the machines that are ticked to train together and the worker that measures what is between them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from fullfield.jobs.handle import Launch
from fullfield.nodes.node import Node
from fullfield.protocol.setup_events import LinkProbed
from fullfield_app.gui.train.probing import Probing


class LinksDesk(QObject):
    """`changed`: what is known of the links of those that were asked for last. What was measured is kept until the
    machines are asked anew."""

    changed = Signal()

    def __init__(self, launch: Launch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reported: dict[tuple[str, str], LinkProbed] = {}
        self._asked: tuple[Node, ...] = ()
        self._probing = Probing(launch, self)
        self._probing.reported.connect(self._take)

    def ask(self, nodes: tuple[Node, ...]) -> None:
        """Measure between the first of these and the others, where that is not known and nobody does."""
        if nodes == self._asked:
            return
        self._asked = nodes
        unknown = tuple(one for one in nodes[1:] if self.reported(nodes[0].name, one.name) is None)
        self._probing.ask((nodes[0], *unknown) if unknown else (), linked=True)  # what is under way is of others

    def forget(self) -> None:
        """The machines are asked anew, and so are their links."""
        self._reported, self._asked = {}, ()

    def reported(self, head: str, other: str) -> LinkProbed | None:
        """What is between these two; None while nobody knows."""
        return self._reported.get((head, other))

    def close(self) -> None:
        """End the worker."""
        self._probing.close()

    def _take(self, reported: LinkProbed) -> None:
        if self._asked:
            self._reported[self._asked[0].name, reported.name] = reported
            self.changed.emit()
