"""Fetching weights from a hub: only what belongs to the encoder stays, and of a fetch that breaks nothing does."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import segmentation_models_pytorch as smp
import torch
from huggingface_hub import constants
from safetensors import torch as safetensors

from fullfield.errors import CannotWrite, Interrupted, ModelError, UsageError
from fullfield.model import fetch, imagenet, initial
from fullfield.model.card import NetworkSpec
from fullfield.protocol.setup_events import BytesFetched
from fullfield.protocol.small import FetchSpec
from hub import Hub, keep_weights, serving
from training import FakeContext


@pytest.fixture(scope="module")
def content() -> bytes:
    torch.manual_seed(3)
    return bytes(safetensors.save(smp.encoders.get_encoder("resnet18", in_channels=3, weights=None).state_dict()))


@pytest.fixture
def hub(content: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub on this computer; huggingface_hub has read its own variables before."""
    with serving(Hub(content)) as found:
        monkeypatch.setattr(constants, "ENDPOINT", found.url)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", True)
        monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", constants.DOWNLOAD_CHUNK_SIZE)
        monkeypatch.setattr(
            constants, "HUGGINGFACE_CO_URL_TEMPLATE", found.url + "/{repo_id}/resolve/{revision}/{filename}"
        )
        for name in ("HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY", "DO_NOT_TRACK", "HF_HUB_DISABLE_XET"):
            monkeypatch.setenv(name, "1")  # and as they are after the test
        yield found


def left(encoder: str = "resnet18") -> list[str]:
    """The files of the cache that hold anything of the weights."""
    found = (path for path in imagenet.repository(encoder).rglob("*") if path.is_file() or path.is_symlink())
    return sorted(path.name for path in found)


def test_that_weights_are_fetched_checked_and_trained_from(hub: Hub, tmp_path: Path) -> None:
    context = FakeContext(tmp_path)
    summary = fetch.run(FetchSpec(encoder="resnet18"), context)
    assert summary == {"sha256": hub.etag}
    reported = context.reported(BytesFetched)
    assert reported[-1].done == reported[-1].total == len(hub.content)
    assert "ImageNet" in initial.start(NetworkSpec(encoder="resnet18"), "imagenet", seed=0).sentence
    revision = imagenet.SOURCES["resnet18"].revision
    assert {path for path, _ in hub.asked} == {f"/smp-hub/resnet18.imagenet/resolve/{revision}/model.safetensors"}
    assert not [headers for _, headers in hub.asked if "authorization" in {name.lower() for name in headers}]


def test_that_weights_that_are_here_are_not_fetched_again(hub: Hub, tmp_path: Path) -> None:
    first = fetch.run(FetchSpec(encoder="resnet18"), FakeContext(tmp_path))
    hub.asked.clear()
    assert fetch.run(FetchSpec(encoder="resnet18"), FakeContext(tmp_path)) == first
    assert hub.asked == []


def test_that_damaged_weights_are_replaced(hub: Hub, tmp_path: Path) -> None:
    path = keep_weights({"conv1.weight": torch.zeros(3)})
    path.resolve().write_bytes(b"damaged")
    fetch.run(FetchSpec(encoder="resnet18"), FakeContext(tmp_path))
    assert path.read_bytes() == hub.content
    assert left() == [hub.etag, "model.safetensors"]


@pytest.mark.parametrize("name", ["another hash", "another content", "another revision", "no hash"])
def test_that_what_does_not_belong_to_the_encoder_is_refused_and_leaves_nothing(
    hub: Hub, tmp_path: Path, name: str
) -> None:
    if name == "another hash":
        hub.etag = hashlib.sha256(b"another").hexdigest()
    elif name == "another content":
        hub.content = bytes(safetensors.save({"conv1.weight": torch.zeros(3)}))
        hub.etag = hashlib.sha256(hub.content).hexdigest()
    elif name == "another revision":
        hub.revision = "0" * 40
    else:
        hub.etag = "an-etag-that-is-no-hash"
    with pytest.raises(ModelError, match="Cannot fetch the ImageNet weights") as error:
        fetch.run(FetchSpec(encoder="resnet18"), FakeContext(tmp_path))
    assert "Nothing of them is kept" in error.value.hint
    assert left() == []
    assert imagenet.find("resnet18") is None


@pytest.mark.parametrize("cut", [1, 300_000])
def test_that_a_connection_that_breaks_leaves_nothing_half(
    hub: Hub, tmp_path: Path, cut: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = SimpleNamespace(**{**vars(time), "sleep": lambda seconds: None})  # and no other module's sleep
    monkeypatch.setattr("huggingface_hub.file_download.time", at_once)
    hub.cut = cut
    with pytest.raises(ModelError, match="was not reached, or broke off"):
        fetch.run(FetchSpec(encoder="resnet18"), FakeContext(tmp_path))
    assert left() == []


def test_that_a_stop_leaves_nothing_half(hub: Hub, tmp_path: Path) -> None:
    context = FakeContext(tmp_path, stop_after=(BytesFetched, 1))
    with pytest.raises(Interrupted):
        fetch.run(FetchSpec(encoder="resnet18"), context)
    assert context.reported(BytesFetched)[-1].done < len(hub.content)
    assert left() == []


def test_that_what_a_killed_fetch_left_is_removed_by_the_next(hub: Hub, tmp_path: Path) -> None:
    half = imagenet.repository("resnet18") / "blobs" / "abc.12345678.incomplete"
    half.parent.mkdir(parents=True)
    half.write_bytes(b"half")
    os.utime(half, (1000, 1000))
    fetch.run(FetchSpec(encoder="resnet18"), FakeContext(tmp_path))
    assert left() == [hub.etag, "model.safetensors"]


def test_that_no_connection_is_told_in_a_sentence(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", "http://127.0.0.1:9/{repo_id}/{revision}/{filename}")
    with pytest.raises(ModelError, match=r"huggingface\.co was not reached") as error:
        fetch.run(FetchSpec(encoder="resnet18"), FakeContext(tmp_path))
    assert "127.0.0.1" not in str(error.value)


def test_that_a_full_disk_is_told_as_that(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("huggingface_hub.hf_hub_download", full)
    with pytest.raises(CannotWrite, match="No space left"):
        fetch.run(FetchSpec(encoder="resnet18"), FakeContext(tmp_path))


def test_that_an_unknown_encoder_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="resnet34 or resnet18"):
        fetch.run(FetchSpec(encoder="vgg"), FakeContext(tmp_path))
