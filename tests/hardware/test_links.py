"""What connects devices: known kinds, and any speed with any latency."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fullfield.errors import UsageError
from fullfield.hardware import links, measured_links


@pytest.mark.parametrize(
    ("text", "rate", "seconds"),
    [("10gbe", 1.175e9, 50e-6), ("110MB/s", 110e6, links.INSIDE.seconds), ("1 GiB/s,0.002", 2**30, 0.002)],
)
def test_that_a_link_is_known_by_name_or_said_by_its_speed(text: str, rate: float, seconds: float) -> None:
    found = links.find(text)
    assert (found.bytes_per_second, found.seconds) == (pytest.approx(rate), seconds)


@pytest.mark.parametrize(
    ("text", "hint"), [("1GbEe", "'1GbE'"), ("110", "110MB/s"), ("0MB/s", "write"), ("1MB/s,-1", "write")]
)
def test_that_what_is_no_link_is_refused_with_what_is(text: str, hint: str) -> None:
    with pytest.raises(UsageError) as found:
        links.find(text)
    assert hint in found.value.hint


def test_that_a_ring_of_more_ranks_takes_more_rounds_and_hardly_more_bytes() -> None:
    link = links.Link(name="one", seconds=1.0, bytes_per_second=1.0)
    two, four = (link.time(passed=0, messages=0, shared=8, collectives=1, ranks=ranks) for ranks in (2, 4))
    assert (two, four) == (2 + 8, 6 + 12)
    assert link.time(passed=3, messages=4, shared=0, collectives=0, ranks=4) == 2 + 3


def test_that_what_was_measured_is_kept_for_as_many_ranks_that_talk_in_the_same_way(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FULLFIELD_CACHE", str(tmp_path))
    link = links.of_sums(2e-4, 2e-4 + 0.004, 4 << 20, 2)
    assert link.time(passed=0, messages=0, shared=4 << 20, collectives=1, ranks=2) == pytest.approx(0.0042)
    assert measured_links.known("cpu", 2, apart=False) is None
    measured_links.keep("cpu", 2, link, apart=False)
    measured_links.keep("cuda", 2, replace(link, seconds=1e-5), apart=True)
    assert measured_links.known("cpu", 2, apart=False) == link
    assert [measured_links.known("cuda", ranks, apart=apart) for ranks, apart in ((2, False), (3, True))] == [None] * 2
    (kept,) = tmp_path.glob("links-*.json")
    kept.write_text('{"cpu shared 2": [1]}')
    assert measured_links.known("cpu", 2, apart=False) is None, "a damaged note is none"
