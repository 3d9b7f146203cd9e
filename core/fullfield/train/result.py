"""What a run leaves: model files with their card, and a summary without names of files or patients."""

from __future__ import annotations

import json
import statistics
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fullfield import __version__, files
from fullfield.data.prepared import Prepared
from fullfield.errors import ModelError
from fullfield.model import card as cards
from fullfield.model import halo, weights
from fullfield.model.card import Card
from fullfield.plan.spec import NATIVE, TrainSpec
from fullfield.train.baselines import Baseline
from fullfield.train.build import Parts
from fullfield.train.evaluate import Quality
from fullfield.train.state import State

MODEL, LAST, SUMMARY, SPLIT = "model.safetensors", "last.safetensors", "summary.json", "split.json"


def card(spec: TrainSpec, prepared: Prepared, parts: Parts, state: State, quality: Quality | None) -> Card:
    """The card of the network as it is now. Nothing in it depends on when or where: the same training, interrupted or
    not, leaves the same file."""
    items = prepared.items
    spacings = [item.mm_per_pixel for item in items if item.mm_per_pixel is not None]
    metrics = {} if quality is None else asdict(quality)
    return Card(
        name=f"{spec.encoder}-{prepared.input_kind}-{spec.size}",
        network=state.network.spec,
        input_kind=prepared.input_kind.value,
        normalisation=prepared.normalisation,
        size=NATIVE if spec.size == NATIVE else str(spec.size),
        long_side=round(statistics.median(max(item.rows, item.columns) for item in items)),
        mm_per_pixel=statistics.median(spacings) if spacings else None,
        data_sha256=tuple(sorted({sha256 for item in parts.training for sha256 in item.source_sha256})),
        licence=spec.data_licence,
        plan=public(spec),
        modalities=tuple(sorted({item.modality for item in items if item.modality})),
        metrics={**metrics, "epoch": float(state.progress.epoch)},
        versions={name: version(name) for name in ("torch", "segmentation-models-pytorch", "pytorch-msssim")}
        | {"fullfield": __version__},
        seeds={"all": spec.seed},
        start=state.start,
    )


def public(spec: TrainSpec) -> dict[str, Any]:
    """The spec without what names this machine's folders or says how it computed."""
    values = spec.to_json()
    for name in ("data", "device", "threads", "checkpoint_steps", "checkpoint_seconds", "calibrate_halo"):
        del values[name]
    if values["weights"] not in ("imagenet", "none"):
        values["weights"] = "a file"
    if values["reference"].lower().endswith(".toml"):
        values["reference"] = "a preset file"
    return values


def save_split(run: Path, parts: Parts) -> None:
    """Which images are held back, as hashes of their content."""
    values = {
        part: [{"key": item.key, "sha256": item.source_sha256} for item in items]
        for part, items in (("training", parts.training), ("validation", parts.validation))
    }
    files.write_text(run / SPLIT, json.dumps(values, indent=1))


def calibrate(path: Path) -> str:
    """Measure the halo of a model file's weights into its card; the new SHA-256. Some 12 seconds."""
    network, card = weights.load(path)
    return weights.save(path, network, replace(card, halo=halo.calibrate(network)))


def export(run: Path, checkpoints: Path, state: State, last: Card) -> tuple[str, str]:
    """Leave the best and the last model; (SHA-256 of the best, a sentence where something was amiss).

    The best is that of the best validation; the last where none was measured yet, or its file is damaged.
    """
    sha256 = weights.save(run / LAST, state.network, last)
    best = state.progress.best
    if best is not None:
        try:
            content = (checkpoints / best.file).read_bytes()
            cards.verify(content)
            files.write_bytes(run / MODEL, content)
            return files.sha256(run / MODEL), ""
        except (OSError, ModelError):
            reason = f"The model of epoch {best.epoch}, the best one, is damaged; the last one is given instead."
    else:
        reason = "No epoch has been measured yet; the model is the last one."
    files.write_bytes(run / MODEL, (run / LAST).read_bytes())
    return sha256, reason


def summary(
    spec: TrainSpec, prepared: Prepared, parts: Parts, state: State, baselines: list[Baseline], model: str
) -> dict[str, Any]:
    """The run in numbers: for `summary.json`, and in short for the last event."""
    progress = state.progress
    return {
        "plan": public(spec),
        "data": {
            "identity": prepared.identity,
            "input_kind": prepared.input_kind.value,
            "simulated": prepared.simulated,
            "reference": prepared.reference,
            "training": len(parts.training),
            "validation": len(parts.validation),
            "problems": list(prepared.problems),
        },
        "start": state.start,
        "threads": state.threads,
        "steps": progress.step,
        "epochs": progress.epoch,
        "skipped_steps": progress.skipped,
        "baselines": {baseline.name: asdict(baseline.quality) for baseline in baselines},
        "best": None if progress.best is None else {**asdict(progress.best)},
        "history": progress.history,
        "model_sha256": model,
    }


def short(whole: dict[str, Any]) -> dict[str, Any]:
    """What the run's last event tells."""
    best = whole["best"] or {}
    return {
        "epochs": whole["epochs"],
        "steps": whole["steps"],
        "best_epoch": best.get("epoch"),
        "validation_loss": best.get("validation_loss"),
        "model_sha256": whole["model_sha256"],
    }
