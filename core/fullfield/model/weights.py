"""Model files: a network's tensors and its card in one safetensors file, sealed.

The tensors carry smp's names, so that `smp.Unet(...).load_state_dict` takes them outside of this program too. Nothing
of a foreign file is executed: pickles are refused by their first bytes, and the seal is checked before any tensor is.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from fullfield.errors import ModelError
from fullfield.model import card as cards
from fullfield.model import ensemble, tensor_file
from fullfield.model.card import Card
from fullfield.model.network import Network, build, from_smp, to_smp
from fullfield.model.tensor_file import Content, Stored


class Model(NamedTuple):
    """A loaded model file: the network in evaluation mode, on the CPU, in fp32; its card."""

    network: Network
    card: Card


def save(path: Path, network: Network, card: Card, tensors: Mapping[str, Tensor] | None = None) -> str:
    """Write the model file, whole or not at all; return its SHA-256, the model's public identity. `tensors`: those of
    the network, where it has not all of them here.

    The same weights and card give the same file. Raises ModelError for weights that are not finite, CannotWrite.
    """
    if network.spec != card.network:
        raise ValueError(f"the card is of {card.network}, the network is {network.spec}")
    state = {
        name: value.detach().float() if value.is_floating_point() else value.detach()
        for name, value in to_smp(tensors or network.state_dict(), network.spec.name).items()
    }
    _check_finite(state)
    content = Content(state, cards.metadata(card))
    cards.seal(content.header, content.tensors())
    return tensor_file.write(path, content)


def load(path: Path, member: int | None = None) -> Model:
    """The network and the card of a model file whose seal holds, or of a `member`, from 0, of the ensemble that it is.

    Raises ModelError with the reason: missing, no safetensors, cut short, changed, of another network, not finite, an
    ensemble.
    """
    try:
        with cards.reading(), path.open("rb") as stream:
            place = ensemble.find(stream, member)
            stream.seek(place.first)
            card = cards.verify_stream(stream, place.bytes)
            ensemble.refuse_several(card)
            state = dict(Stored(path, place))
    except (ValueError, KeyError, TypeError) as error:
        raise cards.refused("Its tensors cannot be read.", "Copy the file again from where it was made.") from error
    _check_finite(state)
    with torch.device("meta"):
        network = build(card.network)
    fill(network, from_smp(state, card.network.name))
    return Model(network.eval(), card)


def fill(network: Network, state: Mapping[str, Tensor]) -> None:
    """Give a network (on the meta device, or not) exactly these tensors. Raises ModelError where they do not fit."""
    wanted = network.state_dict()
    added = {name for one in network.spec.of.added if (name := f"stages.{one}") not in state}
    state = {**state, **{name: torch.zeros(wanted[name].shape, dtype=wanted[name].dtype) for name in added}}
    wrong = sorted(
        {*wanted.keys() ^ state.keys()}
        | {name for name in wanted.keys() & state.keys() if wanted[name].shape != state[name].shape}
        | {name for name in wanted.keys() & state.keys() if wanted[name].dtype != state[name].dtype}
    )
    if wrong:
        raise cards.refused(
            f"Its weights are not those of the {network.spec.title}: "
            f"{len(wrong)} tensors differ, first {_shown(wrong[0].removeprefix('stages.'))}.",
            "Choose a model made by `fullfield train`, or start from weights of this network.",
        )
    network.load_state_dict(dict(state), assign=True)


def _shown(name: str) -> str:
    """A tensor's name from a foreign file: short, and without signs that a terminal would obey."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name[:80])


def read_bytes(path: Path) -> bytes:
    """The whole file. Raises ModelError, without its path."""
    with cards.reading():
        if path.stat().st_size > cards.LARGEST_BYTES:
            raise cards.refused("It is far larger than any model of this program.", "Choose another file.")
        return path.read_bytes()


def _check_finite(state: Mapping[str, Tensor]) -> None:
    broken = [name for name, value in state.items() if value.is_floating_point() and not value.isfinite().all()]
    if broken:
        raise ModelError(
            "Cannot use the network's weights.",
            detail=f"{len(broken)} tensors hold values that are not finite, first {broken[0]}.",
            hint="Choose another checkpoint or model: this training had diverged.",
        )
