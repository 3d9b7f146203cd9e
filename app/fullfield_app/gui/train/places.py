"""Where a training can run, as rows to tick; and what the ticks make of the form: device and number of processes.

A place is a device of this computer: a card, of which several can be ticked, or the processor, which can be ticked
beside them, and on which several processes can train where it is alone; or another machine of this user's list, which
goes with others of it. A machine is ticked in place of this computer; this computer's first device can be ticked again
and is one of them then. No widget.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication

from fullfield.nodes.node import Node
from fullfield.protocol.places import LOCAL, NODE, kind, on, several, which
from fullfield.protocol.setup_events import MachineProbed, NodeProbed, Present
from fullfield_app.gui import numbers
from fullfield_app.gui.train import node_words
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.techniques import Chosen
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.label import clean

AUTO, CPU = "auto", "cpu"


@dataclass(frozen=True, kw_only=True)
class Place:
    """A row. `key`: what it is known by; `memory`: of it, in words; `reason`: why it cannot be ticked, or what to know
    of it, else "". `processes`: how many train there, of `most`; where that is 1, nobody is asked. `listed`: the user
    has put it on the list, and can change what is said of it."""

    key: str
    title: str
    memory: str = ""
    reason: str = ""
    ticked: bool = False
    usable: bool = True
    processes: int = 1
    most: int = 1
    listed: bool = False


def machines(choices: Choices) -> tuple[str, ...]:
    """The names of the other machines that train by this form; none: this computer does."""
    return tuple(name for name in together(choices) if name != LOCAL)


def together(choices: Choices) -> tuple[str, ...]:
    """Those, and this computer where it is one of them."""
    place = str(choices.value("place"))
    return several(place) if which(place) else ()


def bounds(choices: Choices) -> tuple[int, int]:
    """How many of the machines that train one network together are enough, and how many there are. Where nobody has
    said it, one is, but where techniques are chosen by which several share what one may not hold; (1, 1): it is no
    such training."""
    most = len(together(choices)) if choices.members == 1 else 1
    if most < 2:
        return 1, 1
    shared = any(choices.chosen.technique(one).stage.of_ranks for one in choices.chosen.names)
    return min(choices.least or (most if shared else 1), most), most


def node(choices: Choices) -> str:
    """Those other machines, in words; "": none."""
    return ", ".join(machines(choices))


def nodes(listed: Iterable[Node], reported: Mapping[str, NodeProbed], choices: Choices) -> tuple[Place, ...]:
    """The machines of the user's list, with what they have told."""
    return tuple(
        Place(
            key=on(one.name),
            title=one.name,
            reason=node_words.state(reported.get(one.name), queue=bool(one.slurm)),
            ticked=one.name in machines(choices),
            listed=True,
        )
        for one in listed
    )


def places(machine: MachineProbed | None, choices: Choices) -> tuple[Place, ...]:
    """The devices of this computer, as they are chosen; one line where they are not known."""
    if machine is None:
        title = QCoreApplication.translate("places", "This computer")
        return (Place(key=AUTO, title=title, ticked=not node(choices) or LOCAL in together(choices)),)
    ticks, alone = ticked(machine, choices), machine.alone
    several = not alone and not node(choices) and ticks == (CPU,)
    titles = [one.title for one in machine.devices]
    return tuple(
        Place(
            key=one.name,
            title=_title(one, same=titles.count(one.title) > 1),
            memory=_memory(one),
            reason=say_core(alone) if len(machine.devices) > 1 or LOCAL in together(choices) else "",
            ticked=one.name in ticks,
            processes=choices.processes if one.name == CPU and ticks == (CPU,) else 1,
            most=machine.cores if one.name == CPU and several else 1,
        )
        for one in machine.devices
    )


def ticked(machine: MachineProbed, choices: Choices) -> tuple[str, ...]:
    """The keys of the devices that a training by this form takes; none where it names one that is not here, or
    other machines alone."""
    if node(choices):
        return (machine.devices[0].name,) if LOCAL in together(choices) else ()
    cards = [one.name for one in machine.devices if one.name != CPU]
    device = str(choices.value("device"))
    if device == CPU or (device == AUTO and not cards):
        return (CPU,)
    named = cards if device == AUTO else device.split(",")
    if not set(named) <= {*cards, CPU}:
        return ()
    return tuple(named[: choices.processes])


def with_ticks(machine: MachineProbed, choices: Choices, keys: Collection[str], processes: int = 1) -> Choices:
    """The form with these devices, and so many processes where that is the processor alone. What several share is
    dropped from the techniques where one trains."""
    cards = [one.name for one in machine.devices if one.name != CPU]
    named = [name for name in cards if name in keys]
    if not named:
        device, count = CPU if cards else AUTO, processes
    elif CPU in keys:
        device, count = ",".join((*named, CPU)), len(named) + 1
    else:
        device, count = AUTO if named in (cards, cards[:1]) else ",".join(named), len(named)
    new = replace(here(choices).with_value("device", device), processes=count)
    return new if count > 1 else replace(new, chosen=_of_one(new.chosen))


def here(choices: Choices) -> Choices:
    """The form of a training on this computer."""
    return choices.with_value("place", LOCAL)


def toggled(machine: MachineProbed | None, choices: Choices, key: str, tick: bool) -> Choices:
    """The form with a place more or less: other machines go with the first device here alone, which leads then, and one
    place there is always."""
    if kind(key) == NODE:
        names = [name for name in together(choices) if name != which(key)] + ([which(key)] if tick else [])
        return _shared_by(choices, names)
    if node(choices) and (machine is None or key == machine.devices[0].name):
        return _shared_by(choices, [*([LOCAL] if tick else []), *machines(choices)])
    if machine is None:
        return here(choices) if tick else choices
    before = ticked(machine, choices)
    if machine.alone:
        return with_ticks(machine, choices, (key,)) if tick else choices
    keys = [name for name in before if name != key] + ([key] if tick else [])
    return with_ticks(machine, choices, keys) if keys else choices


def _shared_by(choices: Choices, names: list[str]) -> Choices:
    """The form of a training on these machines, of which this computer may be one; on it, where there is no other."""
    if names in ([], [LOCAL]):
        return here(choices)
    away = choices.with_value("place", on(",".join(names))).with_value("device", AUTO)
    return replace(away, processes=1, gpu="", chosen=_of_one(choices.chosen))


def possible(machine: MachineProbed, choices: Choices) -> Choices:
    """The form as it is, or where that cannot be here, with the device that this computer would take."""
    if node(choices):
        return choices
    ticks = ticked(machine, choices)
    most = (machine.cores if ticks == (CPU,) else len(ticks)) if not machine.alone else 1
    if ticks and choices.processes <= most:
        return choices
    return with_ticks(machine, choices, [one.name for one in machine.devices[:1]])


def _of_one(before: Chosen) -> Chosen:
    """Without what only several processes can do."""
    return replace(before, names=frozenset(one for one in before.names if not before.technique(one).stage.of_ranks))


def _title(device: Present, *, same: bool) -> str:
    """With its number where another one has the same name."""
    text = clean(say_core(device.title))
    text = text[:1].upper() + text[1:]
    number = device.name.partition(":")[2]
    return f"{text} ({int(number) + 1})" if same and number.isdigit() else text


def _memory(device: Present) -> str:
    total = numbers.data(device.total_bytes)
    if device.free_bytes is None:
        return total
    text = QCoreApplication.translate("places", "{free} free of {total}")
    return text.format(free=numbers.data(device.free_bytes), total=total)
