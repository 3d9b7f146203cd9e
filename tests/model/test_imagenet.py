"""The ImageNet weights of the encoders: the same as smp's, looked for where huggingface_hub keeps them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import segmentation_models_pytorch as smp

from fullfield.model import imagenet
from hub import keep_weights


@pytest.mark.parametrize("encoder", imagenet.SOURCES)
def test_that_repository_revision_and_size_are_those_of_smp(encoder: str) -> None:
    pinned = smp.encoders.encoders[encoder]["pretrained_settings"]["imagenet"]
    source = imagenet.SOURCES[encoder]
    assert {"repo_id": source.repository, "revision": source.revision} == pinned
    state = smp.encoders.get_encoder(encoder, in_channels=3, weights=None).state_dict()
    assert sum(value.numel() * value.element_size() for value in state.values()) == source.bytes


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"XDG_CACHE_HOME": "/x/cache"},
        {"HF_HOME": "~/hf"},
        {"HF_HOME": "$PLACE/hf", "PLACE": "/x"},
        {"HUGGINGFACE_HUB_CACHE": "/x/old"},
        {"HF_HUB_CACHE": "~/new", "HUGGINGFACE_HUB_CACHE": "/x/old", "HF_HOME": "/x"},
    ],
)
def test_that_the_cache_is_the_one_of_huggingface_hub(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "HF_HOME", "HUGGINGFACE_HUB_CACHE", "HF_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    code = "from huggingface_hub.constants import HF_HUB_CACHE; print(HF_HUB_CACHE)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, env=os.environ)
    assert imagenet.cache() == Path(done.stdout.strip())


def test_that_what_huggingface_hub_finds_is_found(tmp_path: Path) -> None:
    from huggingface_hub import try_to_load_from_cache

    assert imagenet.find("resnet18") is None
    assert imagenet.find("vgg") is None
    path = keep_weights({})
    source = imagenet.SOURCES["resnet18"]
    theirs = try_to_load_from_cache(
        source.repository, imagenet.FILE, cache_dir=imagenet.cache(), revision=source.revision
    )
    assert imagenet.find("resnet18") == path == Path(str(theirs))
    assert imagenet.find("resnet34") is None


def test_that_a_changed_file_is_not_whole(tmp_path: Path) -> None:
    path = keep_weights({})
    assert imagenet.is_whole(path)
    path.resolve().write_bytes(b"something else")
    assert not imagenet.is_whole(path)
    copied = tmp_path / "model.safetensors"  # where the cache has no links
    copied.write_bytes(b"unknown")
    assert imagenet.is_whole(copied)
