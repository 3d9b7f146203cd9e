"""What a node has: versions, cores, memory, cards; asked by ssh, answered there without loading torch."""

from __future__ import annotations

import importlib.metadata
import platform
import subprocess
from dataclasses import asdict, dataclass

from fullfield import __version__, checked, parts, system
from fullfield.checked import Count, Fields
from fullfield.distribution import interfaces
from fullfield.errors import UsageError
from fullfield.nodes import kept, ssh
from fullfield.nodes.node import Node
from fullfield.nodes.ssh import NodeRefused
from fullfield.protocol.computers import Computer
from fullfield.protocol.setup_events import Present
from fullfield.training_part import place
from fullfield.units import format_bytes

ASK_SECONDS = 60.0
OTHERS = "It cannot compute for this computer."
"""Of a node that has other versions."""


@dataclass(frozen=True, kw_only=True)
class Card:
    """A graphics card: its name, and the bytes of its memory."""

    title: str
    total_bytes: Count
    free_bytes: Count


@dataclass(frozen=True, kw_only=True)
class Versions:
    """Of Fullfield, and of torch ("": there is none)."""

    fullfield: str
    torch: str


@dataclass(frozen=True, kw_only=True)
class Probe:
    """A machine. `cores`: threads of the CPU that may be used; `free_bytes`, `total_bytes`: of its memory;
    `interfaces`: names of those of its network that have an IPv4 address."""

    versions: Versions
    python: str
    system: str
    cores: Count
    free_bytes: Count
    total_bytes: Count = 0
    cards: tuple[Card, ...] = ()
    interfaces: tuple[str, ...] = ()

    def computer(self, name: str) -> Computer:
        """As who plans for several is told of it."""
        numbered = enumerate(self.cards)
        own = tuple(Present(name=f"cuda:{number}", **asdict(one)) for number, one in numbered)
        return Computer(
            name=name, cards=own, cores=self.cores, free_bytes=self.free_bytes, total_bytes=self.total_bytes
        )

    def sentence(self, *, queue: bool = False) -> str:
        """What a list of nodes says of it. `queue`: of a cluster, whose login node it is; its other nodes have more."""
        cards = [f"{one.title} with {format_bytes(one.free_bytes)} free" for one in self.cards] or ["no card"]
        own = f"{', '.join(cards)}; {self.cores} cores, {format_bytes(self.free_bytes)} of memory free"
        return (
            f"{'the queue of its cluster (SLURM)' if queue else own}; "
            f"Fullfield {self.versions.fullfield}, torch {self.versions.torch or 'not installed'}, {self.system}"
        )


def here() -> Fields:
    """This machine, as a line of JSON tells it. What has lain here for too long goes."""
    from fullfield.hardware import devices

    kept.sweep()
    if parts.absent("torch") and place.installed() is not None:  # it sees the cards
        command = [*system.python_command("fullfield_app", place.python()), "node", "probe"]
        done = subprocess.run(command, capture_output=True, timeout=ASK_SECONDS, check=False)
        if done.returncode == 0:
            return asdict(checked.make(Probe, checked.parse(done.stdout)))
    return asdict(
        Probe(
            versions=versions(),
            python=platform.python_version(),
            system=system.title(),
            cores=system.usable_threads(),
            free_bytes=devices.free_bytes(devices.CPU),
            total_bytes=devices.total_host_bytes(),
            cards=cards(),
            interfaces=tuple(interfaces.addresses()),
        )
    )


def there(node: Node) -> Probe:
    """A node. Raises LineCut, NodeRefused."""
    try:
        return checked.make(Probe, ssh.ask(node, "probe"))
    except ValueError as error:
        raise NodeRefused(
            f"The Fullfield on the node {node.name} does not say what it has.",
            detail="It is another version.",
            hint=f"Install version {__version__} there.",
        ) from error


def versions() -> Versions:
    """Those of this installation; torch's without the name of its build."""
    try:
        torch = importlib.metadata.version("torch").partition("+")[0]
    except importlib.metadata.PackageNotFoundError:
        found = place.installed()
        torch = found.torch.partition("+")[0] if found is not None else ""
    return Versions(fullfield=__version__, torch=torch)


def refuse_others(theirs: Versions, ours: Versions, *, title: str) -> None:
    """Raise UsageError where they differ. Who only sends images needs no torch: without one here, any goes there."""
    for name, one, other in (("Fullfield", theirs.fullfield, ours.fullfield), ("torch", theirs.torch, ours.torch)):
        if one != other and (other or not one):
            raise UsageError(
                title,
                detail=f"It has {name} {one or '(not installed)'}, and this computer has {other or 'none'}.",
                hint="Install the same version on both.",
            )


def refuse_unready(found: Probe, node: Node) -> None:
    """Raise UsageError where it has other versions than this computer, or no such interface as is named of it; the
    login node of a cluster trains with no others."""
    refuse_others(found.versions, versions(), title=OTHERS)
    if node.interface and not node.slurm:
        interfaces.refuse_absent(node.interface, found.interfaces)


def cards() -> tuple[Card, ...]:
    """Those of this machine that its driver sees."""
    if parts.absent("pynvml"):
        return ()
    from fullfield.hardware import survey

    return tuple(
        Card(title=one.title, total_bytes=one.total_bytes, free_bytes=one.free_bytes) for one in survey.cards()
    )
