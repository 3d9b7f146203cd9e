"""Which class an enhanced image becomes, by what its source says (PS3.3 A.2, A.8, A.26 to A.28)."""

from __future__ import annotations

import pytest
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence
from pydicom.uid import UID

from fullfield.dicom import classes
from fullfield.dicom.classes import CR, DX, IO, MG, SC, Choice, OutputClass, choose
from originals import CLASS, attributes

OWN = {"CR": CR, "DX": DX, "DX raw": DX, "MG": MG, "MG raw": MG, "IO": IO, "IO raw": IO, "SC": SC}


@pytest.mark.parametrize("kind", CLASS)
def test_that_a_sound_source_becomes_its_own_class_for_presentation(kind: str) -> None:
    found = choose(attributes(kind))
    assert found.output is OWN[kind] and found.missing == () and found.remark == ""
    assert (CLASS[kind] in classes.FOR_PROCESSING) is kind.endswith("raw")


@pytest.mark.parametrize(
    ("output", "name", "modality", "for_presentation"),
    [
        (CR, "Computed Radiography", "CR", False),
        (DX, "Digital X-Ray", "DX", True),
        (MG, "Digital Mammography", "MG", True),
        (IO, "Digital Intra-Oral X-Ray", "IO", True),
        (SC, "Secondary Capture", "", False),
    ],
)
def test_that_a_class_is_what_the_standard_calls_it(
    output: OutputClass, name: str, modality: str, for_presentation: bool
) -> None:
    assert (output.name, output.modality, output.for_presentation) == (name, modality, for_presentation)
    assert name.split()[0] in UID(output.uid).name
    assert ("Presentation" in UID(output.uid).name) is for_presentation
    assert {"PatientName", "PatientID", "StudyDate", "AccessionNumber"} <= set(output.type_2)
    assert not set(output.facts) & set(output.type_2), "what must be known cannot be empty"


@pytest.mark.parametrize("kind", ["DX", "MG", "IO"])
def test_that_what_only_the_acquisition_knows_makes_a_capture_where_it_is_missing(kind: str) -> None:
    for keyword in OWN[kind].facts:
        found = choose(attributes(kind, **{keyword: None}))
        assert found == Choice(output=SC, missing=(keyword,), modality=OWN[kind].modality)
        assert found.remark.startswith("Written as Secondary Capture") and keyword in found.remark
    several = choose(attributes(kind, ImageLaterality=None, BurnedInAnnotation=None))
    assert "ImageLaterality, BurnedInAnnotation, which is never invented" in several.remark


def test_that_an_import_and_a_class_that_is_not_known_become_captures() -> None:
    for source in (Dataset(), attributes(SOPClassUID="1.2.3")):
        assert choose(source) == Choice(output=SC) and choose(source).modality == "RG"


def test_that_an_empty_fact_is_a_missing_one() -> None:
    found = choose(attributes("MG", ViewCodeSequence=Sequence([])))
    assert found.output is SC and found.missing == ("ViewCodeSequence",)
