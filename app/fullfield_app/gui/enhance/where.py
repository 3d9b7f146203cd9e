"""Which machines enhance the images of the window, as a value: the place that each command names. No widget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fullfield.nodes.node import Node
from fullfield.protocol.places import LOCAL, on
from fullfield_app.gui.enhance.queue_model import WORK_AHEAD


@dataclass(frozen=True, kw_only=True)
class Where:
    """`machines`: those of the list, which share the images; none: this computer enhances. `here`: beside machines, it
    does, too. `agreed`: the addresses to which images may go as long as this window asks for it; `lanes`: by machine,
    how many images it computes at once."""

    machines: tuple[Node, ...] = ()
    here: bool = False
    agreed: frozenset[str] = frozenset()
    lanes: Mapping[str, int] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all that enhance; this computer is LOCAL."""
        others = tuple(one.name for one in self.machines)
        return (LOCAL, *others) if self.here or not others else others

    @property
    def place(self) -> str:
        """See `protocol.places`."""
        return on(",".join(self.names))

    @property
    def images_to(self) -> str:
        """See `session_commands.Enhance`."""
        return ",".join(one.address for one in self.machines if one.address in self.agreed)

    @property
    def ahead(self) -> int:
        """How many images the worker is given at once: while a machine computes, one travels."""
        if not self.machines:
            return WORK_AHEAD
        return sum(self.lanes.get(one.name, 1) + 1 for one in self.machines) + (WORK_AHEAD if self.here else 0)

    def having(self, node: Node, *, lanes: int, agreed: bool = False) -> Where:
        """With this machine, or with what is said of it now."""
        others = tuple(one for one in self.machines if one.name != node.name)
        return replace(
            self,
            machines=tuple(sorted((*others, node), key=lambda one: one.name)),
            agreed=self.agreed | ({node.address} if agreed else frozenset()),
            lanes={**self.lanes, node.name: lanes},
        )

    def without(self, name: str) -> Where:
        """Without a machine; without the last one, this computer enhances."""
        left = tuple(one for one in self.machines if one.name != name)
        gone = {one.address for one in self.machines if one.name == name}
        return replace(self, machines=left, agreed=self.agreed - gone)

    def following(self, listed: Mapping[str, Node]) -> Where:
        """As the list is now: without machines that are another one, or to which images may go no more."""
        found = self
        for before in self.machines:
            after = listed.get(before.name)
            same = after is not None and (after.address, after.command) == (before.address, before.command)
            if after is None or not same or not (after.allow_images or after.address in self.agreed):
                found = found.without(before.name)
            else:
                machines = tuple(after if one.name == after.name else one for one in found.machines)
                found = replace(found, machines=machines)
        return found
