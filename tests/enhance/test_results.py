"""A name belongs to the content of its input, whatever number it has got, and whatever an earlier version did."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path, PurePosixPath

import pytest

from fullfield.enhance.results import FILE, FOLDER, GAP, Entry, Holds, Results, number_of, numbered
from fullfield.errors import OutputInvalid


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write(out: Path, name: str, *, input: str, content: bytes | None = b"result", known: bytes | None = None) -> Path:
    """A result of ours; `content` None: its user has deleted it; `known`: what was written, where it was changed."""
    line = {"input": input, "settings": "s", "name": digest(name.encode())}
    line["output"] = digest(known if known is not None else content or b"result")
    (out / FOLDER).mkdir(exist_ok=True)
    with (out / FOLDER / FILE).open("a") as stream:
        stream.write(json.dumps(line) + "\n")
    if content is not None:
        (out / name).write_bytes(content)
    return out / name


@pytest.mark.parametrize(
    ("name", "number", "third"),
    [
        ("a_enhanced.dcm", 1, "a_enhanced-3.dcm"),
        ("a_enhanced-2.dcm", 2, "a_enhanced-3.dcm"),
        ("w/a.b_enhanced-displayed-12.png", 12, "w/a.b_enhanced-displayed-3.png"),
        ("1.2.840.10008_enhanced.dcm", 1, "1.2.840.10008_enhanced-3.dcm"),
        ("-2.dcm", 1, "-2-3.dcm"),
        ("a-02.dcm", 1, "a-02-3.dcm"),
    ],
)
def test_that_a_name_has_one_number_at_its_end(name: str, number: int, third: str) -> None:
    path = PurePosixPath(name)
    assert number_of(path) == number and str(numbered(path, 3)) == third
    assert numbered(numbered(path, 3), number) == path


def test_that_an_input_finds_its_own_behind_names_of_others_and_deleted_ones(tmp_path: Path) -> None:
    write(tmp_path, "x.dcm", input="one", content=b"one")
    write(tmp_path, "x-2.dcm", input="two", content=None)
    (tmp_path / "x-3.dcm").write_bytes(b"of someone else, and gone by now")
    own = write(tmp_path, "x-4.dcm", input="four", content=b"four")
    (tmp_path / "x-3.dcm").unlink()
    found = Results(tmp_path).find(tmp_path / "x.dcm", input="four")
    assert (found.path, found.holds, found.settings) == (own, Holds.OWN, {"s"})


def test_that_a_name_is_free_for_another_input_when_its_result_was_taken_away(tmp_path: Path) -> None:
    target = write(tmp_path, "x.dcm", input="yesterday", content=None)
    found = Results(tmp_path).find(target, input="today")
    assert (found.path, found.holds) == (target, Holds.NOTHING)


def test_that_a_result_that_an_earlier_version_put_in_anothers_place_belongs_to_whose_pixels_it_has(
    tmp_path: Path,
) -> None:
    write(tmp_path, "x.dcm", input="one", content=b"one")
    target = write(tmp_path, "x.dcm", input="two", content=b"two")
    results = Results(tmp_path)
    assert results.find(target, input="two").holds is Holds.OWN
    assert results.find(target, input="one").path == tmp_path / "x-2.dcm"


def test_that_a_changed_result_is_given_up_for_one_that_is_whole(tmp_path: Path) -> None:
    write(tmp_path, "x.dcm", input="one", content=b"annotated", known=b"one")
    assert Results(tmp_path).find(tmp_path / "x.dcm", input="one").holds is Holds.UNKNOWN
    whole = write(tmp_path, "x-2.dcm", input="one", content=b"one")
    assert Results(tmp_path).find(tmp_path / "x.dcm", input="one").path == whole


def test_that_a_free_number_passes_over_files_links_and_names_that_are_taken(tmp_path: Path) -> None:
    (tmp_path / "x.dcm").write_bytes(b"")
    (tmp_path / "x-2.dcm").symlink_to(tmp_path / "gone")
    (tmp_path / "x-3.dcm").mkdir()
    free = Results(tmp_path).free(tmp_path / "x.dcm", lambda path: path.name == "x-4.dcm")
    assert free == tmp_path / "x-5.dcm"


def test_that_the_same_content_under_another_name_has_a_result_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, "x.dcm", input="one")
    found = Results(tmp_path).find(tmp_path / "y.dcm", input="one")
    assert (found.path, found.holds) == (tmp_path / "y.dcm", Holds.NOTHING)


def test_that_of_a_folder_that_can_be_none_nothing_is_known(tmp_path: Path) -> None:
    """An export into it is ordered all the same, and fails in its row, which can be tried again elsewhere."""
    (tmp_path / "file").write_text("in its place")
    assert Results(tmp_path / "file").own(tmp_path / "file" / "x.dcm", "input") is None


def test_that_what_is_taken_is_passed_over_for_its_own_and_for_a_new_name(tmp_path: Path) -> None:
    own = write(tmp_path, "x.dcm", input="one", content=b"one")
    results = Results(tmp_path)
    assert results.find(own, input="one", taken=lambda path: path == own).path == tmp_path / "x-2.dcm"
    assert results.own(own, "one", lambda path: path == own) is None
    free = results.find(tmp_path / "y.dcm", input="two", taken=lambda path: path.name in ("y.dcm", "y-2.dcm"))
    assert (free.path, free.holds, free.settings) == (tmp_path / "y-3.dcm", Holds.NOTHING, frozenset())


def test_that_what_is_written_anew_does_not_look_for_its_earlier_result(tmp_path: Path) -> None:
    write(tmp_path, "x-2.dcm", input="one", content=b"one")
    results = Results(tmp_path)
    assert results.find(tmp_path / "x.dcm", input="one").path == tmp_path / "x-2.dcm"
    assert results.find(tmp_path / "x.dcm", input="one", anew=True).path == tmp_path / "x.dcm"
    own = write(tmp_path, "x.dcm", input="one", content=b"two")
    again = Results(tmp_path).find(own, input="one", anew=True)
    assert (again.path, again.holds) == (own, Holds.OWN), "what lies there is told"


def test_that_a_result_is_looked_for_behind_a_gap_of_numbers_that_is_not_too_wide(tmp_path: Path) -> None:
    for behind, found in ((GAP + 1, True), (GAP + 2, False)):
        folder = tmp_path / str(behind)
        folder.mkdir()
        write(folder, "x.dcm", input="other", content=b"other")
        own = write(folder, f"x-{behind + 1}.dcm", input="one", content=b"one")
        place = Results(folder).find(folder / "x.dcm", input="one")
        assert (place.path == own) is found
        assert place.path in (own, folder / "x-2.dcm")


def test_that_what_is_written_now_is_known_at_once(tmp_path: Path) -> None:
    results = Results(tmp_path)
    target = tmp_path / "x.dcm"
    target.write_bytes(b"made")
    assert results.find(target, input="one").holds is Holds.UNKNOWN
    for settings, content in (("s", b"made"), ("t", b"made"), ("u", b"other")):
        entry = Entry(input="one", settings=settings, name=results.name(target), output=digest(content))
        results.add(entry)
    found = results.find(target, input="one")
    assert (found.path, found.holds, found.settings) == (target, Holds.OWN, {"s", "t"})


def test_that_lines_that_cannot_be_read_cost_themselves_and_a_list_that_cannot_be_is_said(tmp_path: Path) -> None:
    own = write(tmp_path, "x.dcm", input="one", content=b"one")
    known = tmp_path / FOLDER / FILE
    known.write_text('{"input": 1}\n[]\nnot json\n' + known.read_text() + '{"inp')
    assert Results(tmp_path).find(own, input="one").holds is Holds.OWN
    known.unlink()
    known.mkdir()
    with pytest.raises(OutputInvalid, match="output folder") as refused:
        Results(tmp_path)
    assert "results.jsonl" in refused.value.hint and "directory" in refused.value.detail
