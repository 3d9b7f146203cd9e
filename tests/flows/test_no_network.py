"""Nothing asks the network for anything: not a training, not a plan, not a batch, whatever a hub could give."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from flows.command import fullfield
from fullfield.files import resource

WATCH = """
import os, socket

def forbidden(whole, what):
    def refused(*given, **named):
        if what == "getaddrinfo" or given[0].family != getattr(socket, "AF_UNIX", None):
            with open(os.environ["ASKED"], "a") as stream:
                stream.write(what + " " + repr(given[1:] if what != "getaddrinfo" else given) + "\\n")
            raise OSError(101, "Network is unreachable")
        return whole(*given, **named)
    return refused

socket.getaddrinfo = forbidden(socket.getaddrinfo, "getaddrinfo")
for name in ("connect", "connect_ex", "sendto"):
    setattr(socket.socket, name, forbidden(getattr(socket.socket, name), name))
open(os.environ["WATCHED"], "a").write("a process\\n")
"""
"""Runs at the start of every Python: the command's, its worker's, the decoder's."""


@pytest.fixture
def watched(tmp_path: Path) -> dict[str, str]:
    """The environment in which every process notes what it asks of the network."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WATCH)
    places = [str(tmp_path / "site"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        "PYTHONPATH": os.pathsep.join(places),
        "ASKED": str(tmp_path / "asked"),
        "WATCHED": str(tmp_path / "watched"),
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [*(pytest.param(name, marks=pytest.mark.training) for name in ("train", "plan")), "batch"]
)
def test_that_no_process_asks_the_network_for_anything(command: str, watched: dict[str, str], tmp_path: Path) -> None:
    small = ("--size", 192, "--encoder", "resnet18", "--device", "cpu")
    given = {
        "train": ("train", "--data", resource("phantoms"), "--out", tmp_path / "run", "--epochs", 1, *small),
        "plan": ("plan", *small),
        "batch": ("--batch", resource("phantoms/hand-dx.dcm"), "-o", tmp_path / "out"),
    }[command]
    done = fullfield(*given, **watched)
    assert done.code == 0, done.err
    assert len((tmp_path / "watched").read_text().splitlines()) >= 2  # the command and its worker
    assert not (tmp_path / "asked").exists(), (tmp_path / "asked").read_text()
    if command == "train":
        assert done.err.startswith("First weights: none, the network starts from scratch: ImageNet's are not on this")
        assert json.loads((tmp_path / "run" / "job.json").read_text())["spec"]["weights"] == "none"
