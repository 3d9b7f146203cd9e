"""torch.compile for the parts of the network that run as they are: fused operations, fewer maps kept for backward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.memory.estimate import PLAIN
from fullfield.techniques.base import Candidate, Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.model.chain import Part
    from fullfield.techniques.build import Build

CPU_TIME = 1.03  # of a step: measured on a CPU by `fullfield bench time`'s way at 320 pixels, 1.034
LEAST_MEMORY = 0.85  # of a set's: a compiled stage keeps fewer maps; traced were 0.90 and more
NOTE = "Under a share of the maps the compiler keeps fewer of them than are reckoned here."


@dataclass(frozen=True, kw_only=True)
class Options:
    """How it is compiled."""

    budget: float = option(
        1.0, "Share of the maps that may be kept for backward; the others are computed again.", least=0.0, most=1.0
    )
    backend: str = option(
        "inductor", "inductor is fast; aot_eager compiles nothing and is for tests.", choices=("inductor", "aot_eager")
    )


class Compile(Technique):
    """See the module."""

    name = "compile"
    title = "Compile the network"
    sentence = "Lets a compiler fit the network to this machine: minutes of waiting at the start, then faster steps."
    source = "Ansel et al. 2024, PyTorch 2: Faster Machine Learning Through Dynamic Python Bytecode Transformation"
    stage = Stage.COMPILE
    effect = Effect.EXACT
    excludes: ClassVar[Mapping[str, str]] = {
        "data_parallel:batch_norm=joint": "The compiler cannot see into what processes say to one another.",
        "compressed_activations": "The compiler decides itself what is kept for backward; its maps cannot be packed.",
        "offload_activations": "The compiler decides itself what is kept for backward; its maps cannot be moved.",
    }
    Options = Options

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """A layout of sets."""
        return (Candidate(technique=cls(), least_memory=LEAST_MEMORY),)

    def refuse(self, site: Site) -> Reason | None:
        """Without a compiler."""
        if site.compiler and self.options.backend == "inductor":
            return Reason(text=site.compiler, hint="Install one, or leave it out.")
        return None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """The plain parts by another method, that names the share that may be kept."""
        names = [part.name for part in before.parts if part.method == PLAIN]
        notes = before.notes if self.options.budget == 1 else (*before.notes, NOTE)
        time = before.time * CPU_TIME
        return replace(before.run(self._method, *names), time=time, notes=notes) if names else before

    def apply(self, build: Build) -> None:
        """The plain parts, each by itself. An evaluation runs them as they are: it would compile them once more."""
        import torch

        names = [part.name for part in build.chain.parts if part.method == PLAIN]
        build.replace_parts(names, self._compiled)
        build.in_evaluation.append(partial(torch.compiler.set_stance, "force_eager"))
        if not names:
            build.notices.append("Nothing is left to compile: other techniques run every part of the network.")

    @property
    def _method(self) -> str:
        return f"compiled:{self.options.budget:g}"

    def _compiled(self, part: Part) -> Part:
        from fullfield.kernels.compiled import compiled

        run = compiled(part.run, backend=self.options.backend, budget=self.options.budget)
        return replace(part, run=run, method=self._method)
