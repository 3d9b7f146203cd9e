"""`fullfield bench devices`: the paper's Tables 3 to 6 on this machine. Every row is one training of several processes.

A row has two parts, each kept by itself: memory of every process from one step that is recorded, and time and losses
of a training through the product's own. All trainings have one seed, and see the same images equally often. What was
done is kept, and a training that was stopped goes on from its checkpoint, so the same command goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fullfield.bench import devices_table as table
from fullfield.bench import machine as machines
from fullfield.bench import paper, placements, ranked, report, sets, single, speak, steps, synthetic, trained
from fullfield.bench.machine import Machine
from fullfield.bench.placements import Placement
from fullfield.bench.report import Cell, Report
from fullfield.bench.rows import Row, Rows
from fullfield.bench.sets import Choice
from fullfield.checked import Fields
from fullfield.data.prepared import Prepared
from fullfield.errors import Interrupted, UsageError
from fullfield.hardware import named
from fullfield.plan import first_weights
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.training import Training

NAME = "devices"
QUICK_SIZE, QUICK_EPOCHS, QUICK_IMAGES = 256, 3, 12


@dataclass(frozen=True, kw_only=True)
class Asked(single.Asked):
    """`batch`: images of each of the `processes` in a step. `recorded`: the side of the images in the step whose memory
    is told."""

    processes: int = 2
    recorded: int = paper.SIZE


def bench(*, json: bool, quick: bool, out: Path | None = None, **given: Any) -> int:
    """Measure what is missing, write the report and print it. The exit code is 130 where it was stopped.

    `given`: fields of `Asked`. `quick`: every row, with small images, few of them and short.
    """
    small = {"size": QUICK_SIZE, "epochs": QUICK_EPOCHS, "images": QUICK_IMAGES, "weights": "none"} if quick else {}
    whole = {"recorded": given["size"]} if "size" in given else {}
    asked = Asked(**{**small, **whole, **given})
    if asked.processes < 2:
        raise UsageError("Cannot compare ways to share a training.", hint="Choose at least two processes.")
    first = first_weights.decided(TrainSpec(data="-", weights=asked.weights, encoder=asked.encoder))
    folder = steps.folder_of(NAME, out, quick=quick)
    found, stopped = run(replace(asked, weights=first.weights), folder)
    report.publish(found, folder, json=json)
    return int(Interrupted.exit_code) if stopped else 0


def run(asked: Asked, folder: Path) -> tuple[Report, bool]:
    """Every row, measured now or before, as a report; and whether it was stopped by Ctrl-C before all were there."""
    machine = machines.look(asked.device, asked.threads)
    where = (asked.data or synthetic.phantoms(folder, asked.images, size=asked.size)).absolute()
    data = synthetic.prepared(folder, where, size=asked.size, progress=speak.progress())
    common = {"bench": NAME, **machine.key(), "encoder": asked.encoder}
    trainings = Rows(folder, {**common, **single.key(asked, data)})
    recorded = Rows(folder, {**common, "side": asked.recorded})

    def train(row: Placement) -> Row:
        key = _of(row)
        running = folder / single.RUNNING / trainings.slug(row.name, key)
        baselines = folder / f"{single.BASELINES}-{data.identity[:12]}.json"
        spec, count = _spec(asked, row, data, machine), row.processes
        return trainings.once(
            row.name,
            key,
            lambda: trained.train(spec, running, baselines=baselines, reported=single.tell, processes=count),
        )

    def record(row: Placement) -> Row:
        def ask() -> Row:
            speak.say("  one step, recorded")
            return ranked.ask(
                row.techniques,
                ranks=row.processes,
                side=asked.recorded,
                batch=row.batch,
                encoder=asked.encoder,
                device=_device(asked, row, machine),
                threads=_threads(asked, row, machine),
            )

        return recorded.once(row.name, _of(row), ask)

    def measure(row: Choice) -> Row:
        assert isinstance(row, Placement)
        return {"recorded": record(row), "trained": train(row)}

    def known(row: Choice) -> Row | None:
        assert isinstance(row, Placement)
        parts = {"recorded": recorded.found(row.name, _of(row)), "trained": trainings.found(row.name, _of(row))}
        return parts if all(parts.values()) else None

    there = placements.all_of(machine, asked.processes, asked.batch)
    there = placements.possible(there, machine, min(asked.size, asked.recorded), asked.encoder)
    measured = sets.measured(sets.asked(there, asked.only), measure, known)
    facts = _facts(asked, machine, data)
    other = single.other(asked, data)
    found = table.report(facts, machine, measured, side=asked.size, encoder=asked.encoder, other=other)
    return found, measured.stopped


def _of(row: Placement) -> Fields:
    return {"techniques": list(row.techniques), "processes": row.processes, "batch": row.batch}


def _spec(asked: Asked, row: Placement, data: Prepared, machine: Machine) -> Training:
    alone = single.spec_of(asked, row, data, machine)
    return replace(alone, batch=row.batch, device=_device(asked, row, machine), threads=_threads(asked, row, machine))


def _device(asked: Asked, row: Placement, machine: Machine) -> str:
    """Of one process by its name; several take what is here in turn."""
    return machine.device if row.processes == 1 else asked.device


def _threads(asked: Asked, row: Placement, machine: Machine) -> int:
    """Of each process: those of this machine are shared, unless so many are asked for."""
    return asked.threads or named.threads((False,) * row.processes, machine.threads)[0]


def _facts(asked: Asked, machine: Machine, data: Prepared) -> dict[str, Cell]:
    side = f"{asked.recorded}×{asked.recorded}"
    return {
        **single.facts_of(asked, data),
        "processes": f"{asked.processes}{table.sharing(machine, asked.processes)}; batch for each that takes images of "
        "its own",
        "memory": f"of every process, as torch's allocator gave it out in one recorded step of {side} pixels",
        **machine.facts(),
    }
