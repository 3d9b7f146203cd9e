"""Python runs this first where this folder is on its path, as on the nodes of `test_together`."""

import os
from dataclasses import replace

import fullfield

fullfield.__version__ = os.environ.get("VERSION", fullfield.__version__)

from fullfield.jobs import registry  # noqa: E402 - it may take over the version

registry.KINDS["train"] = replace(registry.KINDS["train"], module=os.environ.get("TRAINS", "nodes.toy"), needs=())

if "CHANGES" in os.environ:
    __import__(os.environ["CHANGES"])
