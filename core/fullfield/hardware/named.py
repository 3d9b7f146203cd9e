"""What the name of a device means for several processes: which of those that it names each of them takes. Imports no
torch.

A name of several lists cards, and the CPU behind them where it trains along: "cuda:0,cuda:2", "cuda:0,cpu". Processes
take them in turn, so the first one, which decides and writes, has a card.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

AUTO, CPU = "auto", "cpu"
MIXED = "cuda+cpu"
"""The kind of the devices of a training where processes on cards and on the CPU are in it."""
_SEVERAL = r"cuda:\d+(,cuda:\d+)*,(cuda:\d+|cpu)"


def is_several(device: str) -> bool:
    """Whether devices are listed."""
    return re.fullmatch(_SEVERAL, device) is not None


def of_rank(device: str, rank: int) -> str:
    """The device that a process of this number takes of a list; a name of another sort as it is."""
    names = device.split(",")
    return names[rank % len(names)]


def meant(device: str, there: int) -> int:
    """How many devices a name means on a machine with so many GPUs."""
    if is_several(device):
        return len(device.split(","))
    return max(1, there) if device in (AUTO, "cuda") else 1


def idle(device: str, ranks: int) -> tuple[str, ...]:
    """The devices of a list that none of so many processes takes."""
    taken = {of_rank(device, rank) for rank in range(ranks)}
    return tuple(name for name in device.split(",") if name not in taken) if is_several(device) else ()


def cards(device: str) -> int:
    """How many cards a list names, each once, of nothing but cards; 0 for a name of another sort."""
    names = device.split(",")
    return len({*names}) if is_several(device) and CPU not in names else 0


def shares(device: str, ranks: int, there: int = 0) -> tuple[int, ...]:
    """Of each of so many processes, how many compute on the device that it takes, with itself. `there`: GPUs that they
    take in turn where none is named; 0: all are on one device."""
    turns = there if device in (AUTO, "cuda") else 0
    taken = [str(rank % turns) if turns else of_rank(device, rank) for rank in range(ranks)]
    counts = Counter(taken)
    return tuple(counts[one] for one in taken)


def beside_cards(device: str, ranks: int) -> tuple[int, ...]:
    """Of so many processes those that compute on the CPU while others have cards."""
    return tuple(rank for rank in range(ranks) if is_several(device) and of_rank(device, rank) == CPU)


def threads(on_cpu: Sequence[bool], cores: int) -> tuple[int, ...]:
    """With how many threads each process of a computer computes that has so many cores for them. Beside those `on_cpu`
    one that starts the kernels of a card needs a single core, and they share the others."""
    beside = sum(on_cpu)
    if beside in (0, len(on_cpu)):
        return (max(1, cores // len(on_cpu)),) * len(on_cpu)
    each = max(1, (cores - len(on_cpu) + beside) // beside)
    return tuple(each if cpu else 1 for cpu in on_cpu)


def kind(device: str, ranks: int, own: str) -> str:
    """The kind of the devices of so many processes, of which this one has a device of the kind `own`."""
    return MIXED if beside_cards(device, ranks) else own
