"""`fullfield train --data DIR --out RUN`: the settings of `TrainSpec` as options, the training in a worker."""

from __future__ import annotations

import argparse
import math
import re
import signal
from collections.abc import Callable
from dataclasses import MISSING, fields
from pathlib import Path
from types import FrameType

from fullfield.errors import ExitCode, UsageError
from fullfield.image.method import SHIPPED
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.job import Job, load
from fullfield.jobs.launch import launch
from fullfield.memory.readback import Readback
from fullfield.plan import encoders, first_weights
from fullfield.plan import spec as plans
from fullfield.plan.spec import TrainSpec
from fullfield.protocol import fleets, places, training
from fullfield.protocol.ensembles import EnsembleMade, MemberReported
from fullfield.protocol.events import (
    BaselineMeasured,
    EpochDone,
    Event,
    Notice,
    PhaseStarted,
    RunEnded,
    RunFailed,
    StepDone,
)
from fullfield.protocol.rank_events import LinkMeasured
from fullfield.protocol.training import Training
from fullfield.protocol.training_events import INPUT_KINDS
from fullfield.units import format_seconds
from fullfield_app import interrupts
from fullfield_app.cli import ensemble, weights
from fullfield_app.cli.speak import Bar, ends_in_json, exit_code, open_bar, say, sentences, tell_json

HELP = {
    "data": "folder of radiographs: raw/ + reference/, DICOM pairs, pairs.csv, or processed images",
    "size": "longer side in pixels, or native",
    "epochs": "passes over the training part",
    "batch": "images per step",
    "learning_rate": "the largest of the schedule",
    "schedule": "/".join(plans.SCHEDULES),
    "warm_up": "share of the steps in which the learning rate rises",
    "loss": "/".join(plans.LOSSES),
    "l1_steps": "first steps with L1, where MS-SSIM has no gradient yet",
    "freeze_batch_norm": "share of the last epochs with frozen BatchNorm statistics",
    "weights": "auto (ImageNet's where they are on this computer: see fullfield weights), imagenet, none, shipped (the "
    "model that is a part of Fullfield), or a file",
    "network": "/".join(plans.NETWORKS) + ": map draws nothing, serves every size, and has defaults of its own",
    "encoder": "of unet: " + ", ".join(encoders.names()),
    "reference": "auto, pairs, image, or a preset's name",
    "use_on": "/".join(plans.USES) + ": the images that the model is to enhance",
    "review": "heed what was approved, adjusted and rejected in the window",
    "augment": "vary images by chance: mirrored, and processed ones mildly degraded",
    "validation": "share of the images held back",
    "seed": "of split, order and simulation",
    "techniques": "what saves memory or time, besides banded_loss, each as NAME or NAME:option=value,…; none: nothing",
    "fit": "choose techniques so that it (or each process) fits: an amount such as 4GiB, or auto for what is free",
    "device": "auto, cpu, cuda:0, or a list, with a process on each: cards (cuda:0,cuda:2), and the CPU behind them "
    "(cuda:0,cpu)",
    "threads": "CPU threads (0: all cores but one)",
    "checkpoint_steps": "save every so many steps too (0: no)",
    "checkpoint_seconds": "save every so many seconds too (0: no)",
    "calibrate_halo": "measure at the end how far tiles must overlap",
    "watch": "which held-back image, from 0, is kept as it looks after each epoch",
    "compare": "keep patients apart, and say by them whether the model is better than that of --weights and than the "
    "presets: a map network by default, in some ten minutes",
    "data_licence": "what the owner of the data allows; written into the model's card",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """One option per field of `TrainSpec` that there is a choice of (the place is that of --on), and those of every
    command."""
    from fullfield_app.arguments import add_common, folder, named

    for item in fields(TrainSpec):
        if item.name not in HELP:
            continue
        flag = f"--{item.name.replace('_', '-')}"
        if isinstance(item.default, bool):
            parser.add_argument(
                flag, action=argparse.BooleanOptionalAction, default=argparse.SUPPRESS, help=HELP[item.name]
            )
            continue
        if isinstance(item.default, tuple):
            parser.add_argument(flag, nargs="*", default=argparse.SUPPRESS, metavar="NAME", help=HELP[item.name])
            continue
        default = "" if item.default in (MISSING, "", 0) else f" (default {item.default})"
        number = isinstance(item.default, int | float) and item.name != "size"
        plain: Callable[[str], object] = type(item.default) if number else str
        kind, meta = {"data": (folder, "FOLDER"), "fit": (named, "AMOUNT")}.get(item.name, (plain, plain.__name__))
        parser.add_argument(
            flag, type=kind, default=argparse.SUPPRESS, metavar=meta.upper(), help=HELP[item.name] + default
        )
    parser.add_argument("--out", type=folder, required=True, metavar="RUN", help="folder of this run")
    parser.add_argument(
        "--processes",
        type=int,
        metavar="N",
        help="processes that train together, each with its share of every batch, on the cards or the devices of a list "
        "in turn (default: one for each of a list, else 1; that of the run with --resume)",
    )
    parser.add_argument(
        "--on",
        type=named,
        metavar="NODE[,NODE…]",
        help="train on this machine (fullfield node add), on several together, of which the first leads, or local: "
        "this computer (default; that of the run with --resume); it can be one of several (local,gpu)",
    )
    parser.add_argument(
        "--nodes",
        type=named,
        metavar="MIN:MAX",
        help="of several nodes, how many are enough to begin and to go on, and how many train together (default: all)",
    )
    parser.add_argument("--members", type=int, metavar="N", help=ensemble.HELP)
    parser.add_argument("--resume", action="store_true", help="go on with the run that --out names")
    parser.add_argument("--json", action="store_true", help="one JSON event per line on standard output")
    add_common(parser)


@ends_in_json
def run(values: argparse.Namespace) -> int:
    """Train until done or stopped; returns the exit code."""
    asked = _Asked()
    interrupts.handle(asked, (signal.SIGINT, signal.SIGTERM))  # before there is a worker, so that none is left alone
    spec = _spec(values)
    nodes = _nodes(values, len(places.several(spec.place)))
    fleets.bounds(nodes, len(places.several(spec.place)))  # refused before anything else is said
    spec = _with_weights(spec, values)
    processes = ensemble.processes(values, spec.device)
    spec = ensemble.left_alone(values, spec, processes)
    job = ensemble.job(values, spec, processes)
    if job is None:
        agreed = load(values.out).images_to if values.resume else ""
        job = Job.of(spec, processes=processes, nodes=nodes, images_to=agreed)
    plans.shared(plans.checked(spec), processes * job.most, job.most)  # says why where so many cannot
    asked.give(handle := launch(job, folder=values.out))
    return _follow(handle, json=values.json, quiet=values.quiet)


def _spec(values: argparse.Namespace) -> Training:
    given = {item.name: getattr(values, item.name) for item in fields(TrainSpec) if hasattr(values, item.name)}
    if "weights" in given:
        given["weights"] = first_weights.named(given["weights"])
    if given.get("weights") == SHIPPED:
        from fullfield.enhance import models

        models.find(SHIPPED)  # says it where none ships
    if values.on is not None:
        given["place"] = places.on(values.on)
    if re.fullmatch(r"\d{1,9}", str(given.get("size", ""))):
        given["size"] = int(given["size"])
    if values.out.is_file():
        raise UsageError("Cannot start a training there.", detail="What --out names is a file.", hint="Name a folder.")
    if ensemble.has_begun(values.out) and not values.resume:
        raise UsageError(
            "Cannot start a training there.",
            detail="The folder after --out holds a run.",
            hint="Add --resume to go on with it, or name a new folder.",
        )
    if "techniques" in given:
        given["techniques"] = list(plans.with_the_usual(given["techniques"]))
    if "data" in given:
        given["data"] = str(Path(given["data"]).absolute())
    if values.resume:
        return training.from_json({**ensemble.begun(values.out)[0], **given})
    return plans.from_json(plans.with_defaults(given))


def _nodes(values: argparse.Namespace, named: int) -> str:
    """MIN:MAX: as it is given, or as the run has it where it goes on, also on so many other nodes."""
    if values.nodes or not values.resume:
        return values.nodes or ""
    before = load(values.out)
    if named == (nodes := len(places.several(before.place))):
        return f"{before.least}:{before.most}" if before.least else ""
    return f"{min(before.least, named)}:{named}" if 0 < before.least < nodes else ""


def _with_weights(spec: Training, values: argparse.Namespace) -> Training:
    """The spec with its first weights decided, which is said; one that goes on from a checkpoint needs none, and on a
    node those decide that are there."""
    if ensemble.has_begun(values.out) or spec.place != places.LOCAL:
        return spec
    asked = plans.checked(spec)
    if not (values.quiet or values.json):
        say(weights.line(asked))
    return first_weights.decided(asked)


class _Asked:
    """Takes the signals that ask to stop, in their order: the first asks the worker, the second ends it. One that comes
    while another is being dealt with waits for it: a worker that is ended has so been asked before."""

    def __init__(self) -> None:
        self._count = self._done = 0
        self._dealing = False
        self._handle: JobHandle | None = None

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        self._count += 1
        if self._count == 1:
            say("Stopping after this step; again to stop at once.")
        self._deal()

    def give(self, handle: JobHandle) -> None:
        """The worker that is to be asked; one that was to stop before it had begun is asked now."""
        self._handle = handle
        self._deal()

    def _deal(self) -> None:
        while self._handle is not None and self._done < self._count and not self._dealing:
            self._dealing = True
            self._done += 1
            if self._done == 1:
                self._handle.stop()
            else:
                self._handle.kill()
            self._dealing = False


def _follow(handle: JobHandle, *, json: bool, quiet: bool) -> int:
    reader = _Reader(quiet=quiet or json)
    lost = False
    for event in handle.events():
        lost |= json and not tell_json(event)
        reader(event)
    return exit_code(reader.code, lost=lost)


class _Reader:
    """Tells a training's events as lines for people."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._bar: Bar | None = None
        self._memory = Readback()
        self._step = 0
        self.code = int(ExitCode.ALL_DONE)

    def __call__(self, event: Event) -> None:
        self._memory.apply(event)
        match event:
            case PhaseStarted():
                self._close()
                self._step = 0
                self._bar = open_bar(event.name, event.total, wanted=not self._quiet)
            case StepDone():
                if self._bar:
                    self._bar.advance(event.step - self._step if self._step else 1)
                self._step = event.step
            case Notice():
                self._line(event.text)
            case LinkMeasured():
                rate, delay = event.bytes_per_second / 1e9, event.seconds * 1e3
                self._line(f"Between processes: {rate:.3g} GB/s, {delay:.2g} ms a message.")
            case BaselineMeasured():
                self._line(f"{event.name}: {_quality(event)}")
            case EpochDone():
                train = f"train {event.train_loss:.2f}, " if math.isfinite(event.train_loss) else ""
                self._line(
                    f"epoch {event.epoch}/{event.epochs}: {train}{_quality(event)} ({format_seconds(event.seconds)})"
                )
            case MemberReported():
                self._line(_member(event))
            case EnsembleMade():
                self._line(f"{event.members} members are one model now.")
            case RunFailed():
                self.code = event.exit_code
                self._close()
                say(f"fullfield: {sentences(event.error)}")
            case RunEnded():
                self._close()
                self._line(self._memory.sentences())
                self._line(self._memory.of_ranks())
                if event.reason in ("stopped", "paused"):
                    self.code = int(ExitCode.INTERRUPTED)
                say(f"Training {event.reason}.")
            case _:
                pass

    def _line(self, text: str) -> None:
        if text and not self._quiet:
            (self._bar.say if self._bar else say)(text)

    def _close(self) -> None:
        if self._bar:
            self._bar.close()
            self._bar = None


def _member(event: MemberReported) -> str:
    """How far one member of an ensemble is."""
    where = "" if event.place == places.LOCAL else f" on {places.which(event.place)}"
    loss = f", validation {event.validation_loss:.2f}" if event.validation_loss is not None else ""
    return f"member {event.member}/{event.members}{where}: {event.state}, epoch {event.epoch}/{event.epochs}{loss}"


def _quality(event: EpochDone | BaselineMeasured) -> str:
    """What could be measured: of images with no signal, or none held back, not all can."""
    by_kind = event.loss_by_kind.items() if isinstance(event, EpochDone) else ()
    apart = ", ".join(f"{INPUT_KINDS.get(kind, kind)} {loss:.2f}" for kind, loss in by_kind)
    ratio, correlation = event.fine_sd_ratio, event.fine_correlation
    known = (
        (f"validation {event.validation_loss:.2f}{f' ({apart})' if apart else ''}", event.validation_loss),
        (f"PSNR {event.psnr_db:.1f} dB", event.psnr_db),
        (f"finest band {ratio:.2f} / {correlation:.2f}", ratio + correlation),
    )
    return ", ".join(text for text, value in known if math.isfinite(value)) or "nothing could be measured"
