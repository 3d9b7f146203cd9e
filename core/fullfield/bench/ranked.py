"""One optimizer step of several processes, measured: `ask` starts them, this module is each of them.

The step is the training's own, on noise. It is predicted first. The median of a few counts, of the rank that takes
longest; and one is made under the allocator's records, which is no different from a training's (`train.profiled`).
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from fullfield import interpreter
from fullfield.bench import on_ranks
from fullfield.checked import Fields, make

if TYPE_CHECKING:
    from fullfield.bench.stepping import Stepping
    from fullfield.data.loader import Batch
    from fullfield.distribution.team import Team
    from fullfield.hardware.devices import Device

RECORDED = 2  # forwards, at most, that the allocator's records hold of a step


@dataclass(frozen=True, kw_only=True)
class OfRank:
    """One rank, in bytes. `before`: weights, optimizer and images, there before the step; `growth`: the most over that;
    `forward`, `backward`: of it, in the forward, and by how much more in the backward (None: of more images than can be
    told apart). `predicted`: what the allocator gives out for the whole step, by its plan. `sent`: to other ranks, in
    `messages`, operations of all ranks counted too."""

    before: int
    growth: int
    forward: int | None
    backward: int | None
    predicted: int
    sent: int
    messages: int

    @property
    def measured(self) -> int:
        """Bytes at the step's peak, those before it too."""
        return self.before + self.growth


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """A step of several ranks. `seconds`: the median. `techniques`: with the plans that they have found."""

    seconds: float
    techniques: tuple[str, ...]
    ranks: tuple[OfRank, ...]


def ask(
    techniques: Sequence[str],
    *,
    ranks: int,
    side: int,
    batch: int,
    encoder: str,
    device: str,
    threads: int,
    repeat: int = 1,
) -> Fields:
    """The values of `Ranked`, of a step of `batch` squares of `side` pixels, of all ranks together. Raises
    FullfieldError."""
    question: Fields = {"techniques": list(techniques), "side": side, "batch": batch, "repeat": repeat}
    question |= {"encoder": encoder, "device": device, "threads": threads}
    return on_ranks.ask("fullfield.bench.ranked", ranks, question)


def read(values: Fields) -> Ranked:
    """What `ask` returned."""
    return make(Ranked, values)


def measure(question: Fields, device: Device, team: Team) -> Fields:
    """The step, as one rank makes it."""
    from fullfield.bench.stepping import Stepping, noise
    from fullfield.memory.account import Shape
    from fullfield.plan import predicting
    from fullfield.plan.question import Question

    side, batch, encoder = question["side"], question["batch"], question["encoder"]
    asked = Question(
        height=side,
        width=side,
        batch=batch,
        encoder=encoder,
        device=question["device"],
        processes=team.size,
        techniques=tuple(question["techniques"]),
    )
    predictor = team.in_turn(lambda: predicting.Predictor(asked))
    plan = team.in_turn(lambda: predicting.answer(asked, predictor).plan)
    techniques = tuple(map(str, predictor.found(asked.named)))
    stepping = Stepping(techniques, encoder=encoder, device=device.name, ranks=team)
    images = noise(Shape(height=side, width=side, batch=batch, encoder=encoder), stepping.build)
    stepping.step(images)
    times = [_seconds(stepping, images, device) for _ in range(question["repeat"])]
    traffic = team.traffic
    said = traffic.sent + traffic.shared, traffic.messages + traffic.collectives
    before, forward, most = _recorded(stepping, images)
    sent, messages = traffic.sent + traffic.shared - said[0], traffic.messages + traffic.collectives - said[1]
    reported = on_ranks.every(team, [statistics.median(times), before, forward, most, sent, messages])
    ranks = []
    for (_, *counts), its in zip(reported, plan.devices, strict=True):
        before, forward, most, sent, messages = map(int, counts)
        apart = forward >= 0
        ranks.append(
            OfRank(
                before=before,
                growth=most,
                forward=forward if apart else None,
                backward=most - forward if apart else None,
                predicted=its.allocator_bytes,
                sent=sent,
                messages=messages,
            )
        )
    longest = max(seconds for seconds, *_ in reported)
    return asdict(Ranked(seconds=longest, techniques=techniques, ranks=tuple(ranks)))


def _seconds(stepping: Stepping, images: Batch, device: Device) -> float:
    import torch

    start = time.perf_counter()
    stepping.step(images)
    if device.kind == "cuda":
        torch.cuda.synchronize(device.name)
    return time.perf_counter() - start


def _recorded(stepping: Stepping, images: Batch) -> tuple[int, int, int]:
    """Bytes before a step, and its growth over them in the forward (-1: not told apart) and at its peak. Messages that
    agree on a step's numbers count as its own."""
    from fullfield.memory.allocator import StepRecords
    from fullfield.memory.watch import BACKWARD, FORWARD
    from fullfield.train import profiled
    from fullfield.train.state import Progress, State

    build = stepping.build
    state = State(build=build, update=stepping.update, progress=Progress(), threads=1, data="", start="")
    before = profiled.there(state, images)
    forwards = len(images.shapes) if build.placed or build.micro else 1
    stepping.update.free_gradients()
    with StepRecords(build.device) as records:
        if forwards <= RECORDED:
            stepping.step(images, phase=records.phase)
        else:
            with records.phase("step"):
                stepping.step(images)
    peaks = records.peaks()
    if peaks is None:
        return before, -1, 0
    before = before if peaks.base is None else peaks.base
    most = max(peaks.most.values())
    return before, (peaks.most.get(FORWARD, 0) if BACKWARD in peaks.most else -1), most


if __name__ == "__main__":
    interpreter.leave(on_ranks.answer(measure, sys.argv[1:]))
