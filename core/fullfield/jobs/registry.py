"""The kinds of job. A new one is its function `run(spec, context) -> summary` in a file of its own, and a line here."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from fullfield.context import Context
from fullfield.errors import UsageError

Run = Callable[[dict[str, Any], Context], dict[str, Any]]

KINDS: dict[str, str] = {
    "batch": "fullfield.enhance.batch",
    "diagnose": "fullfield.diagnosis.job",
    "empty": "fullfield.jobs.empty",
    "plan": "fullfield.plan.job",
    "planning": "fullfield.plan.session",
    "report": "fullfield.report.job",
    "session": "fullfield.enhance.session",
    "survey": "fullfield.data.survey_job",
    "train": "fullfield.train.job",
}


def find(kind: str) -> Run:
    """The function of a kind; its module is imported only now, in the worker. Raises UsageError."""
    if kind not in KINDS:
        raise UsageError(f"Cannot start a job of kind {kind!r}.", hint=f"Known kinds: {', '.join(KINDS)}.")
    run: Run = importlib.import_module(KINDS[kind]).run
    return run
