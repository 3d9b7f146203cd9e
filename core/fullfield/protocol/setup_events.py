"""What is told while a training is being set up: the machine, plans, the data, references, weights."""

from __future__ import annotations

from dataclasses import dataclass, field

from fullfield.checked import Count, PixelSize
from fullfield.protocol.events import Event
from fullfield.protocol.plan import CurvePoint, LinkPlan, Plan


@dataclass(frozen=True, kw_only=True)
class Card:
    """A graphics card, by its name and all of its memory."""

    title: str
    total_bytes: Count


@dataclass(frozen=True, kw_only=True)
class Present:
    """A device of this computer, by torch's name ("cpu", "cuda:0") and its title, with all bytes of its memory.
    `free_bytes`: None where the driver does not tell."""

    name: str
    title: str
    total_bytes: Count
    free_bytes: Count | None = None


@dataclass(frozen=True, kw_only=True)
class MachineProbed(Event):
    """The device that would train here. `device`: "cpu" or "cuda"; `title`, `why`: for people; bytes of its memory.

    `cards`: those that a plan can be made for without having them. `devices`: all that a training can be run on here,
    the processor last. `cores`: of it, as many processes at most train there; `alone`: why several processes cannot
    train together, a sentence; "": they can.
    """

    device: str
    title: str
    why: str
    total_bytes: int
    free_bytes: int
    cards: tuple[Card, ...] = ()
    devices: tuple[Present, ...] = ()
    cores: Count = 1
    alone: str = ""


@dataclass(frozen=True, kw_only=True)
class NodeProbed(Event):
    """What another machine has, by the name that this user calls it. `cards`: with the bytes that are free of each;
    `cores`, `free_bytes`, `total_bytes`: of its processor and memory. `fullfield`, `torch`: versions, "" where there is
    none.

    `error`: why it is not ready, as `title`, `detail` and `hint`; what it has may be known all the same.
    """

    name: str
    cards: tuple[Present, ...] = ()
    cores: Count = 0
    free_bytes: Count = 0
    total_bytes: Count = 0
    fullfield: str = ""
    torch: str = ""
    error: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class LinkProbed(Event):
    """What is between the machine of this name and the one that leads it; None where it could not be measured, and why:
    `error` as in `NodeProbed`."""

    name: str
    link: LinkPlan | None = None
    error: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class PlanReady(Event):
    """The answer to the question `number`: a plan, the ladder below it, sentences on what was refused.

    `free_bytes`: what the device that was asked about had free; of several `limits`, by rank, of which it is the least.
    `asked_bytes`: the budget. `step_seconds`: what a step of the plan takes, roughly; 0 where that is not known: the
    card is not here, or too full to be measured.
    `curve`: as in PlanMade.
    """

    number: int
    plan: Plan
    ladder: tuple[Plan, ...] = ()
    refused: list[str] = field(default_factory=list)
    free_bytes: int = 0
    limits: tuple[Count, ...] = ()
    asked_bytes: int = 0
    step_seconds: float = 0.0
    curve: tuple[CurvePoint, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PlanRefused(Event):
    """The question `number` has no plan: `error` holds `title`, `detail` and `hint`."""

    number: int
    error: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class TechniquesJudged(Event):
    """What each technique would change in the set of the question `number`, by name.

    `refused`: why it is impossible at this site. `peaks`, `times`: peak in bytes and time factor of the set with it,
    or without it where it is in the set; only of those that have been traced. `fixed_bytes`: weights, their gradients
    and Adam's two moments together, which no image size changes.
    """

    number: int
    refused: dict[str, str] = field(default_factory=dict)
    peaks: dict[str, int] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)
    fixed_bytes: int = 0


@dataclass(frozen=True, kw_only=True)
class DataRead(Event):
    """So many files of the data folder have been looked at."""

    done: int
    total: int


@dataclass(frozen=True, kw_only=True)
class DataSurveyed(Event):
    """What a data folder holds lies in the run's folder as the file `survey` (see `fullfield.data.survey`)."""

    survey: str


@dataclass(frozen=True, kw_only=True)
class PairDrawn(Event):
    """A pair of the data at thumbnail size: `drawn` is a .npy of uint8 (2, rows, columns), input and reference.

    `pixel_size`: see `Image`.
    """

    key: str
    drawn: str
    pixel_size: PixelSize = (1.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class ReferenceProposed(Event):
    """An image and a reference made of it, as .npy of uint16 over the full range, in the run's folder.

    `number`: of the question; `preset`: the one that made it, `made_by` in words with its version.
    `pixel_size`: see `Image`.
    """

    number: int
    key: str
    image: str
    reference: str
    preset: str
    made_by: str
    pixel_size: PixelSize = (1.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class ReferenceRefused(Event):
    """No reference can be made as the question `number` asks: `error` holds `title`, `detail` and `hint`."""

    number: int
    key: str
    error: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class BytesFetched(Event):
    """So many bytes of what is being fetched have arrived, or of what is being installed are in their place."""

    done: int
    total: int
