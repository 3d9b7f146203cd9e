"""What is said of a step that went wrong, and when a training ends for it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from fullfield.errors import FullfieldError, ModelError
from fullfield.protocol.events import Notice
from fullfield.train.judge import MOST_BAD_STEPS, MOST_STEPS_WITHOUT_GRADIENT, Judge
from fullfield.train.state import Progress
from fullfield.train.step import Step

GOOD = Step(loss=9.0, structure=9.0, gradient=1.0, skipped=False)
SKIPPED = replace(GOOD, loss=math.nan, skipped=True)
INFINITE = replace(GOOD, gradient=math.inf, skipped=True)
SPARED = replace(GOOD, spared=3)
FLAT = replace(GOOD, gradient=0.0)


@pytest.fixture
def reported() -> list[Notice]:
    return []


@pytest.fixture
def judge(reported: list[Notice]) -> Judge:
    return Judge(reported.append, str.upper)


def test_that_a_good_step_is_not_spoken_of(judge: Judge, reported: list[Notice]) -> None:
    judge.look(GOOD, Progress(step=1))
    assert reported == []


@pytest.mark.parametrize(
    ("done", "text"),
    [
        (SKIPPED, "Step 4: the loss is not a number; the step is skipped."),
        (INFINITE, "Step 4: the gradient is not a number; the step is skipped."),
        (SPARED, "Step 4: 3 gradients are not numbers; their weights stay, the others are updated."),
    ],
)
def test_that_a_bad_step_is_a_warning(judge: Judge, reported: list[Notice], done: Step, text: str) -> None:
    judge.look(done, Progress(step=4, bad_steps=MOST_BAD_STEPS - 1))
    assert reported == [Notice(text=text, level="warning")]


def test_that_too_many_bad_steps_in_a_row_end_the_training(judge: Judge) -> None:
    with pytest.raises(ModelError, match="loss or its gradient was not a number in 5 steps in a row") as raised:
        judge.look(SKIPPED, Progress(step=9, bad_steps=MOST_BAD_STEPS))
    assert raised.value.hint == "START AGAIN WITH A SMALLER LEARNING RATE.", "and what is kept, as it is given"


def test_that_steps_without_a_gradient_end_the_training_only_in_a_row(judge: Judge) -> None:
    for done in [*[FLAT] * (MOST_STEPS_WITHOUT_GRADIENT - 1), GOOD, *[FLAT] * (MOST_STEPS_WITHOUT_GRADIENT - 1)]:
        judge.look(done, Progress(step=1))
    with pytest.raises(FullfieldError, match="same polarity"):
        judge.look(FLAT, Progress(step=1))
