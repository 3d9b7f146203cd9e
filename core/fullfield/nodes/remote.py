"""What this computer's worker does for a run on a node: sends it what it needs, starts it there, and mirrors it.

The line may be cut at any moment, and this process may be ended: the run goes on there, and who comes next goes on from
the byte that was read.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import time
from collections.abc import Callable
from typing import TypeVar

from fullfield import __version__
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.errors import CannotWrite, ExitCode, FullfieldError, Interrupted
from fullfield.jobs.job import Job
from fullfield.nodes import node as nodes
from fullfield.nodes import pieces, probe, ssh
from fullfield.nodes.line import Line
from fullfield.nodes.mirror import KILL, Mirror
from fullfield.nodes.node import Node
from fullfield.nodes.pieces import Piece
from fullfield.nodes.ssh import Gone, LineCut
from fullfield.plan import spec as specs
from fullfield.protocol import places, training
from fullfield.protocol.events import Notice, PhaseStarted, RunStarted

MEGABYTE, MOST_TOLD = 10**6, 20
WAITS = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds before a line that was cut is tried again: the last for ever."""
_T = TypeVar("_T")


def work(job: Job, context: Context, /) -> int:
    """See `fullfield.jobs.launch.Launcher`."""
    mirror = Mirror(context.folder)
    mirror.mend()
    try:
        node = nodes.find(places.which(job.place))
        if not mirror.note.following:
            _begin(node, job, mirror, context)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)  # asks this process to end, not the run: that goes on there
        code, completed = _follow(node, mirror, context)
    finally:
        _leave(mirror)
    if completed:
        with contextlib.suppress(FullfieldError):  # then it goes after a week
            ssh.ask(node, "forget", mirror.note.id)
            mirror.forget()
    return code


def _leave(mirror: Mirror) -> None:
    """Nothing is followed any more. Where that cannot be noted, nothing more may be told here: it would count as the
    node's."""
    try:
        mirror.leave()
    except CannotWrite:
        os._exit(int(ExitCode.CANNOT_WRITE))


def _begin(node: Node, job: Job, mirror: Mirror, context: Context) -> None:
    """Send what the run needs and start it there."""
    context.emit(RunStarted(job=job.kind, pid=os.getpid(), world=job.processes, version=__version__))
    context.emit(PhaseStarted(name=f"Asking the node {node.name} what it has"))
    found = probe.there(node)
    probe.refuse_others(found.versions, probe.versions(), title=f"Cannot train on the node {node.name}.")
    context.emit(Notice(text=f"It runs on the node {node.name}: {found.sentence()}.", topic="device"))
    given = _data(job, context) if job.kind == "train" else ()
    try:
        answer = _start(node, job, mirror, context, given)
    except Gone:
        mirror.forget()
        answer = _start(node, job, mirror, context, given)
    mirror.begin(str(answer["id"]), given=int(answer["commands"]))


def _data(job: Job, context: Context) -> tuple[Piece, ...]:
    from fullfield.train import images

    data = images.prepared(specs.checked(training.from_json(job.spec)), context, check=lambda found: None)
    for sentence in data.problems[:MOST_TOLD]:
        context.emit(Notice(text=sentence, level="warning"))
    return pieces.of(data)


def _start(node: Node, job: Job, mirror: Mirror, context: Context, given: tuple[Piece, ...]) -> Fields:
    """Send what the node has not, and start the run. Raises Gone where it has forgotten that it had it before."""
    before = mirror.note.id
    given = given if before or job.kind != "train" else (*given, *pieces.of_checkpoints(context.folder))
    if given:
        context.emit(PhaseStarted(name=f"Sending the images to the node {node.name}"))
        sent = _patiently(context, lambda: pieces.send(node, given, pause=lambda: _leave_if_asked(context)))
        total = sum(piece.size for piece in given)
        text = f"{sent / MEGABYTE:,.1f} of {total / MEGABYTE:,.1f} MB were sent to the node {node.name}."
        context.emit(Notice(text=text, topic="data"))
    request: Fields = {
        "id": before or secrets.token_hex(16),
        "kind": job.kind,
        "spec": {**job.spec, "place": places.LOCAL, "data": ""} if given else job.spec,
        "processes": job.processes,
        "pieces": {piece.name: piece.sha256 for piece in given},
        "goes_on": bool(before),
    }
    return {**_patiently(context, lambda: ssh.ask(node, "run", said=request)), "id": request["id"]}


def _patiently(context: Context, call: Callable[[], _T]) -> _T:
    """What `call` returns, tried again where the line is cut. Raises Interrupted where the run is asked to stop."""
    tries = 0
    while True:
        try:
            return call()
        except LineCut as error:
            if not tries:
                text = f"{error.title} {error.detail} It is tried again."
                context.emit(Notice(text=text, level="warning"))
            _wait(WAITS[min(tries, len(WAITS) - 1)], lambda: _leave_if_asked(context))
            tries += 1


def _follow(node: Node, mirror: Mirror, context: Context) -> tuple[int, bool]:
    """Mirror the run to its end: its exit code, and whether it is completed."""
    tries = 0
    while True:
        line = Line(node, mirror, context, back=tries > 0)
        try:
            return line.follow()
        except LineCut as error:
            tries = 1 if line.heard else tries + 1
            if tries == 1:
                text = f"{error.title} {error.detail} The run goes on there, and the line is tried again."
                mirror.tell(Notice(text=text, level="warning"))
            _wait(WAITS[min(tries, len(WAITS)) - 1], lambda: _end_if_killed(node, mirror))


def _wait(seconds: float, pause: Callable[[], None]) -> None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        pause()
        time.sleep(0.1)


def _leave_if_asked(context: Context) -> None:
    if context.stopping():
        raise Interrupted("The run was stopped before it began on the node.", hint="What was sent is kept for a week.")


def _end_if_killed(node: Node, mirror: Mirror) -> None:
    if (mirror.folder / KILL).exists():
        (mirror.folder / KILL).unlink()
        raise LineCut(
            f"Cannot end the run on the node {node.name}.",
            detail="There is no line to it. The run may go on there.",
            hint="Go on with it (--resume) when the node is back, then stop it.",
        )
