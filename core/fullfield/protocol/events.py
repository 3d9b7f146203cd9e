"""The typed events that every run tells its life with: the only channel from a worker to a window or a command line.

An event is a frozen dataclass; `wire` beside this file writes it as a line of JSON, `training_events` holds those of a
training, `setup_events` those of its preparation.

Saved events never carry a file name: an item is named by its `index` in the job and by `input`, a short SHA-256 of its
content. A reader that may show names (the caller's own standard output, the window) replaces them with `named`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar

from fullfield.checked import Fields, Seconds
from fullfield.errors import FullfieldError
from fullfield.protocol.training_events import (
    BaselineMeasured,
    CheckpointSaved,
    EpochDone,
    ExactnessMeasured,
    MemorySampled,
    ModelCompared,
    PlanMade,
    RungTaken,
    SampleWritten,
    StepDone,
    StepProfiled,
)
from fullfield.protocol.wire import Event, to_fields, to_line

__all__ = [
    "BaselineMeasured",
    "CheckpointSaved",
    "EpochDone",
    "Event",
    "ExactnessMeasured",
    "ItemClosed",
    "ItemDecoded",
    "ItemDone",
    "ItemEnhanced",
    "ItemEvent",
    "ItemFailed",
    "ItemPreviewed",
    "ItemSkipped",
    "ItemStarted",
    "ItemWaits",
    "ItemWarned",
    "MemorySampled",
    "ModelCompared",
    "Notice",
    "PhaseStarted",
    "PlanMade",
    "RunEnded",
    "RunFailed",
    "RunStarted",
    "RungTaken",
    "SampleWritten",
    "StepDone",
    "StepProfiled",
    "failed",
    "named",
    "to_fields",
    "to_line",
]


@dataclass(frozen=True, kw_only=True)
class RunStarted(Event):
    """The worker is up. `job` is the job's kind."""

    job: str
    pid: int
    rank: int = 0
    world: int = 1
    version: str = ""


@dataclass(frozen=True, kw_only=True)
class Notice(Event):
    """A plain sentence that the user should see once: which weights, why the CPU, what was fallen back to.

    `topic`: what it is about, where a reader shows that in a place of its own: "device", "data", "line" or "".
    """

    text: str
    level: str = "info"
    topic: str = ""


LINE = "line"
"""The topic of what is told of the line to a node: a warning where it is cut."""


@dataclass(frozen=True, kw_only=True)
class ItemEvent(Event):
    """Something about item `index` of the job (its place in `job.json`, from 0)."""

    index: int = -1
    input: str = ""


@dataclass(frozen=True, kw_only=True)
class ItemStarted(ItemEvent):
    """Work on the item begins."""


@dataclass(frozen=True, kw_only=True)
class ItemWaits(ItemEvent):
    """The item has lost the machine that it was on, and waits for this computer; its work begins anew with the next
    ItemStarted."""


@dataclass(frozen=True, kw_only=True)
class ItemDecoded(ItemEvent):
    """The item's pixels and header lie in the private cache folder `decoded` (see `fullfield.image.cache`).

    `sha256`: of the file's content, whole.
    """

    decoded: str
    sha256: str = ""


@dataclass(frozen=True, kw_only=True)
class ItemEnhanced(ItemEvent):
    """The item's enhanced pixels lie in the private cache: `enhanced` is a .npy of uint16 with `bits` bits.

    `recipe`: what was done, in words for people; `digest`: the same for results of this item that have equal pixels,
    empty where that is not known. `made_by`: the SHA-256 of the preset or of the model's file. `seconds`: what it
    took. `method_wanted`, `disagreement`: see `ItemDone`. What was added and taken lies beside it, and where an
    ensemble's members disagree: see `image.marks`.
    """

    enhanced: str
    bits: int
    recipe: str
    seconds: Seconds = 0.0
    digest: str = ""
    made_by: str = ""
    method_wanted: str = ""
    disagreement: float | None = None


@dataclass(frozen=True, kw_only=True)
class ItemPreviewed(ItemEvent):
    """A part of the item enhanced with values that are being tried: `preview` is a .npy of uint16 with `bits` bits.

    Its first pixel is (`top`, `left`) of the image reduced by 2**`level`. `serial`: the command that it answers.
    """

    serial: int
    preview: str
    bits: int
    level: int
    top: int
    left: int


@dataclass(frozen=True, kw_only=True)
class ItemClosed(ItemEvent):
    """The item is forgotten, as was asked; what is told under its index from here on is about one opened anew."""


@dataclass(frozen=True, kw_only=True)
class ItemWarned(ItemEvent):
    """Something about this item that its user should know; the item goes on.

    `damaged`: it is that the decoder found the file damaged, and parts of the picture may be missing or wrong.
    `in_its_line`: it is told with the item's verdict, also where notes are not asked for.
    """

    text: str
    damaged: bool = False
    in_its_line: bool = False


@dataclass(frozen=True, kw_only=True)
class ItemDone(ItemEvent):
    """The item's output is safe where it was to go: on disk.

    `number`: the one at the end of its name, which may be another than was asked for ("a_enhanced-2.dcm"); 1: none is
    there; 0: it is not told. `method_wanted`: the model in whose place a preset made it, as what that made was not
    given; "": it is what was wanted. `disagreement`: of an ensemble's members, see `image.marks.Disagreement.p99`; None
    for what no ensemble made.
    """

    output: str
    seconds: Seconds
    peak_bytes: int
    number: int = 0
    method_wanted: str = ""
    disagreement: float | None = None


@dataclass(frozen=True, kw_only=True)
class ItemSkipped(ItemEvent):
    """The item was passed over for `reason` (done before; dry run)."""

    reason: str


@dataclass(frozen=True, kw_only=True)
class ItemFailed(ItemEvent):
    """The item was refused or failed; `error` holds `title`, `detail` and `hint`, `exit_code` the error's class."""

    error: dict[str, str]
    exit_code: int = 4


@dataclass(frozen=True, kw_only=True)
class PhaseStarted(Event):
    """A long step of a run begins: `name` for people, `total` units of work (0: unknown)."""

    name: str
    total: int = 0


@dataclass(frozen=True, kw_only=True)
class RunFailed(Event):
    """The run cannot go on; `error` holds `title`, `detail` and `hint`, `exit_code` the command line's code.

    `refused`: it has not even begun to go on, and is what it was before.
    """

    error: dict[str, str]
    exit_code: int = 1
    refused: bool = False


@dataclass(frozen=True, kw_only=True)
class RunEnded(Event):
    """The last event of every run. `reason`: completed, stopped, paused (a stop that is to be gone on with), failed or
    died."""

    reason: str
    summary: Fields = field(default_factory=dict)


DONE_BEFORE = "done before"
"""Why an item was skipped whose result is there."""

_E = TypeVar("_E", bound=Event)


def named(event: _E, *, input: str, output: str | None = None) -> _E:
    """The event with the item's real name in it, for a reader that may show it."""
    if not isinstance(event, ItemEvent):
        return event
    if isinstance(event, ItemDone) and output is not None:
        return replace(event, input=input, output=output)
    return replace(event, input=input)


def failed(index: int, content: str, error: FullfieldError) -> ItemFailed:
    """The verdict on an item that `error` stopped."""
    return ItemFailed(index=index, input=content, error=error.as_fields(), exit_code=int(error.exit_code))
