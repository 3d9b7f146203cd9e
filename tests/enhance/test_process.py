"""The one way of an image: what is asked, read, made, told and put, and in which order."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from enhance.conftest import MakeDecoded
from fullfield.enhance.destinations.base import Made, Request
from fullfield.enhance.process import Source, process
from fullfield.errors import CannotWrite, InputRefused
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced, InputKind, Recipe
from fullfield.protocol.batch import Item
from fullfield.protocol.events import Event, ItemDone, ItemEvent, ItemSkipped, ItemWarned

REQUEST = Request(item=Item(index=7, source="a.dcm", target="a_enhanced.dcm"), kind="raw")
INPUT = "0123456789abcdef"


class Way:
    """Everything beside an image on its way; `done`: what happened, in its order."""

    def __init__(self, decoded: Decoded, *, has: bool = False, fault: Exception | None = None) -> None:
        self.done: list[object] = []
        self.made: Made | None = None
        self._image, self._has, self._fault = decoded, has, fault

    @contextlib.contextmanager
    def source(self) -> Iterator[Source]:
        """See `process`."""
        self.done.append("found")
        yield Source(sha256=INPUT, decoded=self._decoded())
        self.done.append("left")

    @contextlib.contextmanager
    def _decoded(self) -> Iterator[Decoded]:
        self.done.append("read")
        yield self._image
        self.done.append("forgotten")

    def enhance(self, decoded: Decoded) -> Enhanced:
        """See `process`."""
        self.done.append(decoded.image.kind)
        recipe = Recipe(method="preset", name="x", version="1", sha256="0" * 64)
        return Enhanced(
            pixels=decoded.image.pixels,
            bits=12,
            recipe=recipe,
            warnings=("Look at it twice.",),
            doubt="It is doubtful.",
            method_wanted="m",
        )

    def has(self, request: Request, input: str) -> bool:
        """See `Destination`."""
        self.done.append(("asked", request.item.target, input))
        return self._has

    def put(self, made: Made) -> ItemDone:
        """See `Destination`."""
        if self._fault is not None:
            raise self._fault
        self.made = made
        self.done.append("put")
        return made.done(number=3)

    def tell(self, event: Event) -> None:
        """See `process`."""
        self.done.append(event)

    def go(self, enhance: Callable[[Decoded], Enhanced] | None = None) -> ItemEvent:
        """All of the way."""
        return process(REQUEST, self, source=self.source(), enhance=enhance or self.enhance, emit=self.tell)


def test_that_an_image_is_asked_for_read_enhanced_told_and_put_in_this_order(radiograph: MakeDecoded) -> None:
    way = Way(radiograph(40, 30))
    verdict = way.go()
    warning = ItemWarned(index=7, input="0123456789ab", text="Look at it twice.")
    doubt = ItemWarned(index=7, input="0123456789ab", text="It is doubtful.", in_its_line=True)
    asked = ("asked", "a_enhanced.dcm", INPUT)
    assert way.done == ["found", asked, "read", InputKind.RAW, warning, doubt, "put", "forgotten", "left"]
    assert isinstance(verdict, ItemDone) and (verdict.index, verdict.input, verdict.number) == (7, "0123456789ab", 3)
    assert verdict.method_wanted == "m" and verdict.output == "" and verdict.peak_bytes > 0 and verdict.seconds >= 0
    assert way.made is not None and way.made.input == INPUT and way.made.enhanced.bits == 12


def test_that_what_the_destination_has_is_not_even_read(radiograph: MakeDecoded) -> None:
    way = Way(radiograph(40, 30), has=True)
    assert way.go() == ItemSkipped(index=7, input="0123456789ab", reason="done before")
    assert way.done == ["found", ("asked", "a_enhanced.dcm", INPUT), "left"]


def test_that_an_image_that_was_not_put_is_not_forgotten(radiograph: MakeDecoded) -> None:
    way = Way(radiograph(40, 30), fault=CannotWrite("The disk is full."))
    with pytest.raises(CannotWrite, match="The disk is full"):
        way.go()
    assert "forgotten" not in way.done and "left" not in way.done


def test_that_what_cannot_be_enhanced_is_not_put(radiograph: MakeDecoded) -> None:
    def refuse(decoded: Decoded) -> Enhanced:
        raise InputRefused("No preset for that.")

    way = Way(radiograph(40, 30))
    with pytest.raises(InputRefused):
        way.go(refuse)
    assert way.made is None


def test_that_the_time_of_a_verdict_runs_from_when_it_was_asked(radiograph: MakeDecoded) -> None:
    request = replace(REQUEST, watch=type("Late", (), {"seconds": 12.5})())
    way = Way(radiograph(40, 30))
    verdict = process(request, way, source=way.source(), enhance=way.enhance, emit=way.tell)
    assert isinstance(verdict, ItemDone) and verdict.seconds == 12.5
