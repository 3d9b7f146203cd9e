"""torchrun's elastic agent on one node of several: it starts this node's ranks, and starts them anew with others.

All that listens is the head's store, on the address of the named interface, and gloo or NCCL on the same interface.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from fullfield.distribution.gathering import Gathering
from fullfield.protocol.fleets import Fleet

STORE_SECONDS = 3.0
"""Within which the head's store answers, or the line is cut."""
MOST_RESTARTS = 1000
PARTING_SECONDS, LOOK_SECONDS = 5.0, 0.2


def listening(address: str, port: int = 0) -> socket.socket:
    """A socket that takes connections at this address alone; a free port where none is named. Raises OSError."""
    found = socket.socket(socket.AF_INET)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind((address, port))
    found.listen(64)
    return found


def opened(fleet: Fleet) -> Any:
    """The head's store, on the head itself. Raises OSError."""
    from torch._C._distributed_c10d import TCPStore

    own = listening(fleet.address, fleet.port)  # else torch listens on all interfaces
    return TCPStore(
        fleet.address,
        fleet.port,
        is_master=True,
        wait_for_workers=False,
        master_listen_fd=own.detach(),
        timeout=timedelta(seconds=STORE_SECONDS),
    )


def connected(fleet: Fleet, seconds: float = STORE_SECONDS) -> Any:
    """The part of the head's store that is this run's. Raises RuntimeError."""
    from torch._C._distributed_c10d import PrefixStore, TCPStore

    there = TCPStore(fleet.address, fleet.port, is_master=False, timeout=timedelta(seconds=seconds))
    return PrefixStore(fleet.key, there)


def prepare(modules: list[str]) -> None:
    """Begin to import, in a process of its own from which ranks are forked later, what they need."""
    import multiprocessing
    from multiprocessing import forkserver

    multiprocessing.set_forkserver_preload(modules)
    forkserver.ensure_running()


def run(
    gathering: Gathering, work: Callable[..., None], arguments: tuple[Any, ...], processes: int, *, again: int
) -> bool:
    """Run `work(*arguments)` in so many processes of this node, anew in each round, until it returns in all of them;
    False where it never did. `again`: the exit code of one that asks for a new round; any other is one that has died.
    Raises Left, HeadLost, RuntimeError where the store is gone."""
    import multiprocessing

    from torch.distributed.elastic.agent.server.api import WorkerSpec
    from torch.distributed.elastic.agent.server.local_elastic_agent import LocalElasticAgent
    from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs

    os.environ["TORCH_DISABLE_SHARE_RDZV_TCP_STORE"] = "1"  # else a late node ends the run (pytorch#135712)
    # The agent asks for this computer's full name at every turn: where no DNS answers, for ten seconds each time.
    socket.getfqdn = lambda name="": name
    first = multiprocessing.get_context("forkserver").Process(target=int)  # the others train on until that is done
    first.start()
    first.join()

    class Agent(LocalElasticAgent):
        def _monitor_workers(self, worker_group: Any) -> Any:
            """As torch does; it ends all of them where one has ended, so those that died are noted before."""
            ranks: Any = self._pcontext
            codes = {one.exitcode for one in ranks._pc.processes}
            found = super()._monitor_workers(worker_group)
            codes |= {one.exitcode for one in found.failures.values()}
            gathering.died = tuple(sorted(codes - {None, 0, again}))
            return found

        def _stop_workers(self, worker_group: Any) -> None:
            """As torch does; but it kills after 30 seconds, and a step may take longer."""
            ranks: Any = self._pcontext
            asked = [one for one in ranks._pc.processes if one.is_alive()] if gathering.is_saving() else []
            for one in asked:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one.pid, signal.SIGTERM)
            while any(one.is_alive() for one in asked) and gathering.is_saving():
                time.sleep(LOOK_SECONDS)
            super()._stop_workers(worker_group)

    agent = Agent(
        WorkerSpec(
            role="rank",
            local_world_size=processes,
            entrypoint=work,
            args=arguments,
            rdzv_handler=gathering,  # type: ignore[arg-type]  # it has all that is asked of one
            max_restarts=MOST_RESTARTS,
            monitor_interval=LOOK_SECONDS,
        ),
        DefaultLogsSpecs(log_dir=os.devnull),
        start_method="forkserver",
        exit_barrier_timeout=PARTING_SECONDS,
    )

    def kill() -> None:
        for one in agent.get_worker_group().workers:
            with contextlib.suppress(ProcessLookupError, TypeError):
                os.kill(one.id, signal.SIGKILL)

    gathering.kill = kill
    try:
        result = agent.run()
    except BaseException:
        kill()
        raise
    return result is not None and not result.is_failed()
