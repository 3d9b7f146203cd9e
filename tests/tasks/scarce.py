"""A worker that runs out of memory, for tests of all that goes on then."""

from __future__ import annotations

SCARCE = """
import pathlib, resource, sys
import torch
from fullfield.jobs import worker
from fullfield.train import evaluate, step

told = pathlib.Path(sys.argv[1]) / "events.jsonl"

def scarce(whole):
    def limited(*given, **named):
        if "RungTaken" in told.read_text():
            return whole(*given, **named)
        pages = int(open("/proc/self/statm").read().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + {room} * 2**20, -1))
        try:
            return whole(*given, **named)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
    return limited

step.train_step, evaluate.of_network = scarce(step.train_step), scarce(evaluate.of_network)
sys.exit(worker.main(sys.argv[1:]))
"""
"""A worker whose steps and evaluations have a real limit of address space until it goes on by its next rung.

What is saved between them has no limit. `room`: MiB, so little that the plan's step does not fit, and so much that what
fails is an allocation of PyTorch's, not one of a library that crashes then."""
