"""What a run leaves: model files with their card, and a summary without names of files or patients."""

from __future__ import annotations

import contextlib
import json
import math
import statistics
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from fullfield import __version__, checked, files
from fullfield.checked import Fields
from fullfield.data import kinds
from fullfield.data.prepared import Prepared, views
from fullfield.errors import ModelError, UsageError
from fullfield.model import card as cards
from fullfield.model import halo, recarded, weights
from fullfield.model.card import Card
from fullfield.model.network import Network
from fullfield.plan import spec as specs
from fullfield.plan.spec import NATIVE, TrainSpec
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.train import evaluate
from fullfield.train.baselines import Baseline
from fullfield.train.build import Parts
from fullfield.train.evaluate import Quality
from fullfield.train.state import State

if TYPE_CHECKING:  # torchao takes seconds to import
    from fullfield.quantize.int8 import Int8Model

MODEL, LAST, SUMMARY, SPLIT = "model.safetensors", "last.safetensors", "summary.json", "split.json"
COMPARISON = "comparison.json"
INT8 = "model-int8.pt2"
NOT_REVIEWED = "none (automatic)"


def card(
    spec: TrainSpec, prepared: Prepared, parts: Parts, state: State, quality: Quality | None, held: tuple[Baseline, ...]
) -> Card:
    """The card of the network as it is now; `held`: what it has to beat. Nothing in it depends on when or where:
    the same training, interrupted or not, leaves the same file."""
    items = parts.training  # what it never learned from it is not for
    seen = parts.learned.union(state.seen, *(item.source_sha256 for item in (*items, *parts.validation)))
    learned_from = {kind for _, kind in views(items)}
    input_kind = kinds.ANY if len(learned_from) > 1 else str(*learned_from)
    spacings = [item.mm_per_pixel for item in items if item.mm_per_pixel is not None]
    metrics = {} if quality is None else quality.figures
    return Card(
        name=f"{state.network.spec.name}-{kinds.BOTH if input_kind == kinds.ANY else input_kind}-{spec.size}",
        network=state.network.spec,
        input_kind=input_kind,
        normalisation=prepared.normalisation,
        size=NATIVE if spec.size == NATIVE else str(spec.size),
        long_side=round(statistics.median(max(item.rows, item.columns) for item in items)),
        mm_per_pixel=statistics.median(spacings) if spacings else None,
        data_sha256=tuple(sorted(seen)),
        licence=spec.data_licence,
        reviewed_by=reviewed_by(prepared.reviewed),
        plan=public(spec),
        modalities=tuple(sorted({item.modality for item in items if item.modality})),
        metrics={**metrics, "epoch": float(state.progress.epoch)},
        baselines={baseline.name: baseline.quality.loss for baseline in held},
        versions={name: version(name) for name in ("torch", "segmentation-models-pytorch", "pytorch-msssim")}
        | {"fullfield": __version__},
        seeds={"all": spec.seed, **({"member": spec.member} if spec.member else {})},
        start=state.start,
        images=len(items),
    )


def reviewed_by(counts: Mapping[str, int]) -> str:
    """Who looked at a training's references: nobody, or how many of them a user did."""
    looked, total = sum(counts.values()) - counts.get("unreviewed", 0), sum(counts.values())
    return f"a user ({looked} of {total})" if looked else NOT_REVIEWED


def public(spec: TrainSpec) -> Fields:
    """The spec without what names this machine's folders or says where and how it computed."""
    values = spec.to_json()
    how = ("place", "device", "threads", "checkpoint_steps", "checkpoint_seconds", "calibrate_halo", "watch")
    for name in ("data", *how):
        del values[name]
    if values["weights"] not in ("imagenet", "none"):
        values["weights"] = specs.WEIGHTS_FILE
    return {**values, "reference": specs.pathless(spec.reference)}


def save_split(run: Path, parts: Parts, *, begun: bool = False) -> None:
    """Which images are held back, as hashes of their content. Raises UsageError where it has `begun` with others."""
    values = {
        part: [{"key": item.key, "sha256": item.source_sha256} for item in items]
        for part, items in (("training", parts.training), ("validation", parts.validation), ("apart", parts.apart))
        if items
    }
    if begun and _split(run) not in (None, json.loads(json.dumps(values))):
        raise UsageError(
            "Cannot go on with this training.",
            detail="It would learn from, or be judged by, other patients than those that it was begun with: which are "
            "kept apart, the model that it begins from decides.",
            hint="Name the first weights that it was begun with (--weights FILE), or start a new one elsewhere.",
        )
    files.write_text(run / SPLIT, json.dumps(values, indent=1))


def _split(run: Path) -> Fields | None:
    try:
        found: Fields = checked.parse((run / SPLIT).read_bytes())
        return found
    except (OSError, ValueError):
        return None


def calibrate(path: Path) -> str:
    """Measure the halo of a model file's weights into its card; the new SHA-256. Some 12 seconds.

    In bands, which take a quarter of the memory: a training that has let go of all it held takes no more for this.
    """
    network, card = weights.load(path)
    build = builds.begin(network, torch.device("cpu"))
    if not card.network.momentum:
        compose.apply(compose.read(("hybrid_bands",)), build)
    return weights.save(path, network, replace(card, halo=halo.calibrate(network, forward=build.chain)))


def export(run: Path, checkpoints: Path, state: State, last: Card, tensors: Mapping[str, Tensor]) -> tuple[str, str]:
    """Leave the best and the last model; (SHA-256 of the best, a sentence where something was amiss). `tensors`: the
    network's, as a result (`Build.as_result`).

    The best is that of the best validation; the last where none was measured yet, or its file is damaged. What was
    measured of the same model before stays in its card.
    """
    weights.save(run / LAST, state.network, last, tensors)
    best = state.progress.best
    settings = {"data_licence": last.licence, "reference": last.plan["reference"], "start": last.start}
    if best is not None:
        try:
            return _leave(run, checkpoints / best.file, settings), ""
        except (OSError, ModelError):
            reason = f"The model of epoch {best.epoch}, the best one, is damaged; the last one is given instead."
    else:
        reason = "No epoch has a validation loss; the model is the last one."
    return _leave(run, run / LAST, settings), reason


def _leave(run: Path, source: Path, settings: Fields) -> str:
    """Leave a model's file in the run's folder under a card with these settings; its SHA-256."""
    measured: Fields = {}
    with contextlib.suppress(OSError, ModelError):  # none is there yet, or it is damaged
        there = cards.read(run / MODEL)
        bare = recarded.settled(run / MODEL, {**settings, "halo": None, "comparison": {}})
        if bare == recarded.settled(source, settings):
            measured = {"halo": there.halo, "comparison": there.comparison}
    return recarded.settled(source, {**settings, **measured}, run / MODEL)


@dataclass(frozen=True, kw_only=True)
class Int8:
    """The int8 model beside the one in 32 bits, of the same weights: validation losses, and bytes of the weights.

    Both are of the best epoch: the weights, and the ranges that int8 rounds to.
    """

    validation_loss: float
    validation_loss_fp32: float
    weight_bytes: int
    weight_bytes_fp32: int

    @property
    def sentence(self) -> str:
        """For the user."""
        return (
            f"As an 8-bit model the validation loss is {self.validation_loss:.2f}, "
            f"with 32 bits {self.validation_loss_fp32:.2f} (lower is better); "
            f"its weights take {self.weight_bytes / 1e6:.1f} MB instead of {self.weight_bytes_fp32 / 1e6:.1f} MB."
        )


def int8(
    run: Path, make: Callable[[Network], Int8Model], state: State, parts: Parts, *, each: Callable[[], None]
) -> Int8:
    """Leave the int8 model of the model file's weights beside it; what it reaches on the images held back.

    On the CPU, and of a copy: nothing of the training is touched. Raises what `make` and `each` raise, CannotWrite.
    """
    network, card = weights.load(run / MODEL)
    last = state.progress.history[-1].get("validation_loss", math.nan)  # where the best model is damaged
    last_ranges = state.ranges()
    state.set_ranges(state.best_ranges)
    try:
        model = make(network)
    finally:
        state.set_ranges(last_ranges)
    quality = evaluate.of_model(model, parts.validate, each=each)
    with files.atomic_write(run / INT8) as stream:
        model.save(stream)
    tensors = network.state_dict().values()
    return Int8(
        validation_loss=quality.loss,
        validation_loss_fp32=card.metrics.get("loss", last),
        weight_bytes=model.weight_bytes,
        weight_bytes_fp32=sum(tensor.numel() * tensor.element_size() for tensor in tensors),
    )


def summary(
    spec: TrainSpec,
    prepared: Prepared,
    parts: Parts,
    state: State,
    baselines: list[Baseline],
    model: str,
    eight: Int8 | None = None,
) -> Fields:
    """The run in numbers: for `summary.json`, and in short for the last event."""
    progress = state.progress
    return {
        "plan": public(spec),
        "data": {
            "identity": prepared.identity,
            "input_kind": prepared.input_kind,
            "simulated": prepared.simulated,
            "reference": prepared.reference,
            "training": len(parts.training),
            "validation": len(parts.validation),
            "problems": list(prepared.problems),
            "reviewed": dict(prepared.reviewed),
        },
        "start": state.start,
        "threads": state.threads,
        "ranks": state.build.ranks.size,
        "steps": progress.step,
        "epochs": progress.epoch,
        "skipped_steps": progress.skipped,
        "baselines": {baseline.name: baseline.quality.figures for baseline in baselines},
        "best": None if progress.best is None else {**asdict(progress.best)},
        "history": progress.history,
        "model_sha256": model,
        **({} if eight is None else _eight(eight)),
    }


def keep_summary(run: Path, whole: Fields) -> Fields:
    """Write it into the run's folder, with what else is said there of the same model; as it is then."""
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        there = checked.parse((run / SUMMARY).read_bytes())
        if there["model_sha256"] == whole["model_sha256"]:
            whole = {**there, **whole}
    files.write_text(run / SUMMARY, json.dumps(whole, indent=1))
    return whole


def short(whole: Fields) -> Fields:
    """What the run's last event tells."""
    best = whole["best"] or {}
    return {
        "epochs": whole["epochs"],
        "steps": whole["steps"],
        "best_epoch": best.get("epoch"),
        "validation_loss": best.get("validation_loss"),
        "model_sha256": whole["model_sha256"],
        **{name: value for name, value in whole.items() if name.startswith("int8_")},
    }


def _eight(found: Int8) -> Fields:
    return {
        "int8_validation_loss": found.validation_loss,
        "int8_weight_bytes": found.weight_bytes,
        "weight_bytes": found.weight_bytes_fp32,
    }
