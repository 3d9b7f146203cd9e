"""What a network computes in on the meta device is what it computes in on a CPU and a card under torch's own
autocast."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from fullfield.model import autocast, modules

SHORT, FULL, DOUBLE = torch.bfloat16, torch.float32, torch.float64
KINDS = ["cpu", "meta"]


def image(kind: str, dtype: torch.dtype) -> Tensor:
    return torch.empty(1, 4, 8, 8, device=kind, dtype=dtype)


def weight(kind: str, dtype: torch.dtype = FULL) -> Tensor:
    return torch.empty(4, 4, 3, 3, device=kind, dtype=dtype, requires_grad=True)


def normed(kind: str) -> Tensor:
    ones = torch.ones(4, device=kind)
    return functional.batch_norm(image(kind, SHORT), ones.clone(), ones.clone(), ones, ones, training=True)


CALLS: dict[str, Callable[[str], Tensor]] = {
    "convolution": lambda kind: functional.conv2d(image(kind, FULL), weight(kind)),
    "convolution of a short map": lambda kind: functional.conv2d(image(kind, SHORT), weight(kind)),
    "convolution in fp64": lambda kind: functional.conv2d(image(kind, DOUBLE), weight(kind, DOUBLE)),
    "concatenation of both": lambda kind: torch.cat([image(kind, FULL), image(kind, SHORT)], dim=1),
    "concatenation of short ones": lambda kind: torch.cat([image(kind, SHORT), image(kind, SHORT)], dim=1),
    "upsampling": lambda kind: modules.doubled(image(kind, SHORT)),
    "pooling": lambda kind: functional.max_pool2d(image(kind, SHORT), 2),
    "normalisation": normed,
    "ReLU": lambda kind: functional.relu(image(kind, SHORT)),
    "addition of both": lambda kind: image(kind, SHORT) + image(kind, FULL),
}


@pytest.mark.parametrize("name", CALLS)
def test_that_an_operation_has_the_format_on_meta_that_torch_gives_it_on_a_cpu(name: str) -> None:
    found = []
    for kind in KINDS:
        with autocast.on(kind, SHORT):
            found.append(CALLS[name](kind).dtype)
    assert found[1] == found[0]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
@pytest.mark.parametrize("name", CALLS)
def test_that_an_operation_has_the_format_on_meta_that_torch_gives_it_on_a_card(name: str) -> None:
    found = []
    for kind in ("cuda", "meta"):
        with autocast.on(kind, SHORT):
            found.append(CALLS[name](kind).dtype)
    assert found[1] == found[0]


def test_that_a_map_is_enlarged_without_autocast_which_on_a_card_would_write_it_in_fp32(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    formats = []
    own = functional.interpolate
    monkeypatch.setattr(
        functional, "interpolate", lambda *given, **named: formats.append(_now()) or own(*given, **named)
    )
    with autocast.on("cpu", SHORT):
        decode = modules.Decode(torch.nn.Identity(), torch.nn.Identity())
        assert decode(image("cpu", SHORT)).shape == (1, 4, 16, 16)
        assert _now() == SHORT
    assert formats == [None]


def test_that_where_autocast_is_off_the_flow_to_int8_sees_a_map_enlarged() -> None:
    decode = modules.Decode(torch.nn.Identity(), torch.nn.Identity())
    exported = torch.export.export(decode, (torch.rand(1, 4, 8, 8),)).module()
    called = [str(node.target) for node in exported.graph.nodes]
    assert any("upsample_nearest2d" in name for name in called) and not any("autocast" in name for name in called)


def _now() -> torch.dtype | None:
    return autocast.dtype("cpu")


@pytest.mark.parametrize("kind", KINDS)
def test_that_the_innermost_decides_and_ends_with_its_block(kind: str) -> None:
    def formats() -> tuple[torch.dtype | None, torch.dtype]:
        return autocast.dtype(kind), functional.conv2d(image(kind, FULL), weight(kind)).dtype

    assert formats() == (None, FULL)
    with autocast.on(kind, SHORT):
        assert formats() == (SHORT, SHORT)
        with autocast.off(kind):
            assert formats() == (None, FULL)
            with autocast.on(kind, torch.float16):
                assert formats() == (torch.float16, torch.float16)
        assert formats() == (SHORT, SHORT)
    assert formats() == (None, FULL)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("begun_in", [SHORT, None])
def test_that_what_is_on_now_can_be_opened_again_later(kind: str, begun_in: torch.dtype | None) -> None:
    with autocast.on(kind, begun_in) if begun_in else autocast.off(kind):
        again = autocast.as_now(kind)
    with autocast.on(kind, torch.float16), again():
        assert autocast.dtype(kind) == begun_in


@pytest.mark.parametrize("kind", KINDS)
def test_that_a_gradient_comes_back_in_the_format_of_its_weight(kind: str) -> None:
    own = weight(kind)
    with autocast.on(kind, SHORT):
        made = functional.conv2d(image(kind, FULL), own)
    made.sum().backward()
    assert own.grad is not None
    assert own.grad.dtype == FULL


def test_that_no_call_passes_a_mode_where_autocast_is_off_without_values() -> None:
    before = torch._C._len_torch_function_stack()
    with autocast.off("meta"), autocast.as_now("meta")():
        assert torch._C._len_torch_function_stack() == before
