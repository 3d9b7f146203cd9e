"""What a technique is: its declaration, its options, what it predicts and what it does. Nothing here imports torch.

class Mine(Technique):                      one file, and one line in `registry.py`
    name, title, sentence, source           for people; `source`: the paper or document it comes from
    stage                                   when it is applied: `Stage`, the order once for all
    effect                                  what it does to the gradients: `Effect`
    excludes, needs                         names of techniques that it cannot go with, or not without
    needs_one_of                            names of which at least one is needed
    Options                                 a frozen dataclass of `option(...)` fields: form and flags come from it
    refuse(site)                            why it is impossible here; None where it is possible
    useless(site)                           why it would save nothing here, though it runs; None where it may
    candidates(site)                        with which options the planner proposes it: `Candidate`
    unasked(several)                        whether several processes share a step by it where nobody says what they do
    shared_by(ranks)                        what is told then
    needs_plan                              whether its options ask for a plan to be found
    with_plan(before, site)                 with that plan in their place; itself otherwise
    running(key)                            with which options it runs a part so, for who traces that part
    predict(before, site)                   pure: the estimate with it
    apply(build)                            the only method with an effect; imports torch inside
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.memory.costs import Key
from fullfield.techniques.site import Several, Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build


class Effect(StrEnum):
    """What a technique does to the numbers that a training produces."""

    EXACT = "exact"
    APPROXIMATE = "approximate"
    MODEL = "changes the model"


class Stage(IntEnum):
    """The order in which techniques are applied. Whatever is applied later sees what was applied before."""

    MODEL = 10  # another function: momentum, quantization
    PLACEMENT = 20  # which rank computes which rows: spatial
    LAYOUT = 30  # memory format
    PRECISION = 40
    LOSS = 50
    ACTIVATIONS = 60  # how the parts of the chain are run: recomputed, checkpointed, in bands
    COMPILE = 70
    SAVED = 80  # what becomes of the tensors that autograd saves: compressed, offloaded
    PIPELINE = 85  # which rank runs which parts of the chain, as they are by then
    REPLICAS = 90  # data parallel, ZeRO, full sharding
    OPTIMIZER = 100
    STEP = 110  # accumulation, the optimizer inside backward

    @property
    def of_ranks(self) -> bool:
        """Whether it says what each of several ranks does."""
        return self in (Stage.PLACEMENT, Stage.PIPELINE, Stage.REPLICAS)


@dataclass(frozen=True, kw_only=True)
class Reason:
    """Why something is impossible, in plain words, and what is possible instead."""

    text: str
    hint: str = ""


@dataclass(frozen=True, kw_only=True)
class NoOptions:
    """The options of a technique that has none."""


def option(
    default: Any, text: str, *, choices: tuple[Any, ...] = (), least: float | None = None, most: float | None = None
) -> Any:
    """A field of an `Options` dataclass: a default, a sentence, and the values that are allowed."""
    return field(default=default, metadata={"text": text, "choices": choices, "least": least, "most": most})


class Tier(IntEnum):
    """When the planner asks what a candidate takes: the later, the slower it is, and the longer it takes to trace."""

    USUAL = 0
    TIGHT = 1  # where the chosen plan has no rung below it without
    LAST_RESORT = 2  # where nothing else fits, or a rung below is wanted
    UTMOST = 3  # where not even that does


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A technique as the planner proposes it: with these options, beside whatever else goes with it.

    `least_memory`: None for what saves memory. Else it is a layout of sets, which changes little of what they take and
    takes seconds to trace: the share of a set's memory, at least, that the set takes with it. So all sets are asked
    about in the layout that is the fastest at the site, and in another one only where that could make a set fit.

    `shortens`: ranks say less to one another, and nothing else changes. It is asked about only beside a set whose ranks
    wait long for that, and of several the next one only where they do so still.
    """

    technique: Technique
    tier: Tier = Tier.USUAL
    least_memory: float | None = None
    shortens: bool = False


PORTIONS = tuple(str(number) for number in range(1, 17))
"""What one of several processes may have of rows or images, by what the others have."""
SAME_MEMORY = "There is no card here, and the host tier is the same memory: what is moved there saves nothing."
ONE_PROCESS = Reason(
    text="There is one process.", hint="Choose several devices, or on the command line: fullfield train --processes 2."
)
ONE_KIND = Reason(
    text="PyTorch's own way takes devices of one kind, and these are a card and the CPU.", hint="Use data_parallel."
)
NO_CARD = Reason(text="There is no card here: it is the same memory.")


class Technique(ABC):
    """A technique with its options. The class is its declaration, such as:

    class HalfStates(Technique):
        name, title, sentence = "half_states", "Short memory", "Keeps the optimizer's memory in half the bytes."
        source, stage, effect = "A paper", Stage.OPTIMIZER, Effect.EXACT
        excludes = {"optimizer_8bit": "Both say how the optimizer remembers. Choose one."}

        @classmethod
        def candidates(cls, site):
            return (Candidate(technique=cls()),)  # so the planner tries it with all that it goes with

        def predict(self, before, site):
            return replace(before, state=before.state / 2)

        def apply(self, build):
            build.optimizer = HalfAdam
    """

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    source: ClassVar[str]
    stage: ClassVar[Stage]
    effect: ClassVar[Effect]
    excludes: ClassVar[Mapping[str, str]] = {}
    """What it cannot go with, each with the reason: names of techniques, or with options ("name:option=1"), whatever
    its others are.

    One of the two declares it.
    """
    needs: ClassVar[tuple[str, ...]] = ()
    needs_one_of: ClassVar[tuple[str, ...]] = ()
    brings: ClassVar[bool] = False
    """Whether it brings a library or a compiler into the process, which holds them from then on."""
    in_bands: ClassVar[bool] = False
    """Whether a step works on bands of rows, whose many small blocks leave holes in the heap of a process."""
    meta_traceable: ClassVar[bool] = True
    """Whether it can be traced on torch's meta device: that has no rounding to int8, and not the layouts
    that a device chooses. Where it cannot, fake tensors of the CPU are taken, which are slower.
    """
    any_network: ClassVar[bool] = False
    """Whether it is of use to every family of networks; else it is for the U-Net alone (`networks`)."""
    foresees: ClassVar[bool] = False
    """Whether it predicts, before its own plan is found, all that the plans of others depend on."""
    alone: ClassVar[tuple[str, ...]] = ()
    """With which techniques one process makes the numbers that ranks make with it of several images."""
    Options: ClassVar[type] = NoOptions

    def __init__(self, options: Any = None) -> None:
        self.options = self.Options() if options is None else options

    @property
    def needed(self) -> tuple[str, ...]:
        """Names that it needs with these options; `needs` unless they say more."""
        return self.needs

    @property
    def excluded(self) -> Mapping[str, str]:
        """What it cannot go with, with these options; `excludes` unless they say less."""
        return self.excludes

    def has(self, text: str) -> bool:
        """Whether its options are those that `text` says, which is its name or "name:option=value,…"."""
        pairs = [pair.partition("=") for pair in text.partition(":")[2].split(",") if pair]
        return all(_plain(getattr(self.options, name)) == value for name, _, value in pairs)

    def effect_on(self, site: Site) -> Effect:
        """The effect with these options at this site; `effect` unless a technique knows better."""
        return self.effect

    def refuse(self, site: Site) -> Reason | None:
        """Why it is impossible at this site; None where it is possible."""
        return None

    def useless(self, site: Site) -> Reason | None:
        """Why it saves nothing at this site, though it runs, so nobody proposes it; None where it may be of use."""
        return None

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """What the planner shall propose at this site, each with other options; none: who names it has it.

        It asks about every set of candidates that go together. What would save nothing here (`useless`), and what
        changes the gradients where that is not allowed, it leaves out by itself.
        """
        return ()

    @classmethod
    def unasked(cls, several: Several) -> bool:
        """Whether several processes share a step by it where nobody says what they share: of several such techniques
        the first of the registry that is possible."""
        return False

    def least_batch(self, ranks: int) -> int:
        """Of how many images a batch must be for each of so many processes that share them to have one."""
        return ranks

    @classmethod
    def shared_by(cls, ranks: int) -> str:
        """What is told where so many do so unasked, a sentence."""
        return ""

    @classmethod
    def running(cls, key: Key) -> Technique | None:
        """This technique with options by which the part of `key` is run by the method of `key`; None for others'."""
        return None

    @property
    def needs_plan(self) -> bool:
        """Whether its options ask for a plan to be found: `apply` then needs it `with_plan` first."""
        return False

    def with_plan(self, before: MemoryEstimate, site: Site) -> Technique:
        """The technique with options that say all that `apply` needs: itself, unless it `needs_plan`.

        `before`: the parts as this technique finds them, and all else as the whole set of techniques leaves it.
        """
        return self

    @abstractmethod
    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """The estimate of the same training with this technique. Pure; imports no torch."""

    @abstractmethod
    def apply(self, build: Build) -> None:
        """Change `build` so that it trains with this technique."""

    def __str__(self) -> str:
        """`name` or `name:option=value,…` with the options that are not the default; `registry.read` reads it back."""
        standard = self.Options()
        given = [
            f"{item.name}={_plain(getattr(self.options, item.name))}"
            for item in fields(self.options)
            if getattr(self.options, item.name) != getattr(standard, item.name)
        ]
        return f"{self.name}:{','.join(given)}" if given else self.name


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "+".join(value) if isinstance(value, tuple) else str(value)
