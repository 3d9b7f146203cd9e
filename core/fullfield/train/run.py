"""What a training works with, as one value."""

from __future__ import annotations

from dataclasses import dataclass

from fullfield.context import Context
from fullfield.data.prepared import Prepared
from fullfield.distribution.team import ALONE, Team
from fullfield.plan.spec import TrainSpec
from fullfield.train.baselines import Baseline
from fullfield.train.build import Parts
from fullfield.train.checkpoint import Store
from fullfield.train.samples import Samples
from fullfield.train.state import State


@dataclass(frozen=True, kw_only=True)
class Run:
    """What a training works with. Nothing of it changes but `state`, and which image `samples` watches. `held`: what
    its model is held against. `team`: the ranks that train together, of which this is one."""

    spec: TrainSpec
    prepared: Prepared
    parts: Parts
    state: State
    store: Store
    samples: Samples
    context: Context
    held: tuple[Baseline, ...]
    team: Team = ALONE
