"""What is between ranks is measured by all of them, told by the one that writes, and known to the next plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.hardware import measured_links
from fullfield.hardware.devices import Device
from fullfield.hardware.links import Link
from fullfield.protocol.rank_events import LinkMeasured
from fullfield.train import link
from teams import Member, together
from train.ranks import RankContext

CPU = Device(name="cpu", title="the CPU", kind="cpu", why="", free_bytes=0)


def measured(folder: Path) -> list[tuple[Link, list[LinkMeasured]]]:
    """Of each of two ranks: what it finds, and what it tells."""

    def one(team: Member) -> tuple[Link, list[LinkMeasured]]:
        context = RankContext(folder / str(team.rank), team)
        return link.measure(team, CPU, context, "cpu", apart=False), context.reported(LinkMeasured)

    return together(2, one)


def test_that_a_link_is_told_once_and_kept_for_as_many_ranks_of_this_place(tmp_path: Path) -> None:
    (found, (told,)), (others, nothing) = measured(tmp_path)
    assert found == others and nothing == []
    assert (told.seconds, told.bytes_per_second) == (found.seconds, found.bytes_per_second)
    assert found.seconds > 0 and found.bytes_per_second > 0
    assert measured_links.known("cpu", 2, apart=False) == found
    assert measured_links.known("cpu", 2, apart=True) is None


def test_that_what_is_between_several_computers_is_not_kept_for_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link.meet, "here", lambda world: world - 1)
    ((_, told), _) = measured(tmp_path)
    assert len(told) == 1
    assert measured_links.known("cpu", 2, apart=False) is None
