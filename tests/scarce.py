"""A worker that runs out of memory, for tests of all that goes on then."""

from __future__ import annotations

SCARCE = """
import resource, sys
import torch
from fullfield.jobs import worker
from fullfield.train import evaluate, step

def scarce(whole):
    def limited(*given, **named):
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
"""A worker whose steps and evaluations have a real limit of address space; what is saved between them has none.

The first step of a process loads what it needs; so little `room` that a step does not fit, and enough for the next."""
