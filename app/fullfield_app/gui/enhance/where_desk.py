"""Between the choice of machines, this user's list of them, the worker that asks them what they have, and the queue.

A machine is asked when it is ticked. Images go there once it is ready and its user has agreed; until then, and where it
is not, they are enhanced where they were. A machine is ticked in place of this computer, which is ticked again beside
it. What is ticked is kept for the next window, which takes those that may always have images.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from fullfield.jobs.handle import Launch
from fullfield.nodes import node as nodes
from fullfield.nodes.node import Node
from fullfield.protocol.events import Notice
from fullfield.protocol.places import LOCAL, which
from fullfield.protocol.setup_events import NodeProbed
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.enhance.where import Where
from fullfield_app.gui.enhance.where_bar import WhereBar
from fullfield_app.gui.enhance.work import Work
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.train import node_words
from fullfield_app.gui.train.probing import Probing
from fullfield_app.gui.widgets.label import clean
from fullfield_app.gui.widgets.message_bar import Message
from fullfield_app.gui.widgets.question import Answer, Question, ask
from fullfield_app.settings import Settings

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
        self._waiting: dict[str, NodeProbed | None] = {}  # ticked, but not ready yet; with its answer, but not allowed
        self._refused, self._lost_ones = set[str](), set[str]()
        self._asked = ""
        self._store: SettingsStore | None = None
        self._kept: tuple[str, ...] = ()
        self._probing = Probing(launch, self)
        self._probing.reported.connect(self._take_probed)
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)
        bar.toggled.connect(self._toggle)
        work.placed.connect(self._on_placed)

    def settle(self, store: SettingsStore) -> None:
        """Begin with what was ticked last, and keep what is ticked here."""
        self._store, self._kept = store, store.now.enhance_on

    def look(self) -> None:
        """Read the list: it may have been changed meanwhile."""
        self._tasks.start(nodes.listed, self._take)

    def close(self) -> None:
        """End the worker that asks."""
        self._probing.close()
        self._tasks.close()

    def _take(self, listed: dict[str, Node]) -> None:
        listed = {name: one for name, one in listed.items() if not one.slurm}  # on a login node nothing is computed
        self._nodes = listed
        self._set(self._work.where.following(listed))
        self._waiting = {name: reported for name, reported in self._waiting.items() if name in listed}
        kept, self._kept = self._kept, ()
        again = [name for name in kept if name in listed and listed[name].allow_images]
        if again:
            self._ask(*again)
            self._set(replace(self._work.where, here=LOCAL in kept))
        self._show()

    def _toggle(self, name: str, on: bool) -> None:
        for refused in self._refused:
            self.withdrawn.emit(self._not_ready(refused))
        self._refused.clear()
        if name == LOCAL:
            on = on and bool(self._work.where.machines or self._waiting)
            self._set(replace(self._work.where, here=on))
            self._keep(name, on)
        elif on:
            self._ask(name)
        else:
            self._waiting.pop(name, None)
            self._set(self._work.where.without(name))
            self._keep(name, False)
            if not self._work.where.here:  # without the last machine: the next one is ticked in its place
                self._keep(LOCAL, False)
        self._show()

    def _ask(self, *names: str) -> None:
        """What these have, and those that have not answered yet."""
        self._waiting |= dict.fromkeys(names)
        asked = [name for name, reported in self._waiting.items() if reported is None]
        self.noticed.emit(self.tr("Asking {machine} what it has…").format(machine=", ".join(asked)))
        self._probing.ask(self._nodes[name] for name in asked)

    def _take_probed(self, reported: NodeProbed) -> None:
        found = self._nodes.get(reported.name)
        if found is None or reported.name not in self._waiting:
            return
        if reported.error:
            del self._waiting[reported.name]
            self._set(self._work.where)
            self._refused.add(reported.name)
            text = self.tr("{why} Images are enhanced on {machine}.")
            text = text.format(why=node_words.why_not(reported), machine=self._words())
            self.said.emit(Message(title=self._not_ready(reported.name), text=text))
            self._show()
        elif found.allow_images:
            self._use(found, reported)
        else:
            self._waiting[reported.name] = reported
            self._ask_consent()

    def _ask_consent(self) -> None:
        """For one machine after another."""
        name = next((name for name, reported in self._waiting.items() if reported is not None), None)
        if self._asked or name is None:
            return
        self._asked, node = name, self._nodes[name]
        agree = Answer(
            text=self.tr("Send and enhance"), act=lambda: self._agree(node, always=box.checkBox().isChecked())
        )
        question = Question(
            title=self.tr("Send the images to {machine}?").format(machine=name),
            text=_consent(node),
            answers=(agree,),
            cancel=self.tr("Do not send"),
            tick=self.tr("Do not ask again for {machine}").format(machine=name),
        )
        box = ask(self._owner, question)
        box.finished.connect(self._answered, Qt.ConnectionType.QueuedConnection)  # after what the answer does

    def _agree(self, node: Node, *, always: bool) -> None:
        """The images may go there: from now on, or as long as this window is open and it stays ticked."""
        reported = self._waiting.get(node.name)
        if reported is None:  # it was taken off the list meanwhile
            return
        if always:
            self._tasks.start(lambda: nodes.allow_images(node), lambda _: self.look())
        self._use(node, reported, agreed=True)

    def _answered(self) -> None:
        self._waiting.pop(self._asked, None)
        self._asked = ""
        self._set(self._work.where)
        self._show()
        self._ask_consent()

    def _use(self, node: Node, reported: NodeProbed, *, agreed: bool = False) -> None:
        self._waiting.pop(node.name)
        self._set(self._work.where.having(node, lanes=max(1, len(reported.cards)), agreed=agreed))
        self._keep(node.name, True)
        self.noticed.emit(self.tr("Images are enhanced on {machine} from now on.").format(machine=self._words()))
        self._show()

    def _set(self, where: Where) -> None:
        """These enhance from now on."""
        if not where.machines and not self._waiting:
            where = Where()
        for lost in self._lost_ones - set(where.names):
            self._found(lost)
        if where != self._work.where:
            self._work.enhance_on(where)

    def _keep(self, name: str, on: bool) -> None:
        """For the next window."""

        def change(settings: Settings) -> Settings:
            others = tuple(one for one in settings.enhance_on if one != name)
            return replace(settings, enhance_on=(*others, name) if on else others)

        if self._store is not None:
            self._store.change(change)

    def _show(self) -> None:
        names = set(self._work.where.names) if self._work.where.machines or not self._waiting else set[str]()
        self._bar.offer(list(self._nodes), {*names, *self._waiting, *([LOCAL] if self._work.where.here else [])})

    def _words(self) -> str:
        """What enhances, in words."""
        here = self.tr("this computer")
        return ", ".join(here if name == LOCAL else clean(name) for name in self._work.where.names)

    def _on_placed(self, notice: Notice) -> None:
        """What the worker says of a machine."""
        if notice.level == "warning":
            self._lost_ones.add(which(notice.topic))
            self.said.emit(Message(title=self._lost(), text=notice.text))
        else:
            self._found(which(notice.topic))
            self.noticed.emit(notice.text)

    def _found(self, name: str) -> None:
        """It does what it is asked for, or is not asked any more."""
        self._lost_ones = self._lost_ones - {name}
        if not self._lost_ones:
            self.withdrawn.emit(self._lost())

    def _not_ready(self, machine: str) -> str:
        return self.tr("{machine} is not ready.").format(machine=machine)

    def _lost(self) -> str:
        return self.tr("A machine does not do everything.")


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
        "administrator, can read, until the last image is enhanced; where the machine fails, it is deleted after a "
        "week, the next time that Fullfield is called there.",
    )
    return "\n\n".join((goes, node_words.stays(), there))
