"""What the ranks of a training must have alike, wherever each of them is: settings, and the checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch

from fullfield.context import Context
from fullfield.distribution import handed, meet
from fullfield.distribution.team import Team
from fullfield.plan import spec as specs
from fullfield.plan.begun import has_saved
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import Notice
from fullfield.techniques import registry
from fullfield.train import checkpoint_file
from fullfield.train.checkpoint import Store
from fullfield.train.checkpoint_file import Checkpoint, Entry


def divided(spec: TrainSpec, context: Context, team: Team) -> TrainSpec:
    """As so many processes train, which is said where they were not told how, or where one goes on with what several
    have shared. Raises UsageError."""
    found = of_ranks(spec, team.size, context)
    dropped = [text for text in spec.techniques if text not in found.techniques]
    if dropped and max(context.worlds) == 1:
        text = f"One process goes on, without what several shared their work by: {', '.join(dropped)}."
        context.emit(Notice(text=text))
    for added in set(found.techniques) - set(spec.techniques) if team.size > 1 else ():
        context.emit(Notice(text=registry.all_techniques()[added].shared_by(team.size)))
    return found


def of_ranks(spec: TrainSpec, ranks: int, context: Context) -> TrainSpec:
    """With what several processes share, where neither it is said, nor is it the planner's to choose. One that is left
    of several, or that goes on with a training, shares nothing. Raises UsageError."""
    if ranks == 1:
        several = max(context.worlds) > 1 or has_saved(context.folder)
        return replace(spec, techniques=specs.alone(spec)) if several else spec
    return replace(spec, techniques=specs.shared(spec, ranks, max(1, ranks // meet.here(ranks))))


def others(spec: TrainSpec, context: Context, team: Team) -> dict[int, TrainSpec]:
    """How other numbers of processes would train, of all that there may be in the course of the run. Raises
    UsageError."""
    return {ranks: of_ranks(spec, ranks, context) for ranks in context.worlds if ranks != team.size}


def settings(own: TrainSpec, team: Team, decided: Callable[[], TrainSpec]) -> TrainSpec:
    """Those that rank 0 has `decided`, with where this rank's own data lie."""
    found = handed.values(team, lambda: decided().to_json())
    return replace(specs.from_json(found), data=own.data)


def newest(store: Store, team: Team, device: torch.device) -> Checkpoint | None:
    """The newest checkpoint that is whole, as rank 0 finds it; ranks of other nodes are handed its file. Raises
    ModelError, CannotWrite. `device`: whose tensors the team sends."""
    if team.size == 1:
        return store.latest()
    entry: _Handed | None = handed.values(team, lambda: _looked(store))
    if entry is None:
        return None
    store.folder.mkdir(parents=True, exist_ok=True)
    path = store.folder / entry["file"]
    handed.file(team, path, entry["sha256"], device)
    read = checkpoint_file.parsed(path)
    assert read is not None  # its hash is that of a checkpoint
    if not team.writes and meet.place_here(team.rank) == 0:  # the first of another node, whose list nobody keeps
        for other in {*store.folder.glob("step-*")} - {path}:
            other.unlink(missing_ok=True)
    return replace(read, notices=tuple(entry["notices"]))


class _Handed(Entry):
    notices: list[str]


def _looked(store: Store) -> _Handed | None:
    found, entry = store.latest(), store.newest
    return None if found is None or entry is None else {**entry, "notices": list(found.notices)}
