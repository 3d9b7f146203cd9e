"""What rank 0 hands to the others is theirs, whole."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from fullfield import files
from fullfield.distribution import handed
from fullfield.distribution.team import ALONE, Team
from fullfield.errors import RankLost
from fullfield.train import shared
from fullfield.train.checkpoint import KEPT, Store
from teams import together

CPU = torch.device("cpu")


def test_that_values_of_rank_0_are_those_of_all_and_that_its_error_ends_them() -> None:
    reported = {"techniques": ["spatial"], "sentence": "Größe ≥ 1", "nothing": None}
    found = together(3, lambda team: handed.values(team, lambda: reported if team.writes else {"rank": team.rank}))
    assert found == [reported] * 3 and handed.values(ALONE, lambda: reported) == reported

    def fails(team: Team) -> type[BaseException]:
        with pytest.raises((KeyError, RankLost)) as raised:
            handed.values(team, lambda: {}[0])
        return raised.type

    assert together(2, fails) == [KeyError, RankLost]


def test_that_a_file_of_rank_0_goes_to_the_nodes_that_lack_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handed, "PIECE", 1000)
    monkeypatch.setattr(handed.meet, "place_here", lambda rank: 0)  # each is on a node of its own
    content = bytes(torch.arange(4321, dtype=torch.int64).to(torch.uint8).tolist())
    for name, here in (("0", content), ("1", b""), ("2", content[:-1] + b"?"), ("3", content)):
        (tmp_path / name).mkdir()
        if here:
            (tmp_path / name / "x").write_bytes(here)
    same = (tmp_path / "3" / "x").stat().st_mtime_ns
    sha256 = files.sha256(tmp_path / "0" / "x")
    together(4, lambda team: handed.file(team, tmp_path / str(team.rank) / "x", sha256, CPU))
    assert [(tmp_path / str(rank) / "x").read_bytes() for rank in range(4)] == [content] * 4
    assert (tmp_path / "3" / "x").stat().st_mtime_ns == same, "who has it is left alone"


def test_that_another_node_keeps_the_checkpoint_alone_that_all_go_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared.meet, "place_here", lambda rank: 0)  # each is on a node of its own

    def go_on(team: Team) -> None:
        store = head if team.writes else Store(tmp_path / "node", writes=False)
        found = shared.newest(store, team, CPU)
        assert found is not None and torch.equal(found.tensors["w"], torch.ones(3))

    with Store(tmp_path / "head") as head:
        head.latest()
        for step in range(1, 6):
            head.save(step, {"w": torch.ones(3)}, {"spec": {}, "data": "", "progress": {}})
            together(2, go_on)
    names = {name: [one.name for one in (tmp_path / name).rglob("step-*")] for name in ("head", "node")}
    assert len(names["head"]) == KEPT and names["node"] == ["step-000000005.safetensors"]
