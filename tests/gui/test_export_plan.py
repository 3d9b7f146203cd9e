"""Where exports go."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from fullfield import files
from fullfield.enhance.ledger import Ledger, Wanted
from fullfield.image.delivery import FULL
from fullfield.image.export import OutputFormat
from fullfield.inputs.files import InputFile
from fullfield_app.gui.enhance.export_choices import Order
from fullfield_app.gui.enhance.export_plan import Existing, plan
from fullfield_app.gui.queue.row import Row


def publish(folder: Path, name: str, sha256: str) -> Path:
    """A result that was written for the image of this content."""
    with closing(Ledger(folder)) as ledger:
        staged = ledger.parts / "0"
        staged.write_bytes(sha256.encode())
        wanted = Wanted(target=folder / name, input=sha256, anew=True)
        return ledger.publish(staged, wanted, settings="s", output=files.sha256(staged))


def known(relative: str, sha256: str, index: int = 0) -> Row:
    """An image that has been opened, of a patient of its own."""
    return Row(index=index, item=InputFile(source=f"/in/{sha256}/{relative}", relative=relative), sha256=sha256)


def rows(*sources: tuple[Path, str]) -> list[Row]:
    return [
        Row(index=index, item=InputFile(source=str(source), relative=relative))
        for index, (source, relative) in enumerate(sources)
    ]


def ordered(chosen: set[int], folder: Path) -> Order:
    return Order(folder=folder, format=OutputFormat.DICOM, tail=".dcm", deliveries=dict.fromkeys(chosen, FULL))


def targets(made: list[Row], chosen: set[int], folder: Path, existing: Existing = Existing.ASK) -> list[Path]:
    planned = plan(made, ordered(chosen, folder), existing=existing)
    return [Path(export.target) for export in planned.exports]


def test_that_names_come_from_the_files_names_with_a_mark(tmp_path: Path) -> None:
    made = rows((Path("/in/IM1.dcm"), "IM1.dcm"), (Path("/in/sub/IM2"), "sub/IM2"))
    assert targets(made, {0, 1}, tmp_path) == [tmp_path / "IM1_enhanced.dcm", tmp_path / "sub" / "IM2_enhanced.dcm"]


def test_that_what_is_ordered_together_is_known_as_one_order_and_an_export_asked_for_twice_as_one(
    tmp_path: Path,
) -> None:
    made = rows((Path("/in/IM1.dcm"), "IM1.dcm"), (Path("/in/IM2.dcm"), "IM2.dcm"))
    one, other = (plan(made, ordered({0, 1}, tmp_path), existing=Existing.ASK).exports for _ in range(2))
    assert one[0].order == one[1].order != other[0].order and one == other


def test_that_two_files_of_one_name_do_not_write_over_each_other(tmp_path: Path) -> None:
    made = rows((Path("/a/IM1.dcm"), "IM1.dcm"), (Path("/b/IM1.dcm"), "IM1.dcm"))
    assert len(set(targets(made, {0, 1}, tmp_path))) == 2


def test_that_files_that_are_there_are_told_and_not_overwritten_unasked(tmp_path: Path) -> None:
    (tmp_path / "IM1_enhanced.dcm").write_bytes(b"earlier")
    made = rows((Path("/in/IM1.dcm"), "IM1.dcm"))
    planned = plan(made, ordered({0}, tmp_path), existing=Existing.ASK)
    assert planned.existing == (tmp_path / "IM1_enhanced.dcm",)
    assert not planned.exports[0].overwrite


def test_that_keeping_both_finds_a_free_name(tmp_path: Path) -> None:
    (tmp_path / "IM1_enhanced.dcm").write_bytes(b"earlier")
    (tmp_path / "IM1_enhanced-2.dcm").write_bytes(b"earlier too")
    made = rows((Path("/in/IM1.dcm"), "IM1.dcm"))
    assert targets(made, {0}, tmp_path, Existing.KEEP_BOTH) == [tmp_path / "IM1_enhanced-3.dcm"]


def test_that_an_original_is_never_a_target_even_when_replacing_is_agreed(tmp_path: Path) -> None:
    original = tmp_path / "IM1_enhanced.dcm"
    original.write_bytes(b"an original of that name")
    made = rows((tmp_path / "IM1.dcm", "IM1.dcm"), (original, "IM1_enhanced.dcm"))
    for existing in Existing:
        assert original not in targets(made, {0, 1}, tmp_path, existing)


def test_that_another_images_result_is_neither_asked_about_nor_a_target(tmp_path: Path) -> None:
    publish(tmp_path, "IM1_enhanced.dcm", "first")
    for existing in Existing:
        planned = plan([known("IM1.dcm", "second")], ordered({0}, tmp_path), existing=existing)
        assert planned.existing == ()
        assert [export.target for export in planned.exports] == [str(tmp_path / "IM1_enhanced-2.dcm")]


def test_that_an_images_own_result_is_asked_about_under_the_number_that_it_has(tmp_path: Path) -> None:
    publish(tmp_path, "IM1_enhanced.dcm", "first")
    own = publish(tmp_path, "IM1_enhanced-2.dcm", "second")
    images = [known("IM1.dcm", "second")]
    assert plan(images, ordered({0}, tmp_path), existing=Existing.ASK).existing == (own,)
    assert targets(images, {0}, tmp_path, Existing.REPLACE) == [own]
    assert targets(images, {0}, tmp_path, Existing.KEEP_BOTH) == [tmp_path / "IM1_enhanced-3.dcm"]


def test_that_each_of_several_images_of_a_name_keeps_the_number_that_it_has(tmp_path: Path) -> None:
    for number, sha256 in (("", "first"), ("-2", "second"), ("-3", "third")):
        publish(tmp_path, f"IM1_enhanced{number}.dcm", sha256)
    images = [known("IM1.dcm", sha256, index) for index, sha256 in enumerate(("new", "third", "first"))]
    planned = plan(images, ordered({0, 1, 2}, tmp_path), existing=Existing.ASK)
    names = [Path(export.target).name for export in planned.exports]
    assert names == ["IM1_enhanced-4.dcm", "IM1_enhanced-3.dcm", "IM1_enhanced.dcm"]
    assert planned.existing == (tmp_path / "IM1_enhanced-3.dcm", tmp_path / "IM1_enhanced.dcm")


def test_that_copies_of_one_image_have_a_name_each(tmp_path: Path) -> None:
    images = [known("IM1.dcm", "same", index) for index in range(2)]
    first = targets(images, {0, 1}, tmp_path)
    assert len(set(first)) == 2
    for target in first:
        publish(tmp_path, target.name, "same")
    assert sorted(targets(images, {0, 1}, tmp_path, Existing.REPLACE)) == sorted(first)


def test_that_a_result_that_was_deleted_is_written_again_without_a_question(tmp_path: Path) -> None:
    publish(tmp_path, "IM1_enhanced.dcm", "first").unlink()
    planned = plan([known("IM1.dcm", "first")], ordered({0}, tmp_path), existing=Existing.ASK)
    assert planned.existing == () and planned.exports[0].target == str(tmp_path / "IM1_enhanced.dcm")
