"""The real training, in fp64, of a network with few channels, whose steps take their time; without what other tests
prove and what takes long: a plan traced anew, and what simple methods reach. `site/sitecustomize.py` puts it in place
of "train" where `TRAINS` names it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import narrow
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.data.loader import Batch
from fullfield.kernels.stored import Stored
from fullfield.model import initial
from fullfield.plan import predicting
from fullfield.plan.plan import Ladder
from fullfield.plan.question import Question
from fullfield.protocol.plan import Plan, RankPlan
from fullfield.protocol.training import Training
from fullfield.techniques import build as builds
from fullfield.train import job
from fullfield.train import step as steps
from nodes import toy

BY, SECONDS = 16, 0.3


def run(spec: Training, context: Context) -> Fields:
    """See `fullfield.train.job.run`."""
    torch.set_num_threads(1)
    with exactly(SECONDS):
        return job.run(spec, context)


@contextlib.contextmanager
def exactly(seconds: float = 0.0) -> Iterator[None]:
    """Within it trainings are in fp64, of a narrow network, with so many seconds of sleep in each step."""
    begin, build, step, laid_out = initial.start, builds.begin, steps.train_step, steps.laid_out

    def begun(*given: Any, **more: Any) -> Any:
        found = begin(*given, **more)
        found.network.double().register_forward_pre_hook(_wide)
        return found

    def built(*given: Any, **more: Any) -> Any:
        made = build(*given, **more)
        made.optimizer = toy.adam
        return made

    def slower(build: Any, update: Any, batch: Batch, **more: Any) -> Any:
        time.sleep(seconds)
        wide = replace(batch, x_NCHW=_double(batch.x_NCHW), y_NCHW=_double(batch.y_NCHW))
        return step(build, update, wide, **more)

    with pytest.MonkeyPatch.context() as patch, narrow.everywhere(BY), torch.compiler.set_stance("force_eager"):
        patch.setattr(predicting, "ladder", planned)
        patch.setattr(job, "_baselines", lambda *given, **more: ())
        patch.setattr(initial, "start", begun)
        patch.setattr(builds, "begin", built)
        patch.setattr(steps, "train_step", slower)
        patch.setattr(steps, "laid_out", lambda x, layout: laid_out(_double(x), layout))
        yield


def planned(question: Question) -> Ladder:
    """The techniques that are named; what they take is traced by other tests, which takes minutes of a cold cache."""
    held = tuple(RankPlan(rank=rank) for rank in range(question.ranks))
    return Ladder(plan=Plan(techniques=tuple(map(str, question.named)), devices=held), next=(), refused=())


def _double(images: Tensor | Stored) -> Tensor | Stored:
    return Stored(images.levels_NCHW, images.tables.double()) if isinstance(images, Stored) else images.double()


def _wide(network: nn.Module, given: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    return tuple(one.double() for one in given)
