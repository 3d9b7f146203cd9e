"""Marks on an image: two regions and a line, in pixels of the file, and how a hand changes them. No widget."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from enum import StrEnum

from fullfield_app.gui.view.area import Area, Point, between
from fullfield_app.gui.view.camera import Size

SMALLEST = 2.0  # pixels: a region of less has no SD worth its name


class Shape(StrEnum):
    """What is drawn next."""

    RECTANGLE = "rectangle"
    ELLIPSE = "ellipse"
    LINE = "line"


class Slot(StrEnum):
    """The marks that there can be."""

    ONE = "1"
    TWO = "2"
    LINE = "line"


@dataclass(frozen=True, kw_only=True)
class Region:
    """A rectangle or an ellipse that fills `area`."""

    area: Area
    round: bool = False

    def moved(self, right: float, down: float, image: Size) -> Region:
        """Moved, and kept on the image."""
        return replace(self, area=self.area.moved(right, down, image))

    def resized(self, wider: float, higher: float, image: Size) -> Region:
        """Larger or smaller at its right and lower border."""
        width = min(max(self.area.width + wider, SMALLEST), image[0] - self.area.left)
        height = min(max(self.area.height + higher, SMALLEST), image[1] - self.area.top)
        return replace(self, area=replace(self.area, width=width, height=height))

    def handles(self) -> tuple[Point, ...]:
        """The corners, by which it is resized."""
        area = self.area
        return (area.left, area.top), (area.right, area.top), (area.right, area.bottom), (area.left, area.bottom)

    def pulled(self, handle: int, to: Point, image: Size) -> Region:
        """With one corner drawn to a place; the opposite one stays."""
        fixed = self.handles()[(handle + 2) % 4]
        area = between(fixed, _kept(to, image))
        return replace(self, area=area) if min(area.width, area.height) >= SMALLEST else self

    def holds(self, place: Point) -> bool:
        """Whether a place lies within."""
        middle, area = self.area.middle, self.area
        across, down = (place[0] - middle[0]) / (area.width / 2), (place[1] - middle[1]) / (area.height / 2)
        return across**2 + down**2 <= 1 if self.round else max(abs(across), abs(down)) <= 1


@dataclass(frozen=True, kw_only=True)
class Line:
    """From `start` to `end`."""

    start: Point
    end: Point

    def moved(self, right: float, down: float, image: Size) -> Line:
        """Moved, and kept on the image."""
        area = between(self.start, self.end)
        kept = area.moved(right, down, image)
        right, down = kept.left - area.left, kept.top - area.top
        return Line(start=(self.start[0] + right, self.start[1] + down), end=(self.end[0] + right, self.end[1] + down))

    def resized(self, wider: float, higher: float, image: Size) -> Line:
        """With its end moved."""
        return self.pulled(1, (self.end[0] + wider, self.end[1] + higher), image)

    def handles(self) -> tuple[Point, ...]:
        """Its ends."""
        return self.start, self.end

    def pulled(self, handle: int, to: Point, image: Size) -> Line:
        """With one end drawn to a place."""
        kept = _kept(to, image)
        return replace(self, end=kept) if handle else replace(self, start=kept)

    def distance(self, place: Point) -> float:
        """From a place to the nearest point of the line."""
        across, down = self.end[0] - self.start[0], self.end[1] - self.start[1]
        square = across**2 + down**2
        share = 0.0
        if square > 0:
            share = min(max(((place[0] - self.start[0]) * across + (place[1] - self.start[1]) * down) / square, 0), 1)
        return math.dist(place, (self.start[0] + share * across, self.start[1] + share * down))


Mark = Region | Line


@dataclass(frozen=True, kw_only=True)
class Marks:
    """The marks of one image, and the one that is chosen."""

    placed: dict[Slot, Mark] = field(default_factory=dict)
    chosen: Slot | None = None

    def put(self, slot: Slot, mark: Mark) -> Marks:
        """With a mark new or changed, and chosen."""
        return Marks(placed={**self.placed, slot: mark}, chosen=slot)

    def without(self, slot: Slot | None) -> Marks:
        """With one mark gone; another is chosen in its place."""
        placed = {key: mark for key, mark in self.placed.items() if key is not slot}
        return Marks(placed=placed, chosen=next(iter(placed), None))

    def slot_for(self, shape: Shape) -> Slot:
        """Where a new mark goes: the free region, or in place of the chosen one."""
        if shape is Shape.LINE:
            return Slot.LINE
        free = next((slot for slot in (Slot.ONE, Slot.TWO) if slot not in self.placed), None)
        return free or (Slot.TWO if self.chosen is Slot.TWO else Slot.ONE)

    def after_chosen(self) -> Marks:
        """The next mark is chosen."""
        slots = [slot for slot in Slot if slot in self.placed]
        if not slots:
            return self
        place = slots.index(self.chosen) + 1 if self.chosen in slots else 0
        return replace(self, chosen=slots[place % len(slots)])

    def regions(self) -> dict[Slot, Region]:
        """The regions among them."""
        return {slot: mark for slot, mark in self.placed.items() if isinstance(mark, Region)}

    def line(self) -> Line | None:
        """The line, if there is one."""
        found = self.placed.get(Slot.LINE)
        return found if isinstance(found, Line) else None


def made(shape: Shape, start: Point, end: Point, image: Size) -> Mark | None:
    """A new mark that was drawn from one place to another; None while it is too small to be one."""
    start, end = _kept(start, image), _kept(end, image)
    if shape is Shape.LINE:
        return Line(start=start, end=end) if math.dist(start, end) >= SMALLEST else None
    area = between(start, end)
    if min(area.width, area.height) < SMALLEST:
        return None
    return Region(area=area, round=shape is Shape.ELLIPSE)


def in_middle(shape: Shape, sight: Area, image: Size, *, second: bool) -> Mark | None:
    """A mark of a fifth of what is in sight, in its middle or, for the second region, beside it."""
    x, y = sight.middle
    width, height = sight.width / 10, sight.height / 10
    if second:
        x = min(x + 2.5 * width, image[0] - width)
    down = 0.0 if shape is Shape.LINE else height
    return made(shape, (x - width, y - down), (x + width, y + down), image)


def _kept(place: Point, image: Size) -> Point:
    return min(max(place[0], 0.0), image[0]), min(max(place[1], 0.0), image[1])
