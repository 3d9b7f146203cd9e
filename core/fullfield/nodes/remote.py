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
from functools import partial
from typing import TypeVar

from fullfield import __version__, files
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.data.prepared import Prepared
from fullfield.errors import CannotWrite, ExitCode, FullfieldError, Interrupted
from fullfield.image.method import SHIPPED
from fullfield.jobs import event_log
from fullfield.jobs.job import Job
from fullfield.model import registry
from fullfield.nodes import checkpoints, pieces, probe, results, ssh, together, withheld
from fullfield.nodes import node as nodes
from fullfield.nodes.line import Line
from fullfield.nodes.members import Members, Silent
from fullfield.nodes.mirror import KILL, Mirror
from fullfield.nodes.node import Node
from fullfield.nodes.pieces import Piece
from fullfield.nodes.probe import Probe
from fullfield.nodes.ssh import Gone, LineCut
from fullfield.plan import spec as plans
from fullfield.protocol import places, specs
from fullfield.protocol.computers import Computer, refuse_mixed
from fullfield.protocol.events import LINE, Event, Notice, PhaseStarted, RunStarted
from fullfield.protocol.rank_events import NodesChanged
from fullfield.protocol.training import AUTO, Training, from_json

MEGABYTE, MOST_REPORTED = 10**6, 20
WAITS = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds before a line that was cut is tried again: the last for ever."""
_T = TypeVar("_T")


def work(job: Job, context: Context, /) -> int:
    """See `fullfield.jobs.launch.Launcher`."""
    mirror = Mirror(context.folder)
    mirror.mend()
    try:
        there = tuple(map(nodes.find, places.several(job.place)))
        made: list[tuple[Piece, ...]] = []
        if not mirror.note.following:
            made.append(_begin(there, job, mirror, context))
        members = _members(there, job, mirror, lambda: made[0] if made else pieces.of(_data(job, Silent(context))))
        if not made and (who := event_log.last_of(context.folder, NodesChanged)) is not None:
            members.receive(who)  # what mirrored it before has heard it
        members.begin()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)  # asks this process to end, not the run: that goes on there
        code, completed = _follow(there[0], mirror, context, members.receive)
    finally:
        _leave(mirror)
    run = mirror.note.id if completed else ""
    if run:
        with contextlib.suppress(FullfieldError):  # then it goes after a week
            ssh.forget(there[0], run)
            mirror.forget()
    members.end(forget=run)
    return code


def _members(there: tuple[Node, ...], job: Job, mirror: Mirror, data: Callable[[], tuple[Piece, ...]]) -> Members:
    """Those that train with the first."""

    def given() -> tuple[Piece, ...]:
        return data() if job.kind == "train" else ()

    def request(number: int, needed: tuple[Piece, ...]) -> Fields:
        reported = together.fleet(job, there, number, mirror.note.id, mirror.note)
        return {**_request(there[number], job, mirror.note.id, needed), "fleet": reported}

    def tell(text: str) -> None:
        mirror.tell(Notice(text=withheld.named(text, mirror.note.texts), level="warning"))

    return Members(there[1:], request, given, tell)


def _leave(mirror: Mirror) -> None:
    """Nothing is followed any more. Where that cannot be noted, nothing more may be told here: it would count as the
    node's."""
    try:
        mirror.leave()
    except CannotWrite:
        os._exit(int(ExitCode.CANNOT_WRITE))


def _begin(there: tuple[Node, ...], job: Job, mirror: Mirror, context: Context) -> tuple[Piece, ...]:
    """Send what the run needs and start it there, on the first; the data that were sent."""
    node = there[0]
    context.emit(RunStarted(job=job.kind, pid=os.getpid(), world=job.processes, version=__version__))
    if len(there) > 1:
        context.emit(Notice(text=together.UNENCRYPTED, level="warning"))
    reported: dict[str, Probe] = {}
    for one in there:
        context.emit(PhaseStarted(name=f"Asking {one.title} what it has"))
        try:
            found = probe.there(one)
        except LineCut:
            if one is node:
                raise
            continue  # it is tried again, and then told
        reported[one.name] = found
        probe.refuse_others(found.versions, probe.versions(), title=f"Cannot train on {one.title}.")
        context.emit(Notice(text=f"It runs on {one.title}: {found.sentence(queue=bool(one.slurm))}.", topic="device"))
    training = _training(job)
    if training is not None and any(text.partition(":")[0] == "quantization" for text in training.techniques):
        context.emit(Notice(text=results.INT8_STAYS, level="warning"))
    data = _data(job, context) if training is not None else None
    given = pieces.of(data) if data is not None else ()
    has = together.computers(there, reported)
    refuse_mixed(has, AUTO if training is None else training.device)
    try:
        answer = _start(there, job, mirror, context, given, has)
    except Gone:
        mirror.forget()
        answer = _start(there, job, mirror, context, given, has)
    address, port = str(answer.get("address", "")), int(answer.get("port", 0))  # of several, where they meet
    run, texts = str(answer["id"]), withheld.of_data(data.identity, data.reference) if data is not None else {}
    texts |= withheld.of_nodes(run, [one.name for one in there]) if len(there) > 1 else {}
    mirror.begin(run, given=int(answer["commands"]), address=address, port=port, texts=texts)
    return given


def _training(job: Job) -> Training | None:
    """What a training is asked; of another kind None. Raises UsageError."""
    asked = specs.read(job.kind, job.spec)
    return asked if isinstance(asked, Training) else None


def _data(job: Job, context: Context) -> Prepared:
    from fullfield.train import images

    data = images.prepared(plans.checked(from_json(job.spec)), context, check=lambda found: None)
    for sentence in data.problems[:MOST_REPORTED]:
        context.emit(Notice(text=sentence, level="warning"))
    return data


def _start(
    there: tuple[Node, ...],
    job: Job,
    mirror: Mirror,
    context: Context,
    given: tuple[Piece, ...],
    has: tuple[Computer, ...],
) -> Fields:
    """Send what the node has not, and start the run. `has`: what each of several has. Raises Gone where it has
    forgotten that it had it before."""
    node = there[0]
    before = mirror.note.id
    given = given if before or job.kind != "train" else (*given, *checkpoints.of(context.folder))
    if given:
        context.emit(PhaseStarted(name=f"Sending the images to {node.title}"))
        sent = _patiently(context, lambda: pieces.send(node, given, pause=lambda: _leave_if_asked(context)))
        total = sum(piece.size for piece in given)
        text = f"{sent / MEGABYTE:,.1f} of {total / MEGABYTE:,.1f} MB were sent to {node.title}."
        context.emit(Notice(text=text, topic="data"))
    run = before or secrets.token_hex(16)
    mirror.name(run, mirror.note.key or secrets.token_hex(16))  # not the run's name: that stands in command lines
    request = _request(node, job, run, given)
    request |= {"resumes": bool(before), "fleet": together.fleet(job, there, 0, run, mirror.note, has)}
    return {**_patiently(context, lambda: ssh.ask(node, "run", said=request), begins=node.title), "id": run}


def _request(there: Node, job: Job, run: str, given: tuple[Piece, ...]) -> Fields:
    spec, training = withheld.settings(job.spec), _training(job)
    if given:
        spec = {**spec, "place": places.LOCAL, "data": ""}
    return {
        "id": run,
        "kind": job.kind,
        "spec": spec,
        "processes": job.processes,
        "pieces": {piece.name: piece.sha256 for piece in given},
        "slurm": list(there.queue),
        "shipped": _shipped() if training is not None and training.weights == SHIPPED else "",
    }


def _shipped() -> str:
    return files.sha256(registry.resolve(SHIPPED))


def _patiently(context: Context, call: Callable[[], _T], *, begins: str = "") -> _T:
    """What `call` returns, tried again where the line is cut. Raises Interrupted where the run is asked to stop;
    `begins`: what it may have begun on by then."""
    tries = 0
    while True:
        try:
            return call()
        except LineCut as error:
            if not tries:
                text = f"{error.title} {error.detail} It is tried again."
                context.emit(Notice(text=text, level="warning"))
            _wait(WAITS[min(tries, len(WAITS) - 1)], lambda: _leave_if_asked(context, begins))
            tries += 1


def _follow(node: Node, mirror: Mirror, context: Context, on_event: Callable[[Event], None]) -> tuple[int, bool]:
    """Mirror the run to its end: its exit code, and whether it is completed."""
    tries = 0
    while True:
        line = Line(node, mirror, context, back=tries > 0, on_event=on_event)
        try:
            return line.follow()
        except LineCut as error:
            tries = 1 if line.received else tries + 1
            if tries == 1:
                text = f"{error.title} {error.detail} The run goes on there, and the line is tried again."
                mirror.tell(Notice(text=text, level="warning", topic=LINE))
            _wait(WAITS[min(tries, len(WAITS)) - 1], partial(_end_if_killed, node, mirror, line))


def _wait(seconds: float, pause: Callable[[], None]) -> None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        pause()
        time.sleep(0.1)


def _leave_if_asked(context: Context, begins: str = "") -> None:
    if context.stopping() and begins:
        stopped = Interrupted(
            "The run was stopped before an answer said that it began.",
            detail=f"It may go on on {begins}, to which there is no line.",
            hint="Go on with it (--resume) when the line is back, then stop it.",
        )
        context.emit(Notice(text=f"{stopped.detail} {stopped.hint}", level="warning"))
        raise stopped
    if context.stopping():
        raise Interrupted("The run was stopped before it began on the node.", hint="What was sent is kept for a week.")


def _end_if_killed(node: Node, mirror: Mirror, line: Line) -> None:
    """Give up, unless the line that was cut may have brought it: the next one says it again."""
    if not line.killed and (mirror.folder / KILL).exists():
        (mirror.folder / KILL).unlink()
        raise LineCut(
            f"Cannot end the run on the node {node.name}.",
            detail="There is no line to it. The run may go on there.",
            hint="Go on with it (--resume) when the node is back, then stop it.",
        )
