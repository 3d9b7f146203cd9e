"""`fullfield weights`: what is here, and what a fetch says and leaves."""

from __future__ import annotations

import hashlib
import json

import pytest
import segmentation_models_pytorch as smp
import torch
from safetensors import torch as safetensors

from flows.command import fullfield
from fullfield.errors import ExitCode
from fullfield.model import imagenet
from fullfield_app import arguments
from fullfield_app.__main__ import main
from hub import Hub, keep_weights, serving


def test_that_the_list_says_what_is_here_where_and_its_hash(capsys: pytest.CaptureFixture[str]) -> None:
    path = keep_weights({})
    assert arguments.parse(["weights"])() == 0
    assert capsys.readouterr().out.splitlines() == [
        "resnet34: not here. fullfield weights fetch --encoder resnet34 (85 MB from huggingface.co)",
        "resnet18: here",
        f"  {path}",
        f"  SHA-256 {path.resolve().name}",
    ]
    path.resolve().write_bytes(b"changed")
    arguments.parse(["weights", "list"])()
    assert "resnet18: damaged: fullfield weights fetch --encoder resnet18" in capsys.readouterr().out


def test_that_a_program_which_asks_for_events_of_the_list_is_refused_in_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["weights", "list", "--json"]) == ExitCode.USAGE
    told = capsys.readouterr()
    assert [json.loads(line)["kind"] for line in told.out.splitlines()] == ["RunFailed", "RunEnded"]
    assert "--json does not go with 'list'. It goes with: fetch." in told.err


@pytest.mark.slow
def test_that_a_fetch_says_size_and_host_first_and_tells_the_hub_nothing_but_what_it_wants() -> None:
    torch.manual_seed(3)
    state = smp.encoders.get_encoder("resnet18", in_channels=3, weights=None).state_dict()
    with serving(Hub(bytes(safetensors.save(state)))) as hub:
        done = fullfield("weights", "fetch", "--encoder", "resnet18", HF_ENDPOINT=hub.url, HF_TOKEN="hf_secret")
    assert done.code == 0, done.err
    assert done.err.splitlines()[0] == (
        "Fetching the ImageNet weights of resnet18: 45 MB from huggingface.co. Nothing of yours is sent."
    )
    assert f"SHA-256 {hashlib.sha256(hub.content).hexdigest()}" in done.out
    path = imagenet.find("resnet18")
    assert path is not None and path.read_bytes() == hub.content
    assert {path for path, _ in hub.asked} == {
        f"/smp-hub/resnet18.imagenet/resolve/{imagenet.SOURCES['resnet18'].revision}/model.safetensors"
    }
    for _, headers in hub.asked:
        assert "secret" not in str(headers)
        assert "torch" not in headers["user-agent"]


@pytest.mark.slow
def test_that_a_fetch_without_a_connection_is_an_error_and_leaves_nothing() -> None:
    done = fullfield("weights", "fetch", HF_ENDPOINT="http://127.0.0.1:9")
    assert done.code == 9
    assert "Cannot fetch the ImageNet weights." in done.err
    assert imagenet.find("resnet34") is None
