"""Which files of a run come home: what a training leaves and what a window shows of it. All others stay on the node,
the 8-bit model among them: torch's archives can hold a program that runs when they are opened."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from fullfield import files
from fullfield.checked import Count
from fullfield.protocol.events import SampleWritten

INT8_STAYS = (
    "The 8-bit model (model-int8.pt2) stays there, and goes with the run: such a file can hold a program that runs "
    "when it is opened. To have it, train on this computer."
)
_COMING = re.compile(
    r"(?:plan|split|baselines|summary)\.json"
    r"|(?:model|last)\.safetensors"
    r"|samples/image-\d{1,9}/[a-z0-9-]{1,40}\.npy"
)
_AT_THE_END = re.compile(r"checkpoints/(?:(?:step|best)-\d{1,18}\.safetensors|index(?:\.copy)?\.json)")
_LOG = re.compile(r"worker(?:-\d{1,4})?\.log")
LOG_PREFIX = "node-"  # a worker's log there, beside that of the one here


@dataclass(frozen=True, kw_only=True)
class Content:
    """What a file held, by its SHA-256, in the state of a mark."""

    mark: str
    sha256: str

    def found(self, path: Path) -> Content | None:
        """The same content as it is known from now on; None where the file holds another one, or is gone. It is read
        where its state is another one alone: what is copied, or mounted anew, may have another number, and its time."""
        try:
            now = mark(path.stat())
            same = now == self.mark or files.sha256(path) == self.sha256
        except OSError:
            return None
        return replace(self, mark=now) if same else None


@dataclass(frozen=True, kw_only=True)
class Reported:
    """A file that comes: its name at home, below the run's folder; its bytes, and the mark of its state."""

    file: str
    size: Count
    mark: str


def mark(status: os.stat_result) -> str:
    """What tells a state of a file from every other one. Its time alone does not: a clock may stand still between two
    changes, and what is restored may bring its time with it; but what was written anew is another file. Not all file
    systems call a file the same for ever, so in another state it may hold the same (`Content`)."""
    return f"{status.st_size}-{status.st_mtime_ns}-{status.st_ino}"


def may_come(name: str) -> bool:
    """Whether a node may leave a file of this name in the run's folder here."""
    if name.startswith(LOG_PREFIX):
        return bool(_LOG.fullmatch(name.removeprefix(LOG_PREFIX)))
    return bool(_COMING.fullmatch(name) or _AT_THE_END.fullmatch(name))


def there(folder: Path, *, ended: bool) -> Iterator[tuple[Reported, Path]]:
    """The files of a run's folder that come; checkpoints and logs once it has `ended`. The small lists come last."""
    for path in sorted(folder.rglob("*"), key=lambda path: (path.suffix == ".json", path)):
        name = path.relative_to(folder).as_posix()
        known = _COMING.fullmatch(name) or (ended and (_AT_THE_END.fullmatch(name) or _LOG.fullmatch(name)))
        if known and path.is_file() and not path.is_symlink():
            status = path.stat()
            at_home = f"{LOG_PREFIX}{name}" if _LOG.fullmatch(name) else name
            yield Reported(file=at_home, size=status.st_size, mark=mark(status)), path


def removed(event: SampleWritten) -> list[str]:
    """The names of what the network made of an image after earlier epochs, that the run has removed."""
    folder = PurePosixPath(event.sample).parent
    names = (f"{folder}/epoch-{epoch:05d}.npy" for epoch in event.removed)
    return [name for name in names if _COMING.fullmatch(name)]


def checkpoints(folder: Path) -> list[Path]:
    """The files from which a run can be resumed elsewhere."""
    known = (path for path in sorted(folder.glob("checkpoints/*")) if is_checkpoint(f"checkpoints/{path.name}"))
    return [path for path in known if path.is_file() and not path.is_symlink()]


def steps(folder: Path) -> list[Path]:
    """Those of them that hold a step."""
    return [path for path in checkpoints(folder) if path.name.startswith("step-")]


def is_checkpoint(name: str) -> bool:
    """Whether this is the name of one of these."""
    return bool(_AT_THE_END.fullmatch(name))
