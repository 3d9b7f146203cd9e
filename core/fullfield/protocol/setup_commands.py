"""What the page asks of its workers, as frozen values; see `fullfield.plan.session` and `fullfield.data.survey_job`."""

from __future__ import annotations

from dataclasses import dataclass

from fullfield.protocol.commands import Command
from fullfield.protocol.planning import PlanSpec


@dataclass(frozen=True, kw_only=True)
class Ask(Command):
    """The question `number`. `compare`: techniques, as texts, of which is told what they would change."""

    number: int
    asked: PlanSpec
    compare: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Propose(Command):
    """Make a reference of the image `key` with `preset` ("": the usual one) at `strength`; `size` 0 is native."""

    number: int
    key: str
    preset: str
    strength: float
    size: int


@dataclass(frozen=True, kw_only=True)
class Split(Command):
    """Tell anew who is held back, and what the model will be for; `review`: of what an expert has not rejected."""

    validation: float
    seed: int
    review: bool = True
    use_on: str = "auto"
