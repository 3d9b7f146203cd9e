"""Steps that go wrong: what is said of one, and when they end a training."""

from __future__ import annotations

import math
from collections.abc import Callable

from fullfield.errors import FullfieldError, ModelError
from fullfield.protocol.events import Notice
from fullfield.train import loss as losses
from fullfield.train.state import Progress
from fullfield.train.step import Step

MOST_BAD_STEPS = 5
MOST_STEPS_WITHOUT_GRADIENT = 5


class Judge:
    """Looks at every step of a process, in order. `hint`: see `Store.hint`."""

    def __init__(self, tell: Callable[[Notice], None], hint: Callable[[str], str]) -> None:
        self._tell, self._hint = tell, hint
        self._without_gradient = 0

    def look(self, done: Step, progress: Progress) -> None:
        """Say what went wrong in the step that `progress` has counted last.

        Raises ModelError (diverged) or FullfieldError (no gradient) where it goes on going wrong.
        """
        if done.skipped or done.spared:
            self._tell(Notice(text=_sentence(done, progress.step), level="warning"))
            if progress.bad_steps >= MOST_BAD_STEPS:
                raise ModelError(
                    "The training cannot go on.",
                    detail=f"The loss or its gradient was not a number in {MOST_BAD_STEPS} steps in a row.",
                    hint=self._hint("Start again with a smaller learning rate."),
                )
        self._without_gradient = self._without_gradient + 1 if done.gradient == 0.0 else 0
        if self._without_gradient >= MOST_STEPS_WITHOUT_GRADIENT:
            raise FullfieldError(
                "The training cannot go on.",
                detail=losses.NO_GRADIENT,
                hint="Look at a pair: input and reference must show the same, in the same polarity. If they do, "
                "train with more l1_steps or with the loss ms_ssim+l1.",
            )


def _sentence(done: Step, step: int) -> str:
    if done.skipped:
        if math.isfinite(done.loss):
            return f"Step {step}: the gradient is not a number; the step is skipped."
        return f"Step {step}: the loss is not a number; the step is skipped."
    return f"Step {step}: {done.spared} gradients are not numbers; their weights stay, the others are updated."
