"""The job "train": from the settings in `job.json` to a model file, told as events.

In order: prepare the data, split them, set torch up, build the network with its techniques (or go on from the newest
checkpoint of the run's folder), measure the baselines, train, export. A folder that holds checkpoints is gone on with.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial

import torch

from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.data import prepared
from fullfield.data.prepared import Prepared
from fullfield.distribution import meet
from fullfield.distribution.team import ALONE, Team
from fullfield.errors import CannotWrite, Interrupted, OutOfMemory, UsageError
from fullfield.hardware import devices, measured_links, named
from fullfield.hardware.links import Link
from fullfield.memory.readback import TRAINING
from fullfield.model.families.registry import FAMILIES
from fullfield.plan import first_weights
from fullfield.plan import spec as specs
from fullfield.plan.spec import AUTO, TrainSpec
from fullfield.protocol.events import BaselineMeasured, Notice, PhaseStarted, RungTaken
from fullfield.protocol.rank_events import RankStarted
from fullfield.protocol.training import Training
from fullfield.train import (
    baselines,
    begun_from,
    build,
    crash_marker,
    data_report,
    fit,
    images,
    link,
    out_of_memory,
    result,
    resumed,
    shared,
)
from fullfield.train import step as steps
from fullfield.train.baselines import Baseline
from fullfield.train.build import Parts
from fullfield.train.checkpoint import Store
from fullfield.train.checkpoint_file import Checkpoint
from fullfield.train.fit import Rung
from fullfield.train.loop import Loop
from fullfield.train.run import Run
from fullfield.train.samples import Samples
from fullfield.train.state import State

_log = logging.getLogger(__name__)


def run(spec: Training, context: Context) -> Fields:
    """Train as `spec` says, in `context.folder`, with the other processes of the run; the summary for the last event.

    Raises FullfieldError with what is wrong; Interrupted when stopped before the first step.
    """
    settings = specs.checked(spec)
    device = devices.choose(settings.device, rank=meet.place_here(context.rank))
    kind = named.kind(settings.device, meet.here(context.world), device.kind)
    if kind == named.MIXED and meet.here(context.world) < context.world:
        raise UsageError(
            "Cannot train on several computers with a card and the CPU of each.",
            detail="Between computers either cards talk or processors. On one a card and the CPU go together.",
            hint="Choose the device auto or cpu, or one computer.",
        )
    idle = named.idle(settings.device, meet.here(context.world))
    if idle:
        text = f"Fewer processes than devices were asked for: nothing is trained on {' and '.join(idle)}."
        context.emit(Notice(text=text, level="warning"))
    apart = measured_links.apart(settings.device, meet.here(context.world), kind)
    between: Link | None = None
    with meet.met(context.world, device.name, apart=apart, alike=kind != named.MIXED) as team:
        if team.size > 1:
            free, title = device.free_bytes, device.title
            context.emit(RankStarted(rank=team.rank, world=team.size, device=device.name, title=title, free_bytes=free))
            between = link.measure(team, device, context, kind, apart=apart)
        return train(settings, context, team, between)


def train(settings: TrainSpec, context: Context, team: Team = ALONE, between: Link | None = None) -> Fields:
    """See `run`; as one rank of `team`, of which rank 0 tells and writes. `between`: what is between the ranks."""
    others = shared.others(settings, context, team)
    settings = shared.divided(settings, context, team)
    devices.compute_with(max(build.threads(settings, meet.here(team.size))))  # plans measure kernels
    with Store(context.folder, writes=team.writes) as store, out_of_memory.named(lambda: store.step > 0):
        begun = store.begun()
        lacks = team.any(not first_weights.here(settings))
        settings = shared.settings(settings, team, lambda: _with_weights(settings, begun, store, context, lacks=lacks))
        refuse = partial(resumed.refuse_others, settings, begun)
        refuse()
        if not store.has_steps:
            context.accept()  # nothing is saved that other settings could spoil
        data = images.prepared(settings, context, team, check=refuse)
        parts = build.parts(
            settings, data, pinned=devices.choose(settings.device, rank=meet.place_here(team.rank)).kind == "cuda"
        )
        if team.writes:
            result.save_split(context.folder, parts, begun=store.has_steps)
        data_report.tell(data, parts, context, batch=settings.batch)
        asked, rungs = (
            settings,
            fit.rungs(
                settings,
                data,
                context,
                team,
                others={} if store.has_steps else others,
                between=between,
                training=len(parts.training),
            ),
        )
        held = team.in_turn(lambda: _baselines(data, parts, context, soon=asked.compare))
        samples = Samples(context.folder, image=settings.watch, images=prepared.views(parts.validation))
        rung = rungs.pop(0)
        coming = len(context.worlds) > 1  # ranks come and go: one that was ended for others did not lack memory
        lost = None if coming else crash_marker.lost(asked, context.folder, team)
        if lost and rungs:
            rung = _next(fit.taken(lost, rung, rungs, step=store.step, died=True), asked, rungs, context, team)
        elif lost:
            context.emit(Notice(text=f"{lost.title} {lost.detail} {lost.hint}", level="warning"))
        while True:
            settings = rung.spec
            state: State | None = None
            try:
                with out_of_memory.named(lambda: store.step > 0):
                    state = _state(settings, data, store, context, team, len(parts.training))
                context.accept()
                context.emit(PhaseStarted(name=TRAINING, total=_steps_left(settings, parts, state)))
                with crash_marker.noted(asked, context, team):
                    Loop(
                        Run(
                            spec=settings,
                            prepared=data,
                            parts=parts,
                            state=state,
                            store=store,
                            samples=samples,
                            context=context,
                            held=held,
                            team=team,
                        )
                    ).run()
                if team.any(context.is_to_regroup()):
                    context.begin_anew()
                whole = _results(settings, data, parts, state, held, store, context, team)
                state.update.close()
                state = None
                return _left(settings, whole, context) if whole is not None else {}
            except OutOfMemory as error:
                if not rungs or team.size > 1:  # the others wait for what this rank cannot give them any more
                    raise
                reported = fit.taken(error, rung, rungs, step=store.step)
            if state is not None:
                state.update.close()
            state = None
            devices.free_cached()
            rung = _next(reported, asked, rungs, context, team)
            context.begin_anew()


def _next(reported: RungTaken, asked: TrainSpec, left: list[Rung], context: Context, team: Team) -> Rung:
    """The first of the rungs that are `left`, which is noted and told."""
    if team.writes:
        fit.keep(asked, left, context.folder, team.size)
    context.emit(reported)
    context.emit(Notice(text=reported.text, level="warning"))
    return left.pop(0)


def _with_weights(spec: TrainSpec, begun: Fields | None, store: Store, context: Context, *, lacks: bool) -> TrainSpec:
    """The spec with its first weights decided: what was, where the training has been begun. `lacks`: one of the ranks
    has none of ImageNet's. Raises ModelError."""
    if begun is not None:
        return replace(spec, weights=str(begun["spec"]["weights"])) if spec.weights == AUTO else spec
    if store.has_steps:
        return spec
    if spec.weights == AUTO and lacks and first_weights.here(spec):
        text = "It starts without ImageNet weights: not every machine that trains has them (fullfield weights fetch)."
        context.emit(Notice(text=text, level="warning"))
    return first_weights.decided(spec, everywhere=not lacks)


def _state(spec: TrainSpec, data: Prepared, store: Store, context: Context, team: Team, training: int = 0) -> State:
    device = devices.choose(spec.device, rank=meet.place_here(team.rank))
    found = shared.newest(store, team, torch.device(device.name))
    context.emit(Notice(text=device.why, topic="device"))
    counts = resumed.threads(spec, found, team)
    if found is not None:
        resumed.refuse_others(spec, found.fields, data, planned=True)
        # No first weights are fetched: they come from the checkpoint.
        spec = specs.from_json({**spec.to_json(), "weights": "none"})
    build.set_up(device, counts[meet.place_here(team.rank)])
    images.stop_if_asked(context, team)
    context.emit(PhaseStarted(name="Building the network (the first time this can take a minute)"))
    state = build.state(
        spec,
        device,
        data,
        notice=lambda text: _first_time(text, found, context),
        each=lambda: images.stop_if_asked(context, team),
        team=team,
        training=training,
    )
    if found is None:
        begun_from.refuse_another(context.folder, spec.weights)
    else:
        try:
            resumed.restore(state, found, spec, context, threads=max(counts))
        except BaseException:
            state.update.close()  # its hooks would hold it beside the next, smaller one
            raise
    if team.writes:
        begun_from.keep(context.folder, state.start, spec.weights if spec.compare and found is None else None)
    return state


def _first_time(text: str, found: Checkpoint | None, context: Context) -> None:
    if found is None:  # a training that goes on has its weights already
        context.emit(Notice(text=text))


def _baselines(data: Prepared, parts: Parts, context: Context, *, soon: bool) -> tuple[Baseline, ...]:
    context.emit(PhaseStarted(name="Measuring what simple methods reach"))
    found = []
    for baseline in baselines.measured(
        context.folder,
        data,
        parts.training,
        parts.validation,
        each=lambda: images.stop_if_asked(context),
        tuned_on=baselines.TUNED_SOON if soon else baselines.TUNED_ON,
    ):
        quality = baseline.quality
        context.emit(
            BaselineMeasured(
                name=baseline.name,
                validation_loss=quality.loss,
                psnr_db=quality.psnr_db,
                fine_sd_ratio=quality.fine_sd_ratio,
                fine_correlation=quality.fine_correlation,
            )
        )
        found.append(baseline)
    return tuple(found)


def _steps_left(spec: TrainSpec, parts: Parts, state: State) -> int:
    return len(parts.train) * spec.epochs - state.progress.step


def _results(
    spec: TrainSpec,
    data: Prepared,
    parts: Parts,
    state: State,
    held: tuple[Baseline, ...],
    store: Store,
    context: Context,
    team: Team,
) -> Fields | None:
    """The summary of what is left, of the rank that writes; None of the others, without which it lacks weights."""
    with steps.opened(state.build.as_result):
        tensors = state.weights()
        if not team.writes:
            return None
        if team.size > 1:  # the others have ended: their cores are this one's
            devices.compute_with(build.threads(spec)[0])
        last = result.card(spec, data, parts, state, None, held)
        sha256, problem = result.export(context.folder, store.folder, state, last, tensors)
    if problem:
        context.emit(Notice(text=problem, level="warning"))
    eight = _int8(spec, parts, state, context)
    return result.summary(spec, data, parts, state, list(held), sha256, eight)


def _left(spec: TrainSpec, whole: Fields, context: Context) -> Fields:
    """The last of what a training leaves, when nothing of the training itself is in memory any more."""
    devices.free_cached()
    tiled = not FAMILIES[spec.network].whole
    if spec.calibrate_halo and tiled and not context.stopping():  # a stop must not wait for it
        whole["model_sha256"] = result.calibrate(context.folder / result.MODEL)
    return result.short(result.keep_summary(context.folder, whole))


def _int8(spec: TrainSpec, parts: Parts, state: State, context: Context) -> result.Int8 | None:
    """The int8 model of a training that is for one and has come to its end; None else, or where none can be made."""
    make = state.build.int8
    if make is None or state.progress.epoch < spec.epochs or context.stopping():
        return None
    context.emit(PhaseStarted(name="Making the 8-bit model", total=len(prepared.views(parts.validation))))
    try:
        found = result.int8(context.folder, make, state, parts, each=lambda: _leave_if_asked(context))
    except Interrupted:
        text = "No 8-bit model was left: it was stopped while being measured. Go on with the training to get it."
        context.emit(Notice(text=text, level="warning"))
        return None
    except CannotWrite:
        raise
    except Exception as error:  # noqa: BLE001 - torch raises what it likes; the training is done, and its model is left
        _log.exception("no 8-bit model")
        why = "there was not enough memory" if devices.is_out_of_memory(error) else type(error).__name__
        text = f"No 8-bit model could be made of the network ({why}); the model in 32 bits is whole."
        context.emit(Notice(text=text, level="warning"))
        return None
    context.emit(Notice(text=found.sentence))
    return found


def _leave_if_asked(context: Context) -> None:
    if context.stopping():
        raise Interrupted("The 8-bit model is left out.")
