"""What is asked of the planner, as one frozen value: `Question`, its JSON and its checks. No torch here."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields

from fullfield.errors import UsageError
from fullfield.hardware import cards, links, named
from fullfield.model.families.registry import NAMES
from fullfield.plan.spec import LARGEST, LARGEST_BATCH, SMALLEST
from fullfield.protocol.computers import refuse_mixed
from fullfield.protocol.planning import PlanSpec
from fullfield.techniques import compose, sharing
from fullfield.techniques.base import Technique
from fullfield.techniques.site import Several


@dataclass(frozen=True, kw_only=True)
class Question(PlanSpec):
    """Which plan a training shall have. Raises UsageError from its constructor, with the nearest value that works.

    What anybody may ask is in `PlanSpec`; `budget` is compared with `Plan.process_bytes`. What an engine asks besides:

    `rungs`: ways that take less than the chosen plan, at least, where there are any: for a training that may run out of
    memory. It is resumed by them from its checkpoint, so they, and the whole ladder then, keep the same of the
    optimizer as the chosen plan. `before`: techniques by which this training ran until now; what its optimizer keeps
    stays. None: it has not begun. `trains_here`: this very process is to train by the plan, so what it holds already
    beyond libraries, because it prepared data or planned more, belongs to every plan.
    """

    rungs: int = 0
    before: tuple[str, ...] | None = None
    trains_here: bool = False

    def __post_init__(self) -> None:
        height, width = (min(max(side, SMALLEST), LARGEST) for side in (self.height, self.width))
        if (height, width) != (self.height, self.width):
            nearest = height if height == width else f"{height}x{width}"  # as --size is given
            raise UsageError(
                f"Cannot plan a training at {self.height}×{self.width} pixels.",
                detail=f"MS-SSIM needs {SMALLEST} pixels a side, and {LARGEST} are the most that a plan is made for.",
                hint=f"The nearest that works is {nearest}.",
            )
        if not 1 <= self.batch <= LARGEST_BATCH:
            raise UsageError(
                f"Cannot plan steps of {self.batch} images.",
                detail=f"A step has from 1 to {LARGEST_BATCH} images.",
                hint=f"The nearest that works is {min(max(self.batch, 1), LARGEST_BATCH)}.",
            )
        if self.encoder not in NAMES:
            near = difflib.get_close_matches(self.encoder, NAMES, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Choose from {', '.join(NAMES)}."
            raise UsageError(f"Cannot plan for the encoder {self.encoder[:40]!r}.", hint=hint)
        if self.cards and (self.gpu or self.processes > 1):
            raise UsageError(
                "Cannot plan for these devices.",
                detail="Cards that need not be here are named together with others.",
                hint="Name all of them by --cards; a process runs on each.",
            )
        if self.nodes and (self.gpu or self.cards or self.together > len(self.nodes)):
            raise UsageError(
                "Cannot plan for these nodes.",
                detail="Cards that need not be here are none of theirs, and no more train together than are named.",
                hint="Leave out --gpu and --cards.",
            )
        refuse_mixed(self.nodes, self.device)
        if not 1 <= self.processes <= cards.MOST or (self.nodes and self.ranks > cards.MOST):
            raise UsageError(
                f"Cannot plan for {max(self.processes, self.ranks)} processes.", hint=f"Choose from 1 to {cards.MOST}."
            )
        if self.budget < 0:
            raise UsageError("Cannot plan this training.", detail="The budget is a positive number.")

    @property
    def ranks(self) -> int:
        """Processes that train together; those on one device share its memory."""
        if self.cards:
            return len(cards.several(self.cards))
        return self.processes * max(1, self.computers)

    @property
    def computers(self) -> int:
        """How many of the nodes train together; 0: none is asked about."""
        return self.together or len(self.nodes)

    @property
    def elsewhere(self) -> bool:
        """It is asked for cards that need not be here."""
        return bool(self.gpu or self.cards)

    @property
    def named(self) -> tuple[Technique, ...]:
        """The techniques that are named: just these, or those of every plan. Raises UsageError where they conflict."""
        if self.techniques is None:
            return compose.read(self.always)
        return compose.read(sharing.decided(self.techniques, self.several))

    @property
    def several(self) -> Several:
        """Its processes, as what they share depends on them."""
        listed, computers = named.cards(self.device), max(1, self.computers)
        if self.cards:
            listed = 0 if cards.PROCESSOR in cards.several(self.cards) else self.ranks
            computers = self.ranks if self.link and links.is_between(self.link) else 1
        return Several(ranks=self.ranks, batch=self.batch, network=self.encoder, listed=listed, computers=computers)


def judged(asked: PlanSpec) -> Question:
    """The question that is asked, where it can be. Raises UsageError."""
    question = Question(**{item.name: getattr(asked, item.name) for item in fields(PlanSpec)})
    if question.link and question.ranks == 1:
        raise UsageError(
            "Cannot plan with a link.",
            detail="One process on one device alone is planned for, and nothing connects it.",
            hint='Leave out --link, or name several: --cards "RTX 2070 x2", --processes 2.',
        )
    return question
