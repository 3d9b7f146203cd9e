"""The images that a training learns from: prepared now, or as this run had them before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from fullfield.context import Context
from fullfield.data import prepare, taken_over
from fullfield.data.mend import Mender
from fullfield.data.pairs import PAIRS
from fullfield.data.prepare import Request
from fullfield.data.prepared import Prepared
from fullfield.dicom.read import Decoder
from fullfield.distribution.team import ALONE, Team
from fullfield.errors import Interrupted
from fullfield.image import presets
from fullfield.image.presets import AUTO
from fullfield.model.families import registry as families
from fullfield.plan.begun import has_saved
from fullfield.plan.spec import NATIVE, TrainSpec
from fullfield.protocol.events import Notice, PhaseStarted


def prepared(spec: TrainSpec, context: Context, team: Team = ALONE, *, check: Callable[[Prepared], None]) -> Prepared:
    """The prepared pairs, which rank 0 makes; what is found damaged in the cache later is made anew. `check` may refuse
    what was made now, before anything is noted of it. Raises InputRefused, InputUnreadable, Interrupted where it is
    asked to stop."""
    stop_if_asked(context, team)
    request = asked(spec)
    data = team.in_turn(lambda: _made(request, context, check, writes=team.writes))
    if data.folder == request.folder:  # its user's own, and with no source beside it
        return data
    mend = Mender(
        replace(request, use_on=data.use_on),
        data.folder,
        Decoder,
        tell=lambda text: context.emit(Notice(text=text, level="warning")),
        # One of several ranks stops with the others, after a step.
        pause=lambda: stop_if_asked(context) if team.size == 1 else None,
    )
    return replace(data, mend=mend)


def asked(spec: TrainSpec) -> Request:
    """What a training wants prepared."""
    size = None if spec.size == NATIVE else spec.size
    assert not isinstance(size, str)
    return Request(
        folder=Path(spec.data),
        size=size,
        reference=spec.reference,
        seed=spec.seed,
        review=spec.review,
        use_on=spec.use_on,
        normalisation=families.normalisation(spec.network),
    )


def _made(request: Request, context: Context, check: Callable[[Prepared], None], *, writes: bool) -> Prepared:
    phases: set[str] = set()

    def progress(phase: str, done: int, total: int) -> None:
        if phase not in phases:
            phases.add(phase)
            context.emit(PhaseStarted(name=phase, total=total))
        stop_if_asked(context)

    # Before its first checkpoint a run is for what the folder holds now, but for a further member of an ensemble; other
    # ranks find what the first has noted.
    settled = not writes or has_saved(context.folder) or taken_over.is_bound(context.folder)
    data = prepare.noted(context.folder, request) if settled else None
    if data is None:
        begun = prepare.as_begun(context.folder, request) if settled else request
        with Decoder() as reader:
            data = prepare.prepare(begun, reader, progress=progress)
        check(data)
        taken_over.refuse_others(context.folder, data)
        if writes:
            prepare.note(context.folder, data, request)
            for error in presets.passed_over() if data.conventional and request.reference in (AUTO, PAIRS) else ():
                context.emit(Notice(text=str(error), level="warning"))
    return data


def stop_if_asked(context: Context, team: Team = ALONE) -> None:
    """Raise Interrupted where any rank of `team` is."""
    if team.any(context.stopping()):
        if has_saved(context.folder):
            raise Interrupted(
                "The training was stopped before its next step.",
                hint="Go on with it (--resume): what was saved is kept.",
            )
        raise Interrupted(
            "The training was stopped before its first step.",
            hint="Start it again: the images that are prepared are kept.",
        )
