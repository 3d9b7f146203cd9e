"""The weights that a training starts from, and the plain sentence that says which.

ImageNet weights have three colour channels in their first convolution; a radiograph has one. The three are summed, so
that a grey picture gives the same response as before (the paper's choice, and smp's).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from safetensors import SafetensorError
from safetensors import torch as safetensors
from torch import Tensor

from fullfield.model import card as cards
from fullfield.model import foreign, imagenet, registry
from fullfield.model.card import NetworkSpec
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.network import Network, build, from_smp
from fullfield.model.stages import DECODERS, HEAD
from fullfield.model.weights import fill, load, read_bytes
from fullfield.protocol.training import IMAGENET, NO_WEIGHTS


class Start(NamedTuple):
    """A network to train, and which weights it has, in words; of a model, the hashes of what that has `seen`."""

    network: Network
    sentence: str
    seen: tuple[str, ...] = ()


def start(spec: NetworkSpec, weights: str, *, seed: int) -> Start:
    """The network to train.

    `weights`: "imagenet" (a hub's, that were fetched before: see `fullfield.model.imagenet`), "none" (from scratch),
    "shipped" (the model that is a part of Fullfield), or the path of a file: torchvision's .pth or .safetensors of this
    encoder, or a Fullfield model. `seed` draws all that no file gives. Raises ModelError where a file that was named
    cannot be used, or ImageNet's are not here.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = build(spec)
    scratch = f"from scratch (random weights, seed {seed})"
    if weights == NO_WEIGHTS:
        return Start(network, f"The network starts {scratch}.")
    if weights != IMAGENET:
        return _from_file(network, weights, seed)
    _fill_encoder(network, _imagenet_state(spec.encoder))
    return Start(
        network,
        f"The encoder starts from ImageNet weights of the hub (colour channels summed), the decoder {scratch}.",
    )


def sum_colours(weight: Tensor) -> Tensor:
    """A first convolution (64, 3, 7, 7) for one channel: (64, 1, 7, 7). One that has one channel already is kept."""
    return weight.sum(dim=1, keepdim=True)


def _from_file(network: Network, weights: str, seed: int) -> Start:
    path = registry.first_weights(weights)
    if registry.begins_from(weights, network.spec) is not None:
        model = load(path)
        if model.card.network != network.spec:
            raise registry.of_another(model.card, network.spec)
        return Start(model.network.train(), cards.from_model(model.card.name), model.card.data_sha256)
    _fill_encoder(network, foreign.state(path))
    return Start(
        network,
        "The encoder starts from the weights in the given file (colour channels summed), "
        f"the decoder from scratch (random weights, seed {seed}).",
    )


def _imagenet_state(encoder: str) -> Mapping[str, Tensor]:
    path = imagenet.find(encoder)
    if path is None:
        raise imagenet.missing(encoder)
    content = read_bytes(path)
    if not imagenet.is_whole(path):
        raise imagenet.damaged(encoder)
    try:
        return safetensors.load(content)
    except (SafetensorError, ValueError, KeyError) as error:
        raise imagenet.damaged(encoder) from error


def _fill_encoder(network: Network, encoder: Mapping[str, Tensor]) -> None:
    kind = ENCODERS[network.spec.encoder]
    given = {name.removeprefix("encoder."): value for name, value in encoder.items() if name not in kind.classifier}
    if kind.first in given and given[kind.first].ndim == 4:
        given[kind.first] = sum_colours(given[kind.first])
    renamed = from_smp({f"encoder.{name}": value for name, value in given.items()}, kind.name)
    ours = {name: value if value.dtype == torch.int64 else value.float() for name, value in renamed.items()}
    rest = network.state_dict()
    counters = {name: torch.zeros((), dtype=torch.int64) for name in rest if name.endswith("num_batches_tracked")}
    behind = tuple(f"stages.{name}." for name in (*DECODERS, HEAD))
    decoder = {name: value for name, value in rest.items() if name.startswith(behind)}
    fill(network, {**counters, **ours, **decoder})
