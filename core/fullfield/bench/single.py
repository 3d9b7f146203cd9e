"""`fullfield bench single`: the paper's tables on this machine. Every row is one training through the product's own.

Rows: the paper's single techniques and combinations, every technique of the registry alone, and the planner's plans.
Every finished row is kept, and a training that was stopped goes on from its checkpoint, so the same command goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fullfield.bench import machine as machines
from fullfield.bench import paper, report, sets, single_table, speak, steps, synthetic, trained
from fullfield.bench.machine import Machine
from fullfield.bench.report import Cell, Report
from fullfield.bench.rows import Row, Rows
from fullfield.bench.sets import Choice
from fullfield.checked import Fields
from fullfield.data.prepared import Prepared
from fullfield.errors import Interrupted
from fullfield.memory.account import Shape
from fullfield.plan import first_weights
from fullfield.plan.spec import AUTO, TrainSpec
from fullfield.protocol.events import Event, PhaseStarted
from fullfield.protocol.training import Training

NAME = "single"
QUICK = ("original", "AMP", "Chkp", "Mom", "AMP+Chkp", "hybrid_bands", sets.SMALLEST)
QUICK_SIZE, QUICK_EPOCHS, QUICK_IMAGES = 256, 1, 5
FEW_EPOCHS = 5  # too few for the first steps with L1: all of the steps that are measured have the loss
RUNNING, BASELINES = "running", "baselines"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The trainings: `size` of the longer side, `epochs`, `images` (of phantoms, without `data`). `only`: these rows
    alone; empty for all."""

    size: int = paper.SIZE
    epochs: int = paper.EPOCHS
    images: int = paper.IMAGES
    batch: int = 1
    encoder: str = "resnet34"
    weights: str = AUTO
    device: str = "auto"
    threads: int = 0
    data: Path | None = None
    only: tuple[str, ...] = ()


def bench(*, json: bool, quick: bool, out: Path | None = None, **given: Any) -> int:
    """Measure what is missing, write the report and print it. The exit code is 130 where it was stopped.

    `given`: fields of `Asked`. `quick`: a few rows, small and short, in minutes.
    """
    asked = Asked(**given)
    if quick:
        small = Asked(size=QUICK_SIZE, epochs=QUICK_EPOCHS, images=QUICK_IMAGES, weights="none", only=QUICK)
        asked = replace(small, **given)
    first = first_weights.decided(TrainSpec(data="-", weights=asked.weights, encoder=asked.encoder))
    asked = replace(asked, weights=first.weights)
    folder = steps.folder_of(NAME, out, quick=quick)
    whole, stopped = run(asked, folder)
    report.publish(whole, folder, json=json)
    return int(Interrupted.exit_code) if stopped else 0


def run(asked: Asked, folder: Path) -> tuple[Report, bool]:
    """Every row, measured now or before, as a report; and whether it was stopped by Ctrl-C before all were there."""
    machine = machines.look(asked.device, asked.threads)
    where = (asked.data or synthetic.phantoms(folder, asked.images, size=asked.size)).absolute()
    data = synthetic.prepared(folder, where, size=asked.size, progress=speak.progress())
    shape = _shape(asked, data)
    rows = Rows(folder, {"bench": NAME, **machine.key(), **key(asked, data)})

    def measure(choice: Choice) -> Row:
        name, key = "+".join(choice.techniques), {"techniques": list(choice.techniques)}
        running = folder / RUNNING / rows.slug(name, key)
        baselines = folder / f"{BASELINES}-{data.identity[:12]}.json"
        spec = spec_of(asked, choice, data, machine)
        return rows.once(name, key, lambda: trained.train(spec, running, baselines=baselines, reported=tell))

    def known(choice: Choice) -> Row | None:
        return rows.found("+".join(choice.techniques), {"techniques": list(choice.techniques)})

    measured = sets.measured(_choices(asked, machine, shape), measure, known)
    facts = facts_of(asked, data) | machine.facts()
    return single_table.report(facts, machine, shape, measured, other=other(asked, data)), measured.stopped


def _choices(asked: Asked, machine: Machine, shape: Shape) -> list[Choice]:
    """All rows in order, with the reason where one is not measured."""
    there = sets.paper(machine.card.kind)
    there += sets.alone(there)
    speak.say("Planning")
    there += sets.planned(machine, shape)
    return sets.asked(sets.possible(there, machine, shape), asked.only)


def spec_of(asked: Asked, choice: Choice, data: Prepared, machine: Machine) -> Training:
    """The training of one process."""
    return Training(
        data=str(data.folder.absolute()),
        size=asked.size,
        epochs=asked.epochs,
        batch=asked.batch,
        encoder=asked.encoder,
        weights=asked.weights,
        device=machine.device,
        threads=machine.threads,
        techniques=tuple(choice.techniques),
        calibrate_halo=False,
        l1_steps=0 if asked.epochs < FEW_EPOCHS else Training.l1_steps,
    )


def tell(event: Event) -> None:
    """Say each phase of a training."""
    if isinstance(event, PhaseStarted):
        speak.say(f"  {event.name}")


def key(asked: Asked, data: Prepared) -> Fields:
    """What decides all trainings, beside the machine."""
    return {
        "size": asked.size,
        "epochs": asked.epochs,
        "batch": asked.batch,
        "encoder": asked.encoder,
        "weights": asked.weights,
        "data": data.identity,
    }


def _shape(asked: Asked, data: Prepared) -> Shape:
    height, width = (max(getattr(item, side) for item in data.items) for side in ("rows", "columns"))
    return Shape(height=-(-height // 32) * 32, width=-(-width // 32) * 32, batch=asked.batch, encoder=asked.encoder)


def facts_of(asked: Asked, data: Prepared) -> dict[str, Cell]:
    """What was trained, in words."""
    source = f"synthetic: radiographs of phantoms; reference: {data.reference}" if asked.data is None else "given"
    return {
        "data": f"{len(data.items)} images ({source})",
        "training": f"{asked.encoder}, longer side {asked.size} pixels, batch {asked.batch}, {asked.epochs} epochs, "
        f"weights {asked.weights if asked.weights in ('imagenet', 'none') else 'of a file'}",
    }


def other(asked: Asked, data: Prepared) -> str:
    """In what the trainings are not the paper's."""
    ours: dict[str, Cell] = {"size": asked.size, "epochs": asked.epochs, "batch": asked.batch}
    ours |= {"encoder": asked.encoder, "weights": asked.weights}
    ours["images"] = f"{len(data.items)}{' phantoms' if asked.data is None else ''}"
    theirs: dict[str, Cell] = {"size": paper.SIZE, "epochs": paper.EPOCHS, "batch": paper.BATCH}
    theirs |= {"encoder": "resnet34", "weights": "imagenet", "images": f"{paper.IMAGES}"}
    return ", ".join(f"{name} {ours[name]} (paper: {theirs[name]})" for name in ours if ours[name] != theirs[name])
