"""The sets of techniques that benches compare: the paper's, every technique alone, and the planner's own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from fullfield.bench.machine import Machine, reason_against
from fullfield.bench.report import Cell
from fullfield.bench.rows import Row
from fullfield.bench.speak import say
from fullfield.errors import FullfieldError, Interrupted, UsageError
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.memory.account import Shape
from fullfield.protocol.events import PlanMade, RunFailed
from fullfield.protocol.planning import PlanSpec
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect

PLAIN = "original"
NOT_ASKED = "left out by --quick or --only"
STOPPED = "not measured yet: the bench was stopped"
AMP, CHECKPOINTS, MOMENTUM, QUANTIZATION = "precision", "checkpointing", "momentum", "quantization"
PLANNER, FASTEST, SMALLEST = "planner", "plan: fastest", "plan: smallest"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One set. `name`: in tables; `techniques`: their texts; `paper`: its name in the paper's tables. `planner`: the
    planner chooses the techniques for each step. `note`: what a reader should know. `reason`: why it is not measured,
    "" where it is. `processes`: that train together."""

    name: str
    techniques: tuple[str, ...]
    paper: str = ""
    planner: bool = False
    note: str = ""
    reason: str = ""
    processes: int = 1


@dataclass(frozen=True, kw_only=True)
class Measured:
    """`choices`: all, with the reason where one has no figures. `found`: figures by name. `stopped`: by Ctrl-C."""

    choices: tuple[Choice, ...]
    found: Mapping[str, Row]
    stopped: bool


def paper(kind: str) -> list[Choice]:
    """The paper's rows on one card, in its order. `kind`: of the device, "cpu" or "cuda"."""
    names = ("AMP", "Quant", "Chkp", "Mom", "AMP+Chkp", "Chkp+Mom", "AMP+Chkp+Mom", "AMP+Quant")
    return [
        Choice(name=name, techniques=techniques(name, kind), paper=name, note=note(name, kind))
        for name in (PLAIN, *names)
    ]


def techniques(name: str, kind: str) -> tuple[str, ...]:
    """What a name of the paper, such as "AMP+Chkp", means on a device of a kind; nothing of how devices share."""
    amp = f"{AMP}:format={'bf16' if kind == 'cpu' else 'fp16'}"
    parts = {"AMP": amp, "Quant": QUANTIZATION, "Chkp": CHECKPOINTS, "Mom": MOMENTUM}
    return tuple(parts[part] for part in name.split("+") if part in parts)


def note(name: str, kind: str) -> str:
    """In what that is not the paper's."""
    text = "AMP is fp16 in the paper, on a card; on a CPU it is bf16, for no CPU trains fast in fp16."
    return text if "AMP" in name.split("+") and kind == "cpu" else ""


def alone(besides: Iterable[Choice]) -> list[Choice]:
    """Every technique of the registry with its usual options, but those that `besides` has."""
    there = {_same(one.techniques) for one in besides}
    return [Choice(name=name, techniques=(name,)) for name in registry.all_techniques() if _same((name,)) not in there]


def planner() -> Choice:
    """The fastest exact plan that fits, anew for each step."""
    return Choice(name=PLANNER, techniques=(), planner=True)


def planned(machine: Machine, shape: Shape, *, whole: bool = False) -> list[Choice]:
    """The planner's exact plans of this step, fastest first: the fastest, one in between, and the smallest.

    `whole`: all of them, each smaller and slower than the one before. One alone is both the fastest and the smallest;
    where there is none, both rows have the reason.
    """
    try:
        plans = _plans(machine, shape)
    except FullfieldError as error:
        reason = f"{error.title} {error.detail}".strip()
        return [Choice(name=name, techniques=(), reason=reason) for name in (FASTEST, SMALLEST)]
    last = len(plans) - 1
    between = range(1, last) if whole else [len(plans) // 2][: last > 1]
    places = {FASTEST: 0, **{f"plan {place + 1}" if whole else "plan: in between": place for place in between}}
    return [Choice(name=name, techniques=plans[place]) for name, place in {**places, SMALLEST: last}.items()]


def _plans(machine: Machine, shape: Shape) -> list[tuple[str, ...]]:
    """Asked of the planner in a process of its own. Raises FullfieldError."""
    spec = PlanSpec(
        height=shape.height,
        width=shape.width,
        batch=shape.batch,
        encoder=shape.encoder,
        budget=machine.card.total_bytes,
        device=machine.device,
    )
    handle = launch(Job.of(spec))
    plans: list[tuple[str, ...]] = []
    try:
        for event in handle.events():
            if isinstance(event, PlanMade):
                plans = [one.techniques for one in (event.plan, *event.ladder)]
            elif isinstance(event, RunFailed):
                raise FullfieldError(**event.error)
    finally:
        if handle.alive():
            handle.kill()
        shutil.rmtree(handle.folder, ignore_errors=True)
    return plans


def possible(choices: Iterable[Choice], machine: Machine, shape: Shape) -> list[Choice]:
    """With the reason where a set cannot train here."""
    return [
        one if one.reason else replace(one, reason=reason_against(one.techniques, machine, shape, one.processes))
        for one in choices
    ]


def asked(choices: Sequence[Choice], names: Sequence[str]) -> list[Choice]:
    """With the reason where a set is not among `names`, if there are any. Raises UsageError for an unknown name."""
    known = [one.name for one in choices]
    for name in names:
        if name not in known:
            raise UsageError(f"There is no row {name!r}.", hint=f"Choose from {', '.join(known)}.")
    return [one if not names or one.name in names or one.reason else replace(one, reason=NOT_ASKED) for one in choices]


def scenario(machine: Machine, shape: Shape, names: Sequence[str]) -> list[Choice]:
    """The sets of the scenarios: the paper's, every technique alone, and the planner."""
    choices = paper(machine.card.kind)
    choices += [*alone(choices), planner()]
    return asked(possible(choices, machine, shape), names)


def measured(
    choices: Sequence[Choice], measure: Callable[[Choice], Row], known: Callable[[Choice], Row | None] | None = None
) -> Measured:
    """Measure one after the other. What fails costs its own row; after Ctrl-C the rest is left for the next time.

    `known`: what was measured before, for rows that are not asked for now.
    """
    found: dict[str, Row] = {}
    reported: list[Choice] = []
    stopped = False
    for number, choice in enumerate(choices, 1):
        reason = choice.reason or (STOPPED if stopped else "")
        before = known(choice) if known and reason in (NOT_ASKED, STOPPED) else None
        if before is not None:
            found[choice.name], reason = before, ""
            reported.append(replace(choice, reason=reason))
            continue
        if not reason:
            say(f"{number} of {len(choices)}: {choice.name}")
            try:
                found[choice.name] = measure(choice)
            except (Interrupted, KeyboardInterrupt):
                stopped, reason = True, STOPPED
            except FullfieldError as error:
                reason = f"{error.title} {error.detail}".strip()
        reported.append(replace(choice, reason=reason))
    return Measured(choices=tuple(reported), found=found, stopped=stopped)


def cells(choice: Choice, machine: Machine, shape: Shape) -> dict[str, Cell]:
    """What every table says of a set: its name, its techniques, whether gradients stay exact, and the note."""
    return {
        "name": choice.name,
        "techniques": "chosen by the planner" if choice.planner else " + ".join(choice.techniques) or "none",
        "exact": _is_exact(choice, machine, shape),
        "note": choice.reason or choice.note or None,
    }


def _is_exact(choice: Choice, machine: Machine, shape: Shape) -> bool | None:
    """None for techniques that do not go together."""
    try:
        return compose.effect(compose.read(choice.techniques), machine.site(shape, choice.processes)) is Effect.EXACT
    except UsageError:
        return None


def _same(techniques: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(str(registry.read(text)) for text in techniques))
