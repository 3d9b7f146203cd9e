"""What ended a run, as people are told it."""

from __future__ import annotations

import errno
import os
from types import SimpleNamespace

import pytest

from fullfield import files, parts
from fullfield.errors import FullfieldError, MissingPart, OutOfMemory, UsageError
from fullfield.jobs import worker


@pytest.mark.parametrize(
    ("error", "found", "words"),
    [
        (UsageError("No.", detail="x"), UsageError, "No. x"),
        (MemoryError(), OutOfMemory, "The run needed more memory than this machine has. Choose a smaller size"),
        (ImportError("a.so: cannot open shared object file: Cannot allocate memory"), OutOfMemory, "more memory"),
        (ModuleNotFoundError("No module named 'torch'", name="torch"), MissingPart, "torch"),
        (OSError(errno.ENOSPC, "No space left on device"), files.CannotWrite, "No space left on device"),
        (OSError("libnot.so.9: cannot open shared object file"), FullfieldError, "did not foresee. OSError"),
        (ModuleNotFoundError("No module named 'own'", name="own"), FullfieldError, "send us its.log of the run's"),
        (ZeroDivisionError("secret"), FullfieldError, "did not foresee. ZeroDivisionError"),
    ],
)
def test_that_what_ended_a_run_is_said_in_words_for_people(
    error: Exception, found: type[FullfieldError], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "is_here", lambda name: name != "torch")
    said = worker.in_words(error, "its.log")
    assert type(said) is found and words in str(said) and "secret" not in str(said)


@pytest.mark.skipif(not hasattr(os, "ST_NOEXEC"), reason="the message is of glibc's loader")
def test_that_a_library_on_a_file_system_mounted_noexec_is_not_told_as_too_little_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    error = ImportError(f"{os.__file__}: failed to map segment from shared object")
    assert isinstance(worker.in_words(error, "its.log"), OutOfMemory)
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=os.ST_NOEXEC))
    said = worker.in_words(error, "its.log")
    assert type(said) is FullfieldError and "did not foresee" in str(said)
