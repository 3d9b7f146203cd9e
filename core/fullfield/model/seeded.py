"""Model files for tests: `python -m fullfield.model.seeded --out FILE --encoder resnet34 --seed 0`.

The weights are random and the BatchNorm statistics are those of synthetic phantoms, so that activations, tile errors,
time and memory are those of a real network. The pictures it makes are not: nobody trained it.
"""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import version
from pathlib import Path

import torch
from torch import nn

from fullfield import __version__
from fullfield.errors import FullfieldError
from fullfield.model import halo, weights
from fullfield.model.card import INPUT_KINDS, Card
from fullfield.model.families import registry as families
from fullfield.model.network import Network, build
from fullfield.model.phantom import phantom
from fullfield.model.spec import NetworkSpec, named

FOR_TESTS = "Seeded random weights for tests: nobody trained this model, and its pictures are of no use."
_SIDE, _PASSES, _FIRST_SEED = 256, 4, 1000


def seeded(spec: NetworkSpec, *, seed: int) -> Network:
    """A network in evaluation mode with random weights of `seed` and the statistics of four phantoms."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = build(spec)
    norms = [module for module in network.modules() if isinstance(module, nn.BatchNorm2d)]
    momenta = [norm.momentum for norm in norms]
    for norm in norms:
        norm.momentum = None  # PyTorch: the cumulative mean over all passes
    network.train()
    with torch.no_grad():
        for number in range(_PASSES):
            network(torch.from_numpy(phantom(_SIDE, _SIDE, seed=_FIRST_SEED + number))[None, None])
    for norm, momentum in zip(norms, momenta, strict=True):
        norm.momentum = momentum
    return network.eval()


def make(path: Path, spec: NetworkSpec, *, seed: int, input_kind: str = "any", calibrated: bool = False) -> str:
    """Write a seeded model file and return its SHA-256. `calibrated`: measure its halo for the card (some 10 s)."""
    network = seeded(spec, seed=seed)
    card = Card(
        name=f"seeded-{spec.name}-{seed}",
        network=spec,
        input_kind=input_kind,
        normalisation=families.normalisation(spec.family).to_json() if spec.of.preset_tone else {},
        licence="Made from synthetic phantoms alone.",
        versions={"fullfield": __version__, "torch": version("torch")},
        seeds={"weights": seed},
        halo=halo.calibrate(network) if calibrated else None,
        start=FOR_TESTS,
        for_tests=True,
    )
    return weights.save(path, network, card)


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m fullfield.model.seeded", description=FOR_TESTS)
    parser.add_argument("--out", type=Path, required=True, help="the .safetensors file to write")
    parser.add_argument(
        "--encoder", choices=families.NAMES, default=families.NAMES[0], help="or the name of another network"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--input-kind", choices=INPUT_KINDS, default="any")
    parser.add_argument("--calibrate", action="store_true", help="measure the halo of these weights (some 10 s)")
    given = parser.parse_args(arguments)
    try:
        spec = named(given.encoder)
        digest = make(given.out, spec, seed=given.seed, input_kind=given.input_kind, calibrated=given.calibrate)
    except FullfieldError as error:
        sys.stderr.write(f"{error}\n")
        return int(error.exit_code)
    sys.stdout.write(f"{FOR_TESTS}\nSHA-256 {digest}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
