"""The tables of a report: what a run was asked, has told and has left, each as rows of texts in the reader's language.

Neither a file's nor a patient's name is in them; the name and notes are the user's own words on the run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypedDict

from fullfield import checked
from fullfield.checked import Fields
from fullfield.errors import ModelError, UsageError
from fullfield.memory.watch import BACKWARD, EVALUATION, FORWARD, UPDATE
from fullfield.model.families.registry import FAMILIES
from fullfield.plan import spec as specs
from fullfield.protocol.training_events import INPUT_KINDS
from fullfield.report.words import KINDS, Words
from fullfield.runs.own_images import SPLIT
from fullfield.runs.run_state import RunSnapshot
from fullfield.runs.runs import Run
from fullfield.techniques import registry
from fullfield.translation import marked

SETTINGS = (  # of the spec, in this order, with the words for them; where the data lie is nobody else's affair
    ("size", marked("Image size (longer side)")),
    ("epochs", marked("Epochs")),
    ("batch", marked("Images per step")),
    ("network", marked("Network")),
    ("encoder", marked("Encoder of the U-Net")),
    ("weights", marked("First weights")),
    ("loss", marked("Loss")),
    ("l1_steps", marked("First steps with L1")),
    ("learning_rate", marked("Largest learning rate")),
    ("schedule", marked("Schedule of the learning rate")),
    ("warm_up", marked("Warm-up (share of the steps)")),
    ("freeze_batch_norm", marked("Frozen BatchNorm (share of the last epochs)")),
    ("augment", marked("Varied by chance")),
    ("validation", marked("Held back (share)")),
    ("reference", marked("Reference")),
    ("use_on", marked("To be used on")),
    ("fit", marked("To fit into")),
    ("seed", marked("Seed")),
)
BOTH_KINDS = marked("raw and processed")
STATES = {
    "preparing": marked("preparing"),
    "running": marked("training"),
    "paused": marked("paused"),
    "stopped": marked("stopped by the user, kept"),
    "completed": marked("completed"),
    "failed": marked("failed"),
    "died": marked("ended unexpectedly"),
}
NOTHING_KEPT = {"stopped": marked("stopped by the user")}


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of texts under a title; `head`: the columns' titles, empty for pairs of a name and a value."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    head: tuple[str, ...] = ()
    note: str = ""


def tables(run: Run, reported: RunSnapshot, words: Words) -> tuple[Table, ...]:
    """All that have rows, in their order."""
    found = (
        _overview(run, reported, words),
        _quality(reported, words),
        _verdict(reported, words),
        _data(run.folder, reported, words),
        _techniques(run, reported, words),
        _memory(reported, words),
        _rungs(reported, words),
        _settings(run, words),
        _versions(run.folder, reported, words),
    )
    return tuple(table for table in found if table.rows)


def _overview(run: Run, reported: RunSnapshot, words: Words) -> Table:
    say, best, error = words.say, reported.best, reported.error
    wanted = reported.epochs_wanted or run.spec.get("epochs", "?")
    of = say("{count} of {total}")
    steps = of.format(count=words.count(reported.step), total=words.count(reported.steps))
    loss = words.number(best.validation_loss, 2) if best else ""
    rows = [
        (say("State"), say(STATES[run.state] if reported.kept else NOTHING_KEPT.get(run.state, STATES[run.state]))),
        (say("Begun"), words.moment(reported.began)),
        (say("Time at work"), words.seconds(reported.seconds)),
        (say("Epochs"), of.format(count=reported.epoch, total=wanted)),
        (say("Steps"), steps if reported.steps else ""),
        (
            say("Best validation loss"),
            say("{loss} in epoch {epoch}").format(loss=loss, epoch=best.epoch) if best else "",
        ),
        (say("Device"), say(reported.device)),
        (say("Notes"), run.label.notes),
        (say("Ended with"), " ".join(say(error[part]) for part in ("title", "detail") if error.get(part))),
    ]
    note = say("The loss is 100·(1 − MS-SSIM) on the images that were held back; lower is better.")
    return Table(title=say("In short"), rows=_known(rows), note=note)


def _quality(reported: RunSnapshot, words: Words) -> Table:
    say, best = words.say, reported.best
    measured: list[tuple[str, Any]] = [(say(one.name), one) for one in reported.baselines]
    if best is not None:
        measured.append((say("this network, epoch {epoch}").format(epoch=best.epoch), best))
    rows: list[tuple[str, ...]] = [
        (
            name,
            words.number(one.validation_loss, 2),
            words.number(one.psnr_db, 1),
            words.number(one.fine_sd_ratio, 2),
            words.number(one.fine_correlation, 2),
        )
        for name, one in measured
    ]
    if best is not None:
        name = say("this network, epoch {epoch}, on {kind} input alone")
        nothing = [words.number(math.nan, 0)] * 3
        for kind, loss in best.loss_by_kind.items():
            known = say(INPUT_KINDS.get(kind, kind))
            rows.append((name.format(epoch=best.epoch, kind=known), words.number(loss, 2), *nothing))
    head = ("", say("Loss"), say("PSNR, dB"), say("Finest band: SD ratio"), say("Finest band: correlation"))
    note = say("On the images that were held back. The finest band shall have the reference's SD (0.9 to 1.1).")
    return Table(title=say("Quality, beside simple methods"), rows=tuple(rows), head=head, note=note)


def _verdict(reported: RunSnapshot, words: Words) -> Table:
    """Of a run whose model was held against the one before and the presets."""
    say, found = words.say, reported.compared
    if found is None:
        return Table(title="", rows=())
    rows = [
        (say("Verdict"), say(found.verdict)),
        (say("Patients kept apart"), words.count(found.apart) if found.apart else ""),
        (say("Patients who were compared"), words.count(len(found.patients))),
    ]
    return Table(title=say("Beside what is used now"), rows=_known(rows))


def _data(folder: Path, reported: RunSnapshot, words: Words) -> Table:
    say, split, summary = words.say, _read(folder / SPLIT, _Split), _summary(folder).get("data", {})
    kind = str(summary.get("input_kind", ""))
    rows = [
        (say("Images to train on"), str(len(split["training"])) if "training" in split else ""),
        (say("Images held back"), str(len(split["validation"])) if "validation" in split else ""),
        (say("Images kept apart, to compare on"), str(len(split["apart"])) if split.get("apart") else ""),
        (say("Kind of input"), say(BOTH_KINDS if kind == "any" else kind)),
        (say("Reference"), say(str(summary.get("reference", "")))),
        (say("Problems of the data"), str(len(summary["problems"])) if "problems" in summary else ""),
        (say("As it was told"), say(reported.data)),
    ]
    note = say("Images are parted by patient: nobody is in both parts.")
    return Table(title=say("Data, in counts"), rows=_known(rows), note=note)


def _techniques(run: Run, reported: RunSnapshot, words: Words) -> Table:
    say, rows = words.say, []
    for text in reported.techniques if reported.techniques is not None else run.techniques:
        try:
            one = registry.read(text)
        except UsageError:  # of a newer version
            rows.append((text, "", ""))
        else:
            rows.append((say(one.title), say(one.sentence), say(one.effect.value)))
    head = (say("Technique"), say("What it does"), say("Effect on the result"))
    return Table(title=say("Techniques that save memory or time"), rows=tuple(rows), head=head)


def _memory(reported: RunSnapshot, words: Words) -> Table:
    say, memory = words.say, reported.memory
    of_card = say("Most that was held, of the card")
    most = of_card if memory.on_card else say("Most that was held, of the computer (no graphics card)")
    predicted_peak = say("Predicted peak, an estimate") if memory.on_card else say("Predicted peak")
    rows = [
        (most, words.bytes(memory.peak_bytes)),
        (predicted_peak, words.bytes(memory.predicted_bytes)),
        (say("Budget"), words.bytes(memory.budget_bytes)),
    ]
    for phase in (FORWARD, BACKWARD, UPDATE, EVALUATION):
        reading = memory.phases.get(phase)
        if reading is not None:
            count = reading.peak_bytes if memory.on_card else reading.host_bytes
            rows.append((say("Highest in {phase}").format(phase=say(phase)), words.bytes(count)))
    if reported.plan is not None and reported.rung is None:
        kinds = reported.plan.plan.by_kind
        predicted = say("Predicted: {kind}")
        rows += [(predicted.format(kind=say(KINDS.get(kind, kind))), words.bytes(n)) for kind, n in kinds.items()]
    return Table(title=say("Memory"), rows=_known(rows), note=say(memory.sentence))


def _rungs(reported: RunSnapshot, words: Words) -> Table:
    say = words.say
    rows = tuple(
        (
            (say("likely, at step {step}") if rung.died else say("at step {step}")).format(step=rung.step),
            " + ".join(map(words.technique, rung.before)),
            " + ".join(map(words.technique, rung.techniques)),
            words.bytes(rung.peak_bytes),
        )
        for rung in reported.rungs
    )
    head = (say("Memory ran out"), say("It ran by"), say("It went on by"), say("Predicted then"))
    return Table(title=say("When memory ran out"), rows=rows, head=head)


def _settings(run: Run, words: Words) -> Table:
    spec, say = run.spec, words.say
    given = specs.fileless(str(spec.get("weights", "")))
    public = {**spec, "weights": say("a file") if given == specs.WEIGHTS_FILE else given}
    family = FAMILIES.get(str(spec.get("network", "")))
    if family is not None and not family.encoders:
        public["encoder"] = ""
    if str(public.get("reference", "")).lower().endswith(".toml"):
        public["reference"] = say("a preset file")
    started = _summary(run.folder).get("start", "")  # what it began from in the end
    public["weights"] = started or public["weights"]
    rows = [(say(name), words.setting(public.get(key, ""))) for key, name in SETTINGS]
    rows.append((say("Licence of the data"), str(spec.get("data_licence", ""))))
    return Table(title=say("Settings"), rows=_known(rows))


def _versions(folder: Path, reported: RunSnapshot, words: Words) -> Table:
    versions = {"fullfield": reported.version, **_card_versions(folder)}
    rows = [(name, str(value)) for name, value in versions.items()]
    digest = _summary(folder).get("model_sha256", "")
    rows.append((words.say("SHA-256 of the model"), digest))
    return Table(title=words.say("Versions"), rows=_known(rows))


def _card_versions(folder: Path) -> dict[str, str]:
    from fullfield.model import card

    try:
        return dict(card.read(folder / "model.safetensors").versions)
    except ModelError:
        return {}


class _Split(TypedDict, total=False):
    training: list[Any]
    validation: list[Any]
    apart: list[Any]


class _Data(TypedDict, total=False):
    input_kind: str
    reference: str
    problems: list[Any]


class _Summary(TypedDict, total=False):
    data: Annotated[Fields, _Data]
    start: str
    model_sha256: str


def _summary(folder: Path) -> Fields:
    return _read(folder / "summary.json", _Summary)


def _read(path: Path, kind: type[Any]) -> Fields:
    """The fields of a file that `kind` knows; none where it is missing or damaged."""
    try:
        return checked.known(kind, checked.parse(path.read_bytes()))
    except (OSError, ValueError):
        return {}


def _known(rows: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in rows if value)
