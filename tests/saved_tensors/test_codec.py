"""Values in 8 and 4 bits: unbiased, within a step, and with every zero where it was."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from fullfield.saved_tensors import codec

BITS = pytest.mark.parametrize("bits", [8, 4])


def coded(values: Tensor, bits: int, *, block: int = 64, seed: int = 1) -> codec.Coded:
    return codec.encode(values, bits=bits, block=block, generator=torch.Generator().manual_seed(seed))


def values_of(count: int = 1000) -> Tensor:
    generator = torch.Generator().manual_seed(5)
    return torch.randn(count, dtype=torch.float64, generator=generator) * torch.linspace(0.01, 30, count)


@BITS
@pytest.mark.parametrize("relu", [False, True])
def test_that_the_mean_over_many_roundings_is_the_value(bits: int, relu: bool) -> None:
    runs = 1000
    values = values_of(256).relu() if relu else values_of(256)
    result = coded(values.repeat(runs), bits)
    found = codec.decode(result).view(runs, -1)
    largest_error = (
        0.5 * result.step[:4].expand(-1, 64).reshape(-1) / runs**0.5
    )  # a coin's standard error, times a step
    assert ((found.mean(0) - values).abs() <= 5 * largest_error + 1e-12 * values.abs().max()).all()
    assert found.std(0).max() > 0


@BITS
@pytest.mark.parametrize("count", [64, 1000, 1])
def test_that_no_value_is_off_by_more_than_a_step_of_its_block(bits: int, count: int) -> None:
    for values in (values_of(count), values_of(count).relu()):
        result = coded(values, bits)
        step = result.step.expand(-1, 64).reshape(-1)[:count]
        assert ((codec.decode(result) - values).abs() <= step * (1 + 1e-9)).all()
        widest = max(float(part.max() - part.min()) for part in values.split(64))
        assert float(step.max()) <= widest / (2**bits - 2) * (1 + 1e-9)


@BITS
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.float64])
def test_that_zeros_stay_zeros_and_positive_values_stay_positive(bits: int, dtype: torch.dtype) -> None:
    values = values_of(2000).relu()
    values[::7] *= 1e-3  # far below a step
    values[640:704] = 0  # a whole block
    values = values.to(dtype)
    found = codec.decode(coded(values, bits))
    assert found.dtype == dtype
    assert torch.equal(found > 0, values > 0)
    assert torch.equal(found == 0, values == 0)


def test_that_constant_blocks_come_back_as_they_were() -> None:
    values = torch.tensor([0.0, 3.5, -2.25]).repeat_interleave(64)
    assert torch.equal(codec.decode(coded(values, 4)), values)


def test_that_what_is_not_finite_is_not_made_finite() -> None:
    values = values_of(64)
    values[10] = torch.nan
    assert codec.decode(coded(values, 8)).isnan().any()


def test_that_bytes_are_as_many_as_the_bits_say() -> None:
    values = values_of(6400).float()
    eight, four = coded(values, 8, block=256), coded(values, 4, block=256)
    assert (eight.codes.nbytes, four.codes.nbytes) == (6400, 3200)
    assert eight.low.nbytes + eight.step.nbytes == 25 * 8


def test_that_pieces_of_a_long_map_are_coded_like_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    values = values_of(5000)
    whole = coded(values, 8)
    monkeypatch.setattr(codec, "CHUNK", 320)
    pieces = coded(values, 8)
    assert torch.equal(whole.low, pieces.low)
    assert torch.equal(whole.step, pieces.step)
    assert torch.equal(codec.decode(whole), codec.decode(pieces))


def test_that_a_seed_repeats_the_rounding() -> None:
    values = values_of()
    assert torch.equal(coded(values, 4).codes, coded(values, 4).codes)
    assert not torch.equal(coded(values, 4).codes, coded(values, 4, seed=2).codes)
