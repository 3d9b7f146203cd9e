"""On a node with several cards one image is not left to one of them: its rows are divided, with the result of here."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fullfield.enhance.choose import open_choice
from fullfield.enhance.elsewhere import Machines
from fullfield.enhance.guarded import Policy
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.model.spec import NetworkSpec
from fullfield.protocol.events import Event, Notice
from nodes.servers import SITE, kept
from nodes.test_enhancing import image

ROWS, COLUMNS = 500, 90


@pytest.mark.training
@pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")
def test_that_the_cards_of_a_node_share_the_rows_of_one_image(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fullfield.model import seeded

    monkeypatch.setenv("PYTHONPATH", SITE)
    kept("gpu", there, allow_images=True, before="CHANGES=nodes.two_cards; export CHANGES;")
    path, said = tmp_path / "unet.safetensors", list[Event]()
    seeded.make(path, NetworkSpec(encoder="resnet18"), seed=3, input_kind="processed")
    header = Header(
        source_format="dicom", sha256="", rows=ROWS, columns=COLUMNS, bits_stored=12, photometric="MONOCHROME2"
    )
    decoded = Decoded(image=image(ROWS, COLUMNS), header=header, folder=Path())
    opened: dict[str, Any] = {"device": "cpu", "notice": lambda text: None, "policy": Policy(force=True)}
    machines = Machines(device="cpu", emit=said.append)
    away = open_choice(str(path), elsewhere=machines.find("node:gpu"), **opened).enhance(decoded)
    here = open_choice(str(path), **opened).enhance(decoded)
    machines.close()
    texts = [event.text for event in said if isinstance(event, Notice)]
    assert any(text.startswith("On the node gpu:") and "each up to 256 of the image's rows" in text for text in texts)
    assert not [event for event in said if isinstance(event, Notice) and event.level == "warning"], "it was done there"
    assert here.pixels.std() > 0 and np.abs(away.pixels.astype(int) - here.pixels).max() <= 1, "of 4,095"
