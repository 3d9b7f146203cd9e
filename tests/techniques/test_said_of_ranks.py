"""What each of several processes says to the others in a step is what its plan tells, byte by byte and message by
message, with all by which they agree."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import narrow
from fleets import fleet
from fullfield.bench.stepping import Stepping, noise
from fullfield.distribution.team import Team
from fullfield.hardware import compiler
from fullfield.memory.account import Shape
from fullfield.memory.costs import Work
from fullfield.techniques import compose
from fullfield.techniques.costing import Costing
from techniques import measuring
from techniques.stepping import site

RANKS, NARROW = 2, 8
SHAPE = Shape(height=192, width=192, batch=5, encoder="resnet18")  # three images, and two
SETS = (
    "data_parallel",
    "data_parallel optimizer_in_backward",
    "data_parallel:batch_norm=joint zero gradient_clipping",
    "data_parallel zero:level=2 accumulate:images=2",
    "data_parallel zero:level=3 checkpointing accumulate",
    "data_parallel zero:level=2 ema optimizer_in_backward",
    "model_parallel:last=layer4 gradient_clipping",
    "spatial banded_loss:rows=64 hybrid_bands:rows=64 zero optimizer_in_backward",
)
WITHOUT = "The loss is computed without a compiler."


def said(team: Team) -> list[Work]:
    """In a third step of each set."""
    compiler.missing = lambda: WITHOUT  # which would take longer than all else
    found = []
    with narrow.everywhere(NARROW):
        for text in SETS:
            training = Stepping(text.split(), encoder=SHAPE.encoder, ranks=team)
            images = noise(SHAPE, training.build)
            for _ in range(2):  # the first ones tell what is known from then on
                training.step(images)
            before = replace(team.traffic)
            training.step(images)
            found.append(measuring.said(team.traffic, before))
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works")
def test_that_each_process_says_what_its_plan_tells(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    every = fleet(RANKS, "techniques.test_said_of_ranks:said", tmp_path)
    one = site("cpu")
    here = replace(one, devices=one.devices[:1] * RANKS, shape=SHAPE, compiler=WITHOUT)
    with narrow.everywhere(NARROW):
        costing = Costing(SHAPE.encoder, "cpu")
        for place, text in enumerate(SETS):
            works = costing.account(compose.read(text.split()), replace(here, costs=costing.costs))[1].works
            for rank, work in enumerate(works):
                assert every[rank][place] == measuring.told(work), f"{text}, process {rank + 1}"
