"""The run's folder here that mirrors the one on the node, byte by byte but for what `withheld` puts in: `node.json`
says of which run, and where the node's events begin among those of this computer.

What is told here (that the line is cut, say) stands in the same `events.jsonl`. It is noted before it is written, so at
any moment, also after a power cut, the size of the file says how many bytes of the node's events have been read.
"""

from __future__ import annotations

import json
import mmap
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from fullfield import checked, files
from fullfield.checked import Count
from fullfield.jobs import event_log
from fullfield.protocol import events
from fullfield.protocol.events import Event

FILE = "node.json"
NOTHING: Mapping[str, str] = MappingProxyType({})
KILL = "kill"  # a file that asks to end the run there at once


@dataclass(frozen=True, kw_only=True)
class Note:
    """`id`: the run's name on the node; "": none yet. `following`: it has been started there, and not been seen to end.

    `read`: how many bytes of the node's events are here, where nothing is being followed. Else that is the size of
    `events.jsonl` less `own`, the bytes that are this computer's. `pending`: the last of its lines, that begins at
    byte `at`. `given`: how many bytes of commands the node had when this computer's first was to come. `address`,
    `port`: where other nodes meet it, where several train together; `key`: see `Fleet`. `texts`: see `withheld.Words`.
    """

    id: str = ""
    following: bool = False
    read: Count = 0
    own: Count = 0
    at: Count = 0
    pending: str = ""
    given: Count = 0
    address: str = ""
    port: Count = 0
    key: str = ""
    texts: dict[str, str] = field(default_factory=dict)


class Mirror:
    """The folder of a run that goes on elsewhere. One process at a time writes, of which any thread may `tell`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.note = folder, read(folder)
        self._writing = threading.Lock()

    @property
    def read(self) -> int:
        """How many bytes of the node's events are here."""
        return event_log.size(self.folder) - self.note.own if self.note.following else self.note.read

    def mend(self) -> None:
        """Finish the line of this computer that the process before this one may have been writing. One of the node
        comes again."""
        note, size = self.note, event_log.size(self.folder)
        pending = note.pending.encode()
        if note.following and size < note.at + len(pending):
            self.append(pending[max(0, size - note.at) :])
        self._drop_half()

    def name(self, run: str, key: str) -> None:
        """The node is about to be asked to begin a run of this name: its answer may be lost."""
        self._keep(replace(self.note, id=run, key=key))

    def begin(
        self, run: str, *, given: int, address: str = "", port: int = 0, texts: Mapping[str, str] = NOTHING
    ) -> None:
        """From here on this run of the node is followed, on from where it was read."""
        own = event_log.size(self.folder) - (self.read if run == self.note.id else 0)
        met = Note(id=run, following=True, own=own, given=given, address=address, port=port, texts=dict(texts))
        self._keep(replace(met, key=self.note.key))

    def leave(self) -> None:
        """Nothing is followed any more."""
        with self._writing:
            if self.note.following:
                self._drop_own()
                self._drop_half()
                self._keep(Note(id=self.note.id, read=self.read, key=self.note.key, texts=self.note.texts))

    def forget(self) -> None:
        """The node has nothing of the run any more."""
        self._keep(Note())

    def tell(self, event: Event) -> None:
        """An event of this computer's own, while a run is followed; nothing comes after its end."""
        line = events.to_line(replace(event, time=time.time())) + "\n"
        with self._writing:
            if not self.note.following or event_log.has_ended(self.folder):
                return
            size = event_log.size(self.folder)
            self._keep(replace(self.note, own=self.note.own + len(line.encode()), at=size, pending=line))
            self._write(line.encode())

    def append(self, content: bytes) -> None:
        """Bytes of the node's events. Raises OSError; the lines that could be written count as read."""
        with self._writing:
            self._write(content)

    def _drop_own(self) -> None:
        """Cut off the begin of a line of this computer's that a full disk has left, and count it no more."""
        note, length = self.note, len(self.note.pending.encode())
        if event_log.size(self.folder) < note.at + length:
            if event_log.size(self.folder) > note.at:
                os.truncate(event_log.path(self.folder), note.at)
            self.note = replace(note, own=note.own - length)

    def _drop_half(self) -> None:
        """Cut off the begin of a line that a full disk or a power cut has left: another one would follow on it."""
        path = event_log.path(self.folder)
        if event_log.size(self.folder):
            with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
                whole = content.rfind(b"\n") + 1
            if whole < event_log.size(self.folder):
                os.truncate(path, whole)

    def _write(self, content: bytes) -> None:
        with files.open_to_append(event_log.path(self.folder)) as stream:
            stream.write(content)

    def _keep(self, note: Note) -> None:
        self.note = note
        files.write_text(self.folder / FILE, json.dumps(asdict(note)))


def read(folder: Path) -> Note:
    """What `node.json` says; an empty note where there is none."""
    try:
        return checked.make(Note, checked.parse((folder / FILE).read_bytes()))
    except (OSError, ValueError):
        return Note()
