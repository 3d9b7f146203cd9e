"""What memory is taken. The card and its driver are played by replacing torch's and NVML's own answers."""

from __future__ import annotations

import mmap
import os
import sys
import uuid
from types import SimpleNamespace
from typing import Any

import pynvml
import pytest
import torch

from fullfield.hardware import meter
from fullfield.hardware.meter import Meter, Reading

UUID = uuid.UUID(int=7)
STATISTICS = {
    "allocated_bytes": {"all": {"current": 10, "peak": 40}},
    "reserved_bytes": {"all": {"current": 64, "peak": 64}},
}


def process(pid: int, count: int | None) -> SimpleNamespace:
    return SimpleNamespace(pid=pid, usedGpuMemory=count)


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A driver with two cards, of which torch sees the second alone, as its first; what it answers may be changed."""
    driver: dict[str, Any] = {"initialised": True, "processes": [process(1, 5), process(os.getpid(), 300)], "open": 0}

    def by_uuid(name: str) -> str:
        if name != f"GPU-{UUID}":
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_FOUND)
        return "second"

    def opened(by: int) -> None:
        driver["open"] += by

    answers = {
        "nvmlInit": lambda: opened(1),
        "nvmlShutdown": lambda: opened(-1),
        "nvmlDeviceGetHandleByUUID": by_uuid,
        "nvmlDeviceGetHandleByPciBusId": {"00000000:41:00.0": "second"}.__getitem__,
        "nvmlDeviceGetMemoryInfo": lambda handle: SimpleNamespace(used={"second": 1000}[handle]),
        "nvmlDeviceGetComputeRunningProcesses": lambda handle: driver["processes"],
    }
    for name, answer in answers.items():
        monkeypatch.setattr(pynvml, name, answer)
    properties = SimpleNamespace(uuid=UUID, pci_domain_id=0, pci_bus_id=0x41, pci_device_id=0)
    torchs = {
        "is_initialized": lambda: driver["initialised"],
        "memory_stats_as_nested_dict": lambda device: STATISTICS if driver["initialised"] else {},
        "get_device_properties": lambda device: properties,
        "reset_peak_memory_stats": lambda device: driver.__setitem__("begun", device),
    }
    for name, answer in torchs.items():
        monkeypatch.setattr(torch.cuda, name, answer)
    driver["properties"] = properties
    return driver


def test_that_a_machine_without_a_card_tells_the_process_alone() -> None:
    meter = Meter("cpu")
    meter.look_at_card()
    meter.begin_peak()
    before = meter.read()
    with mmap.mmap(-1, 64 << 20) as taken:  # of the system, not of a heap that may have as much left
        taken.write(bytes(len(taken)))
        after = meter.read()
        assert after.host_bytes - before.host_bytes > 0.9 * len(taken)
    assert before == Reading(host_bytes=before.host_bytes)
    meter.close()


def test_that_the_card_is_found_by_its_uuid_whatever_its_number(card: dict[str, Any]) -> None:
    meter = Meter("cuda:0")
    meter.look_at_card()
    found = meter.read()
    assert (found.device_bytes, found.process_bytes) == (1000, 300)
    assert (found.allocated_bytes, found.reserved_bytes, found.peak_bytes) == (10, 64, 40)
    meter.begin_peak()
    assert card["begun"] == "cuda:0"
    meter.close()
    assert card["open"] == 0


def test_that_a_card_that_nvml_calls_otherwise_is_found_by_its_place(card: dict[str, Any]) -> None:
    card["properties"].uuid = "another"
    meter = Meter("cuda:0")
    meter.look_at_card()
    assert meter.read().device_bytes == 1000
    meter.close()


@pytest.mark.parametrize("processes", [[], [process(1, 5)], [process(os.getpid(), None)]])
def test_that_a_driver_that_does_not_count_by_process_tells_the_card_alone(
    card: dict[str, Any], processes: list[SimpleNamespace]
) -> None:
    card["processes"] = processes
    meter = Meter("cuda:0")
    meter.look_at_card()
    found = meter.read()
    assert (found.device_bytes, found.process_bytes) == (1000, None)
    meter.close()


def test_that_nothing_is_asked_of_the_card_before_the_training_has_initialised_cuda(card: dict[str, Any]) -> None:
    card["initialised"] = False
    meter = Meter("cuda:0")
    meter.look_at_card()
    meter.begin_peak()
    found = meter.read()
    assert found == Reading(host_bytes=found.host_bytes)
    assert card["open"] == 0 and "begun" not in card
    card["initialised"] = True
    meter.look_at_card()
    assert meter.read().device_bytes == 1000
    meter.close()


def test_that_a_missing_management_library_leaves_torchs_own_figures(
    card: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise pynvml.NVMLError(pynvml.NVML_ERROR_LIBRARY_NOT_FOUND)

    monkeypatch.setattr(pynvml, "nvmlInit", missing)
    meter = Meter("cuda:0")
    meter.look_at_card()
    found = meter.read()
    assert (found.device_bytes, found.allocated_bytes) == (None, 10)
    meter.close()


def test_that_the_higher_of_two_readings_is_figure_by_figure() -> None:
    one = Reading(host_bytes=5, allocated_bytes=1, peak_bytes=9)
    other = Reading(host_bytes=3, allocated_bytes=2, device_bytes=0)
    assert one.highest(other) == Reading(host_bytes=5, allocated_bytes=2, peak_bytes=9, device_bytes=0)


def test_that_a_look_at_the_process_imports_no_torch() -> None:
    import subprocess

    code = (
        "from fullfield.hardware.meter import Meter; import sys; Meter('cpu').read(); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
def test_that_a_real_card_tells_what_torch_takes_of_it() -> None:
    meter = Meter("cuda:0")
    taken = torch.ones(64 << 20, dtype=torch.uint8, device="cuda:0")
    meter.look_at_card()
    found = meter.read()
    assert found.allocated_bytes is not None and found.allocated_bytes >= taken.nbytes
    assert found.device_bytes is not None and found.device_bytes >= taken.nbytes
    meter.close()


def test_that_a_card_is_asked_what_a_process_takes_of_it_beside_torch(
    card: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ones = torch.ones
    monkeypatch.setattr(torch, "ones", lambda *shape, device, **more: ones(*shape, **more))
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device: None)
    meter.context_bytes.cache_clear()
    assert meter.context_bytes("cuda:0") == 300 - 64
    card["processes"] = [process(os.getpid(), 900)]
    assert meter.context_bytes("cuda:0") == 300 - 64, "once in a process"
    assert card["open"] == 0
    for silent in ([process(os.getpid(), None)], []):
        meter.context_bytes.cache_clear()
        card["processes"] = silent
        assert meter.context_bytes("cuda:0") is None
    meter.context_bytes.cache_clear()


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
def test_that_a_real_card_tells_what_its_context_takes() -> None:
    found = meter.context_bytes("cuda:0")
    assert found is None or 50 << 20 < found < 2 << 30
