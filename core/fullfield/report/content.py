"""What a report of a run says, as sections of plain values, before it becomes HTML or PDF.

Neither a file's nor a patient's name is in it; the name and notes are the user's own words on the run.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fullfield import __version__
from fullfield.errors import UsageError
from fullfield.image.export import NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES
from fullfield.jobs import reading, runs
from fullfield.jobs.runs import Run
from fullfield.jobs.story import Told
from fullfield.memory.readback import Readback
from fullfield.memory.watch import BACKWARD, EVALUATION, FORWARD, UPDATE
from fullfield.techniques import registry
from fullfield.units import format_bytes, format_seconds

DISCLAIMERS = (NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES)
SETTINGS = (  # of the spec, in this order, with the words for them; where the data lie is nobody else's affair
    ("size", "Image size (longer side)"),
    ("epochs", "Epochs"),
    ("batch", "Images per step"),
    ("encoder", "Encoder of the U-Net"),
    ("weights", "First weights"),
    ("loss", "Loss"),
    ("l1_steps", "First steps with L1"),
    ("learning_rate", "Largest learning rate"),
    ("schedule", "Schedule of the learning rate"),
    ("warm_up", "Warm-up (share of the steps)"),
    ("freeze_batch_norm", "Frozen BatchNorm (share of the last epochs)"),
    ("augment", "Mirrored by chance"),
    ("validation", "Held back (share)"),
    ("reference", "Reference"),
    ("fit", "To fit into"),
    ("seed", "Seed"),
    ("data_licence", "Licence of the data"),
)
STATES = {
    "preparing": "preparing",
    "running": "training",
    "paused": "paused",
    "stopped": "stopped by the user, kept",
    "completed": "completed",
    "failed": "failed",
    "died": "ended unexpectedly",
}


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of texts under a title; `head`: the columns' titles, empty for pairs of a name and a value."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    head: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Report:
    """`tables`: in their order; `told`: for the curves; `images`: files of the watched radiograph, with captions."""

    title: str
    made: str
    told: Told
    tables: tuple[Table, ...]
    images: tuple[tuple[str, Path], ...] = ()


def gather(folder: Path, *, images: bool) -> Report:
    """The report of the run in `folder`; with `images`: radiographs of patients. Raises UsageError: no run there."""
    run = runs.find(folder)
    if run is None:
        raise UsageError(
            "Cannot make a report.", detail="That folder holds no training.", hint="Name the folder of a run."
        )
    told = reading.read(folder)
    tables = (
        _overview(run, told),
        _quality(told),
        _data(folder, told),
        _techniques(run, told),
        _memory(told),
        _rungs(told),
        _settings(run),
        _versions(folder, told),
    )
    return Report(
        title=run.label.name or f"Training of {_moment(told.began)}",
        made=f"Made {_moment(datetime.now(UTC).timestamp())} by Fullfield {__version__}.",
        told=told,
        tables=tuple(table for table in tables if table.rows),
        images=_images(folder, told) if images else (),
    )


def _overview(run: Run, told: Told) -> Table:
    best = told.best
    rows = [
        ("State", STATES[run.state]),
        ("Begun", _moment(told.began)),
        ("Time at work", format_seconds(told.seconds)),
        ("Epochs", f"{told.epoch} of {told.epochs_wanted or run.spec.get('epochs', '?')}"),
        ("Steps", f"{told.step:,} of {told.steps:,}" if told.steps else ""),
        ("Best validation loss", f"{best.validation_loss:.2f} in epoch {best.epoch}" if best else ""),
        ("Device", told.device),
        ("Notes", run.label.notes),
    ]
    error = told.error
    rows.append(("Ended with", f"{error.get('title', '')} {error.get('detail', '')}".strip()))
    note = "The loss is 100·(1 − MS-SSIM) on the images that were held back; lower is better."
    return Table(title="In short", rows=_known(rows), note=note)


def _quality(told: Told) -> Table:
    measured: list[tuple[str, Any]] = [(one.name, one) for one in told.baselines]
    if told.best is not None:
        measured.append((f"this network, epoch {told.best.epoch}", told.best))
    rows = tuple(
        (
            name,
            _number(one.validation_loss, 2),
            _number(one.psnr_db, 1),
            _number(one.fine_sd_ratio, 2),
            _number(one.fine_correlation, 2),
        )
        for name, one in measured
    )
    head = ("", "Loss", "PSNR, dB", "Finest band: SD ratio", "Finest band: correlation")
    note = "On the images that were held back. The finest band shall have the reference's SD (0.9 to 1.1)."
    return Table(title="Quality, beside simple methods", rows=rows, head=head, note=note)


def _data(folder: Path, told: Told) -> Table:
    split, summary = _json(folder / "split.json"), _json(folder / "summary.json").get("data", {})
    rows = [
        ("Images to train on", str(len(split["training"])) if "training" in split else ""),
        ("Images held back", str(len(split["validation"])) if "validation" in split else ""),
        ("Kind of input", str(summary.get("input_kind", ""))),
        ("Reference", str(summary.get("reference", ""))),
        ("Problems of the data", str(len(summary["problems"])) if "problems" in summary else ""),
        ("As it was told", told.data),
    ]
    note = "Images are parted by patient: nobody is in both parts."
    return Table(title="Data, in counts", rows=_known(rows), note=note)


def _techniques(run: Run, told: Told) -> Table:
    rows = []
    for text in told.techniques if told.techniques is not None else run.techniques:
        try:
            one = registry.read(text)
        except UsageError:  # of a newer version
            rows.append((text, "", ""))
        else:
            rows.append((one.title, one.sentence, one.effect.value))
    head = ("Technique", "What it does", "Effect on the result")
    return Table(title="Techniques that save memory or time", rows=tuple(rows), head=head)


def _memory(told: Told) -> Table:
    memory, back = told.memory, Readback()
    back.phases = dict(memory.phases)
    where = "of the card" if memory.on_card else "of the computer (no graphics card)"
    rows = [(f"Most that was held, {where}", _bytes(memory.peak_bytes))]
    rows.append(("Predicted peak", _bytes(memory.predicted_bytes)))
    rows.append(("Budget", _bytes(memory.budget_bytes)))
    for phase in (FORWARD, BACKWARD, UPDATE, EVALUATION):
        reading_ = memory.phases.get(phase)
        if reading_ is not None:
            count = reading_.peak_bytes if memory.on_card else reading_.host_bytes
            rows.append((f"Highest in {phase}", _bytes(count)))
    if told.plan is not None and not told.rungs:
        kinds = told.plan.plan.get("by_kind", {})
        rows += [(f"Predicted: {kind}", _bytes(count)) for kind, count in kinds.items()]
    return Table(title="Memory", rows=_known(rows), note=memory.sentence)


def _rungs(told: Told) -> Table:
    rows = tuple(
        (f"at step {rung.step}", " + ".join(rung.before), " + ".join(rung.techniques), _bytes(rung.peak_bytes))
        for rung in told.rungs
    )
    head = ("Memory ran out", "It ran by", "It went on by", "Predicted then")
    return Table(title="When memory ran out", rows=rows, head=head)


def _settings(run: Run) -> Table:
    spec = run.spec
    public = {**spec, "weights": spec.get("weights") if spec.get("weights") in ("imagenet", "none") else "a file"}
    if str(public.get("reference", "")).lower().endswith(".toml"):
        public["reference"] = "a preset file"
    started = str(_json(run.folder / "summary.json").get("start", ""))  # what it began from in the end
    public["weights"] = started or public["weights"]
    return Table(title="Settings", rows=_known((words, _plain(public.get(key, ""))) for key, words in SETTINGS))


def _versions(folder: Path, told: Told) -> Table:
    versions = {"fullfield": told.version, **_card_versions(folder)}
    rows = [(name, str(value)) for name, value in versions.items()]
    rows.append(("SHA-256 of the model", str(_json(folder / "summary.json").get("model_sha256", ""))))
    return Table(title="Versions", rows=_known(rows))


def _card_versions(folder: Path) -> dict[str, str]:
    from fullfield.errors import ModelError
    from fullfield.model import card

    try:
        return dict(card.read(folder / "model.safetensors").versions)
    except ModelError:
        return {}


def _images(folder: Path, told: Told) -> tuple[tuple[str, Path], ...]:
    """The radiograph that was watched last: before, after the first and the best epoch, its reference."""
    if not told.samples:
        return ()
    image = max(told.samples, key=lambda place: place[1])[0]
    epochs = sorted(epoch for place, epoch in told.samples if place == image)
    best = told.best.epoch if told.best and told.best.epoch in epochs else epochs[-1]
    shown = dict.fromkeys((epochs[0], best))
    first = told.samples[image, epochs[0]]
    found = [("before", folder / first.input)]
    found += [(f"after epoch {epoch}", folder / told.samples[image, epoch].sample) for epoch in shown]
    found.append(("reference", folder / first.reference))
    return tuple((caption, path) for caption, path in found if path.exists())


def _json(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}


def _known(rows: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in rows if value)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _bytes(count: int | None) -> str:
    return format_bytes(count) if count else ""


def _number(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}" if math.isfinite(value) else "–"


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC" if seconds else "an unknown time"
