"""Plans for sizes, batches and budgets drawn by lot, and the steps that they promise, run."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import torch

import narrow
from fullfield.memory.account import Shape
from fullfield.plan import planner
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question
from fullfield.plan.sets import Sets
from fullfield.protocol.plan import Plan
from fullfield.techniques.base import Tier
from support import without_compiler
from techniques.measuring import taken, there

narrowed = narrow.networks(by=2)

SURE = 1.03  # a prediction is right within three percent
LOTS = (1, 2, 3)


@pytest.mark.parametrize("lot", LOTS)
def test_that_a_plan_fits_when_run_no_faster_one_would_and_less_memory_is_never_faster(
    lot: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_compiler(monkeypatch)
    torch.set_num_threads(1)
    chance = random.Random(lot)
    shape = Shape(
        height=32 * chance.randint(6, 9),
        width=32 * chance.randint(6, 9),
        batch=chance.randint(1, 3),
        encoder="resnet34" if lot == LOTS[-1] else "resnet18",
    )
    question = Question(height=shape.height, width=shape.width, batch=shape.batch, encoder=shape.encoder, device="cpu")
    predictor = Predictor(question)
    found = [predictor.plan(techniques) for techniques in Sets(question, predictor.site).of(Tier.USUAL)]
    plans = [replace(one, process_bytes=one.allocator_bytes + one.host_bytes) for one in found]  # that is measured here
    least, most = min(one.process_bytes for one in plans), max(one.process_bytes for one in plans)
    budget = round(least + chance.uniform(0.1, 0.6) * (most - least))
    ladder = planner.choose(plans, budget)
    assert run(ladder.plan, shape) <= budget
    faster = [one for one in plans if one.time_factor < ladder.plan.time_factor]
    assert all(one.process_bytes > budget for one in faster)
    if faster:
        assert run(max(faster, key=lambda one: one.time_factor), shape) * SURE > budget
    for smaller in (least, (least + budget) // 2):
        assert planner.choose(plans, smaller).plan.time_factor >= ladder.plan.time_factor


def run(plan: Plan, shape: Shape) -> int:
    """Bytes of a real step by `plan`, all together."""
    return taken(plan.techniques, shape) + there(shape) + plan.host_bytes
