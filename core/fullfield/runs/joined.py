"""One model of complete trainings: of the members of an ensemble, or of runs that somebody has chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fullfield import checked
from fullfield.jobs import event_log
from fullfield.jobs.job import damaged, load
from fullfield.model import ensemble, registry
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import RunEnded

MODEL, SUMMARY, JOINED = "model.safetensors", "summary.json", "ensemble.safetensors"


def of_runs(folders: Sequence[Path]) -> str:
    """Make one model of these complete trainings and put it among this user's models; its name
    there. Raises ModelError, CannotWrite, and UsageError where a run cannot be read."""
    found = {}
    for folder in sorted(folders, key=lambda path: (_number(path), path.name)):
        end = event_log.end(folder)
        found[folder] = sha256(end) if end is not None else ""
    return make(found, folders[0] / JOINED, "ensemble")[1]


def sha256(end: RunEnded) -> str:
    """Of the model that a training has left, as it said at its end."""
    return str(end.summary.get("model_sha256", ""))


def make(folders: Mapping[Path, str], target: Path, keep: str) -> tuple[str, str]:
    """One model of runs with the SHA-256 that theirs must have; its SHA-256, and its name where it is to be kept."""
    models, learned = [folder / MODEL for folder in folders], [_learned(folder) for folder in folders]
    made = ensemble.join(models, target, wanted=tuple(folders.values()), learned=learned)
    if not keep:
        return made, ""
    kept = registry.keep(target, keep).name
    target.unlink()
    return made, kept


def _learned(folder: Path) -> str:
    """What names the pairs that a training has learned; "" where it has not noted it."""
    try:
        return str(checked.parse((folder / SUMMARY).read_bytes())["data"]["identity"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _number(folder: Path) -> int:
    """Which member of an ensemble a run is; 0: it is none."""
    try:
        return int(checked.known(TrainSpec, load(folder).spec).get("member", 0))
    except ValueError as error:
        raise damaged(folder) from error
