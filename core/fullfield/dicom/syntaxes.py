"""The transfer syntaxes that are read (PS3.5 §10, PS3.6 A-1), and how the pixels of each are coded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pydicom.config import IGNORE
from pydicom.uid import UID


class Coding(StrEnum):
    """How the pixels lie in the file."""

    NATIVE = "uncompressed"
    RLE = "RLE"
    JPEG = "JPEG"
    JPEG_LS = "JPEG-LS"
    JPEG_2000 = "JPEG 2000"


@dataclass(frozen=True, kw_only=True)
class Syntax:
    """One transfer syntax. `lossy`: pixels may have lost detail, unless the file says that they have not."""

    uid: str
    coding: Coding = Coding.NATIVE
    implicit: bool = False
    little: bool = True
    deflated: bool = False
    lossy: bool = False


IMPLICIT_LITTLE = "1.2.840.10008.1.2"
EXPLICIT_LITTLE = "1.2.840.10008.1.2.1"
EXPLICIT_BIG = "1.2.840.10008.1.2.2"

_JPEG = "1.2.840.10008.1.2.4."

SYNTAXES = {
    syntax.uid: syntax
    for syntax in (
        Syntax(uid=IMPLICIT_LITTLE, implicit=True),
        Syntax(uid=EXPLICIT_LITTLE),
        Syntax(uid="1.2.840.10008.1.2.1.99", deflated=True),
        Syntax(uid=EXPLICIT_BIG, little=False),
        Syntax(uid="1.2.840.10008.1.2.5", coding=Coding.RLE),
        Syntax(uid=_JPEG + "50", coding=Coding.JPEG, lossy=True),
        Syntax(uid=_JPEG + "51", coding=Coding.JPEG, lossy=True),
        Syntax(uid=_JPEG + "57", coding=Coding.JPEG),
        Syntax(uid=_JPEG + "70", coding=Coding.JPEG),
        Syntax(uid=_JPEG + "80", coding=Coding.JPEG_LS),
        Syntax(uid=_JPEG + "81", coding=Coding.JPEG_LS, lossy=True),
        Syntax(uid=_JPEG + "90", coding=Coding.JPEG_2000),
        Syntax(uid=_JPEG + "91", coding=Coding.JPEG_2000, lossy=True),
        Syntax(uid=_JPEG + "201", coding=Coding.JPEG_2000),
        Syntax(uid=_JPEG + "202", coding=Coding.JPEG_2000),
        Syntax(uid=_JPEG + "203", coding=Coding.JPEG_2000, lossy=True),
    )
}


def title_of(uid: str) -> str:
    """The standard's name of a UID; "" for one that it does not know. Never the UID itself, which may be anything."""
    known = UID(uid, IGNORE)
    return "" if known.is_private or known.name == uid else known.name
