"""How the images can be looked at and measured: lines of the table of actions, their buttons, and what each does."""

from __future__ import annotations

from dataclasses import dataclass

from fullfield_app.gui.actions import VIEW, ActionSpec
from fullfield_app.gui.enhance.measure_commands import MEASURE, MEASURE_SPECS
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP
from fullfield_app.gui.view.presets import PRESETS

SHOW = QT_TRANSLATE_NOOP("actions", "Show")
WINDOWS = QT_TRANSLATE_NOOP("actions", "Window presets")
TURN = QT_TRANSLATE_NOOP("actions", "Turn")


@dataclass(frozen=True, kw_only=True)
class Drop:
    """A button, or a menu within a menu, that opens the actions of a menu within the menu View, or those of a group:
    then the button bears the one that is checked. `title`: what it is called; `tip`: what its button is for.
    """

    title: str
    tip: str = ""
    under: str = ""
    group: str = ""


COMPARE_SPECS: tuple[ActionSpec, ...] = (
    ActionSpec(
        key="side_by_side",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Side by side"),
        short=QT_TRANSLATE_NOOP("actions", "Both"),
        keys=("S",),
        group="mode",
        checked=True,
        tip=QT_TRANSLATE_NOOP("actions", "Before and after next to each other"),
    ),
    ActionSpec(
        key="curtain",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Curtain"),
        keys=("C",),
        group="mode",
        tip=QT_TRANSLATE_NOOP("actions", "Before and after in one place; draw the edge between them"),
    ),
    ActionSpec(
        key="single",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "One at a time"),
        short=QT_TRANSLATE_NOOP("actions", "Single"),
        keys=("N",),
        group="mode",
        tip=QT_TRANSLATE_NOOP("actions", "One image on the whole place; hold B for the other one"),
    ),
    ActionSpec(
        key="difference",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Difference"),
        keys=("X",),
        group="mode",
        tip=QT_TRANSLATE_NOOP("actions", "After minus before as displayed, in colours"),
    ),
    ActionSpec(
        key="blink",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Blink"),
        keys=("B", "Shift+B"),
        toggle=True,
        tip=QT_TRANSLATE_NOOP("actions", "Each place shows the other image while the key is held, or after a click"),
    ),
    ActionSpec(
        key="difference_scale",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Scale of the difference"),
        keys=("Shift+X",),
        under=SHOW,
        tip=QT_TRANSLATE_NOOP("actions", "The colours end at 100, 50, 25 or 10 percent in turn"),
    ),
    ActionSpec(
        key="link_looks",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Zoom and place together"),
        keys=("J",),
        toggle=True,
        checked=True,
        under=SHOW,
        tip=QT_TRANSLATE_NOOP("actions", "Both images are looked at from the same place"),
    ),
    ActionSpec(
        key="link_windows",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Windows together"),
        keys=("Shift+J",),
        toggle=True,
        checked=True,
        under=SHOW,
        tip=QT_TRANSLATE_NOOP("actions", "The window of both images changes by the same share of their values"),
    ),
)

VIEW_SPECS: tuple[ActionSpec, ...] = (
    ActionSpec(
        key="window",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Window and level"),
        short=QT_TRANSLATE_NOOP("actions", "Window"),
        keys=("W",),
        group="tool",
        checked=True,
        separated=True,
        tip=QT_TRANSLATE_NOOP("actions", "Left drag changes window and level"),
    ),
    ActionSpec(
        key="zoom",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Zoom tool"),
        short=QT_TRANSLATE_NOOP("actions", "Zoom"),
        keys=("Z",),
        group="tool",
        tip=QT_TRANSLATE_NOOP("actions", "Left drag zooms"),
    ),
    ActionSpec(
        key="pan",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Pan tool"),
        short=QT_TRANSLATE_NOOP("actions", "Pan"),
        keys=("T",),
        group="tool",
        tip=QT_TRANSLATE_NOOP(
            "actions", "Left drag moves the image; with the middle button or the space bar it always does"
        ),
    ),
    ActionSpec(
        key="fit",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Fit"),
        keys=("=", "F"),
        separated=True,
        tip=QT_TRANSLATE_NOOP("actions", "Show the whole image"),
    ),
    ActionSpec(
        key="one_to_one",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "1:1"),
        keys=("Ctrl+1",),
        tip=QT_TRANSLATE_NOOP(
            "actions", "One image pixel on one pixel of the screen; of one that is not square, its shorter side"
        ),
    ),
    ActionSpec(
        key="larger",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Zoom in"),
        short=QT_TRANSLATE_NOOP("actions", "+"),
        keys=("+",),
    ),
    ActionSpec(
        key="smaller",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Zoom out"),
        short=QT_TRANSLATE_NOOP("actions", "−"),
        keys=("-",),
    ),
    ActionSpec(
        key="invert",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Invert"),
        keys=("I",),
        under=TURN,
        tip=QT_TRANSLATE_NOOP("actions", "Exchange bright and dark"),
    ),
    ActionSpec(
        key="turn_right",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Turn right"),
        keys=("R",),
        under=TURN,
    ),
    ActionSpec(
        key="turn_left",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Turn left"),
        keys=("L",),
        under=TURN,
    ),
    ActionSpec(
        key="flip_across",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Flip left and right"),
        keys=("H",),
        under=TURN,
    ),
    ActionSpec(
        key="flip_over",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Flip top and bottom"),
        keys=("V",),
        under=TURN,
    ),
    ActionSpec(
        key="overlay",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Overlay: patient and exposure"),
        keys=("O",),
        toggle=True,
        under=SHOW,
        tip=QT_TRANSLATE_NOOP("actions", "Show or hide name, dates and exposure in the corners of the images"),
    ),
    ActionSpec(
        key="marks",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "What was added, what was taken"),
        keys=("Shift+O",),
        toggle=True,
        under=SHOW,
        tip=QT_TRANSLATE_NOOP(
            "actions",
            "Side by side and one at a time: orange where the result shows what the image does not have, blue where it "
            "hides what it has",
        ),
    ),
    ActionSpec(
        key="disagreement",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Where an ensemble disagrees"),
        keys=("Shift+U",),
        toggle=True,
        under=SHOW,
        tip=QT_TRANSLATE_NOOP(
            "actions",
            "Side by side and one at a time, results of an ensemble: the stronger the purple, the more its members "
            "disagree. Where they agree, all may be wrong",
        ),
    ),
)

PRESET_SPECS: tuple[ActionSpec, ...] = (
    *(ActionSpec(key=one.key, menu=VIEW, under=WINDOWS, text=one.title, keys=(one.keys,)) for one in PRESETS),
    ActionSpec(key="file_windows", menu=VIEW, under=WINDOWS, text=QT_TRANSLATE_NOOP("actions", "Windows of the file")),
)

RESET_SPECS: tuple[ActionSpec, ...] = (
    ActionSpec(
        key="reset",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Reset view"),
        short=QT_TRANSLATE_NOOP("actions", "Reset"),
        keys=("Space",),
        local=True,
        separated=True,
        tip=QT_TRANSLATE_NOOP("actions", "Whole image, upright, through its own window"),
    ),
)

SPECS = (*COMPARE_SPECS, *VIEW_SPECS, *PRESET_SPECS, *MEASURE_SPECS, *RESET_SPECS)

BUTTONS: tuple[tuple[str | Drop, ...], ...] = (
    ("side_by_side", "curtain", "single", "difference", "blink"),
    (
        Drop(
            group="tool",
            title=QT_TRANSLATE_NOOP("actions", "Left drag"),
            tip=QT_TRANSLATE_NOOP("actions", "What the mouse does in an image with its left button held"),
        ),
        "measure",
    ),
    ("fit", "one_to_one"),
    (
        Drop(
            under=WINDOWS,
            title=QT_TRANSLATE_NOOP("actions", "Presets"),
            tip=QT_TRANSLATE_NOOP("actions", "Windows to choose: the file's own, and usual ones"),
        ),
        Drop(under=TURN, title=TURN, tip=QT_TRANSLATE_NOOP("actions", "Turn the images on the screen, or mirror them")),
        Drop(under=SHOW, title=SHOW, tip=QT_TRANSLATE_NOOP("actions", "What is shown with the images, and how")),
    ),
    ("reset",),
)
CONTEXT: tuple[tuple[str | Drop, ...], ...] = (
    (Drop(group="tool", title=QT_TRANSLATE_NOOP("actions", "Left drag")), Drop(under=MEASURE, title=MEASURE)),
    (Drop(under=WINDOWS, title=WINDOWS), Drop(under=TURN, title=TURN)),
    ("fit", "one_to_one"),
    ("side_by_side", "curtain", "single", "difference"),
    (Drop(under=SHOW, title=SHOW), "reset"),
)
