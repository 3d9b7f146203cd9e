"""Which image is the input and which its reference."""

from __future__ import annotations

import pytest

from collection import Collection
from fullfield.data import index, pairs, repeated
from fullfield.data.pairs import NothingToTrainOn, Origin, Pairing
from fullfield.errors import InputRefused
from fullfield.image.image import Pixels


def found(collection: Collection, reference: str = "auto") -> Pairing:
    return pairs.find(collection.folder, index.build(collection.folder, collection), reference=reference)


def names(pairing: Pairing) -> set[tuple[str, str | None]]:
    return {(p.source.relative, p.reference.relative if p.reference else None) for p in pairing.pairs}


def test_that_raw_and_reference_folders_pair_by_name(collection: Collection, noise: Pixels) -> None:
    collection.add("raw/a/7.dcm", noise)
    collection.add("reference/a/7.png", noise + 1)
    collection.add("raw/8.dcm", noise + 2)
    pairing = found(collection)
    assert pairing.origin is Origin.NAMES
    assert names(pairing) == {("raw/a/7.dcm", "reference/a/7.png")}
    assert [(p.kind, p.relative) for p in pairing.problems] == [("unpaired", "raw/8.dcm")]


def test_that_names_that_are_uids_and_suffixes_of_one_name_exchange_no_images(
    collection: Collection, noise: Pixels
) -> None:
    for number in (11, 12, 13):
        collection.add(f"raw/1.2.826.{number}", noise + number)
    for number in (11, 13):
        collection.add(f"reference/1.2.826.{number}", noise - number)
    several = ("raw/case.dcm", "raw/case.png", "reference/case.dcm", "reference/case.tif")
    for number, name in enumerate((*several, "raw/two.dcm", "reference/two.png", "reference/two.tif"), 20):
        collection.add(name, noise + number)
    pairing = found(collection)
    assert names(pairing) == {
        ("raw/1.2.826.11", "reference/1.2.826.11"),
        ("raw/1.2.826.13", "reference/1.2.826.13"),
        ("raw/case.dcm", "reference/case.dcm"),
    }
    assert {(problem.kind, problem.relative) for problem in pairing.problems} == {
        ("unpaired", "raw/1.2.826.12"),
        ("ambiguous", "raw/case.png"),
        ("ambiguous", "reference/case.tif"),
        ("ambiguous", "raw/two.dcm"),
        ("ambiguous", "reference/two.png"),
        ("ambiguous", "reference/two.tif"),
    }


def test_that_names_that_differ_in_capital_letters_alone_exchange_no_images(
    collection: Collection, noise: Pixels
) -> None:
    for number, name in enumerate(("IMG1.png", "img1.png", "b.png", "C.png", "c.png", "D.png", "d.png")):
        collection.add(f"raw/{name}", noise + number)
    for number, name in enumerate(("IMG1.png", "img1.png", "B.PNG", "c.png", "E.png"), 20):
        collection.add(f"reference/{name}", noise + number)
    for number, name in enumerate(("raw/a2.dcm", "raw/A2.png", "reference/a2.png", "reference/A2.dcm"), 40):
        collection.add(name, noise + number)
    pairing = found(collection)
    assert names(pairing) == {
        ("raw/a2.dcm", "reference/a2.png"),
        ("raw/A2.png", "reference/A2.dcm"),
        ("raw/IMG1.png", "reference/IMG1.png"),
        ("raw/img1.png", "reference/img1.png"),
        ("raw/b.png", "reference/B.PNG"),
        ("raw/c.png", "reference/c.png"),
    }
    assert [(one.text, one.relative) for one in pairing.problems if one.kind == "ambiguous"] == [
        (pairs.SEVERAL, "raw/C.png")
    ]
    unpaired = {one.relative for one in pairing.problems if one.kind == "unpaired"}
    assert unpaired == {"raw/D.png", "raw/d.png", "reference/E.png"}


def test_that_a_list_without_lines_is_told_what_to_do(collection: Collection, noise: Pixels) -> None:
    collection.add("1.png", noise)
    (collection.folder / "pairs.csv").write_text("raw,reference\n")
    with pytest.raises(NothingToTrainOn, match="or list them in pairs"):
        found(collection)


def test_that_where_no_reference_can_be_read_no_references_are_made_in_their_place(
    collection: Collection, noise: Pixels
) -> None:
    collection.add("raw/1.dcm", noise)
    (collection.folder / "reference").mkdir()
    (collection.folder / "reference" / "1.dcm").write_bytes(b"?")
    with pytest.raises(NothingToTrainOn, match="Mend what is named here, or choose a preset") as raised:
        found(collection)
    assert [one.kind for one in raised.value.problems] == ["unreadable", "unpaired"]
    assert names(found(collection, reference="image")) == {("raw/1.dcm", None)}


@pytest.mark.parametrize("listed", [False, True])
def test_that_whom_the_header_of_a_reference_names_is_the_patient_of_an_image_without_one(
    collection: Collection, noise: Pixels, listed: bool
) -> None:
    for number, name in enumerate(("first", "second", "third")):
        collection.add(f"raw/{name}.png", noise + number, source_format="png")
        collection.add(f"reference/{name}.dcm", noise - number, patient="other" if name == "third" else "same")
    if listed:
        rows = "".join(f"raw/{name}.png,reference/{name}.dcm\n" for name in ("first", "second", "third"))
        (collection.folder / "pairs.csv").write_text(f"raw,reference\n{rows}")
    first, second, third = (
        next(pair.patient for pair in found(collection).pairs if name in pair.source.relative)
        for name in ("first", "second", "third")
    )
    assert first == second != third


def test_that_a_reference_of_another_matrix_is_refused(collection: Collection, noise: Pixels) -> None:
    collection.add("raw/1.dcm", noise)
    collection.add("reference/1.dcm", noise[:, :40].copy())
    collection.add("raw/2.dcm", noise + 1)
    collection.add("reference/2.dcm", noise + 2)
    pairing = found(collection)
    assert names(pairing) == {("raw/2.dcm", "reference/2.dcm")}
    assert pairing.problems[0].text == "its matrix is 48×64, its reference's 40×64."


def test_that_a_list_decides_pairs_and_patients(collection: Collection, noise: Pixels) -> None:
    for number in range(4):
        collection.add(f"{number}.dcm", noise + number)
    rows = "Raw,Reference,Patient\n0.dcm,1.dcm,one\n2.dcm,3.dcm,one\n2.dcm,9.dcm,one\n"
    (collection.folder / "pairs.csv").write_text(rows, encoding="utf-8-sig")
    pairing = found(collection)
    assert names(pairing) == {("0.dcm", "1.dcm"), ("2.dcm", "3.dcm")}
    assert {pair.patient for pair in pairing.pairs} == {"one"}
    assert pairing.problems[0].text == "Line 4 of pairs.csv: its reference is not there or cannot be read."


def test_that_lines_of_a_list_that_contradict_each_other_are_left_out_and_told(
    collection: Collection, noise: Pixels
) -> None:
    for number in range(8):
        collection.add(f"{number}.dcm", noise + number)
    rows = "raw,reference\n0.dcm,1.dcm\n0.dcm,2.dcm\n3.dcm,1.dcm\n4.dcm,5.dcm\n4.dcm,5.dcm\n5.dcm,6.dcm\n"
    (collection.folder / "pairs.csv").write_text(rows)
    pairing = found(collection)
    assert names(pairing) == {("4.dcm", "5.dcm"), ("5.dcm", "6.dcm")}
    assert [one.text for one in pairing.problems if one.kind == "ambiguous"] == [
        f"Line {number} of pairs.csv: one of its images is in another line with another partner."
        for number in (2, 3, 4)
    ]


@pytest.mark.parametrize("listed", [False, True])
def test_that_one_content_under_two_names_with_two_references_is_left_out_and_told(
    collection: Collection, noise: Pixels, listed: bool
) -> None:
    for number, name in enumerate(("one", "again", "copy", "other")):
        collection.add(f"raw/{name}.dcm", noise + (number == 3))
        collection.add(f"reference/{name}.dcm", noise + 10 + (number if number != 2 else 1))
    collection.add("raw/twin.dcm", noise + 1)
    collection.add("reference/twin.dcm", noise + 13)
    if listed:
        rows = "".join(f"raw/{name}.dcm,reference/{name}.dcm\n" for name in ("one", "again", "copy", "other", "twin"))
        (collection.folder / "pairs.csv").write_text(f"raw,reference\n{rows}")
    pairing = found(collection)
    assert [pair.source.relative in ("raw/other.dcm", "raw/twin.dcm") for pair in pairing.pairs] == [True]
    assert {(one.kind, one.text, one.relative) for one in pairing.problems} == {
        *(("ambiguous", repeated.CONTRADICTED, f"raw/{name}.dcm") for name in ("one", "again", "copy")),
        ("repeated", "Images that are there more than once count once: 1.", ""),
    }


def test_that_lines_of_a_list_are_told_as_an_editor_counts_them_and_empty_ones_are_passed_over(
    collection: Collection, noise: Pixels
) -> None:
    for number in range(2):
        collection.add(f"{number}.dcm", noise + number)
    (collection.folder / "pairs.csv").write_text("raw;reference\n0.dcm;1.dcm\n\n\n0.dcm;9.dcm\n;;\n; \n")
    assert [one.text[:6] for one in found(collection).problems] == ["Line 5"]


def test_that_a_list_whose_columns_are_parted_by_semicolons_is_read_as_one_with_commas(
    collection: Collection, noise: Pixels
) -> None:
    for name in ("0.dcm", "1,2.dcm"):
        collection.add(name, noise + len(name))
    (collection.folder / "pairs.csv").write_text("raw;reference\r\n0.dcm;1,2.dcm\r\n", encoding="utf-8-sig")
    assert names(found(collection)) == {("0.dcm", "1,2.dcm")}


@pytest.mark.parametrize("first", ["0.dcm,1.dcm", "raw|reference", "raw", ""])
def test_that_a_list_without_its_columns_is_said_to_lack_them(
    collection: Collection, noise: Pixels, first: str
) -> None:
    collection.add("0.dcm", noise)
    (collection.folder / "pairs.csv").write_text(f"{first}\n0.dcm,0.dcm\n")
    with pytest.raises(NothingToTrainOn, match="lacks the columns raw and reference"):
        found(collection)


def test_that_a_source_image_sequence_pairs(collection: Collection, noise: Pixels) -> None:
    collection.add("a.dcm", noise, sop_instance_uid="1.1", patient="P")
    collection.add("b.dcm", noise + 1, sop_instance_uid="1.2", source_sop_instance_uids=["1.1"], patient="P")
    collection.add("c.dcm", noise + 2, sop_instance_uid="1.3", patient="Q")
    pairing = found(collection)
    assert pairing.origin is Origin.DICOM
    assert names(pairing) == {("a.dcm", "b.dcm")}
    assert [(p.kind, p.relative) for p in pairing.problems] == [("unpaired", "c.dcm")]


def exposure(collection: Collection, name: str, pixels: Pixels, intent: str, view: str) -> None:
    collection.add(
        name, pixels, study_instance_uid="1.5", view_position=view, presentation_intent=intent, sop_instance_uid=name
    )


def test_that_one_exposure_pairs_its_two_intents(collection: Collection, noise: Pixels) -> None:
    for view in ("PA", "LL"):
        exposure(collection, f"{view}1.dcm", noise, "FOR PROCESSING", view)
        exposure(collection, f"{view}2.dcm", noise + 1, "FOR PRESENTATION", view)
        noise = noise + 2
    assert names(found(collection)) == {("PA1.dcm", "PA2.dcm"), ("LL1.dcm", "LL2.dcm")}


def test_that_two_exposures_of_one_view_are_not_guessed(collection: Collection, noise: Pixels) -> None:
    for number in range(2):
        exposure(collection, f"{number}1.dcm", noise + number, "FOR PROCESSING", "PA")
        exposure(collection, f"{number}2.dcm", noise + 9 + number, "FOR PRESENTATION", "PA")
    with pytest.raises(InputRefused, match="No pairs"):
        found(collection, reference="pairs")


def test_that_what_was_acquired_at_another_time_or_event_is_no_partner_and_what_is_of_one_is(
    collection: Collection, noise: Pixels
) -> None:
    told = {
        "a": ("1.5", "time 20260101120000", "time 20260101120500"),  # one of each, of two exposures
        "b": ("1.6", "event 1.2", "event 1.2"),
        "c": ("1.6", "event 1.3", "event 1.3"),  # a second exposure of that view
        "d": ("1.7", "event 1.4", "time 20260101120000"),  # who can tell?
    }
    for number, (name, (study, *when)) in enumerate(told.items()):
        for place, intent in enumerate(("FOR PROCESSING", "FOR PRESENTATION")):
            collection.add(
                f"{name}{place}.dcm",
                noise + 2 * number + place,
                study_instance_uid=study,
                view_position="PA",
                presentation_intent=intent,
                acquired=when[place],
            )
    pairing = found(collection)
    assert names(pairing) == {(f"{name}0.dcm", f"{name}1.dcm") for name in "bcd"}
    assert {(one.kind, one.relative) for one in pairing.problems} == {("unpaired", "a0.dcm"), ("unpaired", "a1.dcm")}


def test_that_single_images_wait_for_a_reference_to_be_made(collection: Collection, noise: Pixels) -> None:
    collection.add("a.png", noise)
    collection.add("same.png", noise)
    collection.add("b.png", noise + 1)
    pairing = found(collection)
    assert pairing.origin is Origin.SINGLE
    assert len(pairing.pairs) == 2
    assert [problem.kind for problem in pairing.problems] == ["repeated"]


def test_that_results_of_this_program_beside_originals_are_no_references_and_that_is_said(
    collection: Collection, noise: Pixels
) -> None:
    for number in range(3):
        collection.add(f"{number}.dcm", noise + number, sop_instance_uid=f"1.{number}")
    collection.add(
        "enhanced/1_enhanced.dcm", noise + 9, sop_instance_uid="1.9", source_sop_instance_uids=["1.1"], enhanced=True
    )
    pairing = found(collection)
    assert pairing.origin is Origin.SINGLE
    assert names(pairing) == {(f"{number}.dcm", None) for number in range(3)}
    (problem,) = pairing.problems
    assert (problem.relative, problem.text) == ("enhanced/1_enhanced.dcm", pairs.OWN)


def test_that_a_folder_of_this_program_s_results_alone_is_nothing_to_learn_from(
    collection: Collection, noise: Pixels
) -> None:
    collection.add("1_enhanced.png", noise, enhanced=True)
    with pytest.raises(NothingToTrainOn, match="is a result of Fullfield"):
        found(collection)


@pytest.mark.parametrize("listed", [False, True])
def test_that_a_result_of_this_program_that_somebody_laid_or_listed_as_a_reference_is_one(
    collection: Collection, noise: Pixels, listed: bool
) -> None:
    collection.add("raw/1.dcm", noise)
    collection.add("reference/1.dcm", noise + 1, enhanced=True)
    if listed:
        (collection.folder / "pairs.csv").write_text("raw,reference\nraw/1.dcm,reference/1.dcm\n")
    assert names(found(collection)) == {("raw/1.dcm", "reference/1.dcm")}


def test_that_a_folder_without_images_is_refused(collection: Collection) -> None:
    with pytest.raises(InputRefused, match="anything to train on"):
        found(collection)


def test_that_an_error_names_the_first_problems_and_no_list(collection: Collection) -> None:
    for number in range(5):
        (collection.folder / f"SECRET{number}.dcm").write_bytes(b"?")
    with pytest.raises(NothingToTrainOn) as raised:
        found(collection)
    assert "0 files can be read" in raised.value.detail and "File 3: cannot be used" in raised.value.detail
    assert "File 4" not in str(raised.value) and "SECRET" not in str(raised.value) and "list" not in str(raised.value)
    assert len(raised.value.problems) == 5
