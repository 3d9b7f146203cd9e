"""What a training tells: its plan, its steps and epochs, its memory, and what the watched radiograph looks like."""

from __future__ import annotations

from dataclasses import dataclass, field

from fullfield.checked import Count, PixelSize, Seconds
from fullfield.protocol.comparison import Comparison
from fullfield.protocol.plan import CurvePoint, Plan
from fullfield.protocol.wire import Event

INPUT_KINDS = {"simulated": "simulated raw"}
"""What is said of a kind of `loss_by_kind` where it is not its name."""


@dataclass(frozen=True, kw_only=True)
class StepDone(Event):
    """One optimizer step of training: `loss` is 100·(1−MS-SSIM) plus the options chosen. Of quick steps not every one
    is told (see `fullfield.train.pace`)."""

    epoch: Count
    step: Count
    steps: Count
    loss: float
    seconds: Seconds


@dataclass(frozen=True, kw_only=True)
class EpochDone(Event):
    """One epoch: losses as 100·(1−MS-SSIM), means over its images, PSNR in dB, the finest band against the reference
    (QUALITY). `loss_by_kind`: the validation loss of "raw" and of "processed" inputs, where there are both, and of the
    "simulated" raw ones, where others are raw, too."""

    epoch: Count
    epochs: Count
    train_loss: float
    validation_loss: float
    psnr_db: float
    fine_sd_ratio: float
    fine_correlation: float
    learning_rate: float
    seconds: Seconds
    loss_by_kind: dict[str, float] = field(default_factory=dict)


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

    epoch: Count
    step: Count
    sha256: str


@dataclass(frozen=True, kw_only=True)
class PlanMade(Event):
    """A plan was chosen; `ladder`: the next slower ones that take less; `refused`: sentences on what was refused.
    `budget_bytes`: what it was held against; 0: not known here. `curve`: memory against work, of all that were looked
    at, also above the budget; empty where techniques were named.
    """

    plan: Plan
    ladder: tuple[Plan, ...] = ()
    refused: list[str] = field(default_factory=list)
    budget_bytes: Count = 0
    curve: tuple[CurvePoint, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MemorySampled(Event):
    """Memory of a training, in bytes: the highest of each figure since the event before it of the same phase (see
    `fullfield.memory.watch`); None where this machine does not tell.

    `seconds`: since the training began. `step`: optimizer steps done; `phase`: what runs: forward (with the loss),
    backward, update, evaluation or "". `border`: the phase ends here. `device_bytes`, `process_bytes`: NVML's, of the
    whole card and of this process on it. `allocated_bytes`, `reserved_bytes`: torch's allocator; `peak_bytes`: the
    most it had given out since the phase began. `host_bytes`: resident set size of the process, the live curve where
    there is no card. `rank`: whose memory it is.
    """

    seconds: Seconds
    step: Count
    phase: str
    border: bool
    host_bytes: Count
    device_bytes: Count | None = None
    process_bytes: Count | None = None
    allocated_bytes: Count | None = None
    reserved_bytes: Count | None = None
    peak_bytes: Count | None = None
    rank: Count = 0


@dataclass(frozen=True, kw_only=True)
class StepProfiled(Event):
    """One step by the allocator's own records, in bytes. `before_bytes`: weights, optimizer and images, which are there
    before it; `forward_bytes`, `backward_bytes`: the most over that in each phase. `peak_phase`, `peak_operation`: what
    ran when most was given out. `step` is counted as in `StepDone`, whose `seconds` hold the recording here. `rank`:
    whose step it is.
    """

    step: Count
    before_bytes: Count
    forward_bytes: Count
    backward_bytes: Count
    peak_phase: str
    peak_operation: str
    rank: Count = 0


@dataclass(frozen=True, kw_only=True)
class ExactnessMeasured(Event):
    """How far gradients with `techniques` are from the plain ones, in fp64, relative to them (worst parameter).
    `ranks`: processes that made them together."""

    techniques: list[str]
    height: int
    width: int
    batch: int
    worst_relative_difference: float
    loss_difference: float
    statistics_difference: float
    ranks: Count = 1


@dataclass(frozen=True, kw_only=True)
class SampleWritten(Event):
    """The watched radiograph as the network makes it after an epoch. Files are relative to the run's folder, .npy of
    16-bit greys of 0…1, at most `fullfield.train.samples.LONGEST` pixels a side.

    `image`: its place among the `images` that are held back, from 0. `sample`: the network's; `input`, `reference`:
    what it was given and what it shall come close to. `removed`: epochs whose files made room for it.
    `pixel_size`: see `Image`.
    """

    epoch: Count
    image: Count
    images: Count
    sample: str
    input: str
    reference: str
    removed: list[Count] = field(default_factory=list)
    pixel_size: PixelSize = (1.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class ModelCompared(Event):
    """The training's model has been held against the one that it began from and against the presets."""

    comparison: Comparison


@dataclass(frozen=True, kw_only=True)
class RungTaken(Event):
    """Memory ran out, and the training goes on by the next rung of its plan, from the last checkpoint.

    `died`: nobody said so, but the process before ended without a word (`fullfield.train.crash_marker`).

    `text`: what happened, for people. `before`, `techniques`: what it ran by, and runs by from now on. `peak_bytes`,
    `time_factor`: predicted, of the new ones; `peak_bytes_before`, `time_factor_before`: of the old; 0: not known.
    `left`: the rungs that remain below. `step`: the optimizer step that it goes on from.
    """

    text: str
    before: list[str]
    techniques: list[str]
    step: Count
    left: Count
    peak_bytes: Count = 0
    time_factor: float = 0.0
    peak_bytes_before: Count = 0
    time_factor_before: float = 0.0
    died: bool = False
