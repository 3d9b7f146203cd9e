"""A worker that asks other machines what they have, or measures what is between them, while the window goes on: ssh may
take a minute to give up.

No widget. Each question starts a worker in place of the one before.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from fullfield.errors import FullfieldError
from fullfield.jobs.handle import JobHandle, Launch
from fullfield.nodes.node import Node
from fullfield.protocol.events import Event
from fullfield.protocol.setup_events import LinkProbed, NodeProbed
from fullfield.protocol.small import Machine, ProbeSpec
from fullfield_app.gui.bridge.job_bridge import Session
from fullfield_app.gui.bridge.workers import own_job


class Probing(QObject):
    """`reported`: a NodeTold or LinkProbed, of each that was asked, also where the worker has died."""

    reported = Signal(object)

    def __init__(self, launch: Launch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._launch = launch
        self._spec = ProbeSpec(machines=())
        self._awaited = frozenset[str]()
        self._session: Session | None = None

    def ask(self, nodes: Iterable[Node], *, linked: bool = False) -> None:
        """Ask these, and no longer those before. `linked`: what is between the first and each other one."""
        machines = tuple(
            Machine(name=one.name, address=one.address, command=one.command, interface=one.interface, slurm=one.slurm)
            for one in nodes
        )
        self._spec = ProbeSpec(machines=machines, linked=linked)
        self._awaited = frozenset(one.name for one in machines[linked:])
        if not machines:
            return
        if self._session is None:
            self._session = Session(self._start, self, grace=0.0)  # it has nothing to lose
            self._session.reported.connect(self._receive)
            self._session.refused.connect(self._lose)
            self._session.ended.connect(lambda _, died: self._lose(died))
        self._session.start()

    def close(self) -> None:
        """End the worker; returns when it is gone."""
        if self._session is not None:
            self._session.close()

    def _start(self) -> JobHandle:
        handle: JobHandle = self._launch(own_job(self._spec))
        return handle

    def _receive(self, news: tuple[Event, ...]) -> None:
        for event in news:
            if isinstance(event, NodeProbed | LinkProbed) and event.name in self._awaited:
                self._awaited -= {event.name}
                self.reported.emit(event)

    def _lose(self, error: FullfieldError) -> None:
        """Of those that have not answered, say that nobody knows."""
        unknown, self._awaited = self._awaited, frozenset()
        for name in sorted(unknown):
            kind = LinkProbed if self._spec.linked else NodeProbed
            self.reported.emit(kind(name=name, error=error.as_fields()))
