"""How much longer a step takes with techniques than without, beside what plans say: `fullfield bench time`.

Steps of one process in turns, each with the plain one before it: forward, loss, backward and update of a seeded
network. The plain step has the loss in bands too, as every training has. What counts is the median of the ratios of
seconds of the CPU's own time, for a machine does other things meanwhile.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

from fullfield.bench.stepping import Stepping, noise
from fullfield.bench.table import Table
from fullfield.memory.account import Shape
from fullfield.plan import predicting
from fullfield.plan.question import Question
from fullfield.plan.sets import ways
from fullfield.plan.spec import USUAL_TECHNIQUES
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Stage, Tier
from fullfield.techniques.hybrid_bands import HybridBands
from fullfield.techniques.site import Site

Texts = tuple[str, ...]
SIZES = (512, 1024)
MOST = 1.75  # of the plain step's time, for what is planned for a native image
MORE: tuple[Texts, ...] = (("compressed_activations:bits=4",),)


@dataclass(frozen=True, kw_only=True)
class Timed:
    """`ratio`: median of a step's time by the plain step's before it; `seconds`: the median step's."""

    ratio: float
    seconds: float


def bench(*, json: bool, quick: bool, repeat: int = 5) -> int:
    """Measure and print; the exit code is 0 where the plan for native images keeps its bound."""
    columns = ("size", "techniques", "cpu_seconds_per_thread", "time_factor", "predicted_factor", "flop_factor")
    table = Table("time", columns, json=json)
    kept = True
    for size in SIZES[:1] if quick else SIZES:
        predictor = predicting.Predictor(Question(height=size, width=size, device="cpu"))
        planned = native(predictor.site)
        for texts in (planned,) if quick else sets(predictor.site):
            every = (*USUAL_TECHNIQUES, *texts)
            plan = predictor.plan(compose.read(every))
            timed = compare(every, size, repeat)
            kept &= texts != planned or timed.ratio <= MOST
            table.row(
                size,
                " + ".join(every),
                round(timed.seconds, 2),
                round(timed.ratio, 3),
                plan.time_factor,
                plan.flop_factor,
            )
    return 0 if kept else 1


def native(site: Site) -> Texts:
    """What is planned for a native image on a card of 4 GiB, without that the optimizer's values stay in main memory:
    the first that `hybrid_bands` proposes."""
    return (str(HybridBands.candidates(site)[0].technique),)


def sets(site: Site) -> list[Texts]:
    """What the planner proposes at most sizes, and every other technique by itself; what needs another one, or is
    impossible with one image or on this machine, is left out."""
    planned = [*ways(site, (Stage.ACTIVATIONS, Stage.SAVED), Tier.TIGHT), *ways(site, (Stage.OPTIMIZER, Stage.STEP))]
    alone = [(name,) for name in registry.all_techniques() if name not in USUAL_TECHNIQUES]
    return [texts for texts in dict.fromkeys((*planned, *alone, *MORE)) if texts and _possible(texts, site)]


def _possible(texts: Texts, site: Site) -> bool:
    techniques = [registry.read(text) for text in (*USUAL_TECHNIQUES, *texts)]
    return not compose.conflicts(techniques) and not compose.refusals(techniques, site)


def compare(texts: Texts, size: int, repeat: int) -> Timed:
    """The step with `texts` in turns with the plain one, on the CPU."""
    plain, other = _stepping(USUAL_TECHNIQUES, size), _stepping(texts, size)
    plain(), other()
    pairs = [(plain(), other()) for _ in range(repeat)]
    return Timed(
        ratio=statistics.median(second / first for first, second in pairs),
        seconds=statistics.median(second for _, second in pairs),
    )


def _stepping(texts: Texts, size: int) -> Callable[[], float]:
    """A function that makes a step and tells its seconds, of the CPU's time by thread."""
    training = Stepping(texts)
    batch = noise(Shape(height=size, width=size), training.build)

    def step() -> float:
        began = time.process_time()
        training.step(batch)
        return (time.process_time() - began) / torch.get_num_threads()

    return step
