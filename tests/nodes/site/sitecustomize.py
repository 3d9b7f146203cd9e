"""Python runs this first where this folder is on its path, as on the nodes of `test_together`."""

import os
from dataclasses import replace

from fullfield.jobs import registry

registry.KINDS["train"] = replace(registry.KINDS["train"], module=os.environ.get("TRAINS", "nodes.toy"), needs=())
