"""What can be done on the page that enhances: its lines of the table of actions."""

from __future__ import annotations

from fullfield_app.gui.actions import ActionSpec

FILE, IMAGE, VIEW = "file", "image", "view"

SPECS: tuple[ActionSpec, ...] = (
    ActionSpec(key="open_files", menu=FILE, text="Open files…", keys=("Ctrl+O",)),
    ActionSpec(key="open_folder", menu=FILE, text="Open folder…", keys=("Ctrl+Shift+O",)),
    ActionSpec(key="export_selected", menu=FILE, text="Export selected", keys=("Ctrl+E",), separated=True),
    ActionSpec(key="export_all", menu=FILE, text="Export all", keys=("Ctrl+Shift+E",)),
    ActionSpec(key="next", menu=IMAGE, text="Next image", keys=("PgDown",)),
    ActionSpec(key="previous", menu=IMAGE, text="Previous image", keys=("PgUp",)),
    ActionSpec(key="enhance", menu=IMAGE, text="Enhance selected again", keys=("Ctrl+Return",), separated=True),
    ActionSpec(key="cancel", menu=IMAGE, text="Cancel what has not begun", keys=("Esc",)),
    ActionSpec(key="remove", menu=IMAGE, text="Remove selected from the list", keys=("Del",), tip="The files stay"),
    ActionSpec(
        key="side_by_side", menu=VIEW, text="Side by side", keys=("S",), group="mode", checked=True,
        tip="Before and after next to each other",
    ),
    ActionSpec(
        key="curtain", menu=VIEW, text="Curtain", keys=("C",), group="mode",
        tip="Before and after in one place; draw the edge between them",
    ),
    ActionSpec(
        key="window", menu=VIEW, text="Window and level", short="Window", keys=("W",), group="tool", checked=True,
        separated=True, tip="Left drag changes window and level",
    ),
    ActionSpec(
        key="zoom", menu=VIEW, text="Zoom tool", short="Zoom", keys=("Z",), group="tool", tip="Left drag zooms",
    ),
    ActionSpec(
        key="pan", menu=VIEW, text="Pan tool", short="Pan", keys=("T",), group="tool",
        tip="Left drag moves the image; the middle button always does",
    ),
    ActionSpec(key="fit", menu=VIEW, text="Fit", keys=("=", "F"), separated=True, tip="Show the whole image"),
    ActionSpec(
        key="one_to_one", menu=VIEW, text="1:1", keys=("Ctrl+1",), tip="One image pixel on one pixel of the screen",
    ),
    ActionSpec(key="larger", menu=VIEW, text="Zoom in", short="+", keys=("+",)),
    ActionSpec(key="smaller", menu=VIEW, text="Zoom out", short="−", keys=("-",)),
    ActionSpec(
        key="invert", menu=VIEW, text="Invert", keys=("I",), separated=True, tip="Exchange bright and dark",
    ),
    ActionSpec(key="turn_right", menu=VIEW, text="Turn right", short="↻", keys=("R",)),
    ActionSpec(key="turn_left", menu=VIEW, text="Turn left", short="↺", keys=("L",)),
    ActionSpec(key="flip_across", menu=VIEW, text="Flip left and right", short="⇋", keys=("H",)),
    ActionSpec(key="flip_over", menu=VIEW, text="Flip top and bottom", short="⥮", keys=("V",)),
    ActionSpec(
        key="reset", menu=VIEW, text="Reset view", short="Reset", keys=("Space",), local=True, separated=True,
        tip="Whole image, upright, through its own window",
    ),
)  # fmt: skip

BUTTONS: tuple[tuple[str, ...], ...] = (
    ("side_by_side", "curtain"),
    ("window", "zoom", "pan"),
    ("fit", "one_to_one", "smaller", "larger"),
    ("invert", "turn_left", "turn_right", "flip_across", "flip_over"),
    ("reset",),
)
