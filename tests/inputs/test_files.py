"""What the user names becomes a list of inputs, and nothing else is touched."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from fullfield.dicom import members
from fullfield.dicom.members import Archives
from fullfield.dicom.read import Content
from fullfield.enhance.item import located
from fullfield.errors import InputRefused, InputUnreadable, OutputInvalid
from fullfield.inputs.files import discover
from fullfield.protocol.batch import Item
from sources import dicomdir


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    base = tmp_path / "in"
    for name in ("b.dcm", "a/IMG0", "a/.DS_Store", "a/deep/x.png", "Thumbs.db", "DICOMDIR", ".hidden/y.dcm"):
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    return base


def relatives(found_in: Path | str, **options: object) -> list[str]:
    return [item.relative for item in discover([found_in], **options).items]  # type: ignore[arg-type]


def test_that_a_folder_is_read_in_a_stable_order_with_paths_below_it(folder: Path) -> None:
    assert relatives(folder) == ["b.dcm", "a/IMG0", "a/deep/x.png"]


def test_that_system_files_and_hidden_folders_are_passed_over_and_counted(folder: Path) -> None:
    assert discover([folder]).passed_over == 4


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_that_a_linked_folder_is_an_item_that_says_so_and_one_that_leads_back_is_counted(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "z.dcm").write_bytes(b"x")
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    (folder / "round").symlink_to(folder)
    found = discover([folder])
    assert "link" in [item.relative for item in found.items] and found.passed_over == 5
    assert "link" not in relatives(folder, exclude=tmp_path / "elsewhere")
    with pytest.raises(InputRefused, match="a link to a folder"):
        Content.of(folder / "link")
    item = Item(index=0, source=str(folder / "link"))
    with pytest.raises(InputRefused, match="a link to a folder"), Archives() as archives, located(item, archives):
        pass


@pytest.mark.parametrize("named", ["", "DICOMDIR", "@list.txt"])
def test_that_an_input_that_is_the_output_folder_is_refused_however_it_is_named(folder: Path, named: str) -> None:
    (folder / "list.txt").write_text(".", encoding="utf-8")
    name = f"@{folder / named[1:]}" if named.startswith("@") else folder / named
    with pytest.raises(OutputInvalid, match="the input folder itself"):
        discover([name], exclude=folder)


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_that_a_link_that_cannot_be_followed_is_an_input_that_fails_in_its_turn(folder: Path) -> None:
    (folder / "link.dcm").symlink_to("x" * 300)
    assert "link.dcm" in relatives(folder)
    named = discover([folder / "b.dcm", folder / "link.dcm"])
    assert [item.relative for item in named.items] == ["b.dcm", "link.dcm"]


def test_that_an_input_that_is_named_in_two_ways_is_one_input(folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("a.dcm", b"x")
        archive.writestr("b.dcm", b"x")
    ways = [folder, tmp_path / "in" / ".." / "in", folder / "a" / ".." / "b.dcm"]
    ways += [tmp_path / "x.zip", tmp_path / "in" / ".." / "x.zip"]
    found = discover(ways).items
    assert [item.relative for item in found] == ["b.dcm", "a/IMG0", "a/deep/x.png", "x/a.dcm", "x/b.dcm"]
    assert found[0].source == str(folder / "b.dcm"), "as it was named first"


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_that_a_link_and_what_it_leads_to_are_one_input(folder: Path) -> None:
    (folder / "link.dcm").symlink_to(folder / "b.dcm")
    assert relatives(folder) == ["b.dcm", "a/IMG0", "a/deep/x.png"]


def test_that_the_folders_below_can_be_left_out(folder: Path) -> None:
    assert relatives(folder, recursive=False) == ["b.dcm"]


def test_that_the_output_folder_inside_the_input_is_not_read_again(folder: Path) -> None:
    assert relatives(folder, exclude=folder / "a") == ["b.dcm"]


@pytest.fixture
def medium(tmp_path: Path) -> Path:
    """A CD: two images that its index lists and one that was copied to it later, among the files of a viewer."""
    base = tmp_path / "cd"
    for name in ("AUTORUN.INF", "VIEWER.EXE", "VIEWER/LOGO.PNG", "README.TXT", "DICOM/IM000001", "DICOM/IM000002"):
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_bytes(b"x")
    (base / "later.dcm").write_bytes(bytes(128) + b"DICM")
    (base / "DICOMDIR").write_bytes(dicomdir("DICOM\\IM000002", "DICOM\\IM000001"))
    return base


def test_that_a_dicomdir_stands_for_what_it_lists(medium: Path) -> None:
    found = discover([medium / "DICOMDIR"])
    assert [item.relative for item in found.items] == ["DICOM/IM000002", "DICOM/IM000001"]
    assert found.errors == () and found.passed_over == 0


def test_that_the_folder_of_a_medium_gives_what_is_listed_and_what_is_dicom_and_counts_the_viewer(medium: Path) -> None:
    found = discover([medium])
    assert [item.relative for item in found.items] == ["later.dcm", "DICOM/IM000001", "DICOM/IM000002"]
    assert found.passed_over == 5 and found.errors == ()
    assert relatives(medium, recursive=False) == ["later.dcm"]


@pytest.mark.parametrize("named", ["DICOMDIR", ""])
def test_that_a_listed_file_that_is_missing_is_an_input_that_will_say_so(medium: Path, named: str) -> None:
    (medium / "DICOM/IM000002").unlink()
    assert "DICOM/IM000002" in relatives(medium / named)


@pytest.mark.parametrize("named", ["DICOMDIR", ""])
def test_that_an_index_that_cannot_be_used_is_told_and_all_beside_it_taken(medium: Path, named: str) -> None:
    (medium / "DICOMDIR").write_bytes(dicomdir("..\\secret"))
    found = discover([medium / named])
    assert {item.relative for item in found.items} >= {"VIEWER/LOGO.PNG", "DICOM/IM000001", "later.dcm"}
    [error] = found.errors
    assert "DICOMDIR" in error.title and "leads out" in error.detail and str(medium) not in str(error)


def test_that_a_file_named_twice_is_one_input(folder: Path) -> None:
    assert len(discover([folder, folder / "b.dcm", folder / "b.dcm"]).items) == 3


@pytest.mark.skipif(os.name == "nt", reason="no name ends in a blank there")
def test_that_a_list_names_every_file_by_a_line_and_passes_over_an_indented_comment(folder: Path) -> None:
    names = ["a\x85b.dcm", "a\u2028b.dcm", "a\x0cb.dcm", "blank.dcm ", "c.dcm"]
    for name in names:
        (folder / name).write_bytes(b"x")
    text = "\r\n".join(["  # wards", *names[:-1], "  c.dcm  "])
    (folder / "list.txt").write_bytes(text.encode())
    assert relatives(f"@{folder / 'list.txt'}") == names


def test_that_a_list_names_inputs_beside_it(folder: Path) -> None:
    (folder.parent / "list.txt").write_text("# wards\nin/b.dcm\n\nin/a\n", encoding="utf-8")
    assert relatives(f"@{folder.parent / 'list.txt'}") == ["b.dcm", "IMG0", "deep/x.png"]


def test_that_a_line_of_a_list_that_is_not_there_is_an_input_that_will_say_so(folder: Path) -> None:
    (folder / "list.txt").write_text("gone.dcm\nb.dcm\n", encoding="utf-8")
    assert relatives(f"@{folder / 'list.txt'}") == ["gone.dcm", "b.dcm"]
    with pytest.raises(InputUnreadable, match=r"'none.txt'"):
        discover([f"@{folder / 'none.txt'}"])


def test_that_a_path_that_is_not_there_is_told_by_its_name(folder: Path) -> None:
    with pytest.raises(InputUnreadable, match=r"'gone.dcm'"):
        discover([folder / "gone.dcm"])


def test_that_paths_that_are_not_there_cost_none_of_the_others_where_that_is_wanted(folder: Path) -> None:
    kept = folder.parent / "list.txt"
    kept.write_text("lost.dcm\nin/b.dcm\n".replace("in/", f"{folder.name}/"), encoding="utf-8")
    found = discover([folder / "gone.dcm", f"@{kept}", f"@{folder / 'none.txt'}", folder / "b.dcm"], strict=False)
    assert [item.relative for item in found.items] == ["b.dcm"]
    assert [error.title.split("'")[1] for error in found.errors] == ["gone.dcm", "lost.dcm", "none.txt"]


def test_that_a_zip_gives_its_members_and_none_leads_out_of_it(tmp_path: Path) -> None:
    path = tmp_path / "study.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("../../etc/passwd", "s/1.dcm", "DICOMDIR", "C:\\x\\2.dcm"):
            archive.writestr(name, b"x")
    items = discover([path]).items
    assert [item.relative for item in items] == ["study/etc/passwd", "study/C_/x/2.dcm", "study/s/1.dcm"]
    assert {item.archive for item in items} == {str(path)}


def test_that_an_empty_zip_is_one_input_that_will_say_so(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    assert relatives(tmp_path / "empty.zip") == ["empty.zip"]


def test_that_a_zip_of_another_name_is_an_ordinary_input(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.dcm", "w") as archive:
        archive.writestr("y", b"")
    assert relatives(tmp_path / "x.dcm") == ["x.dcm"]


def test_that_a_zip_whose_table_of_contents_is_a_bomb_is_one_input_and_never_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(50):
            archive.writestr(f"{number}.dcm", b"x")
    monkeypatch.setattr(members, "MAX_DIRECTORY_BYTES", 1000)
    assert relatives(path) == ["bomb.zip"]


def test_that_a_large_zip_in_its_64_bit_form_is_still_listed(tmp_path: Path) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(65_600):  # more than the short form can count
            archive.writestr(f"{number}", b"")
    assert len(relatives(path)) == 65_600


DICOM = bytes(128) + b"DICM" + bytes(64)
JPEG = b"\xff\xd8\xff\xe0" + bytes(64)
VIEWER = {
    "AUTORUN.INF": b"[autorun]\r\nopen=VIEWER.EXE",
    "README.TXT": b"Insert this disc",
    "README": b"Insert this disc",
    "VIEWER.EXE": b"MZ" + bytes(200),
    "bin/codec.dll": b"MZ" + bytes(200),
    "help/index.html": b"<html>",
    "help/style.css": b"body {}",
    "help/start.js": b"",
    "help/icon.ico": b"\0\0\1\0" + bytes(64),
    "report.pdf": b"%PDF-1.7",
}
TOLD = {
    "IM1": DICOM,
    "DICOMDIR-2": dicomdir("IM1"),
    "named/README.TXT": DICOM,
    "named/bare.dll": b"\x08\0\x05\0CS\x0a\0ISO_IR 100",
    "named/x.exe": JPEG,
    "named/x.webp": b"RIFF\x10\0\0\0WEBPVP8 " + bytes(64),
    "odd/thing": b"neither",
    "odd/thing.dat": b"neither",
}


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "ZIP"])
def test_that_a_viewer_and_its_papers_are_passed_over_by_name_and_content_and_counted(
    tmp_path: Path, packed: bool
) -> None:
    for name, content in (VIEWER | TOLD).items():
        (tmp_path / "cd" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "cd" / name).write_bytes(content)
    named, below = tmp_path / "cd", ""
    if packed:
        named, below = tmp_path / "cd.zip", "cd/"
        with zipfile.ZipFile(named, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in (VIEWER | TOLD).items():
                archive.writestr(name, content)
    found = discover([named])
    assert {item.relative for item in found.items} == {below + name for name in TOLD}
    assert found.passed_over == len(VIEWER) and found.errors == ()


def test_that_a_file_that_the_user_named_is_an_input_whatever_it_is(tmp_path: Path) -> None:
    (tmp_path / "README.TXT").write_bytes(b"Insert this disc")
    assert relatives(tmp_path / "README.TXT") == ["README.TXT"]


def test_that_an_index_under_another_name_stands_for_what_it_lists_too(medium: Path) -> None:
    (medium / "DICOMDIR").rename(medium / "index.dcm")
    assert relatives(medium / "index.dcm") == ["DICOM/IM000002", "DICOM/IM000001"]


def test_that_the_first_bytes_of_a_member_that_is_packed_in_a_rare_way_are_not_looked_at(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "rare.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("README.TXT", b"Insert this disc")
    assert relatives(tmp_path / "rare.zip") == ["rare/README.TXT"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_that_a_pipe_in_a_folder_is_never_opened(folder: Path) -> None:
    os.mkfifo(folder / "README.TXT")
    assert "README.TXT" in relatives(folder)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_that_an_output_folder_that_is_a_link_to_itself_stops_no_listing(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("out")
    (folder / "round").symlink_to("round")
    assert set(relatives(folder, exclude=tmp_path / "out")) >= {"b.dcm", "round"}
