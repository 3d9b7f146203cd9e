"""`fullfield node`: name the machines that may compute for this one; and what ssh calls on such a machine."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from fullfield.checked import Fields
from fullfield.errors import ExitCode, FullfieldError
from fullfield.files import cannot_write
from fullfield.nodes import answering, between, following, kept, node, pieces, probe, together
from fullfield.nodes.node import Node
from fullfield.protocol.places import LOCAL
from fullfield_app.cli.speak import say, sentences, tell


def add_options(parser: argparse.ArgumentParser) -> None:
    """What is for people, and what ssh calls on the node."""
    from fullfield_app.arguments import named

    whats = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    added = "name a machine that may train for this one, or change what is said of it, or of this one (local)"
    add = whats.add_parser("add", help=added)
    add.add_argument("name", metavar="NAME")
    address = "[user@]host[:port], or a name of ~/.ssh/config; of local, this computer, there is none"
    add.add_argument("address", nargs="?", type=named, metavar="ADDRESS", help=address)
    allow = argparse.BooleanOptionalAction  # not said: as it was, of the same address
    add.add_argument("--allow-images", action=allow, help="pixels of images may go there")
    add.add_argument(
        "--interface", metavar="NAME", help="the network interface there on which it may train with other nodes (eth1)"
    )
    add.add_argument(
        "--allow-unencrypted", action=allow, help="what nodes say to one another may travel there unencrypted"
    )
    queue = (
        "it is the login node of a SLURM cluster: a training waits in its queue, with these options of srun in quotes "
        '("" for none: it is no such node any more)'
    )
    add.add_argument("--slurm", nargs="?", const=node.QUEUE, metavar="OPTIONS", help=queue)
    called = f"how Fullfield is called there (default {node.COMMAND}, or as it was)"
    add.add_argument("--command", metavar="COMMAND", help=called)
    whats.add_parser("list", help="the nodes, and whether each is ready")
    remove = whats.add_parser("remove", help="name it no more")
    remove.add_argument("name", metavar="NAME")
    whats.add_parser("probe", help="by ssh: what this machine has, as a line of JSON")
    whats.add_parser("listen", help="by ssh: wait for another machine that measures what is between them")
    whats.add_parser("call", help="by ssh: measure what is between this machine and one that listens")
    whats.add_parser("take", help="by ssh: take pixels from standard input")
    whats.add_parser("run", help="by ssh: start a run")
    enhance = whats.add_parser("enhance", help="by ssh: enhance the images that come on standard input")
    enhance.add_argument("id", metavar="ID")
    follow = whats.add_parser("follow", help="by ssh: tell the events of a run, and bring its results")
    follow.add_argument("id", metavar="ID")
    follow.add_argument("--from", dest="begin", type=int, default=0, metavar="BYTE", help="of its events")
    forget = whats.add_parser("forget", help="on the node: remove a run that lies there, or all that do not go on")
    forget.add_argument("id", nargs="?", type=named, metavar="ID")
    forget.add_argument("--json", action="store_true", help="by ssh: answer with a line of JSON")


def run(values: argparse.Namespace) -> int:
    """Do it; the exit code."""
    match values.what:
        case "add":
            return _add(values)
        case "list":
            return _list()
        case "remove":
            node.drop(values.name)
            left = (
                " What lies there is deleted after a week, the next time that Fullfield is called there; at once by "
                "fullfield node forget there."
            )
            say(f"{values.name} is no node any more.{'' if values.name == LOCAL else left}")
            return int(ExitCode.ALL_DONE)
        case "follow":
            return _leave(answering.answered(lambda: following.follow(values.id, values.begin)))
        case "enhance":
            return _leave(answering.answered(lambda: _enhance(values.id)))
        case "forget":
            return answering.answered(lambda: _forget(values.id)) if values.json else _tell_forgotten(values.id)
        case _:
            calls: dict[str, Callable[[], Fields | None]] = {
                "probe": probe.here,
                "listen": between.listen,
                "call": between.call,
                "take": pieces.take,
                "run": following.run,
            }
            return answering.answered(calls[values.what])


def _leave(code: int) -> NoReturn:
    """Threads that listen to standard input, or compute for who is gone, are not waited for."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    os._exit(code)


def _enhance(run: str) -> None:
    from fullfield.nodes import computing  # what reads images

    computing.serve(run)


def _add(values: argparse.Namespace) -> int:
    before = node.find(LOCAL) if values.name == LOCAL else node.listed().get(values.name)
    called = values.command if values.command is not None else before.command if before is not None else node.COMMAND
    interface = values.interface if values.interface is not None else before.interface if before is not None else ""
    address = values.address or (LOCAL if values.name == LOCAL else before.address if before is not None else "")
    agreed = before if before is not None and before.address == address else Node(name=values.name, address=address)
    made = Node(
        name=values.name,
        address=address,
        command=called,
        allow_images=agreed.allow_images if values.allow_images is None else values.allow_images,
        interface=interface,
        allow_unencrypted=agreed.allow_unencrypted if values.allow_unencrypted is None else values.allow_unencrypted,
        slurm=values.slurm if values.slurm is not None else before.slurm if before is not None else "",
    )
    node.keep(made)
    if made.interface:
        say(together.UNENCRYPTED)
    if made.interface and not made.allow_unencrypted:
        say(f"{made.name} trains with no other node: to let it, add it again with --allow-unencrypted.")
    if not made.may_have_images:
        say(f"No images go to {made.name}: to train or enhance there, add it again with --allow-images.")
    return _tell(made)


def _list() -> int:
    known, own = node.listed(), node.find(LOCAL)
    if not known:
        say("No node is known. Add one: fullfield node add NAME [user@]host --allow-images.")
    codes = [_tell(one) for one in (*known.values(), *([own] if own.interface else []))]
    return max(codes, default=int(ExitCode.ALL_DONE))


def _tell(one: Node) -> int:
    """Say whether a node is ready; the exit code of the reason why not."""
    images = "" if one.may_have_images else " (no images)"
    known = one.name if one.here else f"{one.name}  {one.address}{images}"
    try:
        found = probe.there(one)
        probe.refuse_unready(found, one)
    except FullfieldError as error:
        tell(f"{known}  not ready: {sentences(error.as_fields())}")
        return int(error.exit_code)
    tell(f"{known}  ready: {found.sentence(queue=bool(one.slurm))}")
    return int(ExitCode.ALL_DONE)


def _forget(run: str | None) -> Fields:
    if run is None:
        return {"running": kept.forget_all()}
    kept.forget(run)
    return {"forgotten": run}


def _tell_forgotten(run: str | None) -> int:
    try:
        running = _forget(run).get("running", 0)
    except OSError as error:
        raise cannot_write(error) from error
    what = "What other computers had left here is" if run is None else "The run is"
    tell(f"{what} removed{f', but for {running} that still run' if running else ''}.")
    return int(ExitCode.ALL_DONE)
