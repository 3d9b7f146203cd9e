"""On a node whose processor is taken for two cards, and where small images have rows enough for both;
`site/sitecustomize.py` puts it in place where `CHANGES` names it."""

from __future__ import annotations

from fullfield.enhance import tiles
from fullfield.hardware import devices
from fullfield.hardware.devices import AUTO, Device

_every = devices.every


def every(device: str = AUTO) -> tuple[Device, ...]:
    """See `devices.every`."""
    return _every(device) * 2


devices.every = every
tiles.LEAST_PORTION_PIXELS = 1 << 12
