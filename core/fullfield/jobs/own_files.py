"""The files that a run writes into its folder: none of them may be a link, or the run would write somewhere else."""

from __future__ import annotations

from pathlib import Path

from fullfield.errors import OutputInvalid

NAMES = (
    *("job.json", "plan.json", "events.jsonl", "commands.jsonl", "digest.json", "pulse", "worker.json"),
    *("worker.log", "worker.lock", "crash.log", "start.json", "start.lock"),
)


def refuse_links(folder: Path) -> None:
    """Raises OutputInvalid where a link lies in the place of one of these; the worker itself follows none, either."""
    for name in NAMES:
        if (folder / name).is_symlink():
            raise OutputInvalid(
                "Cannot use this folder for a run.",
                detail=f"In it, {name} is a link to another file, which the run would write into.",
                hint="Find out who put it there, remove it, and start again; or name a folder that does not exist yet.",
            )
