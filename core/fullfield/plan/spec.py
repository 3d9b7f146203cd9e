"""What a training shall do, judged: `TrainSpec`, its JSON and its checks. No torch here.

A form, a command line and a node build the same value; every mistake in it is told at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from fullfield.checked import Fields
from fullfield.data import kinds
from fullfield.errors import UsageError
from fullfield.hardware.named import cards as named_cards
from fullfield.hardware.named import meant
from fullfield.model import card_values
from fullfield.model.families.registry import FAMILIES
from fullfield.model.spec import NetworkSpec, called, named
from fullfield.plan import tuning
from fullfield.protocol import ensembles, places, training
from fullfield.protocol.fields import of
from fullfield.protocol.training import Training
from fullfield.techniques import compose, registry, sharing
from fullfield.techniques.base import Effect, Stage, Technique
from fullfield.techniques.site import Several
from fullfield.units import parse_bytes

NATIVE = "native"
SMALLEST = 192  # MS-SSIM needs more than 160 px a side; the network's grid is 32 px, so 192 is the first that fits
LARGEST = 16384  # pixels a side: more than three times that of the largest detectors' images
LARGEST_BATCH = 4096
LOSSES = ("ms_ssim", "ms_ssim+l1", "ms_ssim+l1+bands")
NETWORKS = tuple(FAMILIES)
SCHEDULES = ("cosine", "constant")
USES = kinds.CHOICES
IMAGENET, NO_WEIGHTS = training.IMAGENET, training.NO_WEIGHTS
AUTO, USUAL_TECHNIQUES = training.AUTO, training.USUAL_TECHNIQUES
NO_TECHNIQUES = "none"
PRESET_FILE, WEIGHTS_FILE = "a preset file", "a file"


@dataclass(frozen=True, kw_only=True)
class TrainSpec(Training):
    """A training that can be done as it is asked for. Raises UsageError from its constructor, with all mistakes in one
    text. `techniques` are kept in the order of application."""

    def __post_init__(self) -> None:
        techniques, problem = _techniques(self.techniques)
        object.__setattr__(self, "techniques", techniques)
        mistakes = [
            *problem,
            *_fit_mistakes(self.fit),
            *_size_mistakes(self.size),
            *_number_mistakes(self),
            *_choice_mistakes(self),
        ]
        if mistakes:
            raise UsageError("Cannot train with these settings.", detail=" ".join(mistakes), hint="Change them.")

    @property
    def chance(self) -> int:
        """What first weights and order are drawn from: each member of an ensemble has a number of its own."""
        if not self.member:
            return self.seed
        return int.from_bytes(hashlib.sha256(f"{self.seed} member {self.member}".encode()).digest()[:7])

    def to_json(self) -> Fields:
        """Plain values; `from_json` gives an equal spec."""
        return of(self)


def checked(asked: Training) -> TrainSpec:
    """The training that is asked for, where it can be done. Raises UsageError."""
    return TrainSpec(**{item.name: getattr(asked, item.name) for item in fields(Training)})


def network(asked: Training) -> NetworkSpec:
    """The network that is trained."""
    return named(called(asked.network, asked.encoder))


def with_defaults(given: Fields) -> Fields:
    """Settings as they are given, with those of the network's family for what is not; where its model is to be held
    against others, those of `tuning`."""
    if given.get("compare"):
        weights = str(given.get("weights", NO_WEIGHTS))
        return {**tuning.settings(Path(str(given.get("data", ""))), weights=weights), **given}
    return {**own_defaults(str(given.get("network", NETWORKS[0]))), **given}


def own_defaults(network: str) -> Fields:
    """What a kind of networks has in place of the general defaults; of an unknown one nothing."""
    return dict(FAMILIES[network].defaults) if network in FAMILIES else {}


def losses_of_bands(loss: str) -> bool:
    """Whether the strength of bands is in the objective of that name."""
    return loss.endswith("+bands")


def from_json(values: Fields) -> TrainSpec:
    """The spec of plain values. Raises UsageError; a wrong name is met with the nearest right one."""
    return checked(training.from_json(values))


def processes(device: str, usual: int = 1) -> int:
    """How many train by this setting where nobody says it: one on each device of a list, else as many as is `usual`."""
    listed = meant(device, 1)
    return listed if listed > 1 else usual


def shared(asked: Training, ranks: int, computers: int = 1) -> tuple[str, ...]:
    """The techniques by which so many processes train: with what they share, where it is not said, nor the planner's to
    choose. Raises UsageError, see `sharing.decided`; where the planner chooses, for one image that it was told to deal
    among several."""
    network, listed = called(asked.network, asked.encoder), named_cards(asked.device)
    several = Several(ranks=ranks, batch=asked.batch, network=network, listed=listed, computers=computers)
    if not asked.fit:
        return sharing.decided(asked.techniques, several)
    named = compose.read(asked.techniques)
    if asked.batch == 1 and any(one.stage.of_ranks for one in named):  # of more, groups that share rows may have each
        sharing.refuse_idle(named, several)
    return asked.techniques


def alone(asked: Training) -> tuple[str, ...]:
    """Its techniques for one process that is left alone: in place of those that say what each of several does, those
    by which one makes the same numbers."""
    named = compose.read(asked.techniques)
    instead = [text for one in named for text in one.alone if asked.batch > 1]
    return (*(str(one) for one in named if not one.stage.of_ranks), *instead)


def with_the_usual(techniques: Sequence[str]) -> tuple[str, ...]:
    """What is trained with where these techniques are asked for by hand: the usual ones too, unless it is "none"."""
    if list(techniques) == [NO_TECHNIQUES]:
        return ()
    named = {text.partition(":")[0] for text in techniques}
    return (*(usual for usual in USUAL_TECHNIQUES if usual not in named), *techniques)


def pathless(reference: str) -> str:
    """A setting `reference` as cards tell it: of a preset's file no name and no path."""
    return PRESET_FILE if reference.lower().endswith(".toml") else reference


def nameless(reference: str) -> str:
    """A setting `reference` as it may go to other machines: of a preset that does not ship no name either, for that
    holds what its user likes."""
    from fullfield.image import own_presets, presets  # with numpy, which those who list runs do without

    return reference if reference in (*own_presets.RESERVED, *presets.names()) else PRESET_FILE


def fileless(weights: str) -> str:
    """A setting `weights` as it may go to other machines: of a file, which they do not have, no name and no path."""
    from fullfield.image.method import SHIPPED  # with numpy, too

    return weights if weights in (AUTO, IMAGENET, NO_WEIGHTS, SHIPPED) else WEIGHTS_FILE


def differences(one: TrainSpec, other: TrainSpec, *, planned: bool = False) -> list[str]:
    """The names of fields that change a training's numbers and differ between `one`, as it is asked for (`planned`: as
    it is to be run), and `other`, as it was begun: where there are any, it cannot be resumed so.

    Where the data lie and how often is saved do not change them; nor do the memory that it shall fit and exact
    techniques, which a plan may choose, but for where the optimizer remembers: a checkpoint holds that. Where it is
    asked to fit, and not where the optimizer remembers, the plan keeps that as it was (`Question.before`).
    """
    kept = bool(one.fit) and not planned and not remembered(one.techniques)
    free = {
        "data",
        "fit",
        "checkpoint_steps",
        "checkpoint_seconds",
        "data_licence",
        "place",
        "device",
        "calibrate_halo",
        "watch",
    }
    return [
        item.name
        for item in fields(TrainSpec)
        if item.name not in free and _deciding(one, other, item.name, kept) != _deciding(other, one, item.name, kept)
    ]


def refuse_changed(names: Sequence[str], one: TrainSpec | None = None, other: TrainSpec | None = None) -> None:
    """Raise UsageError where a training is to go on with other settings of these names than it was begun with. `one`,
    `other`: as for `differences`; which techniques differ is said then."""
    if not names:
        return
    details = [f"It was begun with other settings: {', '.join(names)}."]
    hints = ["Go on with the settings that it has, or start a new one in another folder."]
    if one is not None and other is not None and "techniques" in names:
        now, then = (_deciding(*both, "techniques", False) for both in ((one, other), (other, one)))
        means = {str(registry.read(text)): str(by) for spec in (one, other) for by in _named(spec) for text in by.alone}
        lost, added = (
            [text if text in spec.techniques else means.get(text, text) for text in have if text not in lack]
            for spec, have, lack in ((other, then, now), (one, now, then))
        )
        details += [f"It was begun with {', '.join(lost)}, which is not asked for now."] if lost else []
        details += [f"It was begun without {', '.join(added)}."] if added else []
        if not one.fit and not other.fit:
            hints.insert(0, "With --techniques left out it goes on with those that it has.")
    raise UsageError("Cannot go on with this training.", detail=" ".join(details), hint=" ".join(hints))


def _named(spec: TrainSpec) -> Sequence[Technique]:
    return compose.read(spec.techniques)


def _deciding(spec: TrainSpec, other: TrainSpec, name: str, kept: bool) -> Any:
    """The value of a field, as far as it decides; with `fit` a plan chooses the techniques that are exact, and is
    `kept` to what the optimizer remembers. By how many processes it is trained, and what each of them does, may change:
    a checkpoint is the same."""
    value = getattr(spec, name)
    if name == "reference":  # which file it was, the images tell
        return nameless(value)
    if name == "weights":  # a checkpoint holds what became of them
        return fileless(value)
    if name != "techniques":
        return value
    named = compose.read(value)
    alone = [one for one in named if not one.stage.of_ranks]
    if spec.batch > 1:
        alone += [registry.read(text) for one in named for text in one.alone]
    if spec.fit or other.fit:
        return (*(str(one) for one in alone if one.effect is not Effect.EXACT), *(() if kept else remembered(value)))
    return tuple(map(str, compose.ordered(alone)))


def remembered(techniques: Sequence[str]) -> tuple[str, ...]:
    """Of these, what decides what the optimizer remembers, and where."""
    return tuple(str(one) for one in compose.read(techniques) if one.stage is Stage.OPTIMIZER)


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
    whole |= {"member": (0, ensembles.MOST)}
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
    named = {
        "loss": LOSSES,
        "network": NETWORKS,
        "schedule": SCHEDULES,
        "use_on": USES,
        "place": places.chosen(),
    }
    for name, choices in named.items():
        value = getattr(spec, name)
        if (places.kind(str(value)) if name == "place" else value) not in choices:
            mistakes.append(f"{name} {value!r}: choose {' or '.join(repr(choice) for choice in choices)}.")
    for name in ("data", "weights", "encoder", "reference", "device"):
        if not isinstance(getattr(spec, name), str) or not getattr(spec, name):
            mistakes.append(f"{name}: is empty.")
    if spec.network in NETWORKS and losses_of_bands(spec.loss) and not FAMILIES[spec.network].whole:
        mistakes.append(f"loss {spec.loss!r}: is for networks that rebuild the image's bands; choose 'ms_ssim+l1'.")
    if spec.network in NETWORKS and spec.weights == IMAGENET and not FAMILIES[spec.network].encoders:
        mistakes.append("weights 'imagenet': ImageNet's are for the U-Net; choose 'auto', 'none' or a file.")
    if not isinstance(spec.data_licence, str) or not card_values.fits(spec.data_licence):
        mistakes.append(
            f"data_licence: write at most {card_values.LONGEST_TEXT} characters, without tabs and other signs that "
            "cannot be printed."
        )
    for name in ("augment", "review", "compare", "calibrate_halo"):
        if not isinstance(getattr(spec, name), bool):
            mistakes.append(f"{name} {getattr(spec, name)!r}: choose true or false.")
    return mistakes
