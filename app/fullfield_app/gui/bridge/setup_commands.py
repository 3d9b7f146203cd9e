"""What the page asks of its workers, as frozen values; see `fullfield.plan.session` and `fullfield.data.survey_job`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Ask:
    """The question `number`: `asked` holds the fields of `fullfield.plan.question.Question`."""

    number: int
    asked: dict[str, Any]
    compare: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Propose:
    """Make a reference of the image `key` with `preset` ("": the usual one) at `strength`; `size` 0 is native."""

    number: int
    key: str
    preset: str
    strength: float
    size: int


@dataclass(frozen=True, kw_only=True)
class Split:
    """Tell anew who is held back, and what the model will be for; `review`: of what an expert has not rejected."""

    validation: float
    seed: int
    review: bool
    use_on: str


@dataclass(frozen=True, kw_only=True)
class Stop:
    """End, and give memory back."""


SetupCommand = Ask | Propose | Split | Stop
