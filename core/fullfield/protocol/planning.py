"""What the jobs "plan" and "planning" are asked: for which training a plan is wanted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class PlanSpec:
    """The training that a plan is wanted for, and what it may take; `fullfield.plan.question.Question` judges it.

    `height`, `width`: in pixels. `budget`: bytes; 0: what the device has free. `gpu`: the name of a card that need not
    be here, or its memory ("8GiB"); "": `device` of this machine. `approximate`: allow what is not exact. `techniques`:
    None lets the planner choose; else just these are predicted.
    """

    height: int
    width: int
    batch: int = 1
    encoder: str = "resnet34"
    budget: int = 0
    gpu: str = ""
    device: str = "auto"
    approximate: bool = False
    techniques: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class PlanningSpec:
    """The job "planning", which answers questions (`Ask`) while a form is being changed."""

    device: str = "auto"
