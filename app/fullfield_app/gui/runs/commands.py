"""What can be done on the page of runs: one line per action."""

from __future__ import annotations

from fullfield_app.gui.actions import RUN, VIEW, ActionSpec
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP

SPECS: tuple[ActionSpec, ...] = (
    ActionSpec(
        key="open_run",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "&Open the run"),
        keys=("Ctrl+Return",),
        short=QT_TRANSLATE_NOOP("actions", "Open"),
        tip=QT_TRANSLATE_NOOP("actions", "Show the curves, memory and radiograph of the selected run."),
    ),
    ActionSpec(
        key="all_runs",
        menu=VIEW,
        text=QT_TRANSLATE_NOOP("actions", "&All runs"),
        keys=("Alt+Left",),
        tip=QT_TRANSLATE_NOOP("actions", "Back to the list of runs."),
    ),
    ActionSpec(
        key="label_run",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "&Name and notes…"),
        short=QT_TRANSLATE_NOOP("actions", "Name and notes…"),
        keys=("F2",),
        tip=QT_TRANSLATE_NOOP("actions", "Give the run a name, and write notes of it."),
    ),
    ActionSpec(
        key="report_run",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "Save a &report…"),
        keys=("Ctrl+R",),
        short=QT_TRANSLATE_NOOP("actions", "Report…"),
        tip=QT_TRANSLATE_NOOP("actions", "Save a report of the run as HTML or PDF."),
    ),
    ActionSpec(
        key="join_runs",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "Make an &ensemble of these"),
        tip=QT_TRANSLATE_NOOP(
            "actions", "One model of the selected runs, which are complete: it gives the mean of their results."
        ),
    ),
    ActionSpec(
        key="delete_runs",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "&Delete…"),
        short=QT_TRANSLATE_NOOP("actions", "Delete…"),
        tip=QT_TRANSLATE_NOOP("actions", "Delete the selected runs and all that they left."),
        separated=True,
    ),
    ActionSpec(
        key="models",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "&Models…"),
        short=QT_TRANSLATE_NOOP("actions", "Models…"),
        keys=("Ctrl+M",),
        tip=QT_TRANSLATE_NOOP("actions", "Your models: import, export, choose for a body part, remove."),
        separated=True,
    ),
)
ON_BUTTONS = ("open_run", "label_run", "report_run", "delete_runs", "models")
