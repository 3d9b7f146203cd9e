"""The images that a training learns from: prepared now, or as this run had them before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from fullfield.context import Context
from fullfield.data import prepare
from fullfield.data.mend import Mender
from fullfield.data.prepare import Request
from fullfield.data.prepared import Prepared
from fullfield.dicom.read import Decoder
from fullfield.errors import Interrupted
from fullfield.plan.spec import NATIVE, TrainSpec
from fullfield.protocol.events import Notice, PhaseStarted


def prepared(spec: TrainSpec, context: Context, *, check: Callable[[Prepared], None]) -> Prepared:
    """The prepared pairs; what is found damaged in the cache later is made anew. `check` may refuse what was made now,
    before anything is noted of it. Raises InputRefused, InputUnreadable, Interrupted where it is asked to stop."""
    stop_if_asked(context)
    size = None if spec.size == NATIVE else spec.size
    assert not isinstance(size, str)
    request = Request(
        folder=Path(spec.data),
        size=size,
        reference=spec.reference,
        seed=spec.seed,
        review=spec.review,
        use_on=spec.use_on,
    )
    phases: set[str] = set()

    def progress(phase: str, done: int, total: int) -> None:
        if phase not in phases:
            phases.add(phase)
            context.emit(PhaseStarted(name=phase, total=total))
        stop_if_asked(context)

    data = prepare.noted(context.folder, request)
    if data is None:
        with Decoder() as reader:
            data = prepare.prepare(prepare.as_begun(context.folder, request), reader, progress=progress)
        check(data)
        prepare.note(context.folder, data, request)
    if data.folder == request.folder:  # its user's own, and with no source beside it
        return data
    mend = Mender(
        replace(request, use_on=data.use_on),
        data.folder,
        Decoder,
        tell=lambda text: context.emit(Notice(text=text, level="warning")),
        pause=lambda: stop_if_asked(context),
    )
    return replace(data, mend=mend)


def stop_if_asked(context: Context) -> None:
    """Raise Interrupted where it is."""
    if context.stopping():
        raise Interrupted(
            "The training was stopped before its first step.",
            hint="Start it again: the images that are prepared are kept.",
        )
