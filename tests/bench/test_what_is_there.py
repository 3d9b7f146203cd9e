"""A file that a bench is to write, where another one is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.bench import detect, guards, quality
from fullfield.errors import OutputInvalid
from fullfield.image import guards as limits
from fullfield.model import tried


@pytest.mark.parametrize(
    "content", [b"\0" * 128 + b"DICM", b"[1]", b'{"general": 1', b'{"dose": 3}', b'{"map": {"mGy": 3}}']
)
def test_that_a_bench_refuses_a_file_of_others_before_it_measures(content: bytes, tmp_path: Path) -> None:
    there = tmp_path / "wrist.dcm"
    there.write_bytes(content)
    with pytest.raises(OutputInvalid, match="Cannot replace"):
        detect.bench(json=False, model=tmp_path / "none", tried=there)
    with pytest.raises(OutputInvalid, match="Cannot replace"):
        guards.bench(json=False, folder=tmp_path / "none", limits=there)
    with pytest.raises(OutputInvalid, match="Cannot replace"):
        quality.bench(json=False, folder=tmp_path / "none", sizes=("256",), sheet=there)
    assert there.read_bytes() == content


def test_that_a_bench_takes_a_file_of_its_own_for_its_own(tmp_path: Path) -> None:
    tried.write(tmp_path / "tried", {"general": tried.Tried(signals=3, median=1.0, lost=0.0)})
    limits.write_limits(tmp_path / "limits", {limits.MAP: limits.Limits(of={"dip 0": 1.0})})
    assert tried.is_ours((tmp_path / "tried").read_bytes()) and limits.is_ours((tmp_path / "limits").read_bytes())
    assert not tried.is_ours((tmp_path / "limits").read_bytes())
