"""What a container allows: the limit of memory that Linux's control groups set, of both versions.

A process in a container sees the whole machine's memory as available, and is ended at the container's limit. Elsewhere
than on Linux there are no such files, and nothing is limited.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

ROOT = Path("/")


class Limit(NamedTuple):
    """Bytes. `total`: what a group may take; `left`: of it, what it does not take now, or could give back at once."""

    total: int
    left: int


def memory(root: Path = ROOT) -> Limit | None:
    """The tightest limit of this process's groups and those around them; None where there is none.

    `root`: where `proc` and `sys` lie.
    """
    found = [limit for folder, names in _folders(root) if (limit := _limit(folder, *names)) is not None]
    return min(found, key=lambda limit: limit.left, default=None)


_V2 = ("memory.max", "memory.current", "inactive_file")
_V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_NO_LIMIT = 1 << 60  # version 1 writes the largest number there is


def _folders(root: Path) -> Iterator[tuple[Path, tuple[str, str, str]]]:
    """The folders of this process's groups, the innermost first; of a container that sees its own group as the root,
    that root."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    mount = root / "sys/fs/cgroup"
    for line in lines:
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            base, names = mount, _V2
        elif "memory" in controllers.split(","):
            base, names = mount / "memory", _V1
        else:
            continue
        parts = PurePosixPath(path).relative_to("/").parts if path.startswith("/") else ()
        for count in range(len(parts), -1, -1):
            yield base.joinpath(*parts[:count]), names


def _limit(folder: Path, limit: str, usage: str, reclaimable: str) -> Limit | None:
    try:
        total = int((folder / limit).read_text())  # "max" is no number
        used = int((folder / usage).read_text())
        statistics = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        kept = int(statistics.get(reclaimable, 0))
    except (OSError, ValueError):
        return None
    return Limit(total, max(0, total - used + kept)) if total < _NO_LIMIT else None
