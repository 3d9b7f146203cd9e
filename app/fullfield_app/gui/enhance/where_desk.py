"""Between the choice of a machine, this user's list of them, the worker that asks one what it has, and the queue.

A machine is asked when it is chosen. Images go there once it is ready and its user has agreed; until then, and where it
is not, they are enhanced on this computer.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QWidget

from fullfield.jobs.handle import Launch
from fullfield.nodes import node as nodes
from fullfield.nodes.node import Node
from fullfield.protocol.events import Notice
from fullfield.protocol.setup_events import NodeTold
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.enhance.where_bar import HERE, WhereBar
from fullfield_app.gui.enhance.work import Work
from fullfield_app.gui.train import node_words
from fullfield_app.gui.train.probing import Probing
from fullfield_app.gui.widgets.message_bar import Message
from fullfield_app.gui.widgets.question import Answer, Question, ask

translate = QCoreApplication.translate


class WhereDesk(QObject):
    """`said`: a Message, `withdrawn` by its title; `noticed`: a sentence; `failed`: an exception."""

    said = Signal(object)
    withdrawn = Signal(str)
    noticed = Signal(str)
    failed = Signal(object)

    def __init__(self, launch: Launch, bar: WhereBar, work: Work, owner: QWidget) -> None:
        super().__init__(owner)
        self._bar, self._work, self._owner = bar, work, owner
        self._nodes: dict[str, Node] = {}
        self._asked = self._refused = HERE
        self._probing = Probing(launch, self)
        self._probing.told.connect(self._take_told)
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)
        bar.chosen.connect(self._choose)
        work.placed.connect(self._on_placed)

    def look(self) -> None:
        """Read the list: it may have been changed meanwhile."""
        self._tasks.start(nodes.listed, self._take)

    def close(self) -> None:
        """End the worker that asks."""
        self._probing.close()
        self._tasks.close()

    def _take(self, listed: dict[str, Node]) -> None:
        listed = {name: one for name, one in listed.items() if not one.slurm}  # on a login node nothing is computed
        self._nodes, before = listed, self._work.machine
        if before is not None:
            after = listed.get(before.name)
            moved = after is None or (after.address, after.command) != (before.address, before.command)
            if after is None or moved or not (after.allow_images or self._work.agreed):
                self._stay()  # it is another one, or images may go there no more
            else:
                self._work.machine = after
        if self._asked not in ("", *listed):
            self._asked = HERE
        self._show()

    def _choose(self, name: str) -> None:
        self.withdrawn.emit(self._not_ready(self._refused))
        self._asked = name
        found = self._nodes.get(name)
        if found is None:
            self._stay()
        elif found != self._work.machine:
            self.noticed.emit(self.tr("Asking {machine} what it has…").format(machine=name))
            self._probing.ask((found,))

    def _take_told(self, told: NodeTold) -> None:
        found = self._nodes.get(told.name)
        if told.name != self._asked or found is None or found == self._work.machine:
            return
        if told.error:
            text = self.tr("{why} Images are enhanced on this computer.").format(why=node_words.why_not(told))
            self._refused = told.name
            self.said.emit(Message(title=self._not_ready(told.name), text=text))
            self._forget()
        elif found.allow_images:
            self._use(found)
        else:
            self._ask_consent(found)

    def _ask_consent(self, node: Node) -> None:
        agree = Answer(
            text=self.tr("Send and enhance"), act=lambda: self._agree(node, always=box.checkBox().isChecked())
        )
        question = Question(
            title=self.tr("Send the images to {machine}?").format(machine=node.name),
            text=_consent(node),
            answers=(agree,),
            cancel=self.tr("Do not send"),
            tick=self.tr("Do not ask again for {machine}").format(machine=node.name),
        )
        box = ask(self._owner, question)
        box.finished.connect(lambda _: self._forget())

    def _agree(self, node: Node, *, always: bool) -> None:
        """The images may go there: from now on, or as long as this window is open and nothing else is chosen."""
        if always:
            allowed = replace(node, allow_images=True)
            self._tasks.start(lambda: nodes.keep(allowed), lambda _: self.look())
        self._use(node, agreed=True)

    def _use(self, node: Node, *, agreed: bool = False) -> None:
        self._work.machine, self._work.agreed = node, agreed
        text = self.tr("Images are enhanced on {machine} from now on.").format(machine=node.name)
        self.noticed.emit(text)
        self._forget()

    def _stay(self) -> None:
        """This computer enhances."""
        self._work.machine, self._work.agreed = None, False
        self.withdrawn.emit(self._lost())
        self._forget()

    def _forget(self) -> None:
        """Nothing is asked any more: what is shown is what enhances."""
        self._asked = self._work.machine.name if self._work.machine is not None else HERE
        self._show()

    def _show(self) -> None:
        self._bar.offer(list(self._nodes), self._asked)

    def _on_placed(self, notice: Notice) -> None:
        """What the worker says of the machine."""
        if notice.level == "warning":
            self.said.emit(Message(title=self._lost(), text=notice.text))
        else:
            self.withdrawn.emit(self._lost())
            self.noticed.emit(notice.text)

    def _not_ready(self, machine: str) -> str:
        return self.tr("{machine} is not ready.").format(machine=machine)

    def _lost(self) -> str:
        return self.tr("The other machine does not do everything.")


def _consent(node: Node) -> str:
    """What goes to a machine that enhances, what does not, and what becomes of it there."""
    goes = translate(
        "machines",
        "To enhance on {name}, the images are sent to {address}. What goes there: their pixels, with all that is "
        "written in the picture itself, such as a burned-in name; and numbers: their sizes, the spacing of their "
        "pixels, and the values of their windows. Where a model enhances, its weights go there, without its name and "
        "card.",
    ).format(name=node.name, address=node.address)
    there = translate(
        "machines",
        "There the images are in memory alone. A model lies in a folder that only you as its user, and its "
        "administrator, can read, until the last image is enhanced; where the machine fails, for a week at most.",
    )
    return "\n\n".join((goes, node_words.stays(), there))
