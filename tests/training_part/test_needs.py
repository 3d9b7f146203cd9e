"""What is asked of pip: the lock's versions and hashes, and of torch's builds any that works."""

from __future__ import annotations

import hashlib
import re
import tomllib
import zipfile
from pathlib import Path

import pytest

from fullfield import parts
from fullfield.errors import MissingPart
from fullfield.training_part import build, needs
from support import ROOT

LOCK = f"""torch==2.15.0 \\
    --hash=sha256:{"a" * 64} \\
    --hash=sha256:{"b" * 64}
nvidia-cublas==13.4.1.3 ; sys_platform == 'linux' \\
    --hash=sha256:{"c" * 64}
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:{hashlib.sha256(b"good").hexdigest()}
numpy==2.5.5 ; python_full_version >= '3.12' \\
    --hash=sha256:{"d" * 64}
PySide6_Essentials==6.11.3 \\
    --hash=sha256:{"e" * 64}
"""


def named(lines: list[str]) -> set[str]:
    return {line.partition("==")[0] for line in lines}


def test_that_versions_are_the_locks_and_torch_may_be_an_older_one_that_works() -> None:
    lines = needs.constraints(LOCK).splitlines()
    assert "torch>=2.10,<=2.15.0" in lines
    assert "numpy==2.4.6 ; python_full_version < '3.12'" in lines
    assert not any("nvidia" in line for line in lines), "which of them, torch says itself"


def test_that_a_worker_is_given_nothing_of_the_window() -> None:
    assert named(needs.pinned(LOCK)) == {"numpy"}


def test_that_a_wheel_that_is_kept_is_named_by_its_path(tmp_path: Path) -> None:
    kept = tmp_path / "numpy-2.5.5-cp313-cp313-any.whl"
    kept.touch()
    asked = needs.pinned(LOCK, kept=tmp_path)
    assert asked == ["numpy==2.4.6 ; python_full_version < '3.12'", str(kept)]


def test_that_a_label_or_another_version_passes_no_wheel_over_the_hashes(tmp_path: Path) -> None:
    for version in ("2.4.6+evil", "2.4.7"):
        path = tmp_path / f"numpy-{version}-cp311-cp311-any.whl"
        path.write_bytes(b"evil")
        with pytest.raises(MissingPart, match="is not the file"):
            needs.check([path], LOCK)
    build = tmp_path / "torch-2.15.0+cpu-cp311-cp311-any.whl"
    with zipfile.ZipFile(build, "w") as made:
        made.writestr("torch/version.py", "of an index of its own")
    needs.check([build], LOCK)


def test_that_a_wheel_of_an_index_of_its_own_that_came_in_part_is_refused(tmp_path: Path) -> None:
    build = tmp_path / "torch-2.15.0+cpu-cp311-cp311-any.whl"
    with zipfile.ZipFile(build, "w") as made:
        made.writestr("torch/version.py", "x" * 1000)
    build.write_bytes(build.read_bytes()[:-100])
    with pytest.raises(MissingPart, match=r"torch 2\.15\.0\+cpu is not whole") as refused:
        needs.check([build], LOCK)
    assert refused.value.hint.startswith("Copy it again")


def test_that_a_wheel_with_another_hash_than_the_locks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "numpy-2.4.6-cp311-cp311-any.whl"
    path.write_bytes(b"good")
    needs.check([path], LOCK)
    path.write_bytes(b"evil")
    with pytest.raises(MissingPart, match=r"numpy 2\.4\.6 is not the file"):
        needs.check([path], LOCK)


def test_that_the_real_lock_brings_all_that_training_and_the_engine_need_and_no_more() -> None:
    project = tomllib.loads((ROOT / "core" / "pyproject.toml").read_text("utf-8"))["project"]
    asked = named(needs.pinned(needs.lock())) | set(needs.BUILDS)
    listed = [*project["dependencies"], *project["optional-dependencies"]["train"]]
    declared = {re.split(r"[><!=]", text)[0].lower() for text in listed}
    assert declared - asked == needs.LEFT_OUT & declared
    assert asked >= {name.lower() for name in parts.PACKAGES.values()}
    assert f"torch>={needs.LEAST['torch']}" in listed
    locked = {line.partition("==")[0].lower() for line in needs.lock().splitlines() if "==" in line}
    assert locked >= needs.LEFT_OUT
    assert re.search(rf"^nvidia-cuda-runtime=={build.CUDA_MAJOR}\.", needs.lock(), re.MULTILINE)
