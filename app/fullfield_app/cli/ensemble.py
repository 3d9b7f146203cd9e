"""`fullfield train … --members N`: the members of an ensemble instead of one training, below the folder after --out."""

from __future__ import annotations

import argparse
import contextlib
from dataclasses import replace
from pathlib import Path

from fullfield.checked import Fields
from fullfield.errors import UsageError
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.plan import spec as plans
from fullfield.protocol import places, specs
from fullfield.protocol.ensembles import LEAST, MOST, EnsembleSpec
from fullfield.protocol.training import Training
from fullfield.runs import ensemble
from fullfield_app.cli.speak import say

HELP = (
    f"train an ensemble, {LEAST} to {MOST} networks with other first weights and another order of the images, and make "
    "one model of them; it takes N times as long. Several machines after --on (and local) share the members, each one "
    "after another, instead of training one network together"
)


def before(run: Path) -> EnsembleSpec | None:
    """What the ensemble in a run's folder shall do; None where that holds a single training. Raises UsageError."""
    job = jobs.load(run)
    spec = specs.read(job.kind, job.spec)
    return spec if isinstance(spec, EnsembleSpec) else None


def begun(run: Path) -> tuple[Fields, int]:
    """The settings of the training in a run's folder, or of each member there, and its number of processes. Raises
    UsageError."""
    known = before(run)
    if known is not None:
        return specs.to_fields(known.training), known.processes
    job = jobs.load(run)
    return job.spec, job.processes


def has_begun(run: Path) -> bool:
    """Whether a folder holds a training that has left something, or an ensemble of which a member has, wherever that
    lies."""
    members = [path for path in run.glob("member-*") if path.is_dir()]
    with contextlib.suppress(UsageError):  # no run, or a damaged one
        known = before(run)
        members += map(Path, known.runs) if known is not None else ()
    return any(map(ensemble.has_begun, (run, *members)))


def processes(values: argparse.Namespace, device: str) -> int:
    """As many as are asked for; else those of the run with --resume: one process stays one, and more of them unless
    other devices are listed than they have."""
    if values.processes is not None:
        return int(values.processes)
    then, count = begun(values.out) if values.resume else ({}, 0)
    return count if count == 1 or device == then.get("device") else plans.processes(device, count or 1)


def left_alone(values: argparse.Namespace, spec: Training, count: int) -> Training:
    """The training without what several processes shared, where one goes on in their place and nothing is saved yet, by
    which it would know that itself."""
    if not values.resume or hasattr(values, "techniques") or count > 1 or len(places.several(spec.place)) > 1:
        return spec
    if before(values.out) is not None or begun(values.out)[1] == 1 or has_begun(values.out):
        return spec
    alone = plans.alone(spec)
    dropped = [text for text in spec.techniques if text not in alone]
    if dropped and not (values.quiet or values.json):
        say(f"One process goes on, without what several shared their work by: {', '.join(dropped)}.")
    return replace(spec, techniques=alone)


def job(values: argparse.Namespace, training: Training, processes: int) -> Job | None:
    """The job of an ensemble; None where one network is to be trained. Raises UsageError, CannotWrite."""
    known = before(values.out) if values.resume else None
    count = values.members if values.members is not None else len(known.runs) if known is not None else 1
    if count == 1 and known is None:
        return None
    if values.resume and (known is None or count != len(known.runs)):
        raise UsageError(
            f"Cannot go on with {count} members.",
            detail=f"That run has {len(known.runs) if known is not None else 1}.",
            hint="Leave out --members, or name a new folder.",
        )
    if values.nodes:
        raise UsageError(
            "Cannot train members on several nodes together.",
            detail="With --members each machine trains members of its own.",
            hint="Leave out --nodes.",
        )
    asked = plans.checked(training)
    folders = _folders(values.out, count) if known is None else _begun(values.out, known)
    if known is not None:
        ensemble.refuse_changed(asked, replace(known, runs=tuple(map(str, folders))))
    made = ensemble.prepare(
        asked,
        folders,
        processes=processes,
        images_to=known.images_to if known is not None else (),
        keep=known.keep if known is not None else "",
    )
    if not (values.quiet or values.json):
        shared = len(ensemble.each_place(training.place))
        at_once = f", {min(shared, count)} of them at once" if shared > 1 else ", one after another"
        say(f"{count} members{at_once}: each takes as long as one training.")
    return Job.of(made)


def _folders(out: Path, count: int) -> list[Path]:
    return [out.absolute() / f"member-{number}" for number in range(1, count + 1)]


def _begun(out: Path, known: EnsembleSpec) -> list[Path]:
    """The folders of members that were begun: those in `out`, which may have been moved since, else those where the
    window has begun them. Raises UsageError where one is gone."""
    inside, noted = _folders(out, len(known.runs)), [Path(run) for run in known.runs]
    if any((folder / jobs.JOB).exists() for folder in inside):
        return inside
    for number, folder in enumerate(noted, 1):
        if not folder.exists():
            raise UsageError(
                "Cannot go on with the members of this ensemble.",
                detail=f"The run of member {number} is not in {folder} any more.",
                hint="Put it back where it was, or name a new folder.",
            )
    return noted
