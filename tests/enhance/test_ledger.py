"""What is done before is known, what is not ours is never replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.enhance.ledger import FOLDER, Ledger
from fullfield.errors import OutputInvalid


def publish(ledger: Ledger, target: Path, *, input: str = "i", settings: str = "s", content: bytes = b"result") -> None:
    staged = ledger.parts / "0.dcm"
    staged.write_bytes(content)
    ledger.publish(staged, target, input=input, settings=settings)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path)


def again(ledger: Ledger, out: Path) -> Ledger:
    ledger.close()
    return Ledger(out)


def test_that_a_finished_item_is_done_before_in_the_next_run(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "a" / "x.dcm")
    assert again(ledger, tmp_path).done_before(tmp_path / "a" / "x.dcm", input="i", settings="s")


@pytest.mark.parametrize(("input", "settings"), [("other", "s"), ("i", "other")])
def test_that_other_input_or_settings_are_not_done_before(
    ledger: Ledger, tmp_path: Path, input: str, settings: str
) -> None:
    publish(ledger, tmp_path / "x.dcm")
    assert not ledger.done_before(tmp_path / "x.dcm", input=input, settings=settings)
    assert ledger.may_replace(tmp_path / "x.dcm")


def test_that_a_result_that_somebody_changed_is_neither_done_nor_replaced(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "x.dcm")
    (tmp_path / "x.dcm").write_bytes(b"annotated by hand")
    assert not ledger.done_before(tmp_path / "x.dcm", input="i", settings="s")
    assert not ledger.may_replace(tmp_path / "x.dcm")


def test_that_a_file_of_someone_else_is_not_replaced(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "x.dcm").write_bytes(b"theirs")
    assert not ledger.may_replace(tmp_path / "x.dcm")


def test_that_a_cut_last_line_costs_only_itself(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "x.dcm")
    with (tmp_path / FOLDER / "results.jsonl").open("a") as stream:
        stream.write('{"input": "ha')
    assert again(ledger, tmp_path).done_before(tmp_path / "x.dcm", input="i", settings="s")


def test_that_a_run_killed_before_the_rename_is_not_done(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "x.dcm")
    (tmp_path / "x.dcm").unlink()
    assert not ledger.done_before(tmp_path / "x.dcm", input="i", settings="s")
    assert ledger.may_replace(tmp_path / "x.dcm")


def test_that_a_replaced_result_interrupted_half_way_is_still_known_as_ours(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "x.dcm", content=b"first")
    publish(ledger, tmp_path / "x.dcm", settings="s2", content=b"second")
    (tmp_path / "x.dcm").write_bytes(b"first")  # as if the second rename had not happened
    assert ledger.may_replace(tmp_path / "x.dcm")


def test_that_two_runs_never_share_an_output_folder(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(OutputInvalid, match="Another run"):
        Ledger(tmp_path)


def test_that_leftovers_of_a_killed_run_are_swept(ledger: Ledger, tmp_path: Path) -> None:
    (ledger.parts / "3.dcm").write_bytes(b"half")
    assert not any(again(ledger, tmp_path).parts.iterdir())


def test_that_no_file_name_stands_in_the_ledger(ledger: Ledger, tmp_path: Path) -> None:
    publish(ledger, tmp_path / "MUELLER_ANNA.dcm")
    assert b"MUELLER" not in (tmp_path / FOLDER / "results.jsonl").read_bytes()
