"""The job "plan": what it begins with."""

from __future__ import annotations

import pytest

from fullfield.hardware import devices
from fullfield.plan import job, libraries
from fullfield.protocol.planning import PlanSpec


class Begun(Exception):
    """All that comes before torch is imported has been done."""


@pytest.mark.parametrize(
    ("device", "gpu", "measured"), [("cpu", "", True), ("cpu", "RTX 2060", False), ("cuda:0", "", False)]
)
def test_that_libraries_are_measured_from_the_start_where_the_plan_is_for_a_cpu(
    device: str, gpu: str, measured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def torch_comes(threads: int) -> None:
        raise Begun

    monkeypatch.setattr(libraries, "prepare", lambda: asked.append(device))
    monkeypatch.setattr(devices, "compute_with", torch_comes)
    with pytest.raises(Begun):
        job.run(PlanSpec(height=512, width=512, device=device, gpu=gpu), None)  # type: ignore[arg-type]
    assert bool(asked) == measured
