"""The interfaces by which this computer is on networks; one of them is named where nodes train together."""

from __future__ import annotations

import socket
from collections.abc import Iterable

import psutil

from fullfield.errors import UsageError


def addresses() -> dict[str, str]:
    """The IPv4 addresses of this computer's network interfaces."""
    return {
        name: str(one.address)
        for name, every in sorted(psutil.net_if_addrs().items())
        for one in every[::-1]  # of several the first counts
        if one.family == socket.AF_INET
    }


def address(interface: str) -> str:
    """The IPv4 address of a network interface of this computer. Raises UsageError."""
    found = addresses()
    refuse_absent(interface, found)
    return found[interface]


def refuse_absent(interface: str, there: Iterable[str]) -> None:
    """Raise UsageError where it is none of those that are `there`."""
    known = list(there)
    if interface not in known:
        raise UsageError(
            "Cannot train with other nodes.",
            detail=f"There is no network interface {interface!r} with an IPv4 address; there are {', '.join(known)}.",
            hint="Name the one of these machines' own network: fullfield node add … --interface NAME.",
        )
