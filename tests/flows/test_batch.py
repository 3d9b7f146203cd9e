"""The batch, from files to files, as its users run it: real processes, files and exit codes."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pydicom
import pytest

import samples
from flows.command import VERDICTS, batch, contents, fullfield
from sources import dicomdir, half_a_jpeg


@pytest.fixture
def phantoms(tmp_path: Path) -> Path:
    """Three sample radiographs in folders, and a file that is none."""
    base = tmp_path / "in"
    for name, place in (("chest-cr.dcm", "."), ("hand-dx.dcm", "ward"), ("skull-sc.dcm", "ward")):
        samples.write(base / place, name)
    (base / "notes").write_text("no radiograph")
    return base


@pytest.fixture
def good(phantoms: Path) -> Path:
    (phantoms / "notes").unlink()
    return phantoms


def test_that_every_input_gets_one_verdict_in_its_place_a_bad_file_costs_its_own_line_and_nothing_else_is_left(
    phantoms: Path, tmp_path: Path
) -> None:
    before = contents(phantoms)
    result = batch(phantoms, tmp_path / "out")
    assert result.code == 8
    assert sorted(event["input"] for event in result.of(*VERDICTS)) == sorted(before)
    (failure,) = result.of("ItemFailed")
    assert failure["input"] == "notes" and failure["error"]["title"] and failure["error"]["hint"]
    assert {event["output"] for event in result.of("ItemDone")} == set(contents(tmp_path / "out"))
    for event in result.of("ItemDone"):
        source, target = Path(event["input"]), Path(event["output"])
        assert target == source.with_name(f"{source.stem}_enhanced.dcm")
    assert contents(phantoms) == before
    assert {path.name for path in (tmp_path / "out" / ".fullfield").iterdir()} <= {"results.jsonl", "run.lock"}
    assert list(Path(os.environ["FULLFIELD_RUNS"]).glob("*")) == []
    last = result.events[-1]
    assert last["kind"] == "RunEnded" and last["reason"] == "completed"
    assert {key: last["summary"][key] for key in ("done", "skipped", "failed")} == {
        "done": 3,
        "skipped": 0,
        "failed": 1,
    }
    assert last["summary"]["seconds"] > 0 and last["summary"]["peak_bytes"] > 1 << 20


def test_that_a_run_that_stops_at_its_first_failure_with_nothing_done_does_not_say_that_some_are(
    phantoms: Path, tmp_path: Path
) -> None:
    for name in ("a", "b"):  # before all others
        (phantoms / name).write_bytes(b"none")
    result = batch(phantoms, tmp_path / "out", "--fail-fast", "--jobs", "1")
    assert [event["kind"] for event in result.of(*VERDICTS)] == ["ItemFailed"] + 5 * ["ItemSkipped"]
    assert result.code == 4


def test_that_the_last_line_for_a_program_is_the_end_also_where_nothing_could_begin(good: Path, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "file").touch()
    for source, out, code in ((tmp_path / "none", tmp_path / "out", 3), (good, tmp_path / "file", 6)):
        result = batch(source, out)
        failed, end = result.events
        assert result.code == failed["exit_code"] == code
        assert failed["error"]["title"] in result.err and failed["time"]
        assert (end["kind"], end["reason"]) == ("RunEnded", "failed")


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "ZIP"])
def test_that_the_files_of_a_viewer_are_passed_over_and_change_nothing(
    good: Path, tmp_path: Path, packed: bool
) -> None:
    for name, content in (
        ("README.TXT", b"Insert"),
        ("VIEWER.EXE", b"MZ" + bytes(200)),
        ("ward/index.html", b"<html>"),
    ):
        (good / name).write_bytes(content)
    named = Path(shutil.make_archive(str(tmp_path / "cd"), "zip", good)) if packed else good
    result = batch(named, tmp_path / "out")
    assert result.code == 0 and len(result.of("ItemDone")) == len(result.of(*VERDICTS)) == 3
    assert "3 other files passed over." in result.err
    alone = batch(good / "README.TXT", tmp_path / "alone")
    assert alone.code == 4 and [event["input"] for event in alone.of("ItemFailed")] == ["README.TXT"]
    (tmp_path / "papers").mkdir()
    shutil.copy(good / "README.TXT", tmp_path / "papers")
    papers = batch(tmp_path / "papers", tmp_path / "none")
    assert papers.code == 3 and "No radiographs found. 1 other file passed over." in papers.err


def test_that_of_a_medium_only_what_its_index_lists_is_an_input(good: Path, tmp_path: Path) -> None:
    (good / "VIEWER.EXE").write_bytes(b"MZ")
    (good / "DICOMDIR").write_bytes(dicomdir("CHEST-CR.DCM", "WARD\\HAND-DX.DCM"))
    result = batch(good / "DICOMDIR", tmp_path / "out")
    assert result.code == 0
    assert [event["input"] for event in result.of(*VERDICTS)] == ["chest-cr.dcm", "ward/hand-dx.dcm"]


def test_that_a_medium_whose_index_cannot_be_used_is_read_whole_and_that_is_said(good: Path, tmp_path: Path) -> None:
    (good / "DICOMDIR").write_bytes(b"no index")
    result = batch(good / "DICOMDIR", tmp_path / "out")
    assert result.code == 0 and len(result.of("ItemDone")) == 3
    assert "DICOMDIR" in result.err and "All files beside it" in result.err


def test_that_a_second_run_does_what_is_missing_other_settings_all_but_a_strangers_file_and_overwrite_that_too(
    good: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    gone, strange, _ = (event["output"] for event in batch(good, out).of("ItemDone"))
    (out / gone).unlink()
    second = batch(good, out)
    assert second.code == 0
    assert [event["output"] for event in second.of("ItemDone")] == [gone]
    assert {event["reason"] for event in second.of("ItemSkipped")} == {"done before"}
    (out / strange).write_bytes(b"annotated by hand")
    result = batch(good, out, "--format", "dicom", "--preset", "general")
    assert (out / strange).read_bytes() == b"annotated by hand"
    assert len(result.of("ItemDone")) == 2
    assert any("or changed since" in event["error"]["detail"] for event in result.of("ItemFailed"))
    assert batch(good, out, "--overwrite").code == 0
    assert (out / strange).stat().st_size > 1000


def test_that_a_damaged_file_is_named_so_in_its_own_line_and_the_last_in_what_is_written_and_to_programs(
    good: Path, tmp_path: Path
) -> None:
    (good / "half.jpg").write_bytes(half_a_jpeg())
    plain = fullfield("--batch", good, "-o", tmp_path / "out")
    assert plain.code == 0
    (line,) = (line for line in plain.err.splitlines() if "half.jpg" in line)
    assert line.startswith("done") and "damaged" in line
    assert plain.err.splitlines()[-1].startswith("4 enhanced, 1 of them from damaged files, 0 skipped, 0 failed")
    assert sum("damaged" in line for line in plain.err.splitlines()) == 2
    comments = {path.name: pydicom.dcmread(path).ImageComments for path in (tmp_path / "out").rglob("*.dcm")}
    assert {name for name, comment in comments.items() if "damaged" in comment} == {"half_enhanced.dcm"}
    quiet = fullfield("--batch", good / "half.jpg", "-o", tmp_path / "quiet", "--quiet")
    assert quiet.code == 0 and "damaged" in quiet.err
    reported = batch(good, tmp_path / "programs")
    assert [event["input"] for event in reported.of("ItemWarned") if event["damaged"]] == ["half.jpg"]
    assert reported.code == 0 and reported.events[-1]["summary"]["damaged"] == 1


def test_that_a_dry_run_says_what_it_would_do_and_does_nothing(phantoms: Path, tmp_path: Path) -> None:
    result = batch(phantoms, tmp_path / "out", "--dry-run")
    assert result.code == 0 and len(result.of("ItemSkipped")) == 4
    assert not (tmp_path / "out").exists()


def test_that_the_output_folder_inside_the_input_is_not_read_again(good: Path) -> None:
    first, second = batch(good, good / "out"), batch(good, good / "out")
    assert len(first.of("ItemDone")) == len(second.of("ItemSkipped")) == 3


@pytest.mark.parametrize("kind", ["png16", "tiff"])
def test_that_other_formats_come_out_by_their_suffix(tmp_path: Path, kind: str) -> None:
    result = batch(samples.write(tmp_path / "in", "hand-dx.dcm"), tmp_path / "out", "--format", kind)
    assert result.code == 0
    assert {Path(event["output"]).suffix for event in result.of("ItemDone")} == {
        {"png16": ".png", "tiff": ".tiff"}[kind]
    }


def test_that_the_kind_of_an_input_can_be_overridden_and_then_decides_the_preset(tmp_path: Path) -> None:
    source = samples.write(tmp_path / "in", "hand-dx.dcm")
    for kind, name in (("auto", "extremity "), ("raw", "extremity-raw ")):
        result = batch(source, tmp_path / kind, "--kind", kind)
        assert result.code == 0
        written = pydicom.dcmread(tmp_path / kind / result.of("ItemDone")[0]["output"], stop_before_pixels=True)
        assert f"preset {name}" in written.DerivationDescription


class TestExitCodes:
    """The command line's contract, each code by what brings it about."""

    def test_that_an_unknown_option_is_2_and_meets_the_nearest(self) -> None:
        result = fullfield("--batch", "x", "-o", "y", "--presett", "z")
        assert result.code == 2 and "--preset" in result.err

    def test_that_an_empty_folder_is_3(self, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        assert batch(tmp_path / "in", tmp_path / "out").code == 3

    def test_that_no_usable_input_is_4(self, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "x.dcm").write_bytes(b"nothing")
        assert batch(tmp_path / "in", tmp_path / "out").code == 4

    def test_that_a_missing_input_is_5_and_named(self, tmp_path: Path) -> None:
        result = batch(tmp_path / "gone", tmp_path / "out")
        assert result.code == 5 and "gone" in result.err

    def test_that_an_output_that_is_a_file_is_6(self, good: Path, tmp_path: Path) -> None:
        (tmp_path / "out").write_bytes(b"")
        assert batch(good, tmp_path / "out").code == 6

    def test_that_the_input_folder_as_output_is_6(self, good: Path) -> None:
        assert batch(good, good).code == 6

    def test_that_a_place_that_cannot_be_written_is_7(self, tmp_path: Path) -> None:
        samples.write(tmp_path / "in" / "sub", "chest-cr.dcm")
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "sub").write_bytes(b"a file where a folder must be")
        assert batch(tmp_path / "in", tmp_path / "out").code == 7

    def test_that_a_missing_model_is_9_and_costs_no_image_a_failure(self, good: Path, tmp_path: Path) -> None:
        result = batch(good, tmp_path / "out", "--model", tmp_path / "no.safetensors")
        assert result.code == 9
        assert len(result.of("ItemSkipped")) == 3 and result.events[-1]["kind"] == "RunEnded"

    @pytest.mark.parametrize("name", ["x.pt", "folder"])
    def test_that_something_else_than_a_model_is_9(self, good: Path, tmp_path: Path, name: str) -> None:
        (tmp_path / "x.pt").write_bytes(b"pickle")
        (tmp_path / "folder").mkdir()
        result = batch(good, tmp_path / "out", "--model", tmp_path / name)
        assert result.code == 9 and "as a model" in result.err

    def test_that_an_output_name_that_no_system_takes_is_6(self, good: Path, tmp_path: Path) -> None:
        assert batch(good, tmp_path / ("x" * 300)).code == 6

    def test_that_a_log_that_cannot_be_written_is_7_in_one_line(self, good: Path, tmp_path: Path) -> None:
        result = batch(good, tmp_path / "out", "--log-file", tmp_path / "gone" / "x.log")
        assert result.code == 7 and len(result.err.splitlines()) == 1

    def test_that_an_unknown_preset_is_2_and_meets_the_nearest(self, good: Path, tmp_path: Path) -> None:
        result = batch(good, tmp_path / "out", "--preset", "chets")
        assert result.code == 2 and "chest" in result.err + result.out


class TestSettingsFile:
    """`--config run.toml`: checked like options, and beaten by them."""

    def test_that_flags_win_over_the_file(self, good: Path, tmp_path: Path) -> None:
        (tmp_path / "run.toml").write_text('format = "tiff"\nbatch = true\noutput = "results"\n')
        result = fullfield(good, "--config", tmp_path / "run.toml", "--format", "png16", "--json")
        assert result.code == 0
        assert {path.suffix for path in (tmp_path / "results").rglob("*_enhanced*")} == {".png"}

    def test_that_a_wrong_name_in_the_file_is_met_with_the_nearest(self, good: Path, tmp_path: Path) -> None:
        (tmp_path / "run.toml").write_text('presset = "chest"\n')
        result = batch(good, tmp_path / "out", "--config", tmp_path / "run.toml")
        assert result.code == 2 and "did you mean preset" in result.err

    def test_that_a_switch_can_be_turned_off_in_the_file(self, good: Path, tmp_path: Path) -> None:
        (tmp_path / "run.toml").write_text("recursive = false\n")
        result = batch(good, tmp_path / "out", "--config", tmp_path / "run.toml")
        assert [event["input"] for event in result.of("ItemDone")] == ["chest-cr.dcm"]


def test_that_a_file_that_cannot_be_named_as_a_source_says_so_in_its_own_line(good: Path, tmp_path: Path) -> None:
    nameless = pydicom.dcmread(good / "chest-cr.dcm")
    nameless.SOPInstanceUID = nameless.file_meta.MediaStorageSOPInstanceUID = "1.2.03"
    nameless.save_as(good / "nameless.dcm")
    plain = fullfield("--batch", good, "-o", tmp_path / "out")
    assert plain.code == 0
    (line,) = (line for line in plain.err.splitlines() if "SOP Instance UID" in line)
    assert line.startswith("done     nameless.dcm")
