"""The allocator's own records: what was really taken. On the CPU from torch's profiler, on a card from its counters.

The profiler also knows which operation ran at the peak. A record costs 0.2 KiB while it is made and 1.7 KiB while the
profile is read, and a step in bands makes hundreds of thousands: so a step's is read after the step, when the memory
of its maps is free again.
"""

from __future__ import annotations

import bisect
import contextlib
import gc
import itertools
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import torch
from torch.utils._pytree import tree_iter

Call = Callable[[], Callable[[], Any]]
_MARK = "fullfield::"
_COMPILED = "## Call CompiledFxGraph"  # a hash follows
_ALLOCATES = ("aten::empty", "aten::new_empty", "aten::resize_", "[memory]")  # says nothing on who wanted it


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
        return _counted(function, device)
    with _profiled() as profile:
        result = function()
    live = most = 0
    for _, change in _changes(profile, device):
        live += change
        most = max(most, live)
    return Taken(peak=most, kept=live, result=result)


def _counted(function: Callable[[], Any], device: torch.device) -> Taken:
    """By the counters of a card."""
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


def temporaries(calls: Sequence[Call], device: torch.device) -> list[int]:
    """What each call takes at its peak beside the tensors that it returns. A call prepares first, uncounted.

    No garbage is collected before a call, as `peak` does: that takes longer than the call, and one operation leaves
    none.
    """
    if device.type == "cuda":
        found = []
        for prepare in calls:
            call = prepare()
            call()  # the first run chooses an algorithm
            taken = _counted(call, device)
            found.append(taken.peak - _bytes(taken.result))
        return found
    results, marks = [], []
    with _profiled() as profile:
        for number, prepare in enumerate(calls):
            call = prepare()
            with torch.profiler.record_function(f"{_MARK}{number}"):
                result = call()
            results.append(_bytes(result))
            del result, call
    marks = sorted(
        (event.start_ns(), event.start_ns() + event.duration_ns())
        for event in _events(profile)
        if event.name().startswith(_MARK)
    )
    changes = _changes(profile, device)
    found = []
    for (first, last), returned in zip(marks, results, strict=True):
        live = most = 0
        for time, change in changes:
            if first <= time <= last:
                live += change
                most = max(most, live)
        found.append(most - returned)
    return found


@dataclass(frozen=True, kw_only=True)
class Peaks:
    """`most`: by phase, the most bytes over what there was when the first phase began. `base`: bytes that there were
    then; None where the allocator does not tell (the CPU's). `phase`, `operation`: what ran when most was given out;
    the innermost operation that is more than an allocation, "" where it is not known.
    """

    most: dict[str, int]
    base: int | None
    phase: str
    operation: str


class StepRecords:
    """Opened around one step on `device`, which opens `phase` around each of its phases; `peaks` tells afterwards.

    Recording ends before a phase is entered for the third time: a step in micro-batches repeats itself, and its
    records would grow without an end. Numbers are not touched.
    """

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._profile: Any = None
        self._running = False
        self._entered: list[str] = []
        self._counted: dict[str, int] = {}
        self._base: int | None = None

    def __enter__(self) -> StepRecords:
        self._profile = _profiled()
        self._profile.__enter__()
        self._running = True
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is None:
            self._end()
            return
        # Ending takes memory, and that may be what ran out: let go of the step's maps first, and keep its error.
        traceback.clear_frames(at)
        with contextlib.suppress(Exception):
            self._end()
        self._profile = None

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """What runs inside is the phase `name`. On a card its peak counter begins anew."""
        if self._entered.count(name) == 2:
            self._end()
        if not self._running:
            yield
            return
        self._entered.append(name)
        on_card = self._device.type == "cuda"
        if on_card:
            torch.cuda.reset_peak_memory_stats(self._device)
            self._base = torch.cuda.memory_allocated(self._device) if self._base is None else self._base
        with torch.profiler.record_function(f"{_MARK}{name}"):
            yield
        if on_card:
            most = torch.cuda.max_memory_allocated(self._device)
            self._counted[name] = max(self._counted.get(name, 0), most)

    def peaks(self) -> Peaks | None:
        """What was found; None where the step entered no phase, or the allocator recorded nothing."""
        events = _events(self._profile)
        spans = [
            (event.name().removeprefix(_MARK), event.start_ns(), event.end_ns())
            for event in events
            if event.name().startswith(_MARK)
        ]
        found = _highest(spans, _changes(self._profile, self._device))
        if self._counted and self._base is not None:
            most = {name: count - self._base for name, count in self._counted.items()}
        elif found:
            most = {name: count for name, (count, _) in found.items()}
        else:
            return None
        phase = max(most, key=lambda name: most[name])
        operation = _innermost(events, found[phase][1]) if phase in found else ""
        return Peaks(most=most, base=self._base, phase=phase, operation=operation)

    def _end(self) -> None:
        if self._running:
            self._running = False
            self._profile.__exit__(None, None, None)


def _highest(spans: list[tuple[str, int, int]], changes: list[tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """By phase: the most bytes over those at the begin of the first one, and when that was (ns).

    `spans`: of the phases, (name, first ns, last ns). `changes` are in order of time.
    """
    if not spans or not changes:
        return {}
    times = [time for time, _ in changes]
    live = list(itertools.accumulate((count for _, count in changes), initial=0))  # live[n]: after n changes
    base = live[bisect.bisect_left(times, min(first for _, first, _ in spans))]
    found: dict[str, tuple[int, int]] = {}
    for name, first, last in spans:
        before, after = bisect.bisect_left(times, first), bisect.bisect_right(times, last)
        place = max(range(before, after + 1), key=live.__getitem__)
        most = live[place] - base, times[place - 1] if place > before else first
        found[name] = max(found.get(name, most), most)
    return found


def _innermost(events: Any, time: int) -> str:
    """The operation that began last of those that ran at `time` (ns) and do more than allocate; "" where none did."""
    running = [
        (event.start_ns(), event.name())
        for event in events
        if event.start_ns() <= time <= event.end_ns() and not event.name().startswith((*_ALLOCATES, _MARK))
    ]
    name = max(running)[1] if running else ""
    return "compiled code" if name.startswith(_COMPILED) else name


def _profiled() -> Any:
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # its messages are no business of the user's
    return torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True)


def _events(profile: Any) -> Any:
    return profile.profiler.kineto_results.events()


def _changes(profile: Any, device: torch.device) -> list[tuple[int, int]]:
    """(time in ns, bytes given out or taken back) of torch's allocator for `device`, in order."""
    kind, number = device.type.upper(), device.index or 0
    return sorted(
        (
            (event.start_ns(), event.nbytes())
            for event in _events(profile)
            if event.name() == "[memory]"
            and event.device_type().name == kind
            and (kind == "CPU" or event.device_index() == number)
        ),
        key=lambda change: change[0],
    )


def _bytes(result: Any) -> int:
    return sum(value.untyped_storage().nbytes() for value in tree_iter(result) if isinstance(value, torch.Tensor))
