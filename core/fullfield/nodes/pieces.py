"""What goes to a node before a training: the prepared pairs, as pieces by the hash of their content. What is there
already is not sent again, and one that was cut goes on where it was.

Pixels and numbers alone: an array's name is its pair's key, sixteen digits of a hash; of a header there are the spacing
of pixels and the modality. The sentences on what was wrong with files, and on where references come from, stay here.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fullfield import checked, files
from fullfield.checked import Count, Fields
from fullfield.data import prepared
from fullfield.data.prepared import Prepared
from fullfield.errors import InputUnreadable
from fullfield.nodes import answering, kept, ssh, withheld
from fullfield.nodes.node import Node
from fullfield.process_identity import process_started

_READ_BYTES = 1 << 20
_PART = re.compile(r"(?P<sha256>[0-9a-f]{64})\.(?P<owner>(?P<pid>[0-9]+)-[0-9a-f]{8})\.part")


@dataclass(frozen=True, kw_only=True)
class Piece:
    """`name`: in the folder of prepared pairs, or of a checkpoint in the run's. It is `content`, and behind it what the
    file `path` holds from the byte `at` on, where there is one."""

    name: str
    sha256: str
    size: int
    path: Path | None = None
    content: bytes = b""
    at: int = 0


def of(data: Prepared) -> tuple[Piece, ...]:
    """Those of prepared pairs. What is missing of them is made anew, or InputUnreadable raised."""
    (word,) = withheld.of_data(data.identity, data.reference)
    text = prepared.text(replace(data, problems=(), reference=word)).encode()
    made = [
        Piece(name=prepared.MANIFEST, sha256=hashlib.sha256(text).hexdigest(), size=len(text), content=text),
    ]
    for item in data.items:
        paths = [prepared.array_path(data.folder, item.key, part) for part in item.parts]
        if not all(path.is_file() for path in paths):
            for kind in item.kinds:
                data.levels(item, kind)
        for path, sha256 in zip(paths, item.sha256, strict=True):
            made.append(Piece(name=path.name, sha256=sha256, size=path.stat().st_size, path=path))
    return tuple(made)


def send(node: Node, given: tuple[Piece, ...], *, pause: Callable[[], None]) -> int:
    """Bring them to the node; how many bytes had to be sent. `pause` is called now and then, and may raise to stop.
    Raises LineCut, NodeRefused, what the node tells, and InputUnreadable."""
    sent, given = 0, tuple({piece.sha256: piece for piece in given}.values())  # of one content once
    with tempfile.TemporaryFile() as reported:
        process = ssh.start(node, "take", errors_to=reported)
        assert process.stdin is not None and process.stdout is not None
        patience = ssh.Patience(process)

        def moved() -> None:
            patience.moved()
            pause()

        try:
            with contextlib.suppress(BrokenPipeError):  # it says why
                process.stdin.write(ssh.line({"pieces": [[piece.sha256, piece.size] for piece in given]}))
                process.stdin.flush()
                answer = ssh.first(node, process.stdout)
                have = answer.get("have") if answer is not None else None
                if isinstance(have, list) and len(have) == len(given):
                    for piece, there in zip(given, have):
                        sent += _send(process.stdin, piece, int(there), moved)
                    process.stdin.close()
            answer = ssh.read(node, process.stdout.readline())
            if answer is None or "taken" not in answer:
                raise ssh.ended(node, process, reported)
        finally:
            ssh.end(process)
    return sent


def take() -> Fields:
    """On the node: take what `send` gives. Raises OSError, InputUnreadable where a piece is not what its name says."""
    kept.sweep()
    asked = answering.given()
    with answering.understood():
        wanted = [_Wanted(sha256=str(sha256), size=size) for sha256, size in asked["pieces"]]
        if not all(kept.SHA256.fullmatch(one.sha256) for one in wanted):
            raise ValueError("no hash")
        wanted = [checked.make(_Wanted, vars(one)) for one in wanted]
    _take_over({one.sha256 for one in wanted})
    have = [_have(one) for one in wanted]
    answering.say({"have": have})
    for one, there in zip(wanted, have, strict=True):
        _take(one, there)
    return {"taken": len(wanted)}


@dataclass(frozen=True, kw_only=True)
class _Wanted:
    sha256: str
    size: Count


def _part(sha256: str) -> Path:
    """Where this process writes a piece. Another one that is sent the same meanwhile writes its own."""
    return kept.pieces() / f"{sha256}.{_owner(os.getpid())}.part"


def _owner(pid: int) -> str:
    """A process, as the name of a part tells it."""
    return f"{pid}-{hashlib.sha256(process_started(pid).encode()).hexdigest()[:8]}"


def _take_over(wanted: set[str]) -> None:
    """Go on with the parts of processes that are gone."""
    for path in kept.pieces().glob("*.part"):
        found = _PART.fullmatch(path.name)
        if found is not None and found["sha256"] in wanted and found["owner"] != _owner(int(found["pid"])):
            with contextlib.suppress(FileNotFoundError):  # another one was faster
                path.replace(_part(found["sha256"]))


def _have(one: _Wanted) -> int:
    """How many of its bytes are here. Of a whole piece that a power cut has left short none is."""
    target = kept.pieces() / one.sha256
    for path in (target, _part(one.sha256)):
        with contextlib.suppress(OSError):
            size = path.stat().st_size
            if size == one.size or (path != target and size < one.size):
                return size
            path.unlink()
    return 0


def _take(one: _Wanted, have: int) -> None:
    """`have`: what the sender was told is here. The rest comes, though another one may have brought it meanwhile."""
    target, part = kept.pieces() / one.sha256, _part(one.sha256)
    if have == one.size and target.exists():
        target.touch()  # not old
        return
    if have == one.size and not part.exists():
        raise UnfinishedPiece("What was here is gone.", detail="It was forgotten meanwhile.", hint="Start again.")
    source: Any = sys.stdin.buffer
    with part.open("ab") as stream:
        while have < one.size:
            content = source.read1(min(_READ_BYTES, one.size - have))
            if not content:
                raise UnfinishedPiece("The images have not all arrived.", hint="Start again: what is here is kept.")
            stream.write(content)
            stream.flush()
            have += len(content)
        os.fsync(stream.fileno())  # its name alone tells that it is whole
    if files.sha256(part) != one.sha256:
        part.unlink()
        raise InputUnreadable(
            "An image that arrived is not the one that was meant.",
            detail="Its content has another hash.",
            hint="Start again; if it happens again, clear the prepared data of the computer that sends.",
        )
    files.move(part, target)


class UnfinishedPiece(InputUnreadable):
    """The line was cut."""


def _send(stream: Any, piece: Piece, begin: int, pause: Callable[[], None]) -> int:
    left = piece.size - begin
    for part in _parts(piece, begin):
        pause()
        stream.write(part[:left])
        left -= min(left, len(part))
        if not left:
            break
    if left:
        raise InputUnreadable(
            "Cannot send the prepared training data.", detail="A file has become shorter.", hint="Start again."
        )
    stream.flush()
    return piece.size - begin


def _parts(piece: Piece, begin: int) -> Iterator[bytes]:
    """A piece from a byte on, some at once."""
    for at in range(begin, len(piece.content), _READ_BYTES):
        yield piece.content[at : at + _READ_BYTES]
    if piece.path is not None:
        with piece.path.open("rb") as source:
            source.seek(piece.at + max(0, begin - len(piece.content)))
            while part := source.read(_READ_BYTES):
                yield part
