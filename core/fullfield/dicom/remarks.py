"""Sentences about a file that belong into its own line, also where notes on files are not asked for."""

from __future__ import annotations

FAINT_COLOUR = (
    "The picture holds faint colour, as a lossy compression leaves it in a grey one; only its brightness was read."
)
NO_INSTANCE = (
    "The original has no valid SOP Instance UID (0008,0018): what is made from it cannot name it as its source image."
)
ENHANCED_BEFORE = "The file is a result of Fullfield: it is changed little. Enhance its original instead."
IDENTITY_CHANGED = (
    "The patient's name, ID or accession number breaks DICOM's rules; what can be kept of it is kept, and what could be"
    " another patient's or order's is not."
)
TURNED = "The picture says how it is to be turned (its orientation); it was turned as viewers show it."
OVERLAY = "The file has overlay graphics (marks or text beside the pixels): they are not shown, and a result has none."
IN_ITS_LINE = frozenset({FAINT_COLOUR, NO_INSTANCE, ENHANCED_BEFORE, IDENTITY_CHANGED, TURNED, OVERLAY})
