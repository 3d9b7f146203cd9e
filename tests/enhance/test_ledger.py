"""What is done before is known, what is not ours is never replaced, and no input's result takes another's place."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from fullfield import files
from fullfield.enhance.destinations.base import Request
from fullfield.enhance.destinations.folder import Folder
from fullfield.enhance.ledger import Ledger, Wanted
from fullfield.enhance.results import FOLDER, Holds, Results
from fullfield.errors import CannotWrite, OutputInvalid
from fullfield.protocol.batch import Item


def wanted(target: Path, *, input: str = "i", item: int = 0, overwrite: bool = False) -> Wanted:
    return Wanted(target=target, input=input, item=item, overwrite=overwrite)


def publish(
    ledger: Ledger,
    target: Path,
    *,
    input: str = "i",
    settings: str = "s",
    content: bytes = b"result",
    overwrite: bool = False,
) -> Path:
    staged = ledger.parts / "0.dcm"
    staged.write_bytes(content)
    output = files.sha256(staged)
    return ledger.publish(staged, wanted(target, input=input, overwrite=overwrite), settings=settings, output=output)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path)


def again(ledger: Ledger, out: Path) -> Ledger:
    ledger.close()
    return Ledger(out)


def done_before(ledger: Ledger, target: Path, *, input: str = "i", settings: str = "s") -> bool:
    return settings in ledger.place(wanted(target, input=input)).settings


def test_that_a_finished_item_is_done_before_in_the_next_run(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "a" / "x.dcm")
    assert done_before(again(ledger, tmp_path), tmp_path / "a" / "x.dcm")


@pytest.mark.parametrize(("input", "settings"), [("other", "s"), ("i", "other")])
def test_that_other_input_or_settings_are_not_done_before(
    ledger: Ledger, tmp_path: Path, input: str, settings: str
) -> None:
    publish(ledger, tmp_path / "x.dcm")
    assert not done_before(again(ledger, tmp_path), tmp_path / "x.dcm", input=input, settings=settings)


def test_that_a_result_is_replaced_by_the_same_inputs_of_other_settings(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "x.dcm")
    assert publish(ledger, tmp_path / "x.dcm", settings="t", content=b"new") == tmp_path / "x.dcm"
    assert (tmp_path / "x.dcm").read_bytes() == b"new"


@pytest.mark.parametrize("overwrite", [False, True])
def test_that_a_result_is_never_replaced_by_another_inputs(ledger: Ledger, tmp_path: Path, overwrite: bool) -> None:
    publish(ledger, tmp_path / "x.dcm", input="one", content=b"one")
    run = again(ledger, tmp_path)
    assert publish(run, tmp_path / "x.dcm", input="two", content=b"two", overwrite=overwrite) == tmp_path / "x-2.dcm"
    assert (tmp_path / "x.dcm").read_bytes() == b"one"
    run = again(run, tmp_path)
    for input, name in (("two", "x-2.dcm"), ("one", "x.dcm")):
        place = run.place(Wanted(target=tmp_path / "x.dcm", input=input, item=len(input + name)))
        assert (place.path, place.holds) == (tmp_path / name, Holds.OWN)


def test_that_another_inputs_result_that_its_user_changed_is_not_replaced_either(
    ledger: Ledger, tmp_path: Path
) -> None:
    publish(ledger, tmp_path / "x.dcm", input="one")
    (tmp_path / "x.dcm").write_bytes(b"annotated by hand")
    run = again(ledger, tmp_path)
    assert publish(run, tmp_path / "x.dcm", input="two", overwrite=True) == tmp_path / "x-2.dcm"
    assert (tmp_path / "x.dcm").read_bytes() == b"annotated by hand"


def test_that_a_result_that_somebody_changed_is_neither_done_nor_replaced(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "x.dcm")
    (tmp_path / "x.dcm").write_bytes(b"annotated by hand")
    assert not done_before(ledger, tmp_path / "x.dcm")
    with pytest.raises(CannotWrite):
        publish(ledger, tmp_path / "x.dcm")
    assert (tmp_path / "x.dcm").read_bytes() == b"annotated by hand"


def test_that_a_file_of_someone_else_is_replaced_only_where_that_was_said(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "x.dcm").write_bytes(b"theirs")
    with pytest.raises(CannotWrite):
        publish(ledger, tmp_path / "x.dcm")
    assert (tmp_path / "x.dcm").read_bytes() == b"theirs"
    assert publish(ledger, tmp_path / "x.dcm", overwrite=True) == tmp_path / "x.dcm"


def test_that_a_file_that_comes_while_an_image_is_enhanced_is_not_replaced(ledger: Ledger, tmp_path: Path) -> None:
    assert ledger.place(wanted(tmp_path / "x.dcm")).holds is Holds.NOTHING
    (tmp_path / "x.dcm").write_bytes(b"come meanwhile")
    with pytest.raises(CannotWrite, match="meanwhile"):
        publish(ledger, tmp_path / "x.dcm")
    assert (tmp_path / "x.dcm").read_bytes() == b"come meanwhile"


def test_that_inputs_of_one_name_that_come_at_the_same_time_get_a_name_each(ledger: Ledger, tmp_path: Path) -> None:
    together, reported = threading.Barrier(8), list[Path]()

    def claim(number: int) -> None:
        together.wait()
        for name in ("x.dcm", "X.DCM", "y.dcm"):
            item = 3 * number + "xXy".index(name[0])
            reported.append(ledger.place(wanted(tmp_path / name, input=str(item), item=item)).path)

    threads = [threading.Thread(target=claim, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({str(path).casefold() for path in reported}) == 24


def test_that_a_name_that_nobody_else_has_gets_no_number(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def free(results: Results, target: Path, *rest: object) -> Path:
        pytest.fail(f"{target.relative_to(tmp_path)} was thought to be another input's")

    monkeypatch.setattr(Results, "free", free)
    names = ["x.dcm", "y.dcm", "a/x.dcm", "b/x.dcm", "a/b/x.dcm"]
    for item, name in enumerate(names):
        assert ledger.place(wanted(tmp_path / name, input=str(item), item=item)).path == tmp_path / name


@pytest.mark.parametrize(
    ("first", "second"), [("x.dcm", "X.DCM"), ("\u00e4.dcm", "a\u0308.dcm"), ("stra\u00dfe.dcm", "STRASSE.dcm")]
)
def test_that_two_names_that_are_one_on_some_file_system_are_told_apart_by_a_number(
    ledger: Ledger, tmp_path: Path, first: str, second: str
) -> None:
    assert ledger.place(wanted(tmp_path / first, input="one", item=1)).path.name == first
    assert ledger.place(wanted(tmp_path / second, input="two", item=2)).path.stem == f"{Path(second).stem}-2"


def test_that_every_name_has_a_line_of_its_own_in_the_ledger(ledger: Ledger, tmp_path: Path) -> None:
    for name in ("x.dcm", "y.dcm", "a/x.dcm"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        publish(ledger, tmp_path / name, input=name, content=name.encode())
    lines = [json.loads(line) for line in (tmp_path / FOLDER / "results.jsonl").read_text().splitlines()]
    assert len({line["name"] for line in lines}) == 3


def test_that_a_cut_last_line_costs_only_itself(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "x.dcm")
    with (tmp_path / FOLDER / "results.jsonl").open("a") as stream:
        stream.write('{"input": "ha')
    assert done_before(again(ledger, tmp_path), tmp_path / "x.dcm")


def test_that_what_comes_after_a_line_that_a_full_disk_has_cut_is_known_the_next_time(
    ledger: Ledger, tmp_path: Path
) -> None:
    publish(ledger, tmp_path / "x.dcm")
    ledger.close()
    with (tmp_path / FOLDER / "results.jsonl").open("a") as stream:
        stream.write('{"input": "cut')
    with closing(Ledger(tmp_path)) as second:
        publish(second, tmp_path / "y.dcm", input="other")
    with closing(Ledger(tmp_path)) as third:
        assert done_before(third, tmp_path / "y.dcm", input="other") and done_before(third, tmp_path / "x.dcm")


def test_that_a_folder_that_is_gone_is_said_and_not_made_anew_in_its_place(ledger: Ledger, tmp_path: Path) -> None:
    staged = tmp_path.parent / f"staged-{tmp_path.name}"
    staged.write_bytes(b"a result")
    moved = tmp_path.rename(tmp_path.with_name(f"moved-{tmp_path.name}"))
    with pytest.raises(CannotWrite, match="The folder is gone"):
        ledger.publish(staged, wanted(tmp_path / "x.dcm"), settings="s", output="o")
    ledger.close()
    assert not tmp_path.exists()
    moved.rename(tmp_path)


def test_that_what_is_known_of_a_folder_is_for_all_who_may_write_there_and_else_said(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(ledger, tmp_path / "x.dcm")
    ledger.close()
    known = tmp_path / FOLDER / "results.jsonl"
    if os.name != "nt":
        assert known.stat().st_mode & 0o777 == (tmp_path / "x.dcm").stat().st_mode & 0o777
    known.unlink()
    known.mkdir()  # nobody can read that
    with pytest.raises(OutputInvalid, match=r"What is known of its results cannot be read\. .*results\.jsonl"):
        Ledger(tmp_path)
    known.rmdir()
    Ledger(tmp_path, wait=0).close()


@pytest.mark.skipif(os.name == "nt", reason="a user's folders are guarded by other means there")
@pytest.mark.parametrize("shared", [True, False])
def test_that_a_folder_that_a_group_writes_is_gone_on_with_by_the_next_of_its_users(
    shared: bool, tmp_path: Path
) -> None:
    tmp_path.chmod(0o770 if shared else 0o750)
    with closing(Ledger(tmp_path)) as ledger:
        publish(ledger, tmp_path / "x.dcm")
        ours = [tmp_path / FOLDER, *(tmp_path / FOLDER).iterdir()]
        holders = [path for path in ours if path.name not in ("run.json", "parts", FOLDER)]
        assert len(holders) == 2, "the lock, and what is known"
        for path in (tmp_path / FOLDER, ledger.parts, *holders):
            assert bool(path.stat().st_mode & 0o020) is shared, path.name


@pytest.mark.skipif(os.name == "nt", reason="names are written otherwise there")
def test_that_a_name_that_this_system_cannot_write_is_told_before_anything_is_read(tmp_path: Path) -> None:
    request = Request(item=Item(index=0, source="a", target="a\ud800.dcm"), recipe="r")
    with closing(Folder(str(tmp_path))) as folder, pytest.raises(CannotWrite, match="locale"):
        folder.has(request, "i")


def test_that_a_file_about_the_results_takes_the_place_of_no_other(tmp_path: Path) -> None:
    (tmp_path / "contact-sheet.png").write_bytes(b"an image of somebody's")
    for number in (2, 3):
        with closing(Folder(str(tmp_path))) as folder:
            folder.add("contact-sheet.png", b"a sheet")
        assert (tmp_path / f"contact-sheet-{number}.png").read_bytes() == b"a sheet"
    assert (tmp_path / "contact-sheet.png").read_bytes() == b"an image of somebody's"


def test_that_a_run_killed_before_the_rename_is_not_done_and_gets_the_same_name(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "x.dcm", input="one")
    publish(ledger, tmp_path / "x.dcm", input="two")
    (tmp_path / "x-2.dcm").unlink()
    run = again(ledger, tmp_path)
    place = run.place(wanted(tmp_path / "x.dcm", input="two"))
    assert (place.path, place.holds) == (tmp_path / "x-2.dcm", Holds.NOTHING)


def test_that_a_replaced_result_interrupted_half_way_is_still_known_as_ours(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "x.dcm", content=b"first")
    publish(ledger, tmp_path / "x.dcm", settings="s2", content=b"second")
    (tmp_path / "x.dcm").write_bytes(b"first")  # as if the second rename had not happened
    assert ledger.place(wanted(tmp_path / "x.dcm")).holds is Holds.OWN


def test_that_two_runs_never_share_an_output_folder_and_the_other_is_named(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(OutputInvalid, match="Another run") as reported:
        Ledger(tmp_path, wait=0)
    assert f"process {os.getpid()}," in reported.value.detail and f"process {os.getppid()}," in reported.value.detail


def test_that_a_run_on_another_computer_is_not_named_by_a_process_of_this_one(ledger: Ledger, tmp_path: Path) -> None:
    holder = tmp_path / FOLDER / "run.json"
    holder.write_text(json.dumps({**json.loads(holder.read_text()), "host": "reading-room-2"}))
    with pytest.raises(OutputInvalid, match="Another run") as reported:
        Ledger(tmp_path, wait=0)
    assert "reading-room-2" in reported.value.detail and "process" not in reported.value.detail


@pytest.mark.parametrize("cut", ["", "[]", '{"pid": "x"}', '{"pid": 1, "parent": 1, "host": "a", "since": 1e300}'])
def test_that_a_run_that_does_not_say_who_it_is_is_told_all_the_same(ledger: Ledger, tmp_path: Path, cut: str) -> None:
    (tmp_path / FOLDER / "run.json").write_text(cut)
    with pytest.raises(OutputInvalid, match=r"Another run of Fullfield is writing into it\."):
        Ledger(tmp_path, wait=0)


def test_that_a_run_waits_for_one_that_is_about_to_end(tmp_path: Path) -> None:
    hold = "import sys, time; from pathlib import Path; from fullfield.enhance.ledger import Ledger; "
    hold += "Ledger(Path(sys.argv[1])); print('held', flush=True); time.sleep(1)"
    with subprocess.Popen([sys.executable, "-c", hold, str(tmp_path)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"held\n"
        with closing(Ledger(tmp_path, wait=60)) as ledger:
            assert publish(ledger, tmp_path / "x.dcm").exists()


def test_that_leftovers_of_a_killed_run_are_swept(ledger: Ledger, tmp_path: Path) -> None:
    (ledger.parts / "3.dcm").write_bytes(b"half")
    assert not any(again(ledger, tmp_path).parts.iterdir())


def test_that_what_was_staged_and_not_published_is_left_nowhere(ledger: Ledger, tmp_path: Path) -> None:
    (ledger.parts / "3.dcm").write_bytes(b"of an image whose run was stopped")
    ledger.close()
    assert not (tmp_path / FOLDER / "parts").exists()


def no_lock(number: int) -> Callable[..., None]:
    """A share whose locks fail with this number, on files that can be made."""

    def flock(*given: object) -> None:
        raise OSError(number, os.strerror(number))

    return flock


@pytest.mark.skipif(os.name == "nt", reason="locks of Windows are other calls")
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_that_a_share_without_locks_is_still_one_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr("fcntl.flock", no_lock(number))
    with closing(Ledger(tmp_path)) as ledger:
        assert publish(ledger, tmp_path / "x.dcm").exists()
        with pytest.raises(OutputInvalid, match="Another run"):
            Ledger(tmp_path, wait=0)
    assert done_before(Ledger(tmp_path), tmp_path / "x.dcm")


@pytest.mark.skipif(os.name == "nt", reason="locks of Windows are other calls")
def test_that_another_mistake_of_the_share_is_told_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcntl.flock", no_lock(errno.EIO))
    with pytest.raises(OutputInvalid, match=os.strerror(errno.EIO)):
        Ledger(tmp_path)


def test_that_nothing_but_the_results_is_left_behind(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "x.dcm")
    ledger.close()
    assert [path.name for path in (tmp_path / FOLDER).iterdir()] == ["results.jsonl"]


def test_that_no_file_name_stands_in_the_ledger(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "MUELLER_ANNA.dcm")
    assert b"MUELLER" not in (tmp_path / FOLDER / "results.jsonl").read_bytes()
