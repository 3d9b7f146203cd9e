"""What is between the ranks of a training is measured before it begins, told, and kept for plans of the same place."""

from __future__ import annotations

import torch

from fullfield.context import Context
from fullfield.distribution import meet, ping
from fullfield.distribution.team import Team
from fullfield.hardware import links, measured_links
from fullfield.hardware.devices import Device
from fullfield.hardware.links import Link
from fullfield.protocol.rank_events import LinkMeasured


def measure(team: Team, device: Device, context: Context, kind: str, *, apart: bool) -> Link:
    """Called by all ranks, when they have met; takes half a second at most. `kind`: of all their devices; `apart`: each
    has a card of its own."""
    found = ping.measured(team, torch.device(device.name))
    link = links.of_sums(found.small, found.large, ping.BYTES, team.size)
    if team.writes:
        context.emit(LinkMeasured(seconds=link.seconds, bytes_per_second=link.bytes_per_second))
        if meet.here(team.size) == team.size:  # it is this computer's
            measured_links.keep(kind, team.size, link, apart=apart)
    return link
