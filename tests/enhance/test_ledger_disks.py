"""Disks that are full, or others than they seem, while results are written."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fullfield import files, system
from fullfield.enhance.ledger import Ledger, Wanted
from fullfield.errors import CannotWrite


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path)) as opened:
        yield opened


def publish(ledger: Ledger, target: Path) -> Path:
    staged = ledger.parts / "0.dcm"
    staged.write_bytes(b"result")
    return ledger.publish(staged, Wanted(target=target, input="i"), settings="s", output=files.sha256(staged))


def test_that_a_disk_that_fails_at_the_last_move_is_told_in_a_sentence(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*paths: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "move", full)
    with pytest.raises(CannotWrite, match="No space left"):
        publish(ledger, tmp_path / "x.dcm")


def test_that_a_folder_among_the_results_that_lies_on_another_disk_gets_its_result(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = system.rename

    def rename(source: Path, target: Path) -> None:
        if source.parent != target.parent:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        real(source, target)

    monkeypatch.setattr(system, "rename", rename)
    target = publish(ledger, tmp_path / "ward" / "x.dcm")
    assert target.read_bytes() == b"result" and [path.name for path in target.parent.iterdir()] == ["x.dcm"]
    assert not list(ledger.parts.iterdir()) and ledger.place(Wanted(target=target, input="i")).settings == {"s"}


@pytest.mark.parametrize("call", ["share_as_folder", "end_cut_line"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_that_a_disk_that_is_full_at_the_start_is_told_as_one_that_is_full_later(
    call: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(files, call, full)
    with pytest.raises(CannotWrite):
        Ledger(tmp_path)


def test_that_no_folder_is_made_in_the_place_of_one_that_goes_while_a_result_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with closing(Ledger(out)) as ledger:
        out.rename(tmp_path / "elsewhere")
        files.write_bytes(ledger.parts / "0.dcm", b"result")  # which makes the folder of parts anew
        with pytest.raises(CannotWrite, match="folder is gone"):
            ledger.publish(ledger.parts / "0.dcm", Wanted(target=out / "x.dcm", input="i"), settings="s", output="o")
    assert not list(tmp_path.rglob("*.dcm"))


def test_that_a_folder_that_has_become_read_only_is_released_without_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written is written: a batch tells its own end, and an export that it is done."""

    def read_only(*arguments: object, **options: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    ledger = Ledger(tmp_path)
    result = publish(ledger, tmp_path / "x.dcm")
    with monkeypatch.context() as patched:
        for name in ("unlink", "rmdir", "iterdir"):
            patched.setattr(Path, name, read_only)
        ledger.close()
    with closing(Ledger(tmp_path, wait=0)):
        assert result.read_bytes() == b"result"
