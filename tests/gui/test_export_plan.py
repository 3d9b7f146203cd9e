"""Where exports go."""

from __future__ import annotations

from pathlib import Path

from fullfield.image.delivery import FULL
from fullfield.image.export import OutputFormat
from fullfield.jobs.inputs import InputFile
from fullfield_app.gui.enhance.export_choices import Order
from fullfield_app.gui.enhance.export_plan import Existing, plan
from fullfield_app.gui.enhance.row import Row


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
