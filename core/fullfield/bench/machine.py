"""What this machine is, asked of a process of its own: CUDA takes some 400 MB of a card in every process that looks at
it, and these must not lie beside what a bench measures. `python -m fullfield.bench.machine DEVICE THREADS` tells it.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import fullfield
from fullfield import __version__, interpreter, system
from fullfield.checked import Fields
from fullfield.errors import FullfieldError, UsageError
from fullfield.memory.account import Shape
from fullfield.memory.costs import Costs, Facts
from fullfield.techniques import compose
from fullfield.techniques.site import Card, Site

_MODULE = "fullfield.bench.machine"


@dataclass(frozen=True, kw_only=True)
class Machine:
    """`device`: torch's name, and `why` it was chosen. `threads` compute. `compiler`: what torch.compile lacks.
    `count`: devices of this kind that are here; the CPU is one."""

    device: str
    why: str
    card: Card
    torch: str
    threads: int
    compiler: str
    count: int = 1

    def site(self, shape: Shape, ranks: int = 1) -> Site:
        """So many processes on this machine with steps of `shape`, to ask techniques whether they are possible (which
        asks for no costs)."""
        unknown = Costs(Facts(weights={}, buffers=0))
        return Site(devices=(self.card,) * ranks, shape=shape, costs=unknown, compiler=self.compiler)

    def key(self) -> Fields:
        """What decides measurements on it."""
        return {
            "sources": _sources(),
            "device": f"{self.card.title}{self._processor()}",
            "torch": self.torch,
            "threads": self.threads,
            "compiler": not self.compiler,
        }

    def facts(self) -> dict[str, str]:
        """It in words, for a report."""
        plural = "" if self.threads == 1 else "s"
        return {
            "device": f"{self.card.title}{self._processor()}, {self.threads} thread{plural}",
            "software": f"Fullfield {__version__}, torch {self.torch}",
        }

    def _processor(self) -> str:
        return f" ({system.processor()})" if self.card.kind == "cpu" else ""


@cache
def _sources() -> str:
    """A hash of the engine's own code: what another one measured is measured again."""
    root = Path(fullfield.__file__).parent
    whole = hashlib.sha256()
    for file in sorted(root.rglob("*.py")):
        whole.update(f"{file.relative_to(root).as_posix()}\0".encode() + file.read_bytes())
    return whole.hexdigest()[:16]


def look(device: str, threads: int = 0) -> Machine:
    """This machine. `threads`: 0 for all cores but one. Raises FullfieldError where the device is not here."""
    command = [*system.python_command(_MODULE), device, str(threads or system.spare_cores())]
    reported = last_line(command)
    if "error" in reported:
        raise FullfieldError(**reported["error"])
    card = {**reported.pop("card")}
    for name in ("capability", "slow"):
        card[name] = tuple(card[name])
    return Machine(card=Card(**card), **reported)


def reason_against(techniques: Sequence[str], machine: Machine, shape: Shape, ranks: int = 1) -> str:
    """Why these techniques cannot train together here, or at all; "" where they can."""
    try:
        read = compose.read(techniques)
    except UsageError as error:
        return error.detail or error.title
    return " ".join(compose.refusals(read, machine.site(shape, ranks)))


def last_line(command: list[str], *, seconds: float | None = None) -> Fields:
    """The JSON object on the last line that `command` writes, whose torch allocates and waits as a training's does.
    Raises FullfieldError where there is none.

    `seconds`: it is ended after so many; then, and where it was killed, `{"died": why}`.
    """
    environment = dict(os.environ)
    interpreter.prepare_for_torch(environment)
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False, env=environment
        )
    except subprocess.TimeoutExpired:
        return {"died": f"it was not done after {seconds:.0f} s"}
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    try:
        reported: Fields = json.loads(lines[-1])
        return reported
    except (IndexError, ValueError):
        if done.returncode < 0:
            return {"died": "the system ended it; most likely no memory was left"}
    said = done.stderr.decode("utf-8", "replace").splitlines()
    raise FullfieldError("A measuring process ended without a result.", detail=said[-1][:300] if said else "")


def main(arguments: list[str]) -> int:
    """Tell this machine as one line of JSON."""
    import torch

    from fullfield.hardware import compiler, devices
    from fullfield.techniques import here

    name, threads = arguments
    torch.set_num_threads(int(threads))
    try:
        device = devices.choose(name)
    except FullfieldError as error:
        sys.stdout.write(json.dumps({"error": error.as_fields()}) + "\n")
        return int(error.exit_code)
    values = {
        "device": device.name,
        "why": device.why,
        "card": asdict(here.card(device)),
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "compiler": compiler.missing(),
        "count": 1 if device.kind == devices.CPU else torch.cuda.device_count(),
    }
    sys.stdout.write(json.dumps(values) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
