"""What rank 0 hands to the others: values that it alone decides, and files that lie on its node alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullfield import checked, files
from fullfield.distribution import meet
from fullfield.distribution.team import Team

if TYPE_CHECKING:
    import torch

PIECE = 4 << 20


def values(team: Team, made: Callable[[], Any]) -> Any:
    """What `made` returns on rank 0, on every rank, of JSON. Where it raises there, the others raise RankLost."""
    if team.size == 1:
        return made()
    found: Any = None

    def once() -> None:
        nonlocal found
        found = made() if team.writes else None

    team.in_turn(once)
    text = json.dumps(found).encode() if team.writes else b""
    (size,) = team.agree([float(len(text))])
    numbers = team.agree([float(one) for one in text] if team.writes else [0.0] * int(size))
    return checked.parse(bytes(map(int, numbers)))


def file(team: Team, path: Path, sha256: str, device: torch.device) -> None:
    """Leave rank 0's file at `path` on nodes that lack it: the first rank of each writes. `device`: whose tensors the
    team sends. Raises CannotWrite."""
    if team.size == 1:
        return
    lacks = meet.place_here(team.rank) == 0 and not (path.is_file() and files.sha256(path) == sha256)
    if not team.any(lacks):
        return
    import torch

    size = int(team.agree([float(path.stat().st_size if team.writes else 0)])[0])
    with path.open("rb") if team.writes else files.atomic_write(path) if lacks else _Nothing() as stream:
        for begin in range(0, size, PIECE):
            room = torch.zeros(min(PIECE, size - begin), dtype=torch.uint8)
            if team.writes:
                room = torch.frombuffer(bytearray(stream.read(len(room))), dtype=torch.uint8)
            there = room.to(device)
            team.broadcast([there], 0)
            if lacks and not team.writes:
                stream.write(there.cpu().numpy().tobytes())
    team.any(False)  # who reads it waits until it is whole


class _Nothing:
    def __enter__(self) -> Any:
        return None

    def __exit__(self, *reason: object) -> None:
        pass
