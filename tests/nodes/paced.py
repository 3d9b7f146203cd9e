"""A training that steps by the clock and computes nothing, for what is told of one; `site/sitecustomize.py` puts it in
place of "train" where `TRAINS` names it."""

from __future__ import annotations

import time

from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.protocol.events import StepDone
from fullfield.protocol.training import Training

SECONDS = 0.05


def run(spec: Training, context: Context) -> Fields:
    """Step until it is asked to stop."""
    context.accept()
    step = 0
    while not context.stopping():
        step += 1
        context.emit(StepDone(epoch=1, step=step, steps=10**6, loss=1.0, seconds=SECONDS))
        time.sleep(SECONDS)
    return {"steps": step}
