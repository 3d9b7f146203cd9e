"""One connection over which a run on a node is followed, at this end: events and files come, commands go.

A thread reads and writes what comes; it ends with the connection.
"""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
import threading
from collections.abc import Callable, Sequence
from typing import IO

from fullfield import checked, files
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.errors import ExitCode, FullfieldError
from fullfield.jobs import event_log
from fullfield.jobs import job as jobs
from fullfield.nodes import results, ssh, withheld
from fullfield.nodes.came import Came
from fullfield.nodes.mirror import KILL, Mirror
from fullfield.nodes.node import Node
from fullfield.nodes.results import Content
from fullfield.protocol import event_lines
from fullfield.protocol.events import LINE, Event, Notice, RunEnded, RunFailed, SampleWritten, StepDone

LOOK_SECONDS = 0.1
MOST_BYTES = 1 << 26  # of events at once
_READ_BYTES = 1 << 20


class Line:
    """A connection. `received`: the node has answered. `killed`: it was asked to end the run at once. `back`: another
    one was cut before: that it is back is told. `on_event`: called with each event of the node."""

    def __init__(
        self,
        node: Node,
        mirror: Mirror,
        context: Context,
        *,
        back: bool,
        on_event: Callable[[Event], None] = lambda event: None,
    ) -> None:
        self.received = self.killed = False
        self._node, self._mirror, self._context, self._back, self._on_event = node, mirror, context, back, on_event
        self._code, self._completed, self._ended = int(ExitCode.ALL_DONE), False, False
        self._words, self._came = withheld.of(mirror.folder, mirror.note.texts), Came(mirror.folder)
        self._given: int | None = None
        self._error: Exception | None = None

    def follow(self) -> tuple[int, bool]:
        """Until the run has ended: its exit code, and whether it is completed. Raises LineCut, NodeRefused, what the
        node tells, and OSError of a disk that is full here."""
        with tempfile.TemporaryFile() as reported:
            arguments = ("follow", self._mirror.note.id, "--from", str(self._mirror.read))
            process = ssh.start(self._node, *arguments, errors_to=reported)
            assert process.stdin is not None and process.stdout is not None
            self._patience = ssh.Patience(process)
            thread = threading.Thread(target=self._receive, args=(process.stdout,), name="line", daemon=True)
            thread.start()
            try:
                self._say(process.stdin, {"have": self._came.have()})
                while thread.is_alive():
                    thread.join(LOOK_SECONDS)
                    self._pass_on(process.stdin)
                # Its end comes after all else: a line that is cut behind it was not cut too early.
                if self._error is None and not self._ended and not event_log.has_ended(self._mirror.folder):
                    raise ssh.ended(self._node, process, reported)
            finally:
                process.kill()
                thread.join()
                ssh.end(process)
        if self._error is not None:
            raise self._error
        with contextlib.suppress(OSError):
            (self._mirror.folder / KILL).unlink()  # not before: a line that is cut may not have brought it
        return self._code, self._completed

    def _pass_on(self, stream: IO[bytes]) -> None:
        """Bring the new commands of this computer to the node."""
        if self._given is None:
            return
        with contextlib.suppress(OSError):
            content = (self._mirror.folder / "commands.jsonl").read_bytes()[self._given - self._mirror.note.given :]
            content = content[: content.rfind(b"\n") + 1]
            if content:
                self._say(stream, {"commands": content.decode("utf-8", "replace"), "at": self._given})
                self._given += len(content)
        if not self.killed and (self._mirror.folder / KILL).exists():
            self._say(stream, {"kill": True})
            self.killed = True

    def _say(self, stream: IO[bytes], values: Fields) -> None:
        with contextlib.suppress(OSError):  # the thread finds that the line is cut
            stream.write(ssh.line(values))
            stream.flush()

    def _receive(self, stream: IO[bytes]) -> None:
        try:
            values = ssh.first(self._node, stream)
            while values is not None and self._take(values, stream) and not self._ended:
                text = stream.readline()
                values = ssh.read(self._node, text) if text.endswith(b"\n") else None
        except (FullfieldError, OSError) as error:
            self._error = error
        except (ValueError, KeyError, TypeError) as error:
            self._error = ssh.NodeRefused(
                f"The node {self._node.name} tells what cannot be understood.",
                detail=f"{type(error).__name__}: it is another version.",
                hint="Install the same version on both.",
            )

    def _take(self, values: Fields, stream: IO[bytes]) -> bool:
        """Take what a line brings; False where the rest of it does not come."""
        self._patience.moved()
        if "commands" in values:
            self._given, self.received = int(values["commands"]), True
            if self._back:
                self._mirror.tell(Notice(text=f"The line to the node {self._node.name} is back.", topic=LINE))
        elif "events" in values:
            size = int(values["events"])
            if not 0 <= size <= MOST_BYTES:
                raise ValueError("more than a run tells at once")
            content = stream.read(size)
            if len(content) < size:
                return False
            content = self._words.lines_here(self._mirror.folder, content)
            self._mirror.append(content)
            self._note(content)
        elif "file" in values:
            return self._write(checked.make(results.Reported, values), stream)
        elif "end" in values:
            self._finish(values["files"], values["end"])
        return True

    def _note(self, content: bytes) -> None:
        for line in content.decode("utf-8", "replace").splitlines():
            event = event_lines.from_line(line)
            if event is not None:
                self._on_event(event)
            match event:
                case StepDone():
                    self._context.accept()
                case SampleWritten() as sample:
                    for name in results.removed(sample):
                        (self._mirror.folder / name).unlink(missing_ok=True)
                case RunFailed() as failed:
                    self._code = failed.exit_code
                    if failed.refused:
                        jobs.refuse(self._mirror.folder)
                case RunEnded() as ended:
                    self._context.accept()
                    self._completed = ended.reason == "completed"
                    if ended.reason in ("stopped", "paused"):
                        self._code = int(ExitCode.INTERRUPTED)
                case _:
                    pass

    def _write(self, reported: results.Reported, stream: IO[bytes]) -> bool:
        """Leave a file whole or not at all; False where it does not come whole."""
        if not results.may_come(reported.file):
            raise ssh.NodeRefused(
                f"The node {self._node.name} sends a file that is none of a run's.",
                detail="It is another version, or somebody has taken it over.",
                hint="Ask IT to look at it.",
            )
        target, left, digest = self._mirror.folder / reported.file, reported.size, hashlib.sha256()
        with contextlib.suppress(_Cut), files.atomic_write(target) as written:
            while left > 0:
                content = stream.read(min(_READ_BYTES, left))
                if not content:
                    raise _Cut
                self._patience.moved()
                written.write(content)
                digest.update(content)
                left -= len(content)
        if left == 0:
            self._words.put(self._mirror.folder, reported.file)
            self._came.note(reported.file, Content(mark=reported.mark, sha256=digest.hexdigest()))
        return left == 0

    def _finish(self, kept: Sequence[str], end: Sequence[str]) -> None:
        """Remove checkpoints that the run has not `kept`; tell how a run ended that could not say so itself."""
        for path in results.checkpoints(self._mirror.folder):
            if path.relative_to(self._mirror.folder).as_posix() not in kept:
                path.unlink(missing_ok=True)
        for line in end:
            content = self._words.lines_here(self._mirror.folder, f"{line}\n".encode())
            event = event_lines.from_line(content.decode())
            if event is not None:
                self._mirror.tell(event)
                self._note(content)
        self._ended = True


class _Cut(Exception):
    """A file does not come whole."""
