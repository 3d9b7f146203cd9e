"""What lies on a node: pieces by the hash of their content, and runs under random names, for their user alone.

CACHE/nodes/pieces/SHA-256        an array of pixels, the list of arrays, a checkpoint
CACHE/nodes/pieces/SHA-256.….part one on its way, and the process that takes it
CACHE/nodes/runs/ID/data/…        the pieces of a run by the names that its list gives them (links: no second copy);
                                  of one that enhances, its models: images come and go in memory
CACHE/nodes/runs/ID/run/…         the run's folder, as on any machine
CACHE/nodes/runs/ID/pieces.json   the hashes of its pieces

All of a run goes when it is complete and its results are fetched, when it is forgotten, or after KEEP_SECONDS.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import time
from pathlib import Path

from fullfield import checked, files
from fullfield.data import prepared
from fullfield.errors import UsageError
from fullfield.jobs import event_log, launch
from fullfield.nodes import results

KEEP_SECONDS = 7 * 86_400.0
SHA256, ID = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{32}")
_DATA = re.compile(
    rf"[0-9a-f]{{1,64}}\.(?:{'|'.join(prepared.PARTS)})\.npy|{re.escape(prepared.MANIFEST)}"
    r"|[0-9a-f]{64}\.safetensors"  # a model that enhances
)
_PIECES = "pieces.json"


class NothingKept(UsageError):
    """There is no run of this name here."""


def base() -> Path:
    """The folder of all that others have left here; nobody else can look into it."""
    folder = files.private_folder(files.cache_folder() / "nodes")
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)
    return folder


def pieces() -> Path:
    """The folder of pieces."""
    return files.private_folder(base() / "pieces")


def runs() -> Path:
    """The folder of runs."""
    return files.private_folder(base() / "runs")


def named(run: str) -> Path:
    """The folder of a run, which may not exist. Raises UsageError where that is no name of one."""
    if not ID.fullmatch(run):
        raise UsageError(f"Cannot find the run {run[:40]!r}.", detail="It is no name of a run.", hint="Check it.")
    return runs() / run


def found(run: str) -> Path:
    """The folder of a run that is here. Raises NothingKept."""
    folder = named(run)
    if not folder.is_dir():
        raise NothingKept(
            "The run is not here any more.",
            detail="It was forgotten: after 7 days, or because somebody asked for it.",
            hint="Start it again: what came home goes there again.",
        )
    return folder


def store(run: str, named_pieces: dict[str, str]) -> Path:
    """A run's folder with its pieces (hashes by names) in it. Raises UsageError where one has not arrived."""
    folder = files.private_folder(named(run))
    files.write_text(folder / _PIECES, json.dumps(sorted(set(named_pieces.values()))))
    for name, sha256 in named_pieces.items():
        if not ((_DATA.fullmatch(name) or results.is_checkpoint(name)) and SHA256.fullmatch(sha256)):
            raise ValueError("no name of a piece")
        target, source = folder / ("run" if results.is_checkpoint(name) else "data") / name, pieces() / sha256
        if not target.exists():
            files.private_folder(target.parent)
            try:
                os.link(source, target)
            except FileNotFoundError as error:
                hint = "It was forgotten meanwhile. Start again."
                raise UsageError("An image has not arrived.", hint=hint) from error
            except OSError:  # a file system without links
                shutil.copyfile(source, target)
    return folder


def forget(run: str) -> None:
    """Remove a run and the pieces that no other run has. Raises UsageError where it goes on."""
    folder = found(run)
    if _is_alive(folder):
        raise UsageError("Cannot forget this run.", detail="It is running.", hint="Stop it first.")
    try:
        hashes = [str(one) for one in checked.parse((folder / _PIECES).read_bytes())]
    except (OSError, ValueError, TypeError):
        hashes = []
    shutil.rmtree(folder)
    for sha256 in hashes:
        if SHA256.fullmatch(sha256):
            _remove_unused(pieces() / sha256)


def forget_all() -> int:
    """Remove everything that no running training has; how many runs go on."""
    alive = 0
    for folder in list(runs().iterdir()):
        if _is_alive(folder):
            alive += 1
        else:
            shutil.rmtree(folder)
    for piece in list(pieces().iterdir()):
        _remove_unused(piece)
    return alive


def sweep() -> None:
    """Remove what has lain here for KEEP_SECONDS."""
    for folder in list(runs().iterdir()):
        with contextlib.suppress(OSError, UsageError):
            if _is_old(max(folder, event_log.path(folder / "run"), key=_used)) and not _is_alive(folder):
                forget(folder.name)
    for piece in list(pieces().iterdir()):
        if _is_old(piece):
            _remove_unused(piece)


def _is_alive(folder: Path) -> bool:
    return (folder / "run").is_dir() and launch.alive(folder / "run") and not event_log.has_ended(folder / "run")


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _is_old(path: Path) -> bool:
    return time.time() - _used(path) > KEEP_SECONDS


def _remove_unused(piece: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        if piece.stat().st_nlink == 1:
            piece.unlink()
