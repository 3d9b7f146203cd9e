"""A batch in this process, whose images are neither decoded nor written: verdicts, and their order."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from enhance.conftest import MakeDecoded
from fullfield.dicom.read import Content
from fullfield.enhance import batch
from fullfield.enhance.destinations import registry
from fullfield.enhance.destinations.base import Made, Request
from fullfield.enhance.guarded import Policy
from fullfield.errors import InputRefused
from fullfield.image.cache import Decoded
from fullfield.image.export import OutputFormat
from fullfield.image.image import Enhanced, Recipe
from fullfield.protocol.batch import BatchSpec, Item
from fullfield.protocol.commands import Command
from fullfield.protocol.events import Event, ItemDone, ItemFailed, ItemSkipped, ItemStarted, ItemWaits, Notice

RECIPE = Recipe(method="preset", name="general", version="1", sha256="ab" * 32)


class Ward:
    """All around a batch: context, destination, decoder and method in one. `does`: by item what its method does."""

    rank, world, at_once = 0, 1, 2
    recipe, decided_by = RECIPE, "decided"

    def __init__(self, folder: Path, decoded: Decoded, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.events, self.does = folder, list[Event](), dict[int, str]()
        self.stops, self.closed, self.asked = False, 0, list[Request]()
        self.added: dict[str, bytes] = {}
        self.weak: list[str] = []
        self.opened: dict[str, Any] = {}
        self._decoded, self._lock = decoded, threading.Lock()
        monkeypatch.setitem(registry.DESTINATIONS, "ward", lambda address, begun: self)
        monkeypatch.setattr(batch, "open_choice", self._open)
        monkeypatch.setattr(batch, "refuse_weak", self.weak.append)
        monkeypatch.setattr(batch, "Decoder", lambda folder, *, seconds: self)
        monkeypatch.setattr(batch.items, "decode", self._decode)
        monkeypatch.setattr(batch.items, "source_warnings", lambda index, decoded: [])

    def _open(self, choice: str, **given: Any) -> Ward:
        self.opened = {"choice": choice, **given}
        return self

    def _decode(self, decoder: object, path: Path, content: Content) -> Decoded:
        entry = self.folder / f"entry-{path.name}"
        entry.mkdir(exist_ok=True)
        image = replace(self._decoded.image, damage="damaged" if self.does.get(int(path.name)) == "damaged" else "")
        return replace(self._decoded, folder=entry, image=image)

    def enhance(self, decoded: Decoded) -> Enhanced:
        does = self.does.get(int(decoded.folder.name.removeprefix("entry-")), "")
        if does == "fails":
            raise InputRefused("no radiograph")
        wanted = "m" if does == "replaced" else ""
        return Enhanced(pixels=decoded.image.pixels, bits=12, recipe=RECIPE, method_wanted=wanted)

    def has(self, request: Request, input: str) -> bool:
        with self._lock:
            self.asked.append(request)
        return self.does.get(request.item.index) == "done before"

    def put(self, made: Made) -> ItemDone:
        return made.done()

    def add(self, name: str, content: bytes) -> str:
        self.added[name] = content
        return name

    def close(self) -> None:
        self.closed += 1

    def emit(self, event: Event, /) -> None:
        with self._lock:
            self.events.append(event)

    def stopping(self) -> bool:
        return self.stops

    def commands(self) -> list[Command]:
        return []

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def run(self, count: int = 3, **asked: Any) -> dict[str, Any]:
        """A batch of so many files, in their order."""
        for number in range(count):
            (self.folder / str(number)).write_bytes(bytes([number]))
        paths = [str(self.folder / str(number)) for number in range(count)]
        fields = {"choice": "general", "kind": "auto", "device": "cpu", "format": "dicom", "timeout": 7.0, "jobs": 1}
        items = tuple(Item(index=number, source=path, target=f"{number}.dcm") for number, path in enumerate(paths))
        return batch.run(BatchSpec(items=items, out="ward://", **(fields | asked)), self)  # type: ignore[arg-type]


@pytest.fixture
def ward(tmp_path: Path, radiograph: MakeDecoded, monkeypatch: pytest.MonkeyPatch) -> Ward:
    return Ward(tmp_path, radiograph(40, 30), monkeypatch)


def test_that_every_item_has_one_verdict_and_all_are_counted(ward: Ward) -> None:
    ward.does = {0: "damaged", 1: "fails", 2: "replaced", 3: "done before"}
    found = ward.run(5)
    counts = {"done": 3, "damaged": 1, "replaced": 1, "skipped": 1, "failed": 1}
    assert {name: found[name] for name in counts} == counts
    assert found["seconds"] >= 0 and found["peak_bytes"] > 0
    assert [event.index for event in ward.of(ItemDone)] == [0, 2, 4]
    assert [event.index for event in ward.of(ItemFailed)] == [1] and "no radiograph" in str(ward.of(ItemFailed))
    assert [event.index for event in ward.of(ItemSkipped)] == [3]
    assert [event.index for event in ward.of(ItemStarted)] == [0, 1, 2, 3, 4]


def test_that_what_was_decoded_is_gone_and_what_was_opened_is_closed(ward: Ward) -> None:
    ward.run(2)
    assert not list(ward.folder.glob("entry-*"))
    assert ward.closed == 2, "the destination, and the one thread's decoder"


def test_that_after_a_first_failure_no_other_begins_where_that_is_asked_for(ward: Ward) -> None:
    ward.does = {1: "fails"}
    assert ward.run(4)["done"] == 3
    ward.events.clear()
    assert ward.run(4, fail_fast=True)["skipped"] == 2
    assert {event.reason for event in ward.of(ItemSkipped)} == {"stopped after the first failure"}


def test_that_a_run_that_is_to_stop_begins_no_other_item(ward: Ward) -> None:
    ward.stops = True
    assert ward.run()["skipped"] == 3
    assert ward.of(ItemStarted) == [] and {one.reason for one in ward.of(ItemSkipped)} == {"the run was stopped"}


def test_that_what_is_asked_for_is_asked_of_the_destination_and_of_the_method(ward: Ward) -> None:
    ward.run(1, kind="raw", format="png16", force_result=True, overwrite=True)
    (request,) = ward.asked
    assert (request.kind, request.format, request.recipe) == ("raw", OutputFormat("png16"), "decided")
    assert (request.forced, request.strict, request.overwrite, request.anew) == (True, False, True, False)
    assert request.item.target == "0.dcm" and ward.weak == []
    assert ward.opened["policy"] == Policy(strict=False, force=True) and ward.opened["choice"] == "general"
    ward.asked.clear()
    ward.run(1, strict=True)
    assert (ward.asked[0].forced, ward.asked[0].strict, ward.asked[0].overwrite) == (False, True, False)
    assert ward.opened["policy"] == Policy(strict=True, force=False) and ward.weak == ["general"]
    assert (ward.opened["device"], ward.opened["elsewhere"]) == ("cpu", None)


@pytest.mark.parametrize(
    ("shown", "does", "said"),
    [
        ((0, 2), {}, "contact-sheet.png shows 2 of 2 images."),
        ((0, 1), {1: "fails"}, "shows 1 of 2 images: those that were done before or failed are not shown."),
        ((1,), {1: "done before"}, "No new contact sheet was made: those that were done before or failed"),
        ((), {}, ""),
    ],
)
def test_that_a_contact_sheet_tells_what_it_shows(
    shown: tuple[int, ...], does: dict[int, str], said: str, ward: Ward
) -> None:
    ward.does = does
    ward.run(contact_sheet=shown)
    told = [event.text for event in ward.of(Notice)]
    assert len(told) == bool(said) and all(said in text for text in told)
    assert bool(ward.added) is ("contact-sheet.png" in said or "shows" in said)


def test_that_what_a_worker_before_has_left_is_shown_too(ward: Ward) -> None:
    ward.run(2, contact_sheet=(0, 1))
    ward.does = {0: "done before", 1: "done before"}
    ward.events.clear()
    ward.run(2, contact_sheet=(0, 1), tiles=str(ward.folder))
    assert [event.text for event in ward.of(Notice)] == ["contact-sheet.png shows 2 of 2 images."]


def test_that_a_thread_that_waits_elsewhere_is_told_of_its_own_item(ward: Ward) -> None:
    hands = batch._Hands(ward)  # type: ignore[arg-type]
    hands.take(Item(index=5, source="x"))
    hands.wait(True)
    hands.wait(False)
    assert [(type(event), event.index) for event in ward.events] == [  # type: ignore[attr-defined]
        (ItemStarted, 5),
        (ItemWaits, 5),
        (ItemStarted, 5),
    ]


@pytest.mark.parametrize("jobs", [0, 3])
def test_that_as_many_items_are_in_hand_at_once_as_is_asked_or_as_the_method_is_best_given(
    jobs: int, ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = threading.Barrier(jobs or ward.at_once)
    enhance = ward.enhance

    def at_once(decoded: Decoded) -> Enhanced:
        together.wait(30)
        return enhance(decoded)

    monkeypatch.setattr(ward, "enhance", at_once)
    assert ward.run(jobs or ward.at_once, jobs=jobs)["done"] == (jobs or ward.at_once)
