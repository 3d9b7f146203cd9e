"""`fullfield scenes OUT`: radiographs of the program's own making as pairs, for `fullfield train --data OUT`."""

from __future__ import annotations

import argparse
import importlib

from fullfield.errors import ExitCode
from fullfield.plan.spec import NETWORKS, SMALLEST
from fullfield_app import interrupts
from fullfield_app.cli.speak import open_bar, say, typed

USUAL_COUNT, USUAL_SIZE, LARGEST, NATIVE = 56, 1024, 8192, "native"


def add_options(parser: argparse.ArgumentParser) -> None:
    """How many scenes, from which seed, at which size."""
    from fullfield_app.arguments import add_common, folder, natural, positive

    parser.add_argument("out", type=folder, metavar="OUT", help="folder for the pairs; the same one goes on")
    parser.add_argument(
        "--count", type=positive, default=USUAL_COUNT, metavar="N", help=f"how many (default {USUAL_COUNT})"
    )
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="what they are drawn from (default 0)")
    parser.add_argument(
        "--size",
        default=str(USUAL_SIZE),
        type=_sizes,
        metavar="N[,N…]",
        help=f"longer side in pixels, or {NATIVE}: 2,000 to 4,300; several: in turn, for a network of any size "
        f"(default {USUAL_SIZE})",
    )
    parser.add_argument(
        "--network",
        choices=NETWORKS,
        default=NETWORKS[-1],
        help=f"the kind of network that is to learn from them (default {NETWORKS[-1]})",
    )
    add_common(parser)


def run(values: argparse.Namespace) -> int:
    """Make them in this process."""
    with interrupts.exiting_at_once():
        pairs = importlib.import_module("fullfield.data.scenes.pairs")
    bar = open_bar("Drawing scenes", values.count, wanted=not values.quiet)
    try:
        pairs.write(
            values.out,
            values.count,
            seed=values.seed,
            sizes=values.size,
            network=values.network,
            progress=lambda *_: bar.advance(1),
        )
    finally:
        bar.close()
    if values.count == 1 and not values.quiet:
        say("1 scene. A training needs at least 2: it holds some back.")
    elif not values.quiet:
        size = values.size[0] if len(values.size) == 1 and values.size[0] else NATIVE
        train = f"fullfield train --network {values.network} --data {typed(values.out)} --size {size} --out RUN"
        say(f"{values.count} scenes. Train on them: {train}")
    return int(ExitCode.ALL_DONE)


def _sizes(text: str) -> tuple[int | None, ...]:
    return tuple(map(_size, text.split(",")))


def _size(text: str) -> int | None:
    """Pixels that scenes are worth drawing at, and a training takes; None: a detector's own."""
    if text == NATIVE:
        return None
    if not text.isdecimal() or not SMALLEST <= int(text) <= LARGEST:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither {NATIVE} nor a whole number from {SMALLEST} to {LARGEST}"
        )
    return int(text)
