"""What can be done with files and the list of images: its lines of the table of actions."""

from __future__ import annotations

from fullfield_app.gui.actions import FILE, IMAGE, VIEW, ActionSpec
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP

SPECS: tuple[ActionSpec, ...] = (
    ActionSpec(key="open_files", menu=FILE, text=QT_TRANSLATE_NOOP("actions", "Open files…"), keys=("Ctrl+O",)),
    ActionSpec(key="open_folder", menu=FILE, text=QT_TRANSLATE_NOOP("actions", "Open folder…"), keys=("Ctrl+Shift+O",)),
    ActionSpec(
        key="export_selected",
        menu=FILE,
        text=QT_TRANSLATE_NOOP("actions", "Export selected"),
        keys=("Ctrl+E",),
        separated=True,
    ),
    ActionSpec(
        key="export_new",
        menu=FILE,
        text=QT_TRANSLATE_NOOP("actions", "Export new"),
        keys=("Ctrl+Shift+E",),
        tip=QT_TRANSLATE_NOOP("actions", "The enhanced images that are not exported yet"),
    ),
    ActionSpec(
        key="export_all",
        menu=FILE,
        text=QT_TRANSLATE_NOOP("actions", "Export all again"),
        tip=QT_TRANSLATE_NOOP("actions", "All enhanced images, also those that are exported"),
    ),
    ActionSpec(
        key="clear_list",
        menu=FILE,
        text=QT_TRANSLATE_NOOP("actions", "Clear list"),
        keys=("Ctrl+Shift+Del",),
        separated=True,
        tip=QT_TRANSLATE_NOOP("actions", "All images leave the list; the files stay"),
    ),
    ActionSpec(key="undo", menu=IMAGE, text=QT_TRANSLATE_NOOP("actions", "Undo"), keys=("Ctrl+Z",)),
    ActionSpec(key="redo", menu=IMAGE, text=QT_TRANSLATE_NOOP("actions", "Redo"), keys=("Ctrl+Y", "Ctrl+Shift+Z")),
    ActionSpec(
        key="next", menu=IMAGE, text=QT_TRANSLATE_NOOP("actions", "Next image"), keys=("PgDown",), separated=True
    ),
    ActionSpec(key="previous", menu=IMAGE, text=QT_TRANSLATE_NOOP("actions", "Previous image"), keys=("PgUp",)),
    ActionSpec(
        key="enhance",
        menu=IMAGE,
        text=QT_TRANSLATE_NOOP("actions", "Enhance selected again"),
        keys=("Ctrl+Return",),
        separated=True,
    ),
    ActionSpec(
        key="grouped",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "List by patient, study and series"),
        keys=("Ctrl+G",),
        toggle=True,
        checked=True,
        tip=QT_TRANSLATE_NOOP("actions", "Or as one list, in the order in which the images were opened"),
    ),
    ActionSpec(
        key="filter",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "Filter the list"),
        keys=("Ctrl+F",),
        tip=QT_TRANSLATE_NOOP("actions", "By patient, ID, file, study, date or state"),
    ),
    ActionSpec(
        key="adjust",
        menu=IMAGE,
        text=QT_TRANSLATE_NOOP("actions", "Adjust the preset…"),
        keys=("Ctrl+J",),
        tip=QT_TRANSLATE_NOOP("actions", "Show the parameters of the preset as sliders"),
    ),
    ActionSpec(
        key="again",
        menu=IMAGE,
        text=QT_TRANSLATE_NOOP("actions", "Try again what failed or was cancelled"),
        keys=("Ctrl+R",),
        tip=QT_TRANSLATE_NOOP("actions", "Of the selected images, or of all where none of them failed"),
    ),
    ActionSpec(
        key="pause",
        menu=IMAGE,
        text=QT_TRANSLATE_NOOP("actions", "Pause the list"),
        keys=("Ctrl+P",),
        tip=QT_TRANSLATE_NOOP("actions", "The image in hand is finished; nothing else is begun until you go on"),
    ),
    ActionSpec(key="cancel", menu=IMAGE, text=QT_TRANSLATE_NOOP("actions", "Cancel what has not begun"), keys=("Esc",)),
    ActionSpec(
        key="remove",
        menu=IMAGE,
        text=QT_TRANSLATE_NOOP("actions", "Remove selected from the list"),
        keys=("Del",),
        tip=QT_TRANSLATE_NOOP("actions", "The files stay"),
    ),
    ActionSpec(
        key="grade",
        menu=IMAGE,
        text=QT_TRANSLATE_NOOP("actions", "Grade blind…"),
        keys=("Ctrl+B",),
        separated=True,
        tip=QT_TRANSLATE_NOOP("actions", "Compare two versions of each image without knowing which is which"),
    ),
)
