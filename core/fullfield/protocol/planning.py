"""What the jobs "plan" and "planning" are asked: for which training a plan is wanted."""

from __future__ import annotations

from dataclasses import dataclass

from fullfield.checked import Count
from fullfield.protocol.computers import Computer
from fullfield.protocol.training import USUAL_TECHNIQUES


@dataclass(frozen=True, kw_only=True)
class PlanSpec:
    """The training that a plan is wanted for, and what it may take; `fullfield.plan.question.Question` judges it.

    `height`, `width`: in pixels. `encoder`: of the U-Net, or the name of another network. `batch`: images of one step,
    of all processes together. `lowest`: rows of the lowest image, also of one that is held back; 0: `height`.
    `budget`: bytes of each device; 0: what it has free. `gpu`: the name of a card that need not be here, or its memory
    ("8GiB"); "": `device` of this machine. `cards`: several of them, such as "GTX 1650 x4" or "RTX 2070, GTX 1650",
    with a process on each. `link`: what connects them, of `fullfield.hardware.links`; "": one computer. `processes`: on
    this machine's devices. `nodes`: the computers that train together in its place, the first of which leads, with
    `processes` on the devices of each; `together`: how many of them train, of which the first is always one (0: all).
    `approximate`: allow what is not exact. `techniques`: None lets the planner choose, beside those that every plan
    shall have (`always`); else just these are predicted.
    """

    height: int
    width: int
    batch: int = 1
    lowest: Count = 0
    encoder: str = "resnet34"
    budget: int = 0
    gpu: str = ""
    cards: str = ""
    link: str = ""
    processes: int = 1
    nodes: tuple[Computer, ...] = ()
    together: Count = 0
    device: str = "auto"
    approximate: bool = False
    techniques: tuple[str, ...] | None = None
    always: tuple[str, ...] = USUAL_TECHNIQUES


@dataclass(frozen=True, kw_only=True)
class PlanningSpec:
    """The job "planning", which answers questions (`Ask`) while a form is being changed."""

    device: str = "auto"
