"""Two images of one name, of two patients, into one folder: each has its result, and finds it again."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import psutil
import pydicom
import pytest

from flows.command import COMMAND, Result, batch, fullfield
from originals import bone
from sources import dataset, dicomdir, encoded


def radiograph(path: Path, number: int) -> Path:
    """A small radiograph of its own at `path`; its UID ends with `number`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encoded(dataset(bone(rows=48 + number), SOPInstanceUID=f"1.2.826.0.1.3680043.10.99.8.{number}")))
    return path


@pytest.fixture
def days(tmp_path: Path) -> tuple[Path, Path]:
    """The first image of two days, of two patients."""
    return radiograph(tmp_path / "day1" / "IMG0001.dcm", 1), radiograph(tmp_path / "day2" / "IMG0001.dcm", 2)


def sources(out: Path) -> dict[str, int]:
    """By the name of each result the number of the image that it was made of."""
    return {path.relative_to(out).as_posix(): source(path) for path in sorted(out.rglob("*.dcm"))}


def source(result: Path) -> int:
    return int(str(pydicom.dcmread(result).SourceImageSequence[0].ReferencedSOPInstanceUID).rpartition(".")[2])


def outputs(result: Result) -> list[str]:
    assert result.code == 0, result.err
    return [event["output"] for event in result.of("ItemDone")]


def test_that_a_second_batch_leaves_another_patients_result_where_it_is(
    days: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert outputs(batch(days[0], out)) == ["IMG0001_enhanced.dcm"]
    first = (out / "IMG0001_enhanced.dcm").read_bytes()
    assert outputs(batch(days[1], out)) == ["IMG0001_enhanced-2.dcm"]
    assert (out / "IMG0001_enhanced.dcm").read_bytes() == first
    assert sources(out) == {"IMG0001_enhanced.dcm": 1, "IMG0001_enhanced-2.dcm": 2}


@pytest.mark.parametrize("what", ["folders", "files", "archives"])
def test_that_inputs_of_one_name_are_told_apart_and_no_others(
    what: str, days: tuple[Path, Path], tmp_path: Path
) -> None:
    radiograph(tmp_path / "day2" / "IMG0002.dcm", 3)
    given = [day if what == "files" else day.parent for day in days]
    if what == "archives":
        given = [Path(shutil.make_archive(str(tmp_path / "zips" / day.name / "cd"), "zip", day)) for day in given]
    result = fullfield("--batch", *given, "-o", tmp_path / "out", "--dry-run", "--json")
    below = "cd/" if what == "archives" else ""
    told = {event["input"] for event in result.of("ItemSkipped")}
    apart = {f"day1/{below}IMG0001.dcm", f"day2/{below}IMG0001.dcm"}
    assert result.code == 0 and told == (apart if what == "files" else {*apart, f"{below}IMG0002.dcm"})


def test_that_folders_of_one_name_are_told_apart_by_those_that_they_lie_in(tmp_path: Path) -> None:
    given = [radiograph(tmp_path / place / "IMG1.dcm", number) for number, place in enumerate(("a/day", "b/day", "c"))]
    result = fullfield("--batch", *(one.parent for one in given), "-o", tmp_path / "out", "--dry-run", "--json")
    assert [event["input"] for event in result.of("ItemSkipped")] == ["a/day/IMG1.dcm", "b/day/IMG1.dcm", "c/IMG1.dcm"]


def test_that_each_finds_its_own_when_it_is_asked_again(days: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    for day in days:
        batch(day, out)
    for day in reversed(days):
        again = batch(day, out)
        assert again.code == 0 and [event["reason"] for event in again.of("ItemSkipped")] == ["done before"]
    assert outputs(batch(days[1], out, "--preset", "general")) == ["IMG0001_enhanced-2.dcm"]
    assert outputs(batch(days[0], out, "--overwrite")) == ["IMG0001_enhanced.dcm"]
    assert sources(out) == {"IMG0001_enhanced.dcm": 1, "IMG0001_enhanced-2.dcm": 2}


def test_that_overwrite_never_means_another_images_result(days: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    batch(days[0], out)
    (out / "IMG0001_enhanced-2.dcm").write_bytes(b"of someone else")
    assert outputs(batch(days[1], out, "--overwrite")) == ["IMG0001_enhanced-3.dcm"]
    assert source(out / "IMG0001_enhanced.dcm") == 1
    assert (out / "IMG0001_enhanced-2.dcm").read_bytes() == b"of someone else"


def test_that_the_line_for_people_names_what_was_written(days: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    batch(days[0], out)
    reported = fullfield("--batch", days[1], "-o", out)
    assert "IMG0001.dcm -> IMG0001_enhanced-2.dcm" in reported.out + reported.err


def test_that_a_dry_run_does_not_promise_a_name_that_is_there(days: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    batch(days[0], out)
    (reported,) = batch(days[1], out, "--dry-run").of("ItemSkipped")
    assert reported["reason"] == "dry run: would become IMG0001_enhanced.dcm, or the next free name"


def test_that_removing_one_of_two_inputs_of_a_name_leaves_both_results(tmp_path: Path) -> None:
    first = radiograph(tmp_path / "in" / "a.DCM", 1)
    radiograph(tmp_path / "in" / "a.dcm", 2)
    out = tmp_path / "out"
    assert sorted(outputs(batch(tmp_path / "in", out))) == ["a_enhanced-2.dcm", "a_enhanced.dcm"]
    before = sources(out)
    first.unlink()
    again = batch(tmp_path / "in", out, "--preset", "general")
    assert outputs(again) == ["a_enhanced-2.dcm"]
    assert sources(out) == before == {"a_enhanced.dcm": 1, "a_enhanced-2.dcm": 2}
    radiograph(tmp_path / "in" / "a.DCM", 1)
    assert batch(tmp_path / "in", out, "--jobs", "2").code == 0
    assert sources(out) == before


def test_that_images_of_one_name_in_one_run_on_several_threads_have_a_result_each(tmp_path: Path) -> None:
    days = [radiograph(tmp_path / f"day{number}" / "IMG0001.dcm", number) for number in range(8)]
    out = tmp_path / "out"
    for _ in range(2):
        assert fullfield("--batch", *days, "-o", out, "--jobs", "4", "--json").code == 0
        assert Counter(sources(out).values()) == Counter(range(8))


def test_that_a_copy_of_an_image_under_the_same_name_has_a_result_of_its_own(
    days: tuple[Path, Path], tmp_path: Path
) -> None:
    shutil.copy(days[0], days[1])
    out = tmp_path / "out"
    for _ in range(2):
        assert fullfield("--batch", *days, "-o", out, "--jobs", "2", "--json").code == 0
        assert sources(out) == {"IMG0001_enhanced.dcm": 1, "IMG0001_enhanced-2.dcm": 1}


@pytest.fixture(params=["zip", "medium"])
def packed(request: pytest.FixtureRequest, days: tuple[Path, Path], tmp_path: Path) -> tuple[Path, Path]:
    """The two days as archives or as media of one name."""
    made = []
    for number, day in enumerate(days):
        folder = tmp_path / f"packed{number}"
        folder.mkdir()
        if request.param == "zip":
            with zipfile.ZipFile(folder / "study.zip", "w") as archive:
                archive.write(day, "IMG0001.dcm")
            made.append(folder / "study.zip")
        else:
            shutil.copy(day, folder / "IMG0001.dcm")
            (folder / "DICOMDIR").write_bytes(dicomdir("IMG0001.DCM"))
            made.append(folder / "DICOMDIR")
    return made[0], made[1]


def test_that_archives_and_media_are_told_apart_as_files_are(packed: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    for place in packed:
        assert batch(place, out).code == 0
    assert sorted(sources(out).values()) == [1, 2]
    assert all(batch(place, out).of("ItemSkipped") for place in packed)


class TestKilled:
    """What a killed command leaves, and who is told of it."""

    @pytest.fixture
    def many(self, tmp_path: Path) -> Path:
        for number in range(60):
            radiograph(tmp_path / "many" / f"{number:03d}.dcm", number)
        return tmp_path / "many"

    @pytest.fixture
    def running(self, many: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
        """A batch that has done one image."""
        command = [*COMMAND, "--batch", str(many), "-o", str(tmp_path / "out"), "--json", "--jobs", "1"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            assert process.stdout is not None
            next(line for line in process.stdout if "ItemDone" in line)
            yield process
            process.kill()

    def test_that_a_batch_whose_command_is_killed_goes_on_when_it_is_started_again_at_once(
        self, running: subprocess.Popen[str], many: Path, tmp_path: Path
    ) -> None:
        workers = psutil.Process(running.pid).children(recursive=True)
        running.kill()
        rest = batch(many, tmp_path / "out")
        assert rest.code == 0 and not any(map(lives, workers))
        assert len(rest.of("ItemDone")) + len(rest.of("ItemSkipped")) == 60
        assert Counter(sources(tmp_path / "out").values()) == Counter(range(60))

    def test_that_a_second_batch_into_a_folder_names_the_first(
        self, running: subprocess.Popen[str], many: Path, tmp_path: Path
    ) -> None:
        family = psutil.Process(running.pid).children(recursive=True)
        for process in (psutil.Process(running.pid), *family):
            process.suspend()  # or it would be done before it is met
        refused = batch(many, tmp_path / "out")
        for process in (*family, psutil.Process(running.pid)):
            process.resume()
        assert refused.code == 6
        (failure,) = refused.of("RunFailed")
        assert f"started by process {running.pid}, since " in failure["error"]["detail"]
        assert any(f"process {process.pid}," in failure["error"]["detail"] for process in family)


def lives(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
