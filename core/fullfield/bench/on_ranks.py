"""Measuring processes that work together: how they are started, what each of them does, and what they answer.

`ask` starts a module of this package as ranks, as trainings are; its `main` calls `answer`. Rank 0 writes
what was found as one line of JSON; one that fails writes its error.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fullfield import system
from fullfield.bench import machine as machines
from fullfield.checked import Fields
from fullfield.errors import FullfieldError, OutOfMemory, RankLost, UsageError
from fullfield.hardware import named
from fullfield.jobs.launchers import local

if TYPE_CHECKING:
    from fullfield.distribution.team import Team
    from fullfield.hardware.devices import Device

MOST_SECONDS = 3600.0
TITLE = "Processes that measure together ended without a result."


def ask(module: str, ranks: int, question: Fields) -> Fields:
    """What so many ranks of `module` answer. `question`: with `device` and `threads`. Raises FullfieldError."""
    local.refuse_several(ranks)
    if named.beside_cards(question["device"], ranks):
        raise UsageError("Benches measure devices of one kind together.", hint="Name cards alone, or the CPU.")
    command = [*local.ranks_of(module, ranks), json.dumps(question)]
    try:
        reported = machines.last_line(command, seconds=MOST_SECONDS)
    except FullfieldError as error:
        raise FullfieldError(TITLE, detail="One was ended; most likely no memory was left.") from error
    if "error" in reported:
        raise FullfieldError(**reported["error"])
    if "died" in reported:
        raise FullfieldError(TITLE, detail=reported["died"])
    return reported


def answer(work: Callable[[Fields, Device, Team], Fields], arguments: Sequence[str]) -> int:
    """The process of one rank: the only argument is the question. All ranks call `work` with it, with the device of
    each and with the team; what that of rank 0 returns is the answer."""
    from fullfield.distribution import meet
    from fullfield.hardware import devices
    from fullfield.train import build

    system.end_with_parent()
    question = json.loads(arguments[0])
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    try:
        device = devices.choose(question["device"], rank=rank)
        build.set_up(device, question["threads"])
        apart = device.kind != devices.CPU and devices.sharing(question["device"], world) == 1
        with meet.met(world, device.name, apart=apart) as team:
            found = work(question, device, team)
    except RankLost:  # the other one says why
        return 1
    except FullfieldError as error:
        return _failed(error)
    except Exception as error:  # noqa: BLE001 - whatever it is, it costs this measurement alone
        if devices.is_out_of_memory(error):
            return _failed(OutOfMemory("No memory was left.", detail=f"Process {rank + 1} of {world} ran out of it."))
        return _failed(FullfieldError(TITLE, detail=f"{type(error).__name__}: {error}"[:300]))
    if rank == 0:
        _write(found)
    return 0


def every(team: Team, numbers: Sequence[float]) -> list[list[float]]:
    """The numbers of each rank, in their order, as all of them know them."""
    nothing = [0.0] * len(numbers)
    reported = team.agree([one for rank in range(team.size) for one in (numbers if rank == team.rank else nothing)])
    return [reported[rank * len(numbers) : (rank + 1) * len(numbers)] for rank in range(team.size)]


def _failed(error: FullfieldError) -> int:
    _write({"error": error.as_fields()})
    return 1


def _write(values: Fields) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()
