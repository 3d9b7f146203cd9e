"""Which SOP classes are radiographs that this program works on; every other one is refused by its name.

Accepted: Computed Radiography, Digital X-Ray, Mammography X-Ray and Intra-Oral X-Ray (For Presentation and For
Processing), and Secondary Capture whose Modality says that it is a radiograph (PS3.4 B.5, PS3.3 C.7.3.1.1.1).
"""

from __future__ import annotations

from fullfield.dicom.parse import Parsed
from fullfield.dicom.refusals import damaged, refused
from fullfield.dicom.syntaxes import title_of

COMPUTED_RADIOGRAPHY = "1.2.840.10008.5.1.4.1.1.1"
DIGITAL_X_RAY = ("1.2.840.10008.5.1.4.1.1.1.1", "1.2.840.10008.5.1.4.1.1.1.1.1")
MAMMOGRAPHY = ("1.2.840.10008.5.1.4.1.1.1.2", "1.2.840.10008.5.1.4.1.1.1.2.1")
INTRA_ORAL = ("1.2.840.10008.5.1.4.1.1.1.3", "1.2.840.10008.5.1.4.1.1.1.3.1")
SECONDARY_CAPTURE = "1.2.840.10008.5.1.4.1.1.7"

FOR_PROCESSING = frozenset((DIGITAL_X_RAY[1], MAMMOGRAPHY[1], INTRA_ORAL[1]))
RADIOGRAPHS = frozenset((COMPUTED_RADIOGRAPHY, *DIGITAL_X_RAY, *MAMMOGRAPHY, *INTRA_ORAL))
CAPTURED_MODALITIES = frozenset(("CR", "DX", "RG", "MG", "IO", "PX"))

_SOP_CLASS, _MODALITY = 0x00080016, 0x00080060

_MODALITY_NAMES = {
    "CT": "a CT image",
    "MR": "an MR image",
    "US": "an ultrasound image",
    "NM": "a nuclear medicine image",
    "PT": "a PET image",
    "XA": "an angiography image",
    "RF": "a fluoroscopy image",
    "ES": "an endoscopy image",
    "XC": "a photograph",
    "SM": "a slide microscopy image",
    "RTIMAGE": "a radiotherapy image (RTIMAGE)",
    "RTDOSE": "a radiotherapy dose",
    "SR": "a report",
    "DOC": "a document",
    "PR": "a presentation state",
    "SEG": "a segmentation",
    "KO": "a selection of key images",
}
_CLASS_NAMES = {
    "1.2.840.10008.1.3.10": "a DICOMDIR, the table of contents of a medium",
    "1.2.840.10008.5.1.4.1.1.481.1": "a radiotherapy image (RTIMAGE)",
}


def sop_class(parsed: Parsed) -> str:
    """The file's SOP class, where it is one that is accepted. Raises InputRefused naming what the file is."""
    uid = parsed.text(_SOP_CLASS)
    if not uid and parsed.media_class:
        uid = parsed.media_class
        parsed.warn("The data set does not say its SOP class; the file's meta information does.")
    if not uid:
        raise damaged("It does not say what it is: it has no SOP Class UID (0008,0016).")
    modality = parsed.text(_MODALITY).upper()
    if uid in RADIOGRAPHS or (uid == SECONDARY_CAPTURE and modality in CAPTURED_MODALITIES):
        return uid
    raise refused(_what(uid, modality))


def _what(uid: str, modality: str) -> str:
    if uid in _CLASS_NAMES:
        return _CLASS_NAMES[uid]
    if uid == SECONDARY_CAPTURE:
        of = _MODALITY_NAMES.get(modality)
        return f"{of}, captured as a picture" if of else "a Secondary Capture that does not say it is a radiograph"
    known = title_of(uid)
    if not known:
        return _MODALITY_NAMES.get(modality, "of a class that Fullfield does not know")
    return f"of the class {known.removesuffix(' Storage')}"
