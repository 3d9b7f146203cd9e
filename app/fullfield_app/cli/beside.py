"""A command that a light installation runs with the Python of the training part beside it."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Sequence

from fullfield import other_python, system
from fullfield.training_part import place
from fullfield_app import interrupts


def run(values: argparse.Namespace, *packages: str, may_need: Sequence[str] = ()) -> int | None:
    """Run the same command line with the Python that has `packages`, and what it `may_need`; its exit code. None where
    this program's own is to be used. Raises MissingPart: neither has `packages`."""
    python = place.interpreter(*packages, may_need=may_need)
    if python is None:
        return None
    interrupts.handle(signal.default_int_handler)
    return other_python.call([*system.python_command("fullfield_app", python), *values.command_line])
