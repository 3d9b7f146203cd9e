"""One step under the allocator's records: what it really takes, for comparison with what was predicted.

It is the second step of a process: the first makes what the optimizer remembers, and chooses and compiles kernels.
Numbers are the same with and without records. It costs little: recording is lost in the noise of a step; reading takes
some 10 µs for each record, once, of which a plain step makes 8,000; and their memory, 1.7 KiB each, is needed when the
step has given back its own. On a CPU that memory is the process's, and a step in bands makes more records than it has
room for (234 MiB of them at 512 pixels, where the step's maps take 114): there the step is made without, unless
`ALWAYS` is set in the environment, as benches do. Above `LARGEST` none is read anywhere. Where reading takes more
memory than there is, the step, which has been made, counts all the same.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator

from fullfield.data.loader import Batch
from fullfield.distribution import pieces
from fullfield.distribution.owners import is_there
from fullfield.host_tier import host
from fullfield.kernels import stored
from fullfield.memory.allocator import StepRecords
from fullfield.memory.watch import BACKWARD, FORWARD
from fullfield.protocol.events import StepProfiled
from fullfield.train.state import State
from fullfield.train.step import Phase, Step

ALWAYS = "FULLFIELD_PROFILE_BANDS"
LARGEST = 1024 * 1024
"""Pixels of a batch."""
PASSING = 2
"""Images in a pipeline at most: `StepRecords` ends with the third."""


def step(take: Callable[[Phase], Step], state: State, batch: Batch, phase: Phase) -> tuple[Step, StepProfiled | None]:
    """Make the step `take(phase)` on `batch`; what it found, and what it took where the allocator told."""
    no_room = state.build.in_bands and state.build.device.type == "cpu" and ALWAYS not in os.environ
    # In a pipeline records would end while other images are between forward and backward: torch crashed there.
    too_many = state.build.placed is not None and len(batch.shapes) > PASSING
    if batch.x_NCHW.numel() > LARGEST or no_room or too_many:
        return take(phase), None
    before = there(state, batch)
    with StepRecords(state.build.device) as records:

        @contextlib.contextmanager
        def both(name: str) -> Iterator[None]:
            with phase(name), records.phase(name):
                yield

        done = take(both)
    try:
        peaks = records.peaks()
    except MemoryError:
        peaks = None
    if peaks is None:
        return done, None
    return done, StepProfiled(
        step=state.progress.step + 1,
        before_bytes=before if peaks.base is None else peaks.base,
        forward_bytes=peaks.most.get(FORWARD, 0),
        backward_bytes=peaks.most.get(BACKWARD, 0),
        peak_phase=peaks.phase,
        peak_operation=peaks.operation,
    )


def there(state: State, batch: Batch) -> int:
    """Bytes on the device before a step: weights, statistics and their copy, the optimizer's memory, images."""
    device = state.build.device.type
    statistics = list(state.network.buffers())
    remembered = [*state.build.kept.values(), *state.update.tensors().values()]
    tensors = map(pieces.own, (*state.network.parameters(), *statistics, *statistics, *remembered))
    held = [one for one in tensors if one.device.type == device and not host.holds(one) and is_there(one)]
    images = (*stored.tensors(batch.x_NCHW), *stored.tensors(batch.y_NCHW))
    return sum(tensor.nbytes for tensor in (*held, *images))
