"""What an agent of a node does beside the rounds: it ends ranks that are frozen, and the head gets the others' news."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar, cast

import pytest

from fullfield.distribution.gathering import Gathering
from fullfield.jobs import agent_looks
from fullfield.jobs.agent_looks import LOOK_SECONDS, Looking
from fullfield.protocol.fleets import Fleet
from jobs.turns import Turn, Turns

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows cannot be a rank")
FLEET = Fleet(names=("a", "b", "c"), number=0, least=1, most=3, interface="lo", key="k")


class Store(dict[str, str]):
    """The head's, as torch's is asked; where it is `cut`, nothing is heard of it."""

    cut = False

    def __bool__(self) -> bool:
        return True  # also where nothing is in it

    def set(self, key: str, value: str) -> None:
        if self.cut:
            raise RuntimeError
        self[key] = value

    def get(self, key: str) -> bytes:  # type: ignore[override]
        return self[key].encode()

    def check(self, keys: list[str]) -> bool:
        return keys[0] in self


class Watched:
    """A rank that is frozen where its process is known."""

    frozen: ClassVar[dict[int, int]] = {}

    def __init__(self, folder: Path, rank: int) -> None:
        assert folder.is_dir()
        self.pid = self.frozen.get(rank, 0)

    def frozen_seconds(self) -> float:
        return 9.0 if self.pid else 0.0


class Looks(Turns):
    """Of a node's agent."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(agent_looks, folder, monkeypatch)
        self.store, self.connected = Store(), 0
        monkeypatch.setattr(agent_looks, "Watched", Watched)
        monkeypatch.setattr(Watched, "frozen", {})

    def go(self, number: int, *turns: Turn, nodes: tuple[int, ...] = (0, 1, 2)) -> None:
        self.turns = list(turns)
        gathering = cast(Gathering, SimpleNamespace(round=4, nodes=nodes))
        Looking(self.folder, replace(FLEET, number=number), gathering, self._connect)
        assert set(self.slept) <= {LOOK_SECONDS}

    def _connect(self) -> Store:
        self.connected += 1
        return self.store


@pytest.fixture
def looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Looks:
    return Looks(tmp_path, monkeypatch)


def test_that_a_node_brings_what_is_new_of_its_ranks_to_the_head_and_again_after_the_line_was_cut(looks: Looks) -> None:
    news = looks.folder / "rank-3.json"
    brought: list[str] = []

    def turn(text: str, *, cut: bool = False) -> Turn:
        def do() -> None:
            brought.append(looks.store.pop("news/4/1", ""))
            looks.store.cut = cut
            news.write_text(text, encoding="utf-8")
            (looks.folder / "worker-3.json").write_text("no news")

        return do

    looks.go(1, lambda: None, turn("Größe"), turn("Größe"), turn("b", cut=True), turn("b"), turn("c"), turn("c"))
    found = [json.loads(text) if text else {} for text in brought]
    assert found == [{}, {"rank-3.json": "Größe"}, {}, {}, {"rank-3.json": "b"}, {"rank-3.json": "c"}]
    assert looks.connected == 2, "anew, once it was cut"


def test_that_the_head_takes_what_is_new_of_the_nodes_of_this_round_and_nothing_of_another_name(looks: Looks) -> None:
    def turn(**of_nodes: str) -> Turn:
        def do() -> None:
            for path in looks.folder.glob("*"):
                taken.append(f"{path.name} {path.read_text(encoding='utf-8')}")
                path.unlink()
            taken.append("")
            for name, text in of_nodes.items():
                key = f"news/{name[1:]}"
                looks.store[key.replace("_", "/")] = text

        return do

    taken: list[str] = []
    news, others = json.dumps({"rank-2.json": "x", "../rank-9.json": "y", "job.json": "z"}), '{"rank-4.json": "Größe"}'
    looks.go(
        0,
        turn(n4_1=news, n4_0='{"rank-7.json": "own"}', n3_2='{"rank-8.json": "before"}'),
        turn(),
        turn(n4_2=others, n4_1="{"),
        turn(n4_1=news, n4_2=others),
        turn(n4_1='{"rank-2.json": "new"}'),
        turn(),
    )
    assert taken == ["", "rank-2.json x", "", "", "", "rank-4.json Größe", "", "rank-2.json new", ""]
    assert not (looks.folder.parent / "rank-9.json").exists()
    looks.go(0, turn(n4_2='{"rank-4.json": "of one that is not of this round"}'), lambda: None, nodes=(0, 1))
    assert [path.name for path in looks.folder.glob("*")] == ["rank-2.json"]


@pytest.mark.parametrize("number", [0, 1])
def test_that_ranks_of_a_node_that_are_frozen_are_ended_and_its_agent_is_not(looks: Looks, number: int) -> None:
    Watched.frozen = {0: 70, 1: 71, 3: 73}
    for name in ("pulse", "pulse-1", "pulse-2", "pulse-3", "pulse-x"):
        (looks.folder / name).touch()
    looks.go(number, lambda: None)
    assert sorted(looks.killed) == [(71, signal.SIGKILL), (73, signal.SIGKILL)]


def test_that_one_that_has_ended_meanwhile_keeps_nobody_from_looking_on(
    looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(pid: int, number: int) -> None:
        looks.killed.append((pid, number))
        raise ProcessLookupError

    monkeypatch.setattr(os, "kill", gone)
    Watched.frozen = {1: 71}
    (looks.folder / "pulse-1").touch()
    looks.go(1, lambda: None, lambda: None)
    assert len(looks.killed) == 2
