"""The ways to train on several devices that `bench devices` compares: the paper's, PyTorch's, and what neither has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fullfield.bench import paper, sets
from fullfield.bench.machine import Machine
from fullfield.bench.paper import Setting
from fullfield.bench.sets import PLAIN, Choice
from fullfield.memory.account import Shape

NO_PIPELINE = (
    "torch.distributed.pipelining is not built (decision 055): it carries no skip over a stage (pytorch#127964), and a "
    "U-Net is made of skips."
)
OWN_COPY = "whose own copy of the gradients is there before the step, and predicted, but not measured"
IMAGES = 4  # of a batch in a pipeline: the paper has one at a time
HYBRID, FULL = ("banded_loss", "hybrid_bands"), ("banded_loss", "full_bands")


@dataclass(frozen=True, kw_only=True)
class Placement(Choice):
    """`batch`: images of one step, of all processes together. `setting`: of the paper's tables; None: it has none."""

    batch: int
    setting: Setting | None = None

    def shape(self, side: int, encoder: str) -> Shape:
        """Of a step on squares."""
        return Shape(height=side, width=side, batch=self.batch, encoder=encoder)


def all_of(machine: Machine, processes: int, batch: int) -> list[Placement]:
    """Every row in the order of tables: data parallel, model parallel, rows of an image. `batch`: images of a step for
    each process that takes images of its own, and of one step where all work on the same."""
    kind = machine.card.kind
    return [
        *_data(kind, processes, batch * processes),
        *_model(kind, processes, batch),
        *_rows(processes, batch),
    ]


def possible(rows: Iterable[Placement], machine: Machine, side: int, encoder: str) -> list[Placement]:
    """With the reason where one cannot train here."""
    found = []
    for one in rows:
        (reported,) = sets.possible([one], machine, one.shape(side, encoder))
        found.append(replace(one, reason=reported.reason))
    return found


def _data(kind: str, processes: int, batch: int) -> list[Placement]:
    """Tables 3 and 4: each of the paper's with our own parts and with PyTorch's, and the same by one process."""
    alone = f"One process with the groups of images of {processes}: what their losses are to be."
    found = [Placement(name="one for DP", techniques=("accumulate",), note=alone, batch=batch, setting=Setting.DATA)]
    for name in (one.name for one in paper.TABLE if one.setting is Setting.DATA):
        found += _both(name, kind, processes, batch)
    joint = "Batch normalisation by all images: exactly the step of one process with the whole batch."
    more = {
        "DP joint": (("data_parallel:batch_norm=joint",), joint),
        "DP+ZeRO 2": (("data_parallel", "zero:level=2"), "Gradients are divided, too."),
        "DP+ZeRO 3": (("data_parallel", "zero:level=3"), "Weights are divided, too."),
        "FSDP": (("fsdp",), "PyTorch's fully_shard, which divides the same as ZeRO 3."),
    }
    for name, (techniques, note) in more.items():
        one = Placement(name=name, techniques=techniques, note=note, batch=batch, setting=Setting.DATA)
        found.append(replace(one, processes=processes))
    return found


def _both(name: str, kind: str, processes: int, batch: int) -> list[Placement]:
    """A row of the paper by our parts, and by DistributedDataParallel or ZeroRedundancyOptimizer."""
    beside, note = sets.techniques(name, kind), sets.note(name, kind)
    zero = "ZeRO" in name.split("+")
    ours = ("data_parallel", *(("zero:level=1",) if zero else ()), *beside)
    theirs = (*(("data_parallel", "zero_optimizer") if zero else ("ddp",)), *beside)
    plain = "" if name == PLAIN else f"+{name}"
    other = plain.replace("ZeRO", "ZeroOptimizer")
    called = f"DP{other}" if zero else f"DDP{plain}"
    wrapper = "ZeroRedundancyOptimizer" if zero else f"DistributedDataParallel, {OWN_COPY}"
    wrapped = f"PyTorch's {wrapper}. {note}".strip()
    own = Placement(name=f"DP{plain}", techniques=ours, paper=name, note=note, batch=batch, setting=Setting.DATA)
    own = replace(own, processes=processes)
    return [own, replace(own, name=called, techniques=theirs, note=wrapped)]


def _model(kind: str, processes: int, batch: int) -> list[Placement]:
    """Tables 5 and 6: the paper's, one image at a time; and pipelines, which it could not run."""
    setting, cut = Setting.MODEL, "model_parallel"
    one = "What the losses of one image at a time are to be."
    found = [Placement(name="one for MP", techniques=(), note=one, batch=batch, setting=setting)]
    for name in (each.name for each in paper.TABLE if each.setting is setting):
        found.append(
            Placement(
                name="MP" if name == PLAIN else f"MP+{name}",
                techniques=(cut, *sets.techniques(name, kind)),
                paper=name,
                note=sets.note(name, kind),
                batch=batch,
                setting=setting,
                processes=processes,
            )
        )
    pipelines = {
        "1F1B": (cut,),
        "GPipe": (f"{cut}:schedule=gpipe",),
        "1F1B+Chkp": (cut, sets.CHECKPOINTS),
        "1F1B balanced": (f"{cut}:cut=balanced",),
    }
    images = f"{IMAGES} images in a batch, one behind another."
    for name, techniques in pipelines.items():
        many = Placement(name=name, techniques=techniques, note=images, batch=IMAGES, setting=setting)
        found.append(replace(many, processes=processes))
    torchs = Placement(name="torch pipeline", techniques=("pipelining",), reason=NO_PIPELINE, batch=IMAGES)
    return [*found, replace(torchs, setting=setting, processes=processes)]


def _rows(processes: int, batch: int) -> list[Placement]:
    """What the paper has not: one image over several devices."""
    found = []
    for name, bands in (("hybrid", HYBRID), ("full bands", FULL)):
        alone = Placement(name=f"one {name}", techniques=bands, batch=batch, note="The same on one device.")
        spatial = Placement(name=f"spatial {name}", techniques=(*bands, "spatial"), batch=batch, processes=processes)
        found += [alone, spatial]
    zero = (*HYBRID, "spatial", "zero:level=1")
    return [*found, Placement(name="spatial hybrid+ZeRO", techniques=zero, batch=batch, processes=processes)]
