"""`fullfield plan --size 4288 --budget 4GiB`: which techniques make a training fit, and what it will take."""

from __future__ import annotations

import argparse
import re
from functools import partial

from fullfield.errors import UsageError
from fullfield.jobs.job import Job
from fullfield.nodes import between, node, together
from fullfield.plan import encoders
from fullfield.plan.plan import ABSENT, of_several
from fullfield.plan.spec import NETWORKS, processes, with_the_usual
from fullfield.protocol.computers import Computer
from fullfield.protocol.events import Event, PlanMade
from fullfield.protocol.plan import CurvePoint, Plan
from fullfield.protocol.planning import PlanSpec
from fullfield.units import format_bytes, parse_bytes
from fullfield_app.cli import passing
from fullfield_app.cli.speak import ends_in_json, say

COMPARED = (
    "Compared are plans of all exact techniques, with --approximate in half precision too. What compression or an "
    "optimizer in few bits would take, --techniques tells."
)

BAR = 24  # signs of the longest bar


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the plan is for."""
    from fullfield_app.arguments import add_common, device, named, positive

    parser.epilog = COMPARED
    parser.add_argument("--size", default="512", metavar="N|HxW", help="pixels: a side, or HxW (default 512)")
    parser.add_argument("--batch", type=positive, default=1, metavar="N", help="images per step (default 1)")
    help = "memory that it may take, of each device (default: what is free)"
    parser.add_argument("--budget", type=named, metavar="4GiB", help=help)
    parser.add_argument("--gpu", type=named, metavar="NAME", help='a card that need not be here, such as "RTX 2060"')
    help = (
        'several cards that need not be here, a process on each: "GTX 1650 x4", "RTX 2070, GTX 1650", "RTX 2070, cpu"'
    )
    parser.add_argument("--cards", type=named, metavar="NAMES", help=help)
    help = "what connects the devices: 1GbE, 10GbE, PCIe, or BYTES/s[,SECONDS] (default: one computer)"
    parser.add_argument("--link", type=named, metavar="LINK", help=help)
    help = "processes that train together on this computer (default: one for each device of a list, else 1)"
    parser.add_argument("--processes", type=positive, metavar="N", help=help)
    help = "plan for these machines together (fullfield node add), with what each has now and the link between them"
    parser.add_argument("--on", metavar="NODE[,NODE…]", type=named, help=help)
    help = "where it will run; of a list such as cuda:0,cpu a process on each"
    parser.add_argument("--device", default="auto", metavar="auto|cpu|cuda:0[,cuda:1…]", type=device, help=help)
    help = "/".join(NETWORKS) + f" (default {NETWORKS[0]})"
    parser.add_argument("--network", choices=NETWORKS, default=NETWORKS[0], help=help)
    parser.add_argument("--encoder", default=encoders.names()[0], help=", ".join(encoders.names()))
    parser.add_argument("--approximate", action="store_true", help="allow techniques that are not exact")
    help = "predict just these and banded_loss, and choose nothing; none: nothing at all"
    parser.add_argument("--techniques", nargs="*", metavar="NAME:OPTION=VALUE", help=help)
    parser.add_argument("--json", action="store_true", help="one JSON event per line on standard output")
    add_common(parser)


@ends_in_json
def run(values: argparse.Namespace) -> int:
    """Make the plan and tell it."""
    return passing.run(Job.of(question(values)), json=values.json, tell=partial(_tell, quiet=values.quiet))


def question(values: argparse.Namespace) -> PlanSpec:
    """The spec of the job "plan". Raises UsageError."""
    match = re.fullmatch(r"(\d{1,9})(?:x(\d{1,9}))?", values.size)
    if match is None:
        raise UsageError(f"Cannot read {values.size[:40]!r} as a size.", hint="Write for instance 4288, or 1024x768.")
    budget = parse_bytes(values.budget) if values.budget else 0
    if values.budget and not budget:
        hint = "Leave --budget out to plan with what is free, or give an amount such as 4GiB."
        raise UsageError("Cannot plan a training in no memory at all.", hint=hint)
    if values.gpu and (values.processes or 1) > 1:
        raise UsageError(
            f"Cannot plan for {values.processes} processes.",
            detail="--gpu names one card, which one process has.",
            hint=f'Name one for each process, for instance --cards "RTX 2070 x{values.processes}".',
        )
    return PlanSpec(
        height=int(match[1]),
        width=int(match[2] or match[1]),
        batch=values.batch,
        encoder=encoders.called(values.network, values.encoder),
        budget=budget,
        gpu=values.gpu or "",
        cards=values.cards or "",
        link=values.link or "",
        processes=values.processes or (1 if values.cards or values.gpu else processes(values.device)),
        nodes=_nodes(values.on),
        device=values.device,
        approximate=values.approximate,
        techniques=None if values.techniques is None else with_the_usual(values.techniques),
    )


def _nodes(names: str | None) -> tuple[Computer, ...]:
    """What they have now. Raises FullfieldError where one is not ready, or they may not train together."""
    if not names:
        return ()
    several = tuple(node.find(name) for name in names.split(","))
    together.refuse(several)
    return between.computers(several)


def _tell(event: Event, *, quiet: bool = False) -> None:
    """`quiet`: what makes it fit, and what it will hold, alone."""
    if not isinstance(event, PlanMade):
        return
    plan = event.plan
    label, sure = (f" ({plan.estimate})", ", an estimate") if plan.estimate else ("", "")
    of_all = ", of all processes together" if len(plan.devices) > 1 else ""
    lines = (
        " + ".join(plan.techniques) or "no technique",
        f"  memory  the process will hold at most {format_bytes(plan.process_bytes)}{label}",
        f"          of it the training's tensors {format_bytes(plan.allocator_bytes)}, most in {plan.peak_at}:",
        *(f"          {format_bytes(count):>10}  {kind}" for kind, count in plan.by_kind.items() if count),
        f"          {_parts(plan)}",
        *([f"  host    {format_bytes(plan.moved_bytes)}{of_all}"] if plan.moved_bytes else []),
        *_devices(plan),
        *(f"  {line}" for line in of_several(plan)),
        f"  time    {plan.time_factor:.2f} × the plain step ({plan.flop_factor:.2f} × its FLOPs){sure}",
        f"  {'exact: the same gradients' if plan.exact else 'not exact'}",
        *(f"  {note}" for note in plan.notes),
        *([f"  {plan.reason}"] if plan.reason else []),
        *(f"  or {' + '.join(one.techniques)}: {one.reason}" for one in event.ladder),
        *_curve(event.curve, plan),
        *(f"  {text}" for text in event.refused),
    )
    for line in lines[:2] if quiet else lines:
        say(line)


def _devices(plan: Plan) -> list[str]:
    """A line for each of several devices."""
    if len(plan.devices) < 2:
        return []
    return [
        f"  device {one.rank + 1:<3}{format_bytes(one.process_bytes):>10}  {one.name}"
        + (f", {one.rows} rows of each image" if one.rows != plan.size[0] else "")
        + f", sends {format_bytes(one.sent_bytes)} a step in {one.messages} messages"
        for one in plan.devices
    ]


def _curve(points: tuple[CurvePoint, ...], chosen: Plan) -> list[str]:
    """Memory against work, a line for each plan that no other one beats in both; nothing where there is one alone."""
    if len(points) < 2:
        return []
    most = max(one.flop_factor for one in points)
    lines = [
        f"        {'>' if one.techniques == chosen.techniques else ' '} {format_bytes(one.process_bytes):>10}"
        f"  {one.flop_factor:5.2f} ×  {'#' * round(BAR * one.flop_factor / most):<{BAR}}  {' + '.join(one.techniques)}"
        for one in points
    ]
    return ["  memory against work (× the plain step's FLOPs), of plans that no other beats in both:", *lines]


def _parts(plan: Plan) -> str:
    """What a plan's memory is the sum of."""
    parts = {
        "at the allocator's peak": plan.allocator_bytes,
        "reserved besides": plan.reserved_bytes,
        "context": plan.context_bytes,
    }
    doubtful = plan.estimate == ABSENT and not plan.library_bytes  # the CPU beside cards that are not here is here
    parts["doubt" if doubtful else "host"] = plan.peak_bytes - sum(parts.values())
    if plan.library_bytes:  # a CPU: the process's memory is the device's
        parts |= {"libraries": plan.library_bytes, "images that wait": plan.loader_bytes}
        parts["evaluation"] = plan.process_bytes - sum(parts.values())
    return " + ".join(f"{format_bytes(count)} {part}" for part, count in parts.items() if count)
