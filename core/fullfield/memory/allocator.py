"""The allocator's own records: what was really taken. On the CPU from torch's profiler, on a card from its counters."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._pytree import tree_iter

Call = Callable[[], Callable[[], Any]]


@dataclass(frozen=True, kw_only=True)
class Taken:
    """`peak`: most bytes over the start; `kept`: bytes over the start at the end; `result`: what was returned."""

    peak: int
    kept: int
    result: Any


def peak(function: Callable[[], Any], device: torch.device) -> Taken:
    """Run `function`; what torch's allocator for `device` gave out meanwhile, over what it had given out before."""
    gc.collect()
    if device.type == "cuda":
        torch.cuda.synchronize(device)
        before = torch.cuda.memory_allocated(device)
        torch.cuda.reset_peak_memory_stats(device)
        result = function()
        torch.cuda.synchronize(device)
        return Taken(
            peak=torch.cuda.max_memory_allocated(device) - before,
            kept=torch.cuda.memory_allocated(device) - before,
            result=result,
        )
    with _profiled() as profile:
        result = function()
    changes = [change for _, change in _changes(profile)]
    live = most = 0
    for change in changes:
        live += change
        most = max(most, live)
    return Taken(peak=most, kept=live, result=result)


def temporaries(calls: Sequence[Call], device: torch.device) -> list[int]:
    """What each call takes at its peak beside the tensors that it returns. A call prepares first, uncounted."""
    if device.type == "cuda":
        found = []
        for prepare in calls:
            call = prepare()
            call()  # the first run chooses an algorithm
            taken = peak(call, device)
            found.append(taken.peak - _bytes(taken.result))
        return found
    results, marks = [], []
    with _profiled() as profile:
        for number, prepare in enumerate(calls):
            call = prepare()
            with torch.profiler.record_function(f"fullfield::{number}"):
                result = call()
            results.append(_bytes(result))
            del result, call
    marks = sorted(
        (event.start_ns(), event.start_ns() + event.duration_ns())
        for event in _events(profile)
        if event.name().startswith("fullfield::")
    )
    changes = _changes(profile)
    found = []
    for (first, last), returned in zip(marks, results, strict=True):
        live = most = 0
        for time, change in changes:
            if first <= time <= last:
                live += change
                most = max(most, live)
        found.append(most - returned)
    return found


def _profiled() -> Any:
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # its messages are no business of the user's
    return torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True)


def _events(profile: Any) -> Any:
    return profile.profiler.kineto_results.events()


def _changes(profile: Any) -> list[tuple[int, int]]:
    """(time in ns, bytes given out or taken back) of torch's CPU allocator, in order."""
    return sorted(
        ((event.start_ns(), event.nbytes()) for event in _events(profile) if event.name() == "[memory]"),
        key=lambda change: change[0],
    )


def _bytes(result: Any) -> int:
    return sum(value.untyped_storage().nbytes() for value in tree_iter(result) if isinstance(value, torch.Tensor))
