"""From a spec to the things that train: threads, device, network, techniques, optimizer, loaders. Each is one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

from fullfield import heap, system
from fullfield.data import split
from fullfield.data.loader import Loader
from fullfield.data.prepared import Item, Prepared
from fullfield.data.split import Split
from fullfield.distribution import handed, meet
from fullfield.distribution.team import ALONE, Team
from fullfield.errors import ModelError, UsageError
from fullfield.hardware import devices, named
from fullfield.hardware.devices import Device
from fullfield.image import resample
from fullfield.memory.account import Shape
from fullfield.memory.costs import Costs, Facts
from fullfield.model import card as cards
from fullfield.model import initial, registry
from fullfield.model.card import NetworkSpec
from fullfield.plan import first_weights
from fullfield.plan import spec as specs
from fullfield.plan.spec import TrainSpec
from fullfield.protocol import comparison
from fullfield.techniques import build as builds
from fullfield.techniques import compose, costing, here
from fullfield.techniques.base import Technique
from fullfield.train.state import Progress, State
from fullfield.train.update import Update


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The two parts of the data, listed and as loaders. `apart`: images kept for a comparison; `learned`: content of
    those that the first weights have learned from, where there is one."""

    split: Split
    training: tuple[Item, ...]
    validation: tuple[Item, ...]
    train: Loader
    validate: Loader
    apart: tuple[Item, ...] = ()
    learned: frozenset[str] = frozenset()


def threads(spec: TrainSpec, ranks: int = 1) -> tuple[int, ...]:
    """With how many threads each of so many processes of this computer computes: one core is left to the window."""
    if spec.threads:
        return (spec.threads,) * ranks
    beside = named.beside_cards(spec.device, ranks)
    return named.threads([rank in beside for rank in range(ranks)], system.spare_cores())


def set_up(device: Device, count: int) -> None:
    """Make torch compute the same from the same, where that is promised (the CPU), and in fp32 everywhere.

    To be called before `state`: a technique may then choose otherwise.
    """
    devices.compute_with(count)
    devices.compute_alike(device.kind)
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False


def parts(spec: TrainSpec, prepared: Prepared, *, pinned: bool = False) -> Parts:
    """The data split by patient. `pinned`: what is learned from lies in memory that a card reads by itself.

    Raises InputRefused where there are too few patients, ModelError, UsageError where a file that decides is not named.
    """
    patients, learned = [(item.key, str(item.patient)) for item in prepared.items], _learned(spec)
    if spec.compare:
        parted = split.with_some_apart(
            patients,
            fraction=spec.validation,
            seed=spec.seed,
            patients=comparison.LEAST,
            seen=[item.key for item in prepared.items if learned & set(item.source_sha256)],
        )
    else:
        parted = split.by_patient(patients, fraction=spec.validation, seed=spec.seed)
    by_key = {item.key: item for item in prepared.items}
    training = tuple(by_key[key] for key in parted.training)
    validation = tuple(by_key[key] for key in parted.validation)
    return Parts(
        split=parted,
        training=training,
        validation=validation,
        train=Loader(prepared, training, batch=spec.batch, seed=spec.chance, vary=spec.augment, pinned=pinned),
        validate=Loader(prepared, validation),
        apart=tuple(by_key[key] for key in parted.apart),
        learned=learned,
    )


def _learned(spec: TrainSpec) -> frozenset[str]:
    """What the model that a training begins from has learned from, where that decides who is kept apart."""
    if not spec.compare or spec.weights in (specs.AUTO, specs.IMAGENET, specs.NO_WEIGHTS):
        return frozenset()
    if spec.weights == specs.WEIGHTS_FILE:
        raise UsageError(
            "Cannot go on with this training.",
            detail="The model that it began from decides which patients are kept apart, and its path is not kept.",
            hint="Name its file as the first weights (--weights FILE).",
        )
    try:
        return frozenset(cards.read(registry.first_weights(spec.weights)).data_sha256)
    except ModelError as error:
        if isinstance(error.__cause__, OSError):
            raise
        return frozenset()  # of no model of ours, as of other programs' files, nothing is told


def state(
    spec: TrainSpec,
    device: Device,
    data: Prepared,
    *,
    notice: Callable[[str], None],
    each: Callable[[], None] = lambda: None,
    team: Team = ALONE,
    training: int = 0,
) -> State:
    """A network with its first weights, the techniques of `spec`, and an optimizer without a past.

    `each`: called between the stages of building; it may raise to stop. `team`: those that train together.
    `training`: as in `largest_step`.
    Raises ModelError, UsageError (also where a technique is impossible on this machine).
    """
    techniques = _possible(spec, device, data, team, training)
    torch.manual_seed(spec.chance)
    start = initial.start(first_weights.trained(spec), spec.weights, seed=spec.chance)
    notice(start.sentence)
    each()
    network = start.network.to(device.name)
    for tensor in (*network.parameters(), *network.buffers()):
        tensor.data = tensor.data.clone()  # off a file's bytes, whose alignment may change the order of sums
    build = builds.begin(network, torch.device(device.name), ranks=team)
    each()
    for technique in techniques:
        technique.apply(build)
        each()
    if build.in_bands and device.kind == devices.CPU:
        (height, width), batch = largest_step(spec, data, training)
        heap.give_back_at_once(height * width * batch)
    for sentence in build.notices:
        notice(sentence)
    return State(
        build=build,
        update=Update(build),
        progress=Progress(),
        threads=max(threads(spec, meet.here(team.size))),
        data=data.identity,
        start=start.sentence,
        seen=start.seen,
    )


def _network(spec: TrainSpec) -> NetworkSpec:
    try:
        return specs.network(spec)
    except ValueError as error:
        raise UsageError(
            "Cannot build the network.", detail=f"{error}.", hint="Choose another value for --encoder."
        ) from error


def _possible(spec: TrainSpec, device: Device, data: Prepared, team: Team, training: int = 0) -> tuple[Technique, ...]:
    """The techniques of `spec`, with the plans that some of them look for as rank 0 finds them: another device might
    find others. Raises UsageError where one is impossible on this machine."""
    techniques = compose.read(spec.techniques)
    if not techniques:
        return ()
    network = _network(spec).name
    (height, width), batch = largest_step(spec, data, training)
    shape = Shape(height=height, width=width, batch=batch, encoder=network)
    unknown = Costs(Facts(weights={}, buffers=0))  # whether it is possible asks for none
    on_cpu = named.beside_cards(spec.device, team.size)
    site = here.site(device, shape, unknown, team.size, on_cpu, lowest(data))
    refused = compose.refusals(techniques, site) if team.rank not in on_cpu else []  # it knows nothing of the cards
    if refused:
        raise UsageError(
            "Cannot train with these techniques here.", detail=" ".join(refused), hint="Leave them out of --techniques."
        )
    if not any(one.needs_plan for one in techniques):
        return techniques
    planned = techniques

    def found() -> list[str]:
        nonlocal planned
        planned = costing.kept(network, device.name).with_plans(techniques, site)
        return list(map(str, planned))

    texts = handed.values(team, found)
    return planned if team.writes else compose.read(texts)


def largest_step(spec: TrainSpec, data: Prepared, training: int = 0) -> tuple[tuple[int, int], int]:
    """What the largest step computes on: the sides, on the network's grid, and how many images. `training`: of how many
    it learns, 0: of all of `data`; a batch may be larger.

    Images of a batch are padded to one shape. One alone has its own: then it is as wide as the widest, and has as many
    pixels as the largest, for bands are as wide as the image.
    """
    sides = [resample.padded((item.rows, item.columns)) for item in data.items]
    height, width = (max(each) for each in zip(*sides, strict=True))
    batch = min(spec.batch, training or len(data.items))
    if batch == 1:
        height = -(-max(rows * columns for rows, columns in sides) // width)
    return resample.padded((height, width)), batch


def lowest(data: Prepared) -> int:
    """Rows of the lowest image, on the network's grid: it may be a batch of its own, and is evaluated by itself."""
    return min(resample.padded((item.rows, item.columns))[0] for item in data.items)
