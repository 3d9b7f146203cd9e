"""Which device, and the sentence why. A GPU is played by replacing torch's own answers."""

from __future__ import annotations

import errno
from types import SimpleNamespace

import pytest
import torch

from fullfield.errors import DeviceUnavailable, UsageError
from fullfield.hardware import devices, named, present
from fullfield.hardware.devices import Driver
from fullfield.hardware.meter import Meter, Reading

CARD = ("NVIDIA GeForce RTX 2060",)


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose torch finds no GPU, and that has no management library."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(devices, "driver", lambda: None)


@pytest.fixture
def one_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with one card of 8 GiB, 6 of them free."""
    answers = {
        "is_available": lambda: True,
        "device_count": lambda: 1,
        "get_arch_list": lambda: ["sm_75", "sm_90a", "compute_120"],
        "get_device_capability": lambda device=None: (7, 5),
        "get_device_name": lambda device=None: CARD[0],
        "mem_get_info": lambda device=None: (6 << 30, 8 << 30),
        "memory_reserved": lambda device=None: 3 << 20,
        "memory_allocated": lambda device=None: 1 << 20,
    }
    for name, answer in answers.items():
        monkeypatch.setattr(torch.cuda, name, answer)


def test_that_the_cpu_is_always_there_and_its_free_memory_known() -> None:
    device = devices.choose("cpu")
    assert (device.name, device.kind) == ("cpu", "cpu")
    assert device.free_bytes > 0
    assert devices.used_bytes() > 0


def test_that_without_a_gpu_auto_is_the_cpu_and_says_why(no_gpu: None) -> None:
    device = devices.choose("auto")
    assert device.name == "cpu"
    assert device.why == "On the CPU: no NVIDIA GPU with a driver was found."


@pytest.mark.parametrize("name", ["cuda", "cuda:0", "cuda:3"])
def test_that_a_named_gpu_that_is_absent_is_an_error_and_no_silent_fall_back(no_gpu: None, name: str) -> None:
    with pytest.raises(DeviceUnavailable, match=f"Cannot compute on {name}.*no NVIDIA GPU.*auto or cpu"):
        devices.choose(name)


def test_that_a_number_of_a_gpu_that_no_machine_has_is_refused(one_gpu: None) -> None:
    with pytest.raises(UsageError, match="auto, cpu, cuda"):
        devices.choose("cuda:" + "9" * 5000)


@pytest.mark.parametrize("name", ["tpu", "", "cuda:-1", "cuda:x", "mps", "cpu:0"])
def test_that_an_unknown_device_is_a_usage_error_with_the_choices(name: str) -> None:
    with pytest.raises(UsageError, match="auto, cpu, cuda"):
        devices.choose(name)


@pytest.mark.parametrize("name", ["auto", "cuda", "cuda:0"])
def test_that_a_gpu_is_taken_where_there_is_one(one_gpu: None, name: str) -> None:
    device = devices.choose(name)
    assert (device.name, device.kind, device.title) == ("cuda:0", "cuda", CARD[0])
    assert device.free_bytes == (6 << 30) + (2 << 20)
    assert "6.0 GiB free" in device.why


def test_that_all_cards_are_meant_where_none_is_named(one_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 3)
    wanted = {"auto": [0, 1, 2], "cuda": [0, 1, 2], "cuda:1": [1], "cuda:2,cuda:0": [2, 0]}
    assert {name: [one.name for one in devices.every(name)] for name in wanted} == {
        name: [f"cuda:{number}" for number in numbers] for name, numbers in wanted.items()
    }
    assert [one.name for one in devices.every("cpu")] == ["cpu"]

    def dead(device: torch.device) -> tuple[int, int]:
        if device.index == 1:
            raise RuntimeError("CUDA error: all CUDA-capable devices are busy or unavailable")
        return 6 << 30, 8 << 30

    monkeypatch.setattr(torch.cuda, "mem_get_info", dead)
    assert [one.name for one in devices.every("auto")] == ["cuda:0", "cuda:2"]
    with pytest.raises(DeviceUnavailable, match="does not answer"):
        devices.every("cuda")


def test_that_without_a_card_the_processor_is_meant(no_gpu: None) -> None:
    assert [one.name for one in devices.every("auto")] == ["cpu"]


@pytest.mark.parametrize(("name", "wanted"), [("auto", 1), ("cuda", 1), ("cuda:0", 0), ("cuda:1", 1)])
def test_that_processes_take_cards_in_turn_unless_one_is_named(
    one_gpu: None, monkeypatch: pytest.MonkeyPatch, name: str, wanted: int
) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert [devices.choose(name, rank=rank).name for rank in (1, 3)] == [f"cuda:{wanted}"] * 2
    named = name.startswith("cuda:")
    assert [devices.sharing(name, ranks) for ranks in (1, 2, 3)] == ([1, 2, 3] if named else [1, 1, 2])
    assert devices.sharing("cpu", 3) == 3


def test_that_processes_take_the_cards_that_are_named_in_turn(one_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 3)
    listed = "cuda:0,cuda:2"
    assert [devices.choose(listed, rank=rank).name for rank in range(3)] == ["cuda:0", "cuda:2", "cuda:0"]
    assert [devices.sharing(listed, ranks) for ranks in (1, 2, 3)] == [1, 1, 2]
    with pytest.raises(DeviceUnavailable, match="cuda:0 to cuda:2"):
        devices.choose("cuda:0,cuda:3", rank=1)
    with pytest.raises(UsageError, match="cuda:0,cpu"):  # the first process has a card
        devices.choose("cpu,cuda:0")


def test_that_the_cpu_stands_behind_cards_in_a_training_alone(one_gpu: None) -> None:
    both = "cuda:0,cpu"
    assert [devices.choose(both, rank=rank).name for rank in range(3)] == ["cuda:0", "cpu", "cuda:0"]
    assert [devices.shares(both, ranks) for ranks in (1, 2, 3)] == [(1,), (1, 1), (2, 1, 2)]
    assert devices.sharing(both, 3) == 2
    assert [named.beside_cards(both, ranks) for ranks in (1, 2, 4)] == [(), (1,), (1, 3)]
    assert [named.kind(both, ranks, "cuda") for ranks in (1, 2)] == ["cuda", named.MIXED]
    assert named.kind("cuda:0,cuda:0", 2, "cuda") == "cuda" and named.kind("cpu", 2, "cpu") == "cpu"
    with pytest.raises(UsageError, match="in a training alone"):
        devices.every(both)


def test_that_all_devices_are_told_with_what_the_driver_says_is_free(
    one_gpu: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    card = SimpleNamespace(name=CARD[0], total_memory=8 << 30)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda device: card)
    used = {"cuda:0": 2 << 30, "cuda:1": None}

    def read(meter: Meter) -> Reading:
        return Reading(host_bytes=1, device_bytes=used[str(meter._device)])

    monkeypatch.setattr(Meter, "read", read)
    monkeypatch.setattr(Meter, "look_at_card", lambda meter: None)
    found = present.found()
    assert [(one.name, one.free_bytes) for one in found[:2]] == [("cuda:0", 6 << 30), ("cuda:1", None)]
    assert [one.title for one in found] == [CARD[0], CARD[0], "the CPU"]


def test_that_without_a_gpu_the_processor_is_all_there_is(no_gpu: None) -> None:
    (only,) = present.found()
    assert only.name == "cpu" and only.free_bytes is not None and 0 < only.free_bytes <= only.total_bytes


def test_that_a_second_gpu_that_is_not_there_is_an_error_naming_the_first(one_gpu: None) -> None:
    with pytest.raises(DeviceUnavailable, match="one GPU, cuda:0"):
        devices.choose("cuda:1")


def test_that_a_card_too_old_for_this_torch_is_not_used(one_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device=None: (6, 1))
    device = devices.choose("auto")
    assert device.name == "cpu"
    assert "too old for this torch (compute capability 6.1, needed 7.5)" in device.why


def test_that_a_gpu_that_does_not_answer_is_said(one_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(device: object = None) -> tuple[int, int]:
        raise RuntimeError("CUDA error: all CUDA-capable devices are busy or unavailable")

    monkeypatch.setattr(torch.cuda, "mem_get_info", broken)
    with pytest.raises(DeviceUnavailable, match="does not answer"):
        devices.choose("cuda:0")
    assert "does not answer" in devices.choose("auto").why


@pytest.mark.parametrize(
    ("driver", "built_for", "wanted"),
    [
        (None, "13.2", "no NVIDIA GPU with a driver was found."),
        (Driver(version="580.65", cuda=(13, 0), cards=()), "13.2", "driver 580.65 is here, but it finds no GPU."),
        (Driver(version="580.65", cuda=(13, 0), cards=CARD), None, "this torch was built without CUDA"),
        (Driver(version="535.10", cuda=(12, 2), cards=CARD), "13.2", "driver 535.10 is too old: it runs CUDA 12.2"),
        (Driver(version="580.65", cuda=(13, 0), cards=CARD), "13.2", "torch cannot use it (CUDA unknown error)."),
    ],
)
def test_that_every_reason_for_no_gpu_is_a_sentence(driver: Driver | None, built_for: str | None, wanted: str) -> None:
    text = devices.explain_absence(driver, built_for=built_for, said="CUDA unknown error")
    assert wanted in text
    assert text.endswith(".")


def test_that_torchs_own_warning_is_kept_from_the_user_and_its_first_sentence_told(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    import warnings

    def unavailable() -> bool:
        warnings.warn("CUDA initialization: Unexpected error. Look at a web page. And more.", stacklevel=1)
        return False

    monkeypatch.setattr(torch.cuda, "is_available", unavailable)
    monkeypatch.setattr(devices, "driver", lambda: Driver(version="580.65", cuda=(13, 0), cards=CARD))
    monkeypatch.setattr(torch.version, "cuda", "13.2")
    assert "(CUDA initialization: Unexpected error)" in devices.choose("auto").why
    assert not recwarn.list


def test_that_a_missing_management_library_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    import pynvml

    def missing() -> None:
        raise pynvml.NVMLError(pynvml.NVML_ERROR_LIBRARY_NOT_FOUND)

    monkeypatch.setattr(pynvml, "nvmlInit", missing)
    assert devices.driver() is None


def test_that_the_management_library_names_driver_and_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    import pynvml

    answers = {
        "nvmlInit": lambda: None,
        "nvmlShutdown": lambda: None,
        "nvmlSystemGetCudaDriverVersion_v2": lambda: 12040,
        "nvmlDeviceGetCount": lambda: 1,
        "nvmlDeviceGetHandleByIndex": lambda number: number,
        "nvmlDeviceGetName": lambda handle: CARD[0],
        "nvmlSystemGetDriverVersion": lambda: "550.54",
    }
    for name, answer in answers.items():
        monkeypatch.setattr(pynvml, name, answer)
    assert devices.driver() == Driver(version="550.54", cuda=(12, 4), cards=CARD)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
def test_that_a_real_gpu_is_chosen_with_its_free_memory() -> None:
    device = devices.choose("auto")
    assert device.kind == "cuda"
    assert 0 < device.free_bytes <= torch.cuda.get_device_properties(0).total_memory


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (MemoryError(), True),
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB"), True),
        (
            RuntimeError("[enforce fail at alloc_cpu.cpp:118] DefaultCPUAllocator: can't allocate memory: you tried"),
            True,
        ),
        (RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate 8 bytes."), True),
        (RuntimeError("cuDNN error: CUDNN_STATUS_ALLOC_FAILED"), True),
        (RuntimeError("could not create a memory object"), True),
        (RuntimeError("could not create a primitive"), True),
        (RuntimeError("can't start new thread"), True),
        (RuntimeError("InductorError: MemoryError: std::bad_alloc"), True),
        (RuntimeError("backend='inductor' raised:\nMemoryError: "), True),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), True),
        (OSError(errno.ENOSPC, "No space left on device"), False),
        (RuntimeError("could not create a primitive descriptor for a convolution forward primitive"), False),
        (RuntimeError("mat1 and mat2 shapes cannot be multiplied"), False),
        (ValueError("out of memory"), False),
    ],
)
def test_that_running_out_of_memory_is_told_from_other_faults(error: Exception, wanted: bool) -> None:
    assert devices.is_out_of_memory(error) is wanted


def test_that_a_real_allocation_that_is_too_large_is_told_as_such() -> None:
    with pytest.raises(RuntimeError) as error:
        torch.empty(1 << 55, dtype=torch.uint8)
    assert devices.is_out_of_memory(error.value)
