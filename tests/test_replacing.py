"""A file of others is not replaced."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from fullfield import log, replacing
from fullfield.diagnosis import bundle
from fullfield.errors import CannotWrite, FullfieldError, OutputInvalid, UsageError
from fullfield.qa import table, trend

REFUSALS = (
    (log.refuse, CannotWrite, "is no text"),
    (bundle.refuse, OutputInvalid, "is no such bundle"),
    (lambda path: table.refuse_other(path, trend=None), UsageError, "no table of curves"),
    (replacing.refuse_other, OutputInvalid, "none that may be written anew"),
)


@pytest.mark.parametrize(("refuse", "kind", "said"), REFUSALS)
def test_that_what_is_no_file_of_ours_is_refused_and_an_empty_file_is_not(
    refuse, kind: type[FullfieldError], said: str, tmp_path: Path
) -> None:
    radiograph, empty = tmp_path / "chest.dcm", tmp_path / "empty"
    radiograph.write_bytes(bytes(128) + b"DICM")
    empty.touch()
    for there in (radiograph, tmp_path):
        with pytest.raises(kind, match=said):
            refuse(there)
    refuse(empty)
    refuse(tmp_path / "new")


@pytest.mark.parametrize("refuse", [*(refuse for refuse, *_ in REFUSALS), trend.read])
def test_that_a_file_in_a_folder_that_is_not_there_is_refused_and_no_folder_is_made(refuse, tmp_path: Path) -> None:
    with pytest.raises(FullfieldError, match="There is no such folder to write it into"):
        refuse(tmp_path / "mistyped" / "new.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("refuse", "kind", "said"), REFUSALS[1:])
def test_that_a_device_is_not_replaced_and_may_take_a_log(refuse, kind: type[FullfieldError], said: str) -> None:
    with pytest.raises(kind, match=said):
        refuse(Path(os.devnull))
    log.refuse(Path(os.devnull))


@pytest.mark.parametrize(("refuse", "kind", "said"), REFUSALS)
def test_that_what_may_be_neither_read_nor_written_is_refused_in_the_systems_words(
    refuse, kind: type[FullfieldError], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    another = tmp_path / "another's"
    another.write_bytes(b"x")
    monkeypatch.setattr(io, "open", denied)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(kind, match="Permission denied"):
        refuse(another)
    monkeypatch.setattr(os, "access", lambda path, mode: mode == os.W_OK)
    refuse(another)
