"""What the page can do by menu or key, as a table; those of the review work only while it is seen."""

from __future__ import annotations

from fullfield_app.gui.actions import FILE, RUN, ActionSpec
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP

SPECS = (
    ActionSpec(
        key="choose_data",
        menu=FILE,
        text=QT_TRANSLATE_NOOP("actions", "Choose the folder of images…"),
        keys=("Ctrl+O",),
    ),
    ActionSpec(key="fit", menu=RUN, text=QT_TRANSLATE_NOOP("actions", "Fit it for me…"), keys=("Ctrl+F",)),
    ActionSpec(
        key="start_training",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "Start the training"),
        keys=("Ctrl+Return",),
    ),
    ActionSpec(
        key="review",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "Review references…"),
        keys=("Ctrl+R",),
        separated=True,
    ),
    ActionSpec(
        key="review_approve",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "Approve the reference"),
        short=QT_TRANSLATE_NOOP("actions", "✓ Approve"),
        keys=("A",),
        tip=QT_TRANSLATE_NOOP("actions", "It is good to learn from, as it is seen here"),
        local=True,
    ),
    ActionSpec(
        key="review_reject",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "Reject the reference"),
        short=QT_TRANSLATE_NOOP("actions", "✕ Reject"),
        keys=("X",),
        tip=QT_TRANSLATE_NOOP("actions", "The image is left out of the training"),
        local=True,
    ),
    ActionSpec(
        key="review_take_back",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "Take the verdict back"),
        short=QT_TRANSLATE_NOOP("actions", "Take back"),
        keys=("Backspace",),
        local=True,
    ),
    ActionSpec(
        key="review_next",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "Next reference"),
        short=QT_TRANSLATE_NOOP("actions", "Next →"),
        keys=("PgDown",),
        local=True,
    ),
    ActionSpec(
        key="review_previous",
        menu=RUN,
        text=QT_TRANSLATE_NOOP("actions", "Previous reference"),
        short=QT_TRANSLATE_NOOP("actions", "← Previous"),
        keys=("PgUp",),
        local=True,
    ),
)
REVIEW = tuple(spec.key for spec in SPECS if spec.local)
