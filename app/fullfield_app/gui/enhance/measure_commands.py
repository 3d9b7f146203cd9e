"""How the images can be measured: its lines of the table of actions."""

from __future__ import annotations

from fullfield_app.gui.actions import VIEW, ActionSpec
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP

MEASURE = QT_TRANSLATE_NOOP("actions", "Measure")

MEASURE_SPECS: tuple[ActionSpec, ...] = (
    ActionSpec(
        key="measure",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Show measuring"),
        short=QT_TRANSLATE_NOOP("actions", "Measure"),
        keys=("M",),
        toggle=True,
        under=MEASURE,
        tip=QT_TRANSLATE_NOOP("actions", "Show regions and lines with their numbers, or put them away"),
    ),
    ActionSpec(
        key="rectangle",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Rectangle"),
        keys=("G",),
        group="tool",
        separated=True,
        under=MEASURE,
        tip=QT_TRANSLATE_NOOP("actions", "Left drag draws a rectangle; two regions give the contrast between them"),
    ),
    ActionSpec(
        key="ellipse",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Ellipse"),
        keys=("E",),
        group="tool",
        under=MEASURE,
        tip=QT_TRANSLATE_NOOP("actions", "Left drag draws an ellipse; two regions give the contrast between them"),
    ),
    ActionSpec(
        key="line",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Length and profile"),
        short=QT_TRANSLATE_NOOP("actions", "Line"),
        keys=("D",),
        group="tool",
        under=MEASURE,
        tip=QT_TRANSLATE_NOOP("actions", "Left drag draws a line: its length, and the values along it"),
    ),
    ActionSpec(
        key="add_mark",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Add in the middle"),
        keys=("Ins",),
        separated=True,
        under=MEASURE,
        tip=QT_TRANSLATE_NOOP("actions", "A region or a line without the mouse: arrows move it, with Shift its size"),
    ),
    ActionSpec(
        key="next_mark",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Choose the next one"),
        keys=("Shift+M",),
        under=MEASURE,
    ),
    ActionSpec(
        key="delete_mark",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Delete the chosen one"),
        keys=("Shift+Del",),
        under=MEASURE,
    ),
    ActionSpec(
        key="clear_marks",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Delete all"),
        under=MEASURE,
    ),
)
