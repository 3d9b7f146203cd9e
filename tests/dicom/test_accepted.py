"""Which files are radiographs: a table of classes and modalities, and what each refusal calls the others."""

from __future__ import annotations

import pytest

from fullfield.dicom.structure import examine
from fullfield.errors import InputRefused, InputUnreadable
from originals import CLASS
from sources import dataset, encoded


@pytest.mark.parametrize("kind", CLASS)
def test_that_the_classes_of_radiographs_are_accepted(kind: str) -> None:
    assert examine(encoded(dataset(kind=kind))).sop_class == CLASS[kind]


@pytest.mark.parametrize("modality", ["CR", "DX", "RG", "MG", "IO", "PX"])
def test_that_a_capture_of_a_radiograph_is_accepted(modality: str) -> None:
    assert examine(encoded(dataset(kind="SC", Modality=modality))).sop_class == CLASS["SC"]


@pytest.mark.parametrize(
    ("uid", "modality", "words"),
    [
        ("1.2.840.10008.5.1.4.1.1.2", "CT", "it is of the class CT Image"),
        ("1.2.840.10008.5.1.4.1.1.4", "MR", "it is of the class MR Image"),
        ("1.2.840.10008.5.1.4.1.1.6.1", "US", "Ultrasound Image"),
        ("1.2.840.10008.5.1.4.1.1.481.1", "RTIMAGE", "a radiotherapy image (RTIMAGE)"),
        ("1.2.840.10008.5.1.4.1.1.12.1", "XA", "X-Ray Angiographic Image"),
        ("1.2.840.10008.5.1.4.1.1.12.2", "RF", "X-Ray Radiofluoroscopic Image"),
        ("1.2.840.10008.5.1.4.1.1.7.2", "DX", "Multi-frame Grayscale Byte Secondary Capture"),
        ("1.2.840.10008.1.3.10", "", "a DICOMDIR"),
        ("1.2.840.10008.5.1.4.1.1.11.1", "PR", "Grayscale Softcopy Presentation State"),
        (CLASS["SC"], "CT", "a CT image, captured as a picture"),
        (CLASS["SC"], "OT", "does not say it is a radiograph"),
        (CLASS["SC"], "", "does not say it is a radiograph"),
        ("1.2.3.4.5", "MR", "an MR image"),
        ("1.2.3.4.5", "??", "of a class that Fullfield does not know"),
    ],
)
def test_that_everything_else_is_refused_by_its_name(uid: str, modality: str, words: str) -> None:
    with pytest.raises(InputRefused) as refusal:
        examine(encoded(dataset(SOPClassUID=uid, Modality=modality)))
    assert words in refusal.value.title and refusal.value.hint


def test_that_a_file_that_does_not_say_what_it_is_is_unreadable() -> None:
    made = dataset()
    content = encoded(made).replace(b"\x08\0\x16\0UI", b"\x08\0\x17\0UI").replace(b"\2\0\2\0UI", b"\2\0\4\0UI")
    with pytest.raises(InputUnreadable, match="SOP Class UID"):
        examine(content)


def test_that_the_class_of_the_meta_information_helps_out_and_is_told() -> None:
    found = examine(encoded(dataset()).replace(b"\x08\0\x16\0UI", b"\x08\0\x17\0UI"))
    assert found.sop_class == CLASS["CR"] and "meta information" in found.parsed.warnings[0]
