from __future__ import annotations

import psutil
import pytest

from fullfield.distribution.standalone import Here

pytestmark = pytest.mark.training


def listening() -> set[tuple[str, int]]:
    """Where this process takes connections."""
    found = psutil.Process().net_connections()
    return {(one.laddr.ip, one.laddr.port) for one in found if one.status == psutil.CONN_LISTEN}


def test_that_processes_of_one_computer_meet_at_its_loopback_alone() -> None:
    before = listening()
    here = Here()
    assert {address for address, _ in listening() - before} == {"127.0.0.1"}
    assert here.next_rendezvous().bootstrap_store_info.master_addr == "127.0.0.1"
