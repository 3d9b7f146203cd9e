"""What tests of training share: prepared pairs of phantoms, and a context that remembers and can ask to stop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from fullfield.context import Context
from fullfield.data import prepared
from fullfield.data.prepared import Item, Prepared
from fullfield.image.image import InputKind
from fullfield.image.normalise import DEFAULT
from fullfield.model.phantom import phantom
from fullfield.protocol.commands import Command
from fullfield.protocol.computers import Computer
from fullfield.protocol.events import Event
from fullfield.protocol.training import from_json
from fullfield.train import baselines, job

_E = TypeVar("_E", bound=Event)


RAW, PROCESSED = InputKind.RAW, InputKind.PROCESSED


def prepared_phantoms(
    folder: Path, count: int, *, rows: int, columns: int, gamma: float = 1.5, kinds: tuple[InputKind, ...] = (RAW,)
) -> Prepared:
    """`count` pairs of as many patients: a phantom, and the same through a gradation of `gamma`.

    The inputs are of `kinds`; of two the second lies between the first and the reference.
    """
    folder.mkdir(parents=True, exist_ok=True)
    items = []
    for number in range(count):
        key = f"{number + 1:016x}"
        plane = phantom(rows, columns, seed=number)
        planes = zip(prepared.PARTS, (plane, plane**gamma, plane ** ((1 + gamma) / 2))[: len(kinds) + 1])
        hashes = tuple(prepared.save_plane(folder, key, part, one) for part, one in planes)
        items.append(
            Item(
                key=key,
                patient=number,
                rows=rows,
                columns=columns,
                mm_per_pixel=0.2,
                modality="DX",
                source_sha256=(key,),
                sha256=hashes,
                kinds=kinds,
                simulated=RAW in kinds,
            )
        )
    made = Prepared(
        folder=folder,
        size=max(rows, columns),
        input_kind="any" if len(kinds) > 1 else kinds[0],
        normalisation=DEFAULT.to_json(),
        reference="phantoms",
        simulated=RAW in kinds,
        items=tuple(items),
    )
    prepared.save(made)
    return prepared.load(folder)


class FakeContext:
    """A `Context` of one process. `stop_after`: it asks to stop once so many events of a kind have been told."""

    rank, world = 0, 1
    worlds: tuple[int, ...] = (1,)
    nodes: tuple[Computer, ...] = ()
    why = "stopped"

    def __init__(self, folder: Path, *, stop_after: tuple[type[Event], int] | None = None) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.events: list[Event] = []
        self.accepted = False
        self._stop_after = stop_after

    def emit(self, event: Event, /) -> None:
        """Remember it."""
        self.events.append(event)

    def stopping(self) -> bool:
        """See the class."""
        if self._stop_after is None:
            return False
        kind, most = self._stop_after
        return len(self.reported(kind)) >= most

    def reason(self) -> str:
        """Of a stop: one that was not to be resumed, but where a test says so."""
        return self.why if self.stopping() else "completed"

    def accept(self) -> None:
        """Remember that it was."""
        self.accepted = True

    def begin_anew(self) -> None:
        """Returns, as where no process can be replaced."""

    def is_to_regroup(self) -> bool:
        """Never."""
        return False

    def commands(self) -> list[Command]:
        """None ever."""
        return []

    def reported(self, kind: type[_E]) -> list[_E]:
        """The events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]


def settings(data: Prepared, **changes: Any) -> dict[str, Any]:
    """Of a short training of the small network on the CPU, for the job "train"."""
    return {
        "data": str(data.folder),
        "size": 192,
        "epochs": 1,
        "weights": "none",
        "encoder": "resnet18",
        "threads": 1,
        "calibrate_halo": False,
        "device": "cpu",
        "data_licence": "phantoms",
        **changes,
    }


def train(given: dict[str, Any], context: Context) -> dict[str, Any]:
    """The job "train" in this process, of settings as `job.json` holds them."""
    return job.run(from_json(given), context)


def tuned_by_two() -> Any:
    """A fixture: before the trainings of a file CLAHE's clip and tile are the better of two, and not of 24, each of
    which is tried on every image: as long as a short training takes. See `tests/train/test_baselines.py`."""

    @pytest.fixture(scope="module", autouse=True)
    def tuned() -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(baselines, "CLIPS", (0.5,))
            patch.setattr(baselines, "TILES", (4, 8))
            yield

    return tuned
