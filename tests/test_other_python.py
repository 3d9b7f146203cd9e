"""Another Python: what it is given of this one's surroundings, and that it ends with who called it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from fullfield import other_python, system


def test_that_nothing_that_was_set_for_this_python_reaches_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHOME", "/this/python")
    monkeypatch.setenv("PYTHONPATH", "/this/python/packages")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.clinic.example")
    values = other_python.environment()
    assert "PYTHONHOME" not in values and "/this/python" not in values["PYTHONPATH"]
    assert str(system.source_folder()) in values["PYTHONPATH"].split(os.pathsep)
    assert values["HTTPS_PROXY"] == "http://proxy.clinic.example"


@pytest.mark.skipif(not system.LINUX, reason="the bootloader sets it on Linux")
def test_that_the_libraries_of_a_frozen_program_do_not_reach_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_python, "FROZEN", True)
    monkeypatch.setattr(system, "FROZEN", True)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/program/_internal")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/usr/local/lib")
    values = other_python.environment()
    assert values["LD_LIBRARY_PATH"] == "/usr/local/lib" and "PYTHONPATH" not in values
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG")
    assert "LD_LIBRARY_PATH" not in other_python.environment()
    assert [sys.executable] not in other_python.commands(["3.12"]), "it is no Python"


def test_that_what_says_nothing_fails_or_hangs_says_nothing() -> None:
    ask = [sys.executable, "-c"]
    assert other_python.output([*ask, "print(1)"], seconds=60) == "1\n"
    assert other_python.output([*ask, "print(1); raise SystemExit(3)"], seconds=60) == ""
    assert other_python.output([*ask, "import time; time.sleep(60)"], seconds=0.5) == ""
    assert other_python.output(["no-such-python"], seconds=60) == ""


def test_that_no_file_of_the_current_folder_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json.py").write_text("print('run')")
    monkeypatch.chdir(tmp_path)
    assert other_python.output([sys.executable, "-c", "import json"], seconds=60) == ""
    assert other_python.output([sys.executable, "-m", "json.tool", "-h"], seconds=60).startswith("usage")


def test_that_the_exit_code_of_a_called_command_is_its_own() -> None:
    assert other_python.call([sys.executable, "-c", "raise SystemExit(9)"]) == 9


@pytest.mark.skipif(system.WINDOWS, reason="sends the signal of Ctrl-C to one process alone")
def test_that_a_called_command_ends_when_its_caller_is_interrupted(tmp_path: Path) -> None:
    child = f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(300)"
    code = f"import sys; from fullfield import other_python; other_python.call([sys.executable, '-c', {child!r}])"
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.wait(60)
    assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))
