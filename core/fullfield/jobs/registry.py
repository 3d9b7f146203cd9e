"""The kinds of job. A new one is its function `run(spec, context) -> summary` in a file of its own,
its type in `fullfield.protocol.specs`, and a line here."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fullfield import parts
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.errors import UsageError

Run = Callable[[Any, Context], Fields]
"""Of the kind's own type of spec; returns the summary of RunEnded."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """`module`: has the function `run`. `passing`: nothing of such a run is worth keeping once it has ended.
    `low_priority`: the window and the rest of the machine come first; for what no person waits for. `bound`: it ends at
    once with the process that launched it. `needs`: packages of the training part without which it cannot begin;
    `may_need`: those that it asks for later, for a model: it begins without them."""

    module: str
    passing: bool = False
    low_priority: bool = False
    bound: bool = False
    needs: tuple[str, ...] = ()
    may_need: tuple[str, ...] = ()

    def load(self) -> Run:
        """Its function; the module is imported only now, in the worker."""
        run: Run = importlib.import_module(self.module).run
        return run


KINDS = {
    "batch": Kind(module="fullfield.enhance.batch", passing=True, bound=True, may_need=parts.NETWORK),
    "diagnose": Kind(module="fullfield.diagnosis.job"),
    "empty": Kind(module="fullfield.jobs.empty"),
    "ensemble": Kind(module="fullfield.runs.ensemble"),
    "fetch": Kind(module="fullfield.model.fetch", passing=True, needs=("huggingface_hub", *parts.NETWORK)),
    "install": Kind(module="fullfield.training_part.install", passing=True),
    "plan": Kind(module="fullfield.plan.job", needs=parts.NETWORK),
    "planning": Kind(module="fullfield.plan.session", passing=True, needs=parts.NETWORK),
    "probe": Kind(module="fullfield.nodes.probing", passing=True),
    "report": Kind(module="fullfield.report.job", needs=parts.REPORTS),
    "session": Kind(module="fullfield.enhance.session", passing=True, may_need=parts.NETWORK),
    "survey": Kind(module="fullfield.data.survey_job", passing=True),
    "train": Kind(module="fullfield.tuning.job", low_priority=True, needs=parts.NETWORK),
}
PASSING = frozenset(name for name, kind in KINDS.items() if kind.passing)
BOUND = frozenset(name for name, kind in KINDS.items() if kind.bound)


def find(kind: str) -> Kind:
    """The kind of this name. Raises UsageError."""
    if kind not in KINDS:
        raise UsageError(f"Cannot start a job of kind {kind!r}.", hint=f"Known kinds: {', '.join(KINDS)}.")
    return KINDS[kind]
