"""From a spec to the things that train: threads, device, network, optimizer, loaders. Each is one call, in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

from fullfield import system
from fullfield.data import split
from fullfield.data.loader import Loader
from fullfield.data.prepared import Item, Prepared
from fullfield.data.split import Split
from fullfield.errors import UsageError
from fullfield.hardware.devices import Device
from fullfield.model import initial
from fullfield.model.card import NetworkSpec
from fullfield.plan.spec import TrainSpec
from fullfield.train.state import Progress, State


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The two parts of the data, listed and as loaders."""

    split: Split
    training: tuple[Item, ...]
    validation: tuple[Item, ...]
    train: Loader
    validate: Loader


def threads(spec: TrainSpec) -> int:
    """How many threads compute: one core is left to the window."""
    return spec.threads or system.spare_cores()


def set_up(device: Device, count: int) -> None:
    """Make torch compute the same from the same, where that is promised (the CPU), and in fp32 everywhere."""
    torch.set_num_threads(count)
    torch.use_deterministic_algorithms(device.kind == "cpu")
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False


def parts(spec: TrainSpec, prepared: Prepared) -> Parts:
    """The data split by patient. Raises InputRefused where there are fewer than two patients."""
    parted = split.by_patient(
        [(item.key, str(item.patient)) for item in prepared.items], fraction=spec.validation, seed=spec.seed
    )
    by_key = {item.key: item for item in prepared.items}
    training = tuple(by_key[key] for key in parted.training)
    validation = tuple(by_key[key] for key in parted.validation)
    return Parts(
        split=parted,
        training=training,
        validation=validation,
        train=Loader(prepared, training, batch=spec.batch, seed=spec.seed, mirror=spec.augment),
        validate=Loader(prepared, validation),
    )


def state(spec: TrainSpec, device: Device, data: Prepared, *, notice: Callable[[str], None]) -> State:
    """A network with its first weights and Adam without a past. Raises ModelError, UsageError."""
    try:
        network_spec = NetworkSpec(encoder=spec.encoder)
    except ValueError as error:
        raise UsageError(
            "Cannot build the network.", detail=f"{error}.", hint="Choose another value for --encoder."
        ) from error
    torch.manual_seed(spec.seed)
    start = initial.start(network_spec, spec.weights, seed=spec.seed)
    notice(start.sentence)
    network = start.network.to(device.name)
    for tensor in (*network.parameters(), *network.buffers()):
        tensor.data = tensor.data.clone()  # off a file's bytes, whose alignment may change the order of sums
    return State(
        network=network,
        optimizer=torch.optim.Adam(network.parameters(), lr=spec.learning_rate, fused=True),
        progress=Progress(),
        threads=threads(spec),
        data=data.identity,
        start=start.sentence,
    )
