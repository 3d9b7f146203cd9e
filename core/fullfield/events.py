"""The typed events that every run tells its life with: the only channel from a worker to a window or a command line.

An event is a frozen dataclass; on the wire it is one JSON object per line whose `kind` is the class's name. A line is
written by `to_line` and read by `from_line`; an unknown kind or field (a newer worker) is passed over, not fatal.

Saved events never carry a file name: an item is named by its `index` in the job and by `input`, a short SHA-256 of its
content. A reader that may show names (the caller's own standard output, the window) replaces them with `named`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, TypeVar

from fullfield.errors import FullfieldError


@dataclass(frozen=True, kw_only=True)
class Event:
    """What all events share: `time`, seconds since the epoch when it was written (0: not written yet)."""

    time: float = 0.0


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
    """A plain sentence that the user should see once: which weights, why the CPU, what was fallen back to."""

    text: str
    level: str = "info"


@dataclass(frozen=True, kw_only=True)
class ItemEvent(Event):
    """Something about item `index` of the job (its place in `job.json`, from 0)."""

    index: int = -1
    input: str = ""


@dataclass(frozen=True, kw_only=True)
class ItemStarted(ItemEvent):
    """Work on the item begins."""


@dataclass(frozen=True, kw_only=True)
class ItemDecoded(ItemEvent):
    """The item's pixels and header lie in the private cache folder `decoded` (see `fullfield.dicom.cache`)."""

    decoded: str


@dataclass(frozen=True, kw_only=True)
class ItemEnhanced(ItemEvent):
    """The item's enhanced pixels lie in the private cache: `enhanced` is a .npy of uint16 with `bits` bits.

    `recipe`: what was done, in words for people. `seconds`: what it took.
    """

    enhanced: str
    bits: int
    recipe: str
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class ItemWarned(ItemEvent):
    """Something about this item that its user should know; the item goes on."""

    text: str


@dataclass(frozen=True, kw_only=True)
class ItemDone(ItemEvent):
    """The item's output is written and safe on disk."""

    output: str
    seconds: float
    peak_bytes: int


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
class StepDone(Event):
    """One optimizer step of training: `loss` is 100·(1−MS-SSIM) plus the options chosen."""

    epoch: int
    step: int
    steps: int
    loss: float
    seconds: float


@dataclass(frozen=True, kw_only=True)
class EpochDone(Event):
    """One epoch: losses as 100·(1−MS-SSIM), PSNR in dB, the finest band against the reference (QUALITY)."""

    epoch: int
    epochs: int
    train_loss: float
    validation_loss: float
    psnr_db: float
    fine_sd_ratio: float
    fine_correlation: float
    learning_rate: float
    seconds: float


@dataclass(frozen=True, kw_only=True)
class BaselineMeasured(Event):
    """What a simple method reaches on the validation part: `name` and its 100·(1−MS-SSIM)."""

    name: str
    validation_loss: float
    psnr_db: float
    fine_sd_ratio: float
    fine_correlation: float


@dataclass(frozen=True, kw_only=True)
class CheckpointSaved(Event):
    """A checkpoint is safe on disk. `step` counts optimizer steps from 0."""

    epoch: int
    step: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class PlanMade(Event):
    """A plan was chosen: the fields of `fullfield.plan.plan.Plan`, the next slower ones that take less, and sentences
    on what was refused.
    """

    plan: dict[str, Any]
    ladder: list[dict[str, Any]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class MemorySampled(Event):
    """Memory of a training, in bytes: the highest of each figure since the event before it of the same phase (see
    `fullfield.memory.watch`); None where this machine does not tell.

    `seconds`: since the training began. `step`: optimizer steps done; `phase`: what runs: forward (with the loss),
    backward, update, evaluation or "". `border`: the phase ends here. `device_bytes`, `process_bytes`: NVML's, of the
    whole card and of this process on it. `allocated_bytes`, `reserved_bytes`: torch's allocator; `peak_bytes`: the
    most it had given out since the phase began. `host_bytes`: resident set size of the process, the live curve where
    there is no card.
    """

    seconds: float
    step: int
    phase: str
    border: bool
    host_bytes: int
    device_bytes: int | None = None
    process_bytes: int | None = None
    allocated_bytes: int | None = None
    reserved_bytes: int | None = None
    peak_bytes: int | None = None


@dataclass(frozen=True, kw_only=True)
class StepProfiled(Event):
    """One step by the allocator's own records, in bytes. `before_bytes`: weights, optimizer and images, which are there
    before it; `forward_bytes`, `backward_bytes`: the most over that in each phase. `peak_phase`, `peak_operation`: what
    ran when most was given out. `step` is counted as in `StepDone`, whose `seconds` hold the recording here.
    """

    step: int
    before_bytes: int
    forward_bytes: int
    backward_bytes: int
    peak_phase: str
    peak_operation: str


@dataclass(frozen=True, kw_only=True)
class ExactnessMeasured(Event):
    """How far gradients with `techniques` are from the plain ones, in fp64, relative to them (worst parameter)."""

    techniques: list[str]
    height: int
    width: int
    batch: int
    worst_relative_difference: float
    loss_difference: float
    statistics_difference: float


@dataclass(frozen=True, kw_only=True)
class RunFailed(Event):
    """The run cannot go on; `error` holds `title`, `detail` and `hint`, `exit_code` the command line's code."""

    error: dict[str, str]
    exit_code: int = 1


@dataclass(frozen=True, kw_only=True)
class RunEnded(Event):
    """The last event of every run. `reason`: completed, stopped, failed or died."""

    reason: str
    summary: dict[str, Any] = field(default_factory=dict)


_KINDS: dict[str, type[Event]] = {}


def _register(base: type[Event]) -> None:
    for kind in base.__subclasses__():
        _KINDS[kind.__name__] = kind
        _register(kind)


_register(Event)

_E = TypeVar("_E", bound=Event)


def to_fields(event: Event) -> dict[str, Any]:
    """The event as a JSON object; a number that is not finite becomes null, for JSON has none."""
    return {"kind": type(event).__name__, **{key: _finite(value) for key, value in asdict(event).items()}}


def to_line(event: Event) -> str:
    """One line of JSON, without the line's end. Control characters in texts are escaped by JSON itself."""
    return json.dumps(to_fields(event), ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def from_line(line: str) -> Event | None:
    """The event of a line; None for a line that is not whole (a writer died) or of a kind not known here."""
    try:
        values = json.loads(line)
    except ValueError:
        return None
    if not isinstance(values, Mapping):
        return None
    kind = _KINDS.get(str(values.get("kind")))
    if kind is None:
        return None
    known = {item.name: item.type for item in fields(kind)}
    given = {
        key: math.nan if value is None and known[key] == "float" else value
        for key, value in values.items()
        if key in known
    }
    try:
        return kind(**given)
    except TypeError:
        return None


def named(event: _E, *, input: str, output: str | None = None) -> _E:
    """The event with the item's real name in it, for a reader that may show it."""
    if not isinstance(event, ItemEvent):
        return event
    changes: dict[str, Any] = {"input": input}
    if isinstance(event, ItemDone) and output is not None:
        changes["output"] = output
    return replace(event, **changes)


def failed(index: int, content: str, error: FullfieldError) -> ItemFailed:
    """The verdict on an item that `error` stopped."""
    return ItemFailed(index=index, input=content, error=error.as_fields(), exit_code=int(error.exit_code))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
