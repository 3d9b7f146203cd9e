"""What is remembered of a call on tensors without values, against what torch makes of it."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from fullfield.memory import forms, operations

aten = torch.ops.aten
LAYOUTS = [torch.contiguous_format, torch.channels_last]


class Asked:
    """An operation of torch's that counts its calls."""

    def __init__(self, operation: Any) -> None:
        self._operation, self._schema, self.is_view = operation, operation._schema, operation.is_view
        self.times = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.times += 1
        return self._operation(*args, **kwargs)


def empty(*shape: int, layout: torch.memory_format = torch.contiguous_format) -> Tensor:
    return torch.empty(*shape, device="meta").contiguous(memory_format=layout)


def calls(layout: torch.memory_format) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    image, gradient = empty(1, 8, 12, 20, layout=layout), empty(1, 4, 12, 20, layout=layout)
    weight, other, statistic = empty(4, 8, 3, 3, layout=layout), empty(1, 8, 12, 20), empty(8)
    geometry = ([1, 1], [1, 1], [1, 1], False, [0, 0], 1)
    wide = statistic.view(1, -1, 1, 1)
    return {
        "convolution": (aten.convolution.default, (image, weight, None, *geometry)),
        "both gradients": (
            aten.convolution_backward.default,
            (gradient, image, weight, None, *geometry, [True, True, False]),
        ),
        "one gradient": (
            aten.convolution_backward.default,
            (gradient, image, weight, None, *geometry, [False, True, False]),
        ),
        "of rows": (aten.threshold_backward.default, (image[:, :, 2:9], image[:, :, 2:9], 0)),
        "of other strides": (aten.add.Tensor, (image, other)),
        "broadcast": (aten.sub.Tensor, (image, wide)),
        "in place": (aten.addcmul_.default, (image, other, wide)),
        "several": (aten.cat.default, ([image, other], 1)),
        "grown": (aten.upsample_nearest2d.default, (image, [24, 40], 2.0, 2.0)),
        "a view": (aten.slice.Tensor, (image, 2, 1, 5)),
        "an unsaid view": (aten._unsafe_view.default, (other, [96, 20])),
    }


def tensors(result: Any) -> list[Tensor]:
    return [one for one in (result if isinstance(result, tuple) else (result,)) if one is not None]


def form(tensor: Tensor) -> tuple[Any, ...]:
    return tensor.shape, tensor.stride(), tensor.dtype, tensor.untyped_storage().nbytes()


def storage(tensor: Tensor) -> int:
    return tensor.untyped_storage()._cdata


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "_known", {})


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("name", list(calls(torch.contiguous_format)))
def test_that_what_is_remembered_is_what_torch_makes(name: str, layout: torch.memory_format) -> None:
    func, args = calls(layout)[name]
    expected = list(map(form, tensors(func(*args))))
    first, made, effect = forms.run(func, args, {})
    again, made_again, effect_again = forms.run(func, args, {})
    assert list(map(form, tensors(first))) == list(map(form, tensors(again))) == expected
    assert (len(made), effect) == (len(made_again), effect_again)
    assert set(map(storage, made)).isdisjoint(map(storage, made_again))
    kept = storage(args[0]) if isinstance(args[0], Tensor) else 0
    assert [storage(one) == kept for one in tensors(first)] == [storage(one) == kept for one in tensors(again)]


def test_that_torch_is_asked_once_for_each_form() -> None:
    add = Asked(aten.add.Tensor)
    for _ in range(3):
        forms.run(add, (empty(1, 8, 4, 4), empty(1, 8, 4, 4)), {})
    assert add.times == 1
    forms.run(add, (empty(1, 8, 4, 5), empty(1, 8, 4, 5)), {})
    forms.run(add, (empty(1, 8, 4, 4, layout=torch.channels_last), empty(1, 8, 4, 4)), {})
    assert add.times == 3


def test_that_what_is_given_by_name_is_told_apart_and_what_is_forgotten_is_asked_anew() -> None:
    turned = Asked(aten._to_copy.default)
    image = empty(1, 8, 4, 4)
    made = [forms.run(turned, (image,), {"dtype": dtype})[0] for dtype in (torch.float16, torch.float64, torch.float16)]
    assert [one.dtype for one in made] == [torch.float16, torch.float64, torch.float16]
    assert turned.times == 2
    forms.forget()
    forms.run(turned, (image,), {"dtype": torch.float16})
    assert turned.times == 3


@pytest.mark.parametrize("name", list(calls(torch.contiguous_format)))
def test_that_what_a_call_does_is_told_with_it(name: str) -> None:
    func, args = calls(torch.contiguous_format)[name]
    for _ in range(2):
        result, made, effect = forms.run(func, args, {})
        given = forms.tensors(args)
        assert (effect.operation == operations.of(func, args)) if made else (effect.operation is None)
        assert effect.starts == operations.starts(func)
        if not func.is_view:
            assert effect.moved == operations.moved(func, [*given, *forms.tensors((result,))])
            assert effect.flops == operations.flops(func, args, result)


def test_that_tensors_are_found_in_lists_too() -> None:
    one, two, three = empty(1), empty(2), empty(3)
    assert list(map(id, forms.tensors([one, 3, [two, (None, three)], "x"]))) == list(map(id, (one, two, three)))
    assert forms.tensors(()) == []


def test_that_numbers_that_are_equal_but_of_other_kinds_are_told_apart() -> None:
    whole = torch.empty(4, dtype=torch.int64, device="meta")
    made = [forms.run(aten.mul.Tensor, (whole, factor), {})[0].dtype for factor in (1, 1.0, True)]
    assert made == [torch.int64, torch.float32, torch.int64]


def test_that_tensors_with_values_are_computed_each_time() -> None:
    add = Asked(aten.add.Tensor)
    for value in (1.0, 2.0):
        assert forms.run(add, (torch.full((2,), value), torch.ones(2)), {})[0].tolist() == [value + 1] * 2
    assert add.times == 2


def test_that_what_changes_the_form_of_its_tensor_is_done_each_time() -> None:
    for _ in range(2):
        turned = empty(2, 3)
        forms.run(aten.t_.default, (turned,), {})
        assert turned.shape == (3, 2)


def test_that_no_more_is_remembered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MOST", 3)
    for rows in range(10):
        forms.run(aten.relu.default, (empty(1, 1, rows + 1, 4),), {})
    assert 0 < len(forms._known) <= 3


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_that_batch_norm_keeps_the_statistics_that_a_kernel_keeps(dtype: torch.dtype) -> None:
    image, statistic = torch.rand(1, 8, 4, 4, dtype=dtype), torch.rand(8, dtype=dtype)
    for training in (False, True):
        args = (image, statistic, statistic, statistic, statistic, training, 0.1, 1e-5)
        real = aten.native_batch_norm.default(*args)
        reported = forms.run(
            aten.native_batch_norm.default,
            tuple(one.to("meta") if isinstance(one, Tensor) else one for one in args),
            {},
        )[0]
        assert [(one.shape, one.dtype) for one in reported] == [(one.shape, one.dtype) for one in real]


@pytest.mark.parametrize(
    "wanted", [(True, True, True), (True, False, False), (False, True, True), (False, True, False)]
)
def test_that_backward_of_batch_norm_returns_the_gradients_that_a_kernel_returns(wanted: tuple[bool, ...]) -> None:
    image, statistic = torch.rand(1, 8, 4, 4), torch.rand(8)
    args = (image, image, statistic, statistic, statistic, statistic, statistic, True, 1e-5, wanted)
    real = aten.native_batch_norm_backward.default(*args)
    reported = forms.run(
        aten.native_batch_norm_backward.default,
        tuple(one.to("meta") if isinstance(one, Tensor) else one for one in args),
        {},
    )[0]
    assert [None if one is None else (one.shape, one.dtype) for one in reported] == [
        None if one is None else (one.shape, one.dtype) for one in real
    ]
