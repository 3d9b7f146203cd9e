"""How many processes `fullfield train` starts, and what they share where a list of devices alone says how many."""

from __future__ import annotations

import argparse
from dataclasses import replace

from fullfield.errors import UsageError
from fullfield.plan import spec as plans
from fullfield.protocol import places
from fullfield.protocol.training import Training
from fullfield.techniques import compose
from fullfield_app.cli import ensemble
from fullfield_app.cli.speak import say

ROWS, SHARING = "spatial", plans.NETWORKS[0]  # the map network is trained on one device


def processes(values: argparse.Namespace, device: str) -> int:
    """As many as are asked for; else those of the run with --resume: one process stays one, and more of them unless
    other devices are listed than they have."""
    if values.processes is not None:
        return int(values.processes)
    before, count = ensemble.begun(values.out) if values.resume else ({}, 0)
    return count if count == 1 or device == before.get("device") else plans.processes(device, count or 1)


def with_rows_shared(values: argparse.Namespace, spec: Training, count: int) -> Training:
    """Where cards are listed, more of them than a batch has images, and nobody has said how many processes train and
    what they share: with the rows of each image shared, which is said. As it is where that cannot be, and beside a CPU,
    which would have as many rows as a card."""
    said = values.processes is not None or values.resume or spec.fit
    together = len(places.several(spec.place)) > 1 and values.members is None  # over a network
    other = count <= spec.batch or together or "cpu" in spec.device.split(",")
    if said or other or spec.network != SHARING or plans.shared(spec.techniques, count) == spec.techniques:
        return spec
    techniques = (*spec.techniques, ROWS)
    try:
        compose.read(techniques)
    except UsageError:
        return spec
    if not (values.quiet or values.json):
        say(f"{count} processes share the rows of each image ({ROWS}): a batch has fewer images than cards are listed.")
    return replace(spec, techniques=techniques)
