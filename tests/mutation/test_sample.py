"""Which faults are picked."""

from __future__ import annotations

import pytest

from mutation import sample
from mutation.faults import Fault, find
from support import ROOT


def test_that_a_name_that_is_no_room_and_no_file_is_told() -> None:
    with pytest.raises(FileNotFoundError, match="enhance/legder"):
        sample.sources(ROOT, ["enhance/legder"])


def made(path: str, count: int) -> list[Fault]:
    return find(b"\n".join(b"a < %d" % number for number in range(count)), path)


def test_that_one_seed_picks_the_same_and_as_many_of_each_file() -> None:
    files = {"a.py": made("a.py", 40), "b.py": made("b.py", 2), "c.py": made("c.py", 40)}
    chosen = sample.pick(files, 12, seed=5)
    assert [sum(fault.path == path for fault in chosen) for path in files] == [4, 4, 4]
    assert chosen == sample.pick(dict(reversed(files.items())), 12, seed=5)
    assert chosen != sample.pick(files, 12, seed=6)
    alone = sample.pick({"a.py": files["a.py"]}, 4, seed=5)
    assert [fault for fault in chosen if fault.path == "a.py"] == alone
    assert len(sample.pick(files, 1000, seed=5)) == sum(map(len, files.values()))


def test_that_any_file_may_be_among_fewer_faults_than_there_are_files() -> None:
    files = {f"{letter}.py": made(f"{letter}.py", 5) for letter in "abcdefgh"}
    chosen = [{fault.path for fault in sample.pick(files, 3, seed)} for seed in range(40)]
    assert {len(paths) for paths in chosen} == {3}
    assert set.union(*chosen) == set(files)
