"""Sentences about a file that belong into its own line, also where notes on files are not asked for."""

from __future__ import annotations

FAINT_COLOUR = (
    "The picture holds faint colour, as a lossy compression leaves it in a grey one; only its brightness was read."
)
NO_INSTANCE = (
    "The original has no valid SOP Instance UID (0008,0018): what is made from it cannot name it as its source image."
)
ENHANCED_BEFORE = "The file is a result of Fullfield: it is changed little. Enhance its original instead."
IN_ITS_LINE = frozenset({FAINT_COLOUR, NO_INSTANCE, ENHANCED_BEFORE})
