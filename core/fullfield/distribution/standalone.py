"""Several processes of a module on this computer: `python -m fullfield.distribution.standalone COUNT MODULE ARGUMENT…`.

torchrun's agent starts them, ends all where one fails, and ends itself then: as the first of them has, where that is
what failed, else with 1. torchrun itself would have them meet in a store that listens on all interfaces; here it
listens on the loopback alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import Any, NoReturn

from fullfield import interpreter, system
from fullfield.distribution.elastic import listening

LOOPBACK = "127.0.0.1"


class Here:
    """What torch calls a rendezvous handler: one node, which is there."""

    use_agent_store = True

    def __init__(self) -> None:
        from torch._C._distributed_c10d import TCPStore

        own = listening(LOOPBACK)
        self._port = own.getsockname()[1]
        self._store = TCPStore(
            LOOPBACK, self._port, is_master=True, wait_for_workers=False, master_listen_fd=own.detach()
        )

    def next_rendezvous(self) -> Any:
        """Where its processes meet."""
        from torch.distributed.elastic.rendezvous.api import RendezvousInfo, RendezvousStoreInfo

        return RendezvousInfo(self._store, 0, 1, RendezvousStoreInfo(LOOPBACK, self._port))

    def get_backend(self) -> str:
        """Its name."""
        return "fullfield"

    def get_run_id(self) -> str:
        """There is one."""
        return "standalone"

    def num_nodes_waiting(self) -> int:
        """No other node comes."""
        return 0

    def is_closed(self) -> bool:
        """It ends with the agent."""
        return False

    def set_closed(self) -> None:
        """Nothing is to be done."""

    def shutdown(self) -> bool:
        """Likewise."""
        return True


def main(arguments: list[str]) -> int:
    """Run the processes until they have ended; 0 where all have done so with 0. Of the first, which tells for all, the
    exit code, where it failed."""
    from torch.distributed.elastic.agent.server.api import WorkerSpec
    from torch.distributed.elastic.agent.server.local_elastic_agent import LocalElasticAgent
    from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs

    count, module, *given = arguments
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # as torchrun does: else each would take all cores
    program, *command = system.python_command(module)
    spec = WorkerSpec(
        role="rank",
        local_world_size=int(count),
        entrypoint=program,
        args=(*command, *given),
        rdzv_handler=Here(),  # type: ignore[arg-type]  # it has all that is asked of one
        max_restarts=0,
        monitor_interval=0.1,
        local_addr=LOOPBACK,
    )
    result = LocalElasticAgent(spec, DefaultLogsSpecs(log_dir=os.devnull)).run()
    first = result.failures.get(0) if result is not None else None
    return first.exitcode if first is not None else int(result is None or result.is_failed())


def end_as(code: int) -> NoReturn:
    """End this process as another one has, by its exit code: where a signal ended that one, by the same."""
    if code < 0:
        with contextlib.suppress(OSError):  # SIGKILL cannot be put off
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    interpreter.leave(code if code < 1 << 31 else 1)  # those of faults on Windows are larger than it takes


if __name__ == "__main__":
    end_as(main(sys.argv[1:]))
