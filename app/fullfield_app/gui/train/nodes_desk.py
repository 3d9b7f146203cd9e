"""Between the form, this user's list of other machines, and the worker that asks them what they have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from fullfield.errors import UsageError
from fullfield.jobs.handle import Launch
from fullfield.nodes import node as nodes
from fullfield.nodes import together
from fullfield.nodes.node import Node
from fullfield.protocol.computers import Computer
from fullfield.protocol.places import LOCAL
from fullfield.protocol.setup_events import MachineProbed, NodeProbed
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.train import node_words, places
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.links_desk import LinksDesk
from fullfield_app.gui.train.machine_dialog import MachineDialog
from fullfield_app.gui.train.probing import Probing
from fullfield_app.gui.train.start_side import StartSide
from fullfield_app.gui.translation import say_error
from fullfield_app.gui.widgets.question import Answer, Question, ask


class NodesDesk(QObject):
    """`changed`: what is known of the machine that is chosen; `dropped`: it is on the list no more; `failed`: an
    exception. Reads and writes the list in the background."""

    changed = Signal()
    dropped = Signal()
    failed = Signal(object)

    def __init__(self, launch: Launch, start: StartSide, owner: QWidget) -> None:
        super().__init__(owner)
        self._where, self._owner = start.where, owner
        self._nodes: dict[str, Node] = {}
        self._reported: dict[str, NodeProbed] = {}
        self._choices = Choices()
        self._here = Node(name=LOCAL, address=LOCAL)
        self._own: NodeProbed | None = None
        self._probing, self._trying = Probing(launch, self), Probing(launch, self)
        self._probing.reported.connect(self._take_probed)
        self._links = LinksDesk(launch, self)
        self._links.changed.connect(self.changed)
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)
        start.add_asked.connect(lambda: self._open(None))
        start.where.change_asked.connect(lambda name: self._open(self._nodes.get(name)))

    @property
    def reported(self) -> NodeProbed | None:
        """What the machine that is chosen has, of several the one with the least free memory; None where that is this
        computer, or one is not ready."""
        reported = [self._reported.get(name) for name in places.machines(self._choices)]
        ready = [one for one in reported if one is not None and not one.error]
        if not ready or len(ready) < len(reported):
            return None
        own = [self._own] if self._own is not None and LOCAL in places.together(self._choices) else []
        return min((*ready, *own), key=node_words.free_bytes)

    @property
    def waits(self) -> bool:
        """Whether what the machines that are chosen give is known there alone: one waits in a queue."""
        return any(name in self._nodes and self._nodes[name].slurm for name in places.machines(self._choices))

    @property
    def one_network(self) -> bool:
        """Whether several train one network together."""
        return len(places.together(self._choices)) > 1 and self._choices.members == 1

    @property
    def computers(self) -> tuple[Computer, ...]:
        """Those that train one network together, where all have told what they have, with what is known to be between
        them; none else."""
        if not self.one_network or self.reported is None:
            return ()
        head, *_ = several = places.together(self._choices)
        reported = [self._own if name == LOCAL else self._reported[name] for name in several]
        links = [self._links.reported(head, name) for name in several]
        return tuple(
            node_words.computer(one, link.link if link is not None else None)
            for one, link in zip(reported, links, strict=True)
            if one is not None
        )

    @property
    def unlinked(self) -> str:
        """Why what is between them could not be measured, in words; "" where it was, or is about to be."""
        several = places.together(self._choices) if self.one_network else ()
        reported = [self._links.reported(several[0], name) for name in several[1:]]
        return " ".join(dict.fromkeys(node_words.why_not(one) for one in reported if one is not None and one.error))

    @property
    def _several(self) -> tuple[Node, ...]:
        """The machines that are chosen, this computer as one of them."""
        return tuple(self._nodes.get(name, self._here) for name in places.together(self._choices))

    @property
    def obstacle(self) -> str:
        """Why a training cannot start on the machines that are chosen; empty where it can, and for this computer."""
        machines = places.machines(self._choices)
        if self.one_network and self._nodes.keys() >= set(machines):
            try:
                together.refuse(self._several)
            except UsageError as error:
                return say_error(error)
        for name in machines:
            if name not in self._reported:
                return self.tr("Wait until {machine} has answered.").format(machine=name)
            if self._reported[name].error:
                return node_words.why_not(self._reported[name])
        return ""

    def look(self, *, ask: bool) -> None:
        """Read the list, and `ask` all on it what they have now."""
        self._tasks.start(_listed, lambda found: self._take(*found, ask=ask), failed=self._lose)

    def know(self, machine: MachineProbed) -> None:
        """What this computer has, where it is one of several."""
        self._own = node_words.here(machine)
        if LOCAL in places.together(self._choices):
            self._measure()
            self.changed.emit()

    def follow(self, choices: Choices) -> None:
        """The form has changed."""
        self._choices = choices
        self._show()
        self._measure()

    def close(self) -> None:
        """End the workers that ask."""
        self._probing.close()
        self._trying.close()
        self._links.close()
        self._tasks.close()

    def _take(self, listed: dict[str, Node], here: Node, *, ask: bool) -> None:
        changed = {name for name, one in listed.items() if _reached(one) != _reached(self._nodes.get(name))}
        before = self.reported, self.obstacle
        self._nodes, self._here = listed, here
        self._reported = {
            name: reported for name, reported in self._reported.items() if name in listed and name not in changed
        }
        self._show()
        if not set(places.machines(self._choices)) <= listed.keys():
            self.dropped.emit()
        if ask:
            self._links.forget()
            self._probing.ask(listed.values())
        if (self.reported, self.obstacle) != before:
            self.changed.emit()

    def _lose(self, error: BaseException) -> None:
        self._take({}, self._here, ask=False)
        self.failed.emit(error)

    def _take_probed(self, reported: NodeProbed) -> None:
        if reported.name in self._nodes:
            self._reported[reported.name] = reported
            self._show()
            if reported.name in places.machines(self._choices):
                self._measure()
                self.changed.emit()

    def _measure(self) -> None:
        """Have the link measured of those that could train together."""
        if self.one_network and self.reported is not None and not self.obstacle:
            self._links.ask(self._several)

    def _show(self) -> None:
        self._where.show_nodes(places.nodes(self._nodes.values(), self._reported, self._choices))

    # The dialog -------------------------------------------------------------------------------------------------

    def _open(self, node: Node | None) -> None:
        """Of a machine that is listed, or of a new one."""
        reported = self._reported.get(node.name) if node is not None else None
        dialog = MachineDialog(node, frozenset((LOCAL, *self._nodes)), self._owner)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.test_asked.connect(lambda one: self._trying.ask((one,)))
        dialog.given.connect(lambda one: self._write(lambda: _keep(one, new=node is None)))
        dialog.remove_asked.connect(lambda: self._ask_remove(dialog))
        self._trying.reported.connect(dialog.show_probed)
        if reported is not None:
            dialog.show_probed(reported)
        dialog.open()

    def _ask_remove(self, dialog: MachineDialog) -> None:
        name = dialog.node_name

        def remove() -> None:
            dialog.reject()
            self._write(lambda: nodes.drop(name))

        text = self.tr(
            "Trainings that run there go on, and are not seen here until it is added again under this name. What "
            "still lies there of trainings that are not complete is deleted by the command fullfield node forget, "
            "there."
        )
        go = Answer(text=self.tr("Remove it"), act=remove)
        title = self.tr("Remove {machine} from the list?").format(machine=name)
        ask(dialog, Question(title=title, text=text, answers=(go,), cancel=self.tr("Leave it")))

    def _write(self, change: Callable[[], None]) -> None:
        def failed(error: BaseException) -> None:
            self.failed.emit(error)
            self.look(ask=True)

        self._tasks.start(change, lambda _: self.look(ask=True), failed=failed)


def _listed() -> tuple[dict[str, Node], Node]:
    """The machines of the list, and this computer, as one of several."""
    return nodes.listed(), nodes.find(LOCAL)


def _keep(node: Node, *, new: bool) -> None:
    """As the dialog has it; what only the command line says of a machine stays while its address does. Raises
    UsageError for a `new` one of a name that another window has given meanwhile."""
    before = nodes.listed().get(node.name)
    if new and before is not None:
        taken = QCoreApplication.translate("MachineDialog", "There is a machine of this name already.")
        raise UsageError(taken, detail=before.address)
    if before is not None and before.address == node.address:
        node = replace(before, command=node.command, allow_images=node.allow_images)
    nodes.keep(node)


def _reached(node: Node | None) -> tuple[str, str]:
    """How it is reached: what another one has said does not hold for it."""
    return (node.address, node.command) if node is not None else ("", "")
