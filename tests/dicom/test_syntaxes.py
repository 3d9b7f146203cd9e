"""How the pixels of each transfer syntax are coded (PS3.5 §10, PS3.6 A-1)."""

from __future__ import annotations

import pytest
from pydicom import uid
from pydicom.uid import UID

from fullfield.dicom.syntaxes import SYNTAXES, Coding, title_of

LOSSY = {
    uid.JPEGBaseline8Bit,
    uid.JPEGExtended12Bit,
    uid.JPEGLSNearLossless,
    uid.JPEG2000,
    uid.HTJ2K,
}


@pytest.mark.parametrize("known", SYNTAXES, ids=title_of)
def test_that_a_syntax_is_as_the_standard_says_it_is(known: str) -> None:
    found, said = SYNTAXES[known], UID(known)
    assert found.uid == known and said.is_transfer_syntax
    assert (found.implicit, found.little) == (said.is_implicit_VR, said.is_little_endian)
    assert found.deflated is said.is_deflated
    assert found.lossy is (said in LOSSY)
    assert (found.coding is Coding.NATIVE) is not said.is_compressed or found.deflated
    word = {Coding.NATIVE: "", Coding.RLE: "RLE", Coding.JPEG_LS: "JPEG-LS", Coding.JPEG_2000: "JPEG 2000"}
    if found.coding is Coding.JPEG:
        assert "JPEG" in said.name and "LS" not in said.name and "2000" not in said.name
    else:
        assert word[found.coding] in said.name.replace("High-Throughput JPEG", "JPEG")


def test_that_a_uid_is_named_by_the_standard_or_not_at_all() -> None:
    assert title_of(uid.CTImageStorage) == "CT Image Storage"
    assert title_of("1.2.3.4") == title_of("") == title_of("no uid") == ""
    assert title_of("1.2.840.113619.4.30") == "", "a maker's own"
