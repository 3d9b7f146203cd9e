"""Ranks talk over one network interface, whatever the user's shell says of gloo and NCCL. NCCL's own library is asked,
which takes no card for that."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fullfield import system
from fullfield.distribution import meet
from fullfield.errors import UsageError

LIBRARIES = [*Path(sysconfig.get_path("purelib")).glob("nvidia/*/lib/libnccl.so.*")]
SHELL = {
    "NCCL_SOCKET_IFNAME": "none0",
    "GLOO_SOCKET_IFNAME": "none0",
    "NCCL_COMM_ID": "192.0.2.1:9",
    "NCCL_NET": "IB",
    "NCCL_NET_PLUGIN": "ofi",
    "NCCL_OOB_NET_ENABLE": "1",
}
MEETING = """
import ctypes, os, sys, psutil
from fullfield import system
from fullfield.distribution import meet
from fullfield.errors import UsageError

if sys.argv[2] == "bound":
    meet.bind(system.LOOPBACK)
code = ctypes.CDLL(sys.argv[1]).ncclGetUniqueId(ctypes.byref(ctypes.create_string_buffer(128)))
listening = sorted(one.laddr.ip for one in psutil.Process().net_connections() if one.status == psutil.CONN_LISTEN)
print(code, *listening, "gloo", os.environ["GLOO_SOCKET_IFNAME"], flush=True)
os._exit(0)  # its threads wait for ranks
"""


def met(how: str) -> str:
    words = [sys.executable, "-c", MEETING, str(LIBRARIES[0]), how]
    return subprocess.run(words, env={**os.environ, **SHELL}, capture_output=True, text=True, timeout=60).stdout


@pytest.mark.skipif(not LIBRARIES, reason="this torch has no NCCL")
def test_that_nccl_takes_connections_on_the_named_interface_alone() -> None:
    assert met("bound").split() == ["0", "127.0.0.1", "gloo", system.LOOPBACK]
    assert "127.0.0.1" not in met("as the shell says"), "what is named here decides it"


@pytest.mark.training
def test_that_a_rank_that_fails_says_so_before_it_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """To leave them, it would wait for those that wait for it."""
    from torch import distributed

    left: list[str] = []
    monkeypatch.setattr(meet, "bind", lambda interface: None)
    monkeypatch.setattr(meet, "_store", distributed.HashStore)
    monkeypatch.setattr(meet, "agree", lambda *given: None)
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setattr(distributed, "init_process_group", lambda backend, **given: None)
    monkeypatch.setattr(distributed, "get_rank", lambda group: 0)
    monkeypatch.setattr(distributed, "get_world_size", lambda *group: 2)
    monkeypatch.setattr(distributed, "get_backend", lambda: "gloo")
    monkeypatch.setattr(distributed, "destroy_process_group", lambda: left.append("left"))
    with pytest.raises(OSError, match="full"), meet.met(2, "cpu", apart=False):
        raise OSError("the disk is full")
    assert left == []
    with meet.met(2, "cpu", apart=False):
        pass
    assert left == ["left"]


@pytest.mark.training
def test_that_ranks_that_would_talk_otherwise_are_refused_on_all_of_them() -> None:
    from torch.distributed import HashStore

    def met_with(*ways: str) -> list[UsageError | None]:
        store = HashStore()

        def one(rank: int) -> UsageError | None:
            try:
                meet.agree(store, rank, len(ways), ways[rank])
            except UsageError as error:
                return error
            return None

        with ThreadPoolExecutor(len(ways)) as pool:
            return list(pool.map(one, range(len(ways))))

    assert met_with("cpu", "cpu") == [None, None]
    for error in met_with("own card", "cpu"):
        assert error is not None and "Some compute on a card, others on the CPU." in str(error)
    for error in met_with("own card", "shared card", "own card"):
        assert error is not None and "Some have a card of their own, others share one." in str(error)
