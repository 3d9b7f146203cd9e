"""What connects the devices of a training, and how long what they say to one another takes.

A message takes the link's latency and its bytes' time (Hockney 1994). A rank and its two neighbours pass rows at once.
A collective operation of N ranks is taken as a ring: 2(N − 1) rounds, and 2(N − 1)/N of the bytes through each link
(Thakur, Rabenseifner, Gropp 2005). Nothing of it is taken to be hidden behind computing.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace

from fullfield.errors import UsageError
from fullfield.protocol.plan import ESTIMATED, GIVEN, MEASURED
from fullfield.units import parse_bytes


@dataclass(frozen=True, kw_only=True)
class Link:
    """`seconds`: of latency, of one message; `bytes_per_second`: in one direction. `source`: how they are known:
    `ESTIMATED`, `MEASURED` or `GIVEN`."""

    name: str
    seconds: float
    bytes_per_second: float
    source: str = ESTIMATED

    def time(self, *, passed: int, messages: int, shared: int, collectives: int, ranks: int) -> float:
        """Seconds that a rank of so many waits for what it says to the others and they to it: see `costs.Work`."""
        rounds = 2 * (ranks - 1)
        beside = messages / 2 * self.seconds + passed / self.bytes_per_second
        return beside + collectives * rounds * self.seconds + shared * rounds / ranks / self.bytes_per_second


GBIT = 1e9 / 8
KNOWN = (
    Link(name="PCIe", seconds=20e-6, bytes_per_second=12e9),  # 3.0 with 16 lanes
    Link(name="10GbE", seconds=50e-6, bytes_per_second=0.94 * 10 * GBIT),  # of which 6 % are TCP's and Ethernet's own
    Link(name="1GbE", seconds=100e-6, bytes_per_second=0.94 * GBIT),
)
INSIDE = KNOWN[0]  # of the devices of one computer
BETWEEN = KNOWN[2]  # of several computers
ETHERNET = tuple(link.name for link in KNOWN[1:])


def find(text: str) -> Link:
    """The link of a known name, or of `BYTES/s[,SECONDS]` such as "110MB/s,0.0002". Raises UsageError."""
    for link in KNOWN:
        if link.name.lower() == text.strip().lower():
            return replace(link, source=GIVEN)
    speed, _, latency = text.partition(",")
    try:
        if not speed.strip().endswith("/s"):
            raise ValueError
        rate, seconds = parse_bytes(speed.strip().removesuffix("/s")), float(latency or INSIDE.seconds)
        if rate <= 0 or not 0.0 <= seconds < 10.0:
            raise ValueError
    except (UsageError, ValueError):
        names = [link.name for link in KNOWN]
        near = difflib.get_close_matches(text, names, n=1, cutoff=0.8)
        hint = f"Did you mean {near[0]!r}?" if near else f"Choose {', '.join(names)}, or write 110MB/s,0.0002."
        raise UsageError(f"Cannot read {text[:40]!r} as a link.", hint=hint) from None
    return Link(name=text.strip(), seconds=seconds, bytes_per_second=rate, source=GIVEN)


def is_between(text: str) -> bool:
    """Whether the link of that name, or of so many bytes a second, is known to connect computers. Raises UsageError."""
    return find(text).name in ETHERNET


def of_sums(small: float, large: float, size: int, ranks: int) -> Link:
    """The link between so many ranks that need `small` seconds for the sum of a number, and `large` for that of `size`
    bytes: what `Link.time` gives back."""
    rounds = 2 * (ranks - 1)
    moving = max(large - small, 1e-9)
    return Link(name="here", seconds=small / rounds, bytes_per_second=rounds / ranks * size / moving, source=MEASURED)
