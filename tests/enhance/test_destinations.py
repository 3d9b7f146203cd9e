"""The seam of the destinations: a second one is one file and one line, for the batch, the window and its exports."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pydicom
import pytest

from enhance.own_window import Window
from fullfield import files
from fullfield.enhance import batch
from fullfield.enhance.destinations import registry
from fullfield.enhance.destinations.base import Made, Request
from fullfield.enhance.destinations.folder import Folder
from fullfield.errors import CannotWrite, UsageError
from fullfield.image.delivery import Delivery
from fullfield.protocol.batch import BatchSpec, Item
from fullfield.protocol.commands import Command
from fullfield.protocol.events import (
    Event,
    ItemDone,
    ItemEnhanced,
    ItemEvent,
    ItemFailed,
    ItemSkipped,
    ItemStarted,
    ItemWarned,
    Notice,
    RunEnded,
)
from sources import half_a_jpeg

ADDRESS = "memory://ward"


class Memory:
    """A destination of its own: results as bytes, by the digest of their inputs, under names that are theirs alone."""

    kept: ClassVar[dict[str, dict[tuple[str, str], bytes]]] = {}
    """By address, then by input and settings."""

    def __init__(self, address: str, begun: bool = False) -> None:
        self.closed, self.beside = False, dict[str, bytes]()
        self._there = self.kept.setdefault(address, {})
        self._lock = threading.Lock()
        opened.append(self)

    def has(self, request: Request, input: str) -> bool:
        """See `Destination`."""
        if request.item.target.startswith("refused"):
            raise CannotWrite("This memory takes no such name.")
        return not request.anew and (input, request.settings) in self._there

    def put(self, made: Made) -> ItemDone:
        """See `Destination`."""
        if made.request.item.target.startswith("full"):
            raise CannotWrite("This memory takes no such name.")
        with self._lock:
            path = made.decoded.folder / "on its way"
            made.write(path)
            self._there[made.input, made.request.settings] = path.read_bytes()
            path.unlink()
        return made.done()

    def add(self, name: str, content: bytes) -> str:
        """See `Store`."""
        self.beside[name] = content
        return name

    def close(self) -> None:
        """See `Store`."""
        self.closed = True


opened: list[Memory] = []


class Reported:
    """The context of a batch in this process."""

    rank, world = 0, 1

    def __init__(self, folder: Path) -> None:
        self.folder, self.events = folder, list[Event]()

    def emit(self, event: Event, /) -> None:
        """Keep it."""
        self.events.append(event)

    def stopping(self) -> bool:
        """See `Context`."""
        return False

    def accept(self) -> None:
        """See `Context`."""

    def begin_anew(self) -> None:
        """See `Context`."""

    def commands(self) -> list[Command]:
        """See `Context`."""
        return []


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[tuple[str, str], bytes]]:
    """The one line; gives what lies at `ADDRESS`."""
    monkeypatch.setitem(registry.DESTINATIONS, "memory", Memory)
    yield Memory.kept.setdefault(ADDRESS, {})
    Memory.kept.clear()
    opened.clear()


def enhanced(
    folder: Path, out: str, *sources: Path, name: str = "{}.dcm", sheet: bool = False, **fields: object
) -> list[Event]:
    """What a batch of these tells."""
    folder.mkdir()
    context = Reported(folder)
    items = tuple(
        Item(index=index, source=str(source), target=name.format(source.stem)) for index, source in enumerate(sources)
    )
    spec = BatchSpec(
        items=items,
        out=out,
        choice="general",
        kind="auto",
        device="cpu",
        format="dicom",
        jobs=2,
        timeout=60,
        contact_sheet=tuple(range(len(items))) if sheet else (),
    )
    summary = batch.run(replace(spec, **fields), context)  # type: ignore[arg-type]
    return [*context.events, RunEnded(reason="completed", summary=summary)]


def of(kind: type[Event], reported: list[Event]) -> list[Event]:
    return [event for event in reported if isinstance(event, kind)]


def pixels(content: bytes) -> bytes:
    found: bytes = pydicom.dcmread(io.BytesIO(content)).PixelData
    return found


def test_that_a_batch_puts_to_it_what_it_puts_into_a_folder(
    pictures: Callable[[int], Path], tmp_path: Path, memory: dict[tuple[str, str], bytes]
) -> None:
    sources = [pictures(0), pictures(1)]
    reported = enhanced(tmp_path / "one", ADDRESS, *sources, sheet=True)
    assert len(of(ItemDone, reported)) == 2 and {event.number for event in of(ItemDone, reported)} == {0}  # type: ignore[attr-defined]
    enhanced(tmp_path / "two", str(tmp_path / "out"), *sources, sheet=True)
    for number, source in enumerate(sources):
        (content,) = (found for (input, _), found in memory.items() if input == files.sha256(source))
        assert pixels(content) == pixels((tmp_path / "out" / f"{number}.dcm").read_bytes())
    assert opened[0].closed and opened[0].beside == {
        "contact-sheet.png": (tmp_path / "out" / "contact-sheet.png").read_bytes()
    }


def test_that_a_contact_sheet_is_told_by_its_name_with_how_many_images_it_does_not_show(
    pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    out, sources = str(tmp_path / "out"), [pictures(0), pictures(1), pictures(2)]
    not_shown = ": those that were done before or failed are not shown."
    for count, wanted in (
        (2, "contact-sheet.png shows 2 of 2 images."),
        (2, f"No new contact sheet was made{not_shown}"),
        (3, f"contact-sheet-2.png shows 1 of 3 images{not_shown}"),
    ):
        reported = enhanced(tmp_path / wanted[:19], out, *sources[:count], sheet=True)
        assert [event.text for event in of(Notice, reported)] == [wanted]  # type: ignore[attr-defined]


def test_that_a_contact_sheet_shows_what_a_worker_has_enhanced_that_died(
    pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    """One worker has made the first two, another the third: as if one had made all."""
    both, third, out = [pictures(0), pictures(1)], [pictures(2)], str(tmp_path / "out")
    enhanced(tmp_path / "whole", str(tmp_path / "wanted"), *both, *third, sheet=True)
    enhanced(tmp_path / "first", str(tmp_path / "lost"), *both, sheet=True)
    items = (Item(index=2, source=str(third[0]), target="2.dcm"),)
    reported = enhanced(tmp_path / "second", out, items=items, contact_sheet=(0, 1, 2), tiles=str(tmp_path / "first"))
    assert [event.text for event in of(Notice, reported)] == ["contact-sheet.png shows 3 of 3 images."]  # type: ignore[attr-defined]
    made, wanted = ((tmp_path / name / "contact-sheet.png").read_bytes() for name in ("out", "wanted"))
    assert made == wanted


def test_that_a_batch_does_not_make_again_what_it_has(
    pictures: Callable[[int], Path], tmp_path: Path, memory: dict[tuple[str, str], bytes]
) -> None:
    enhanced(tmp_path / "one", ADDRESS, pictures(0))
    before = dict(memory)
    reported = enhanced(tmp_path / "two", ADDRESS, pictures(0), pictures(1))
    assert [(event.index, event.reason) for event in of(ItemSkipped, reported)] == [(0, "done before")]  # type: ignore[attr-defined]
    assert len(of(ItemDone, reported)) == 1 and len(memory) == 2 and before.items() <= memory.items()


@pytest.mark.parametrize("name", ["refused-{}.dcm", "full-{}.dcm"])  # before anything is decoded, and behind it
def test_that_what_it_refuses_costs_its_own_line_and_leaves_no_pixels(
    name: str, pictures: Callable[[int], Path], tmp_path: Path, memory: dict[tuple[str, str], bytes]
) -> None:
    reported = enhanced(tmp_path / "one", ADDRESS, pictures(0), name=name)
    (failed,) = of(ItemFailed, reported)
    assert isinstance(failed, ItemFailed) and failed.error["title"] == "This memory takes no such name."
    assert not memory and not list(tmp_path.glob("one/decoded/*"))


def test_that_the_window_exports_to_it_and_a_batch_knows_the_result(
    window: Window, pictures: Callable[[int], Path], tmp_path: Path, memory: dict[tuple[str, str], bytes]
) -> None:
    source = pictures(0)
    window.open(source)
    window.until(ItemEnhanced)
    window.ask("export", target="0.dcm", folder=ADDRESS, format="dicom")
    assert window.until(ItemDone).number == 0
    (made,) = memory.items()
    assert made[0][0] == files.sha256(source) and opened[0].closed
    reported = enhanced(tmp_path / "batch", ADDRESS, source)
    assert of(ItemSkipped, reported) and not of(ItemDone, reported)


def test_that_the_session_tells_of_an_export_that_it_refuses(window: Window, pictures: Callable[[int], Path]) -> None:
    window.open(pictures(0))
    window.until(ItemEnhanced)
    window.ask("export", target="refused.dcm", folder=ADDRESS, format="dicom")
    assert window.until(ItemFailed).error["title"] == "This memory takes no such name."
    assert opened[0].closed
    window.ask("export", target="0.dcm", folder=ADDRESS, format="dicom")
    window.until(ItemDone)
    assert len(window.of(ItemStarted)) == 1  # an export enhances nothing


def test_that_an_address_that_nobody_opens_is_refused_before_anything_is_done(
    pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="'ftp'"):
        enhanced(tmp_path / "one", "ftp://ward", pictures(0))


def test_that_every_destination_beside_the_protocol_has_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(registry.DESTINATIONS, "memory")
    there = {path.stem for path in Path(registry.__file__).parent.glob("*.py")} - {"__init__", "base", "registry"}
    assert {opened.__module__.rpartition(".")[2] for opened in registry.DESTINATIONS.values()} == there


@pytest.mark.parametrize("name", ["c:", "ward:1", "Memory:"])
def test_that_a_path_is_a_folder_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    destination = registry.open_destination(str(tmp_path / name / "x"))
    assert isinstance(destination, Folder)
    destination.close()


def test_that_requests_that_differ_in_anything_that_is_seen_have_other_settings() -> None:
    item = Item(index=0, source="a")
    plain = Request(item=item, recipe="r")
    assert plain.settings == Request(item=Item(index=1, source="b"), recipe="r", overwrite=True, anew=True).settings
    assert not (plain.forced or plain.overwrite or plain.anew)  # nothing is replaced that nobody said it of
    others = (
        Request(item=item, recipe="other"),
        Request(item=item, recipe="r", kind="raw"),
        Request(item=item, recipe="r", forced=True),
        Request(item=item, recipe="r", strict=True),
        Request(item=item, recipe="r", forced=True, strict=True),
        Request(item=item, recipe="r", delivery=Delivery(displayed=True)),
        Request(item=item, recipe="r", delivery=Delivery(mark="x")),
    )
    assert len({plain.settings, *(other.settings for other in others)}) == 1 + len(others)


def test_that_a_folder_keeps_a_file_that_is_not_ours_and_says_so_before_anything_is_decoded(
    pictures: Callable[[int], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "0.dcm").write_bytes(b"somebody's")
    with monkeypatch.context() as patch:
        patch.setattr("fullfield.enhance.item.decode", lambda *_: pytest.fail("it was decoded"))
        reported = enhanced(tmp_path / "one", str(out), pictures(0))
    (failed,) = of(ItemFailed, reported)
    assert isinstance(failed, ItemFailed) and "or changed since" in failed.error["detail"]
    assert (out / "0.dcm").read_bytes() == b"somebody's"
    reported = enhanced(tmp_path / "two", str(out), pictures(0), overwrite=True)
    assert len(of(ItemDone, reported)) == 1 and (out / "0.dcm").stat().st_size > 96 * 80 * 2


def test_that_a_folder_gives_each_of_two_inputs_of_one_name_a_result_and_tells_its_number(
    pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    reported = enhanced(tmp_path / "one", str(tmp_path / "out"), pictures(0), pictures(1), name="ward/same.dcm", jobs=1)
    assert [event.number for event in of(ItemDone, reported)] == [1, 2]  # type: ignore[attr-defined]
    assert sorted(path.name for path in (tmp_path / "out" / "ward").iterdir()) == ["same-2.dcm", "same.dcm"]
    again = enhanced(tmp_path / "two", str(tmp_path / "out"), pictures(1), name="ward/same.dcm")
    assert of(ItemSkipped, again) and not (tmp_path / "out" / ".fullfield" / "parts").exists()


def test_that_a_result_of_other_settings_takes_the_place_of_its_images_earlier_one(
    pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    enhanced(tmp_path / "one", str(out), pictures(0))
    before = (out / "0.dcm").read_bytes()
    assert of(ItemDone, enhanced(tmp_path / "two", str(out), pictures(0), choice="chest"))
    assert [path.name for path in out.glob("*.dcm")] == ["0.dcm"] and (out / "0.dcm").read_bytes() != before


@pytest.mark.parametrize("overwrite", [False, True])
def test_that_an_export_replaces_its_images_earlier_result_only_where_that_was_agreed_to(
    window: Window, pictures: Callable[[int], Path], tmp_path: Path, overwrite: bool
) -> None:
    window.open(pictures(0))
    window.until(ItemEnhanced)
    target = tmp_path / "out" / "0.png"
    window.ask("export", target=str(target), format="png16")
    window.until(ItemDone)
    before = target.read_bytes()
    window.ask("export", target=str(target), format="png16", overwrite=overwrite, delivery={"mark": "Not so."})
    if overwrite:
        assert window.until(ItemDone, 2).number == 1
    else:
        assert window.until(ItemFailed).error["title"] == "Cannot export the image."
    assert (target.read_bytes() != before) is overwrite


def test_that_a_batch_counts_its_verdicts_and_tells_of_damage_before_them(
    pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(half_a_jpeg())
    (tmp_path / "none.dcm").write_bytes(b"nothing")
    sources = (cut, tmp_path / "none.dcm", pictures(0), pictures(1))
    enhanced(tmp_path / "one", ADDRESS, pictures(1))
    reported = enhanced(tmp_path / "two", ADDRESS, *sources, jobs=1)
    *before, ended = [event for event in reported if not isinstance(event, ItemStarted)]
    assert isinstance(ended, RunEnded)
    assert {name: ended.summary[name] for name in ("done", "damaged", "skipped", "failed")} == {
        "done": 2,
        "damaged": 1,
        "skipped": 1,
        "failed": 1,
    }
    first = [event for event in before if isinstance(event, ItemEvent) and event.index == 0]
    assert isinstance(first[0], ItemWarned) and first[0].damaged and isinstance(first[-1], ItemDone)
