"""On the node: start a run, and tell what happens to it over a connection that may be cut at any byte.

`follow` writes lines of JSON, each with as many bytes behind it as it says:

    {"commands": n}                        once: how many bytes of commands are here
    {"file": …, "size": n, "mark": …}      and the bytes: a file of results, new or changed
    {"events": n} and the bytes            whole lines of events.jsonl, from the byte that was asked for
    {}                                     a sign of life
    {"end": [lines], "files": [names]}     the last: what else is to be told of its end; which files there are

The line of its end comes after all its files, so who has read that it has ended has them. On its standard input come
{"have": {name: [mark, SHA-256]}}, once, then {"commands": text, "at": byte} and {"kill": true}.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fullfield import checked, files, process_identity
from fullfield.checked import Count, Fields
from fullfield.errors import UsageError, WorkerDied
from fullfield.image.method import SHIPPED
from fullfield.jobs import event_log, post_mortem
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launch import attach, launch
from fullfield.model import card as cards
from fullfield.model import registry
from fullfield.nodes import answering, kept, results
from fullfield.nodes.results import Content
from fullfield.protocol import event_lines, events, places
from fullfield.protocol.events import RunEnded, RunFailed
from fullfield.protocol.fleets import Fleet

POLL_SECONDS, ALIVE_SECONDS = 0.1, 1.0
READ_BYTES = 1 << 18


@dataclass(frozen=True, kw_only=True)
class Request:
    """What shall run. `pieces`: hashes by names in the folder of prepared pairs. `resumes`: it was here before.
    `fleet`: of one that several nodes run. `slurm`: options of srun, where it waits in a cluster's queue. `shipped`:
    SHA-256 of the model that ships, where it starts from that one."""

    id: str
    kind: str
    spec: Fields
    processes: int = 1
    pieces: dict[str, str] = field(default_factory=dict)
    resumes: bool = False
    fleet: Fleet | None = None
    slurm: tuple[str, ...] = ()
    shipped: str = ""


def run() -> Fields:
    """Start what is asked for, or go on with it; how many bytes of commands it has been given, where other nodes meet
    it, and by what it had failed before, where it is started anew. Raises NothingKept where it is to go on and is here
    no more, UsageError where it starts from another model than the one that ships with this installation, and as
    `launch`."""
    kept.sweep()
    asked = answering.given()
    with answering.understood():
        request = checked.make(Request, asked)
        if request.resumes:
            kept.found(request.id)
        folder, failed = kept.named(request.id) / "run", None
        if not (folder.is_dir() and attach(folder).alive()):
            _refuse_other_weights(request.shipped)
            failed = event_log.failure(folder)
            data = kept.store(request.id, request.pieces) / "data"
            spec = {**request.spec, "data": str(data)} if request.pieces else request.spec
            place = places.FLEET if request.fleet else places.SLURM if request.slurm else places.LOCAL
            made = Job(kind=request.kind, spec=spec, processes=request.processes, place=place)
            launch(replace(made, fleet=request.fleet, slurm=request.slurm), folder=folder)
        fleet = jobs.asked(folder).fleet
    met = {"address": fleet.address, "port": fleet.port} if fleet else {}
    return {"commands": _size(folder / "commands.jsonl"), "failed": failed.error if failed else {}, **met}


def _refuse_other_weights(sha256: str) -> None:
    if sha256 and cards.sha256(registry.resolve(SHIPPED)) != sha256:
        raise UsageError(
            "Cannot start from the model that ships.",
            detail="The one of this installation is another file than that of the computer that asks.",
            hint="Install the same version on both.",
        )


def follow(run: str, begin: int) -> None:
    """See above. Raises NothingKept; UsageError where there are fewer events than were read."""
    folder = kept.found(run) / "run"
    if begin > event_log.size(folder):
        raise UsageError(
            "Cannot go on following this run.", detail="It has fewer events than were read.", hint="Start it again."
        )
    with answering.understood():
        given = answering.given()["have"]
        have = {str(name): Content(mark=str(mark), sha256=str(sha256)) for name, (mark, sha256) in given.items()}
    answering.say({"commands": _size(folder / "commands.jsonl")})
    killing = threading.Lock()
    threading.Thread(target=_listen, args=(folder, killing), name="commands", daemon=True).start()
    _Follower(folder, begin, have, killing).follow()


class _Follower:
    def __init__(self, folder: Path, begin: int, have: Mapping[str, Content], killing: threading.Lock) -> None:
        self._folder, self._at, self._have, self._killing = folder, begin, dict(have), killing
        self._run, self._watch = attach(folder), post_mortem.Watch(folder)
        self._said = 0.0

    def follow(self) -> None:
        """Until the run has ended, and all is told and brought."""
        while self._run.alive():
            self._tell()
            if time.monotonic() - self._said > ALIVE_SECONDS:
                self._bring(ended=False)
                self._say({})
            time.sleep(POLL_SECONDS)
        with self._killing:  # who ends it is about to say so
            self._tell()  # what it wrote before it ended
        names = self._bring(ended=True)
        self._tell(last=True)
        ends = [] if event_log.has_ended(self._folder) else [events.to_line(one) for one in self._last_words()]
        self._say({"end": ends, "files": names})

    def _tell(self, *, last: bool = False) -> None:
        """Tell the new events, after the files that they may name; not an end that comes `last`: that waits for all."""
        while True:
            content = self._read()
            whole = content[: content.rfind(b"\n") + 1]
            whole = whole if last else _without_end(whole)
            if not whole:
                return
            if not last:
                self._bring(ended=False)
            self._say({"events": len(whole)}, whole)
            self._at += len(whole)

    def _read(self) -> bytes:
        try:
            with event_log.path(self._folder).open("rb") as stream:
                stream.seek(self._at)
                content = stream.read(READ_BYTES)
                while b"\n" not in content and (rest := stream.read(READ_BYTES)):
                    content += rest
                return content
        except FileNotFoundError:  # it has told nothing yet
            return b""

    def _bring(self, *, ended: bool) -> list[str]:
        """Bring every file that is new or changed; the names of all."""
        names = []
        for one, path in results.there(self._folder, ended=ended):
            names.append(one.file)
            known = self._have.get(one.file)
            found = known.found(path) if known is not None else None
            if found is None:
                self._send(path, one)
            else:
                self._have[one.file] = found
        return names

    def _send(self, path: Path, one: results.Reported) -> None:
        try:
            stream = path.open("rb")
        except FileNotFoundError:  # it has been replaced or removed meanwhile
            return
        with stream:
            status = os.fstat(stream.fileno())
            size, mark = status.st_size, results.mark(status)
            self._say({"file": one.file, "size": size, "mark": mark})
            digest = hashlib.sha256()
            while size > 0:
                content = stream.read(min(READ_BYTES, size)) or bytes(min(READ_BYTES, size))  # of a log that was cut
                sys.stdout.buffer.write(content)
                digest.update(content)
                size -= len(content)
        sys.stdout.buffer.flush()
        self._have[one.file] = Content(mark=mark, sha256=digest.hexdigest())

    def _say(self, values: Fields, content: bytes = b"") -> None:
        answering.say(values)
        if content:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        self._said = time.monotonic()

    def _last_words(self) -> list[Any]:
        worker = jobs.worker(self._folder)
        boot = str(worker.started).partition(":")[0] if worker is not None else ""
        if boot and process_identity.boot() not in ("", boot):
            died = WorkerDied(
                "The node that did this run was started anew.",
                detail="It was switched off, lost power, or was restarted.",
                hint="Go on with the run (--resume): what was saved is kept.",
            )
            return [RunFailed(error=died.as_fields(), exit_code=int(died.exit_code)), RunEnded(reason="died")]
        return self._watch.last_words(None)


def _without_end(lines: bytes) -> bytes:
    """Whole lines without the last one, where that says that the run has ended."""
    before = lines.rfind(b"\n", 0, -1) + 1
    last = lines[before:].decode("utf-8", "replace")
    return lines[:before] if isinstance(event_lines.from_line(last), RunEnded) else lines


def _listen(folder: Path, killing: threading.Lock) -> None:
    """Do what comes on standard input; end with it: who followed is gone. `killing`: held until a run that is ended has
    that told."""
    while line := sys.stdin.buffer.readline():
        try:
            asked = checked.parse(line)
            if asked.get("kill"):
                with killing:
                    run = attach(folder)
                    run.stop()
                    run.kill()
            elif asked["at"] == _size(folder / "commands.jsonl"):
                _append(folder / "commands.jsonl", str(asked["commands"]).encode())
        except (ValueError, KeyError, AttributeError, TypeError, OSError, UsageError):
            continue  # a line that was cut, or a full disk: it is sent again on the next connection
    os._exit(0)


def _append(path: Path, content: bytes) -> None:
    with files.open_to_append(path) as stream:
        stream.write(content)


def _size(path: Path) -> Count:
    try:
        return path.stat().st_size
    except OSError:
        return 0
