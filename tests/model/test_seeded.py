"""Models for tests, made by a command."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from fullfield.model import seeded, weights
from fullfield.model.phantom import phantom


def test_that_the_command_makes_a_model_and_says_what_it_is_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.safetensors"
    code = seeded.main(["--out", str(path), "--encoder", "map", "--seed", "3", "--input-kind", "raw"])
    _, card = weights.load(path)
    assert code == 0
    assert "nobody trained this model" in capsys.readouterr().out
    assert (card.for_tests, card.input_kind, card.start) == (True, "raw", seeded.FOR_TESTS)
    assert card.seeds == {"weights": 3}


def test_that_a_folder_that_cannot_be_written_is_one_plain_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"")
    code = seeded.main(["--out", str(tmp_path / "file" / "m.safetensors"), "--encoder", "map"])
    assert code == 7
    assert "Cannot write" in capsys.readouterr().err


def test_that_activations_are_those_of_a_real_network(model_file: Path) -> None:
    network, _ = weights.load(model_file)
    norms = [module for module in network.modules() if isinstance(module, nn.BatchNorm2d)]
    assert all(norm.num_batches_tracked == 4 and norm.momentum == 0.1 for norm in norms)
    spreads: list[float] = []
    for norm in norms:
        norm.register_forward_hook(lambda _, taken, result: spreads.append(float(result.std())))
    with torch.inference_mode():
        output = network(torch.from_numpy(phantom(256, 256, seed=77))[None, None])
    assert all(0.2 < spread < 5 for spread in spreads)
    assert 0.02 < output.std() < 0.4
