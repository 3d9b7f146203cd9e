"""What a training shall do, as one frozen value: `TrainSpec`, its JSON and its checks. No torch here.

A form, a command line and a node build the same value; every mistake in it is told at once.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from fullfield.data import kinds
from fullfield.errors import UsageError
from fullfield.techniques import compose
from fullfield.techniques.base import Effect, Stage
from fullfield.units import parse_bytes

NATIVE = "native"
SMALLEST = 192  # MS-SSIM needs more than 160 px a side; the network's grid is 32 px, so 192 is the first that fits
LARGEST = 16384  # pixels a side: more than three times that of the largest detectors' images
LARGEST_BATCH = 4096
LOSSES = ("ms_ssim", "ms_ssim+l1")
SCHEDULES = ("cosine", "constant")
USES = kinds.CHOICES
IMAGENET, NO_WEIGHTS = "imagenet", "none"
AUTO = "auto"
NO_TECHNIQUES = "none"
USUAL_TECHNIQUES = ("banded_loss",)  # as exact as pytorch-msssim's loss, and faster and smaller at any size


@dataclass(frozen=True, kw_only=True)
class TrainSpec:
    """One training. Raises UsageError from its constructor, with all mistakes in one text.

    `data`: a folder of radiographs, or a folder that `fullfield.data.prepare` made.
    `size`: the longer side in pixels (multiples of 32 waste nothing), or "native".
    `reference`: what the network shall come close to: "pairs" (references in the data), "image" (the processed image
    itself), the name of a conventional preset, or "auto": pairs where there are some, else the preset that fits.
    `use_on`: what the model is to be used on: "raw" (For Processing), "processed" (for display, as nearly all files
    are), "both", or "auto": the kinds that the images are. Processed images can be learned from as either kind.
    `review`: heed what this machine's user has said of references (`fullfield.data.review`).
    `loss`: "ms_ssim" (1 − MS-SSIM) or "ms_ssim+l1" (0.84·(1 − MS-SSIM) + 0.16·L1, Zhao et al. 2017).
    `learning_rate`: the largest of the schedule; "cosine" rises over the first `warm_up` share and falls to 1 %.
    `l1_steps`: the first optimizer steps use L1, for MS-SSIM has no gradient where nothing correlates yet.
    `freeze_batch_norm`: the share of the last epochs with BatchNorm's running statistics frozen (0: never).
    `weights`: "auto" (ImageNet's where they are on this computer, else none: `fullfield.plan.first_weights` decides
    before the start), "imagenet", "none", or the path of a file (ImageNet's of a hub, or a Fullfield model).
    `augment`: mirror left and right, and degrade processed inputs mildly, by (seed, epoch, image).
    `validation`: the share of images held back.
    `techniques`: what saves memory or time, each as "name" or "name:option=value,…" (`fullfield.techniques`); kept in
    the order of application, so that equal sets are equal.
    `fit`: let the planner add what makes the training fit: an amount of memory ("4GiB"), "auto" for what is free.
    `threads`: CPU threads (0: all cores but one); part of the value because sums depend on it.
    `checkpoint_steps`, `checkpoint_seconds`: save within an epoch too, every so many (0: at its end only).
    `calibrate_halo`: when the training is complete, measure how far tiles of this network must overlap (some 12 s).
    `watch`: which of the images that are held back, from 0, is kept as it looks after each epoch.
    `data_licence`: what the data's owner allows, written into the model's card.
    """

    data: str
    size: int | Literal["native"] = 512
    epochs: int = 50
    batch: int = 1
    learning_rate: float = 3e-4
    schedule: str = "cosine"
    warm_up: float = 0.03
    loss: str = "ms_ssim"
    l1_steps: int = 40
    freeze_batch_norm: float = 0.25
    weights: str = AUTO
    encoder: str = "resnet34"
    reference: str = AUTO
    use_on: str = AUTO
    review: bool = True
    augment: bool = True
    validation: float = 0.2
    seed: int = 0
    techniques: tuple[str, ...] = USUAL_TECHNIQUES
    fit: str = ""
    device: str = "auto"
    threads: int = 0
    checkpoint_steps: int = 0
    checkpoint_seconds: float = 300.0
    calibrate_halo: bool = True
    watch: int = 0
    data_licence: str = ""

    def __post_init__(self) -> None:
        techniques, amiss = _techniques(self.techniques)
        object.__setattr__(self, "techniques", techniques)
        mistakes = [
            *amiss,
            *_fit_mistakes(self.fit),
            *_size_mistakes(self.size),
            *_number_mistakes(self),
            *_choice_mistakes(self),
        ]
        if mistakes:
            raise UsageError("Cannot train with these settings.", detail=" ".join(mistakes), hint="Change them.")

    def to_json(self) -> dict[str, Any]:
        """Plain values; `from_json` gives an equal spec."""
        return {**asdict(self), "techniques": list(self.techniques)}


def from_json(values: dict[str, Any]) -> TrainSpec:
    """The spec of plain values. Raises UsageError; a wrong name is met with the nearest right one."""
    known = [item.name for item in fields(TrainSpec)]
    wrong = [_nearest(name, known) for name in values if name not in known]
    if "data" not in values:
        wrong.append("data: say which folder to train on.")
    if wrong:
        raise UsageError("Cannot train with these settings.", detail=" ".join(wrong), hint="Change them.")
    return TrainSpec(**values)


def with_the_usual(techniques: Sequence[str]) -> tuple[str, ...]:
    """What is trained with where these techniques are asked for by hand: the usual ones too, unless it is "none"."""
    if list(techniques) == [NO_TECHNIQUES]:
        return ()
    named = {text.partition(":")[0] for text in techniques}
    return (*(usual for usual in USUAL_TECHNIQUES if usual not in named), *techniques)


def differences(one: TrainSpec, other: TrainSpec) -> list[str]:
    """The names of fields that change a training's numbers and differ: such a training cannot be gone on with.

    Where the data lie and how often is saved do not change them; nor do the memory that it shall fit and exact
    techniques, which a plan may choose, but for where the optimizer remembers: a checkpoint holds that.
    """
    free = {
        "data",
        "fit",
        "checkpoint_steps",
        "checkpoint_seconds",
        "data_licence",
        "device",
        "calibrate_halo",
        "watch",
    }
    return [
        item.name
        for item in fields(TrainSpec)
        if item.name not in free and _deciding(one, other, item.name) != _deciding(other, one, item.name)
    ]


def _deciding(spec: TrainSpec, other: TrainSpec, name: str) -> Any:
    """The value of a field, as far as it decides; with `fit` a plan chooses the techniques that are exact."""
    value = getattr(spec, name)
    if name == "techniques" and (spec.fit or other.fit):
        deciding = (one for one in compose.read(value) if one.effect is not Effect.EXACT)
        return (*map(str, deciding), *remembered(value))
    return value


def remembered(techniques: Sequence[str]) -> tuple[str, ...]:
    """Of these, what decides what the optimizer remembers, and where."""
    return tuple(str(one) for one in compose.read(techniques) if one.stage is Stage.OPTIMIZER)


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"{name!r} is no setting" + (f"; did you mean {near[0]!r}?" if near else ".")


def _techniques(texts: Any) -> tuple[tuple[str, ...], list[str]]:
    """The techniques as texts in the order of application; and what is wrong with them."""
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        return (), ["techniques: give a list of names."]
    try:
        return tuple(map(str, compose.read(texts))), []
    except UsageError as error:
        return (), [str(error)]


def _fit_mistakes(fit: object) -> list[str]:
    try:
        possible = fit in ("", AUTO) or parse_bytes(str(fit)) > 0
    except UsageError:
        possible = False
    return [] if possible else [f"fit {fit!r}: choose an amount of memory such as 4GiB, or {AUTO!r}."]


def _size_mistakes(size: object) -> list[str]:
    if size == NATIVE:
        return []
    if isinstance(size, bool) or not isinstance(size, int):
        return [f"size {size!r}: choose a number of pixels or {NATIVE!r}."]
    if size < SMALLEST:
        return [f"size {size}: MS-SSIM needs more than 160 px a side; the nearest that works is {SMALLEST}."]
    if size > LARGEST:
        return [f"size {size}: {LARGEST} pixels are the most that is trained at; the nearest that works is {LARGEST}."]
    return []


def _number_mistakes(spec: TrainSpec) -> list[str]:
    whole = {"epochs": (1, 100_000), "batch": (1, LARGEST_BATCH), "seed": (0, 2**63 - 1), "threads": (0, 4096)}
    whole |= {"l1_steps": (0, 10**6), "watch": (0, 10**6), "checkpoint_steps": (0, 10**9)}
    real = {"learning_rate": (1e-8, 1.0), "warm_up": (0.0, 0.9), "freeze_batch_norm": (0.0, 1.0)}
    real |= {"validation": (0.01, 0.9), "checkpoint_seconds": (0.0, 1e9)}
    mistakes = []
    for name, (low, high) in whole.items():
        value = getattr(spec, name)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            mistakes.append(f"{name} {value!r}: choose a whole number from {low} to {high}.")
    for name, (least, most) in real.items():
        value = getattr(spec, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            mistakes.append(f"{name} {value!r}: choose a number from {least:g} to {most:g}.")
    return mistakes


def _choice_mistakes(spec: TrainSpec) -> list[str]:
    mistakes = []
    for name, choices in {"loss": LOSSES, "schedule": SCHEDULES, "use_on": USES}.items():
        value = getattr(spec, name)
        if value not in choices:
            mistakes.append(f"{name} {value!r}: choose {' or '.join(repr(choice) for choice in choices)}.")
    for name in ("data", "weights", "encoder", "reference", "device"):
        if not isinstance(getattr(spec, name), str) or not getattr(spec, name):
            mistakes.append(f"{name}: is empty.")
    for name in ("augment", "review"):
        if not isinstance(getattr(spec, name), bool):
            mistakes.append(f"{name} {getattr(spec, name)!r}: choose true or false.")
    return mistakes
