"""What a training shall do, as it is asked for: `Training`. `fullfield.plan.spec.TrainSpec` is the same, judged."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields
from typing import Literal

from fullfield import checked
from fullfield.checked import Fields
from fullfield.errors import UsageError
from fullfield.protocol.places import LOCAL

AUTO, IMAGENET, NO_WEIGHTS = "auto", "imagenet", "none"
_WANTED = {
    "bool": "choose true or false",
    "int": "choose a whole number",
    "float": "choose a number",
    "str": "give a text",
    "tuple[str, ...]": "give a list of names",
}
_SIZE = "choose a number of pixels or 'native'"
USUAL_TECHNIQUES = ("banded_loss",)  # as exact as pytorch-msssim's loss, and faster and smaller at any size


@dataclass(frozen=True, kw_only=True)
class Training:
    """One training.

    `data`: a folder of radiographs, or a folder that `fullfield.data.prepare` made.
    `size`: the longer side in pixels (multiples of 32 waste nothing), or "native".
    `reference`: what the network shall come close to: "pairs" (references in the data), "image" (the processed image
    itself), the name of a conventional preset, or "auto": pairs where there are some, else the preset that fits.
    `use_on`: what the model is to be used on: "raw" (For Processing), "processed" (for display, as nearly all files
    are), "both", or "auto": the kinds that the images are. Processed images can be learned from as either kind.
    `review`: follow what this machine's user has said of references (`fullfield.data.review`).
    `loss`: "ms_ssim" (1 − MS-SSIM), "ms_ssim+l1" (0.84·(1 − MS-SSIM) + 0.16·L1, Zhao et al. 2017), or
    "ms_ssim+l1+bands", with the strength of the finest bands besides.
    `learning_rate`: the largest of the schedule; "cosine" rises over the first `warm_up` share and falls to 1 %.
    `l1_steps`: the first optimizer steps use L1, for MS-SSIM has no gradient where nothing correlates yet.
    `freeze_batch_norm`: the share of the last epochs with BatchNorm's running statistics frozen (0: never).
    `weights`: "auto" (ImageNet's where they are on this computer, else none: `fullfield.plan.first_weights` decides
    before the start), "imagenet", "none", "shipped" (the model that is a part of Fullfield), or the path of a file
    (ImageNet's of a hub, or a Fullfield model).
    `network`: "unet", or "map", which draws nothing and serves every size (`fullfield.model.families`). `encoder`: of
    the U-Net.
    `augment`: mirror left and right, and degrade processed inputs mildly, by (seed, epoch, image).
    `validation`: the share of images held back.
    `member`: which one of an ensemble (`fullfield.protocol.ensembles`), from 1: with other first weights and another
    order of the same images, the same held back; 0: it is no member.
    `techniques`: what saves memory or time, each as "name" or "name:option=value,…" (`fullfield.techniques`); kept in
    the order of application, so that equal sets are equal.
    `fit`: let the planner add what makes the training fit: an amount of memory ("4GiB"), "auto" for what is free.
    `place`: where it runs, of `fullfield.protocol.places`; `device`: which of the devices there.
    `threads`: CPU threads (0: all cores but one); part of the value because sums depend on it.
    `checkpoint_steps`, `checkpoint_seconds`: save within an epoch too, every so many (0: at its end only).
    `calibrate_halo`: when the training is complete, measure how far tiles of this network must overlap (some 12 s).
    `watch`: which of the images that are held back, from 0, is kept as it looks after each epoch.
    `compare`: keep patients apart, and hold the model against the one that it starts from and against the presets on
    them (`fullfield.tuning`).
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
    network: str = "unet"
    encoder: str = "resnet34"
    reference: str = AUTO
    use_on: str = AUTO
    review: bool = True
    augment: bool = True
    validation: float = 0.2
    seed: int = 0
    member: int = 0
    techniques: tuple[str, ...] = USUAL_TECHNIQUES
    fit: str = ""
    place: str = LOCAL
    device: str = "auto"
    threads: int = 0
    checkpoint_steps: int = 0
    checkpoint_seconds: float = 300.0
    calibrate_halo: bool = True
    watch: int = 0
    compare: bool = False
    data_licence: str = ""


def from_json(values: Fields) -> Training:
    """The training of plain values, each of its type, and not judged yet. Raises UsageError; a wrong name is met with
    the nearest right one: a setting that is passed over would make another training.
    """
    kinds = {item.name: str(item.type) for item in fields(Training)}
    given: Fields = {}
    wrong = []
    for name, value in values.items():
        if name not in kinds:
            wrong.append(_nearest(name, list(kinds)))
            continue
        try:
            given |= checked.known(Training, {name: list(value) if isinstance(value, tuple) else value})
        except ValueError:
            wrong.append(f"{name} {value!r:.60}: {_WANTED.get(kinds[name], _SIZE)}.")
    if "data" not in values:
        wrong.append("data: say which folder to train on.")
    if wrong:
        raise UsageError("Cannot train with these settings.", detail=" ".join(wrong), hint="Change them.")
    return Training(**given)


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"{name!r} is no setting" + (f"; did you mean {near[0]!r}?" if near else ".")
