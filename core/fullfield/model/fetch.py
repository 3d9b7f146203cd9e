"""The job "fetch": the ImageNet weights of an encoder from the model hub. The only code that asks a hub for anything.

Whoever starts it has consented. What arrives must be of the pinned revision, have the SHA-256 that the hub names for
it, and fit the encoder; else, and where it is stopped, nothing stays.
"""

from __future__ import annotations

import errno
import os
import re
import time
from pathlib import Path
from typing import Any, Self

from fullfield import files, offline
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.errors import FullfieldError, Interrupted, ModelError, UsageError
from fullfield.model import imagenet
from fullfield.protocol.setup_events import BytesFetched
from fullfield.protocol.small import FetchSpec
from fullfield.protocol.training import IMAGENET

REPORTED_SECONDS = 0.2
CHUNK_BYTES = 1 << 18
LEFT_SECONDS = 60.0  # a download that still runs writes more often
_ON_DISK = frozenset({errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EPERM, errno.EDQUOT})


def run(spec: FetchSpec, context: Context) -> Fields:
    """Fetch those of `spec.encoder`; their `sha256`, for the last event.

    Raises UsageError for an unknown encoder, ModelError where what arrives cannot be used or nothing does, CannotWrite,
    Interrupted.
    """
    encoder = spec.encoder
    if encoder not in imagenet.SOURCES:
        known = " or ".join(imagenet.SOURCES)
        raise UsageError(f"Cannot fetch weights of {encoder[:40]!r}.", hint=f"Choose {known}.")
    found = imagenet.find(encoder)
    if found is not None and imagenet.is_whole(found):
        return {"sha256": files.sha256(found)}
    if found is not None:
        _remove(found)
    _sweep(imagenet.repository(encoder))
    try:
        path, sha256 = _fetch(encoder, context)
    except FullfieldError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _ON_DISK:
            raise files.cannot_write(error) from error
        raise _not_fetched(f"{imagenet.HOST} was not reached, or broke off ({type(error).__name__}).") from error
    try:
        _check(path, encoder, sha256)
    except ModelError:
        _remove(path)
        raise
    return {"sha256": sha256}


def _fetch(encoder: str, context: Context) -> tuple[Path, str]:
    """The file, and the SHA-256 that the hub names for it."""
    offline.go_online()
    import huggingface_hub
    from huggingface_hub import constants

    constants.DOWNLOAD_CHUNK_SIZE = CHUNK_BYTES  # ten MB as it is: neither progress nor a stop for minutes
    source = imagenet.SOURCES[encoder]
    url = huggingface_hub.hf_hub_url(source.repository, imagenet.FILE, revision=source.revision)
    reported = huggingface_hub.get_hf_file_metadata(url, token=False)
    if reported.commit_hash != source.revision or not re.fullmatch("[0-9a-f]{64}", reported.etag or ""):
        raise _not_fetched("The hub names another file than the one that belongs to this encoder.")
    total = int(reported.size or source.bytes)

    class Progress(_Progress):
        def __init__(self, **_: object) -> None:
            super().__init__(context, total)

    bar: Any = Progress  # huggingface_hub asks for a tqdm, and uses this much of it
    path = huggingface_hub.hf_hub_download(
        source.repository,
        imagenet.FILE,
        revision=source.revision,
        cache_dir=imagenet.cache(),
        token=False,
        tqdm_class=bar,
    )
    return Path(path), str(reported.etag)


class _Progress:
    """Tells what has arrived, now and then; raises Interrupted where it is asked to stop."""

    def __init__(self, context: Context, total: int) -> None:
        self._context, self._total = context, total
        self._done, self._reported = 0, 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        pass

    def update(self, count: float | None = 1) -> None:
        """`count` more bytes are here."""
        if self._context.stopping():
            raise Interrupted("The weights were not fetched.", hint="Nothing of them is kept.")
        self._done += int(count or 0)
        if self._done >= self._total or time.monotonic() - self._reported > REPORTED_SECONDS:
            self._reported = time.monotonic()
            self._context.emit(BytesFetched(done=self._done, total=self._total))


def _check(path: Path, encoder: str, sha256: str) -> None:
    """Raise ModelError where the file is not the one that the hub named, or not of this encoder."""
    from fullfield.model import initial
    from fullfield.model.card import NetworkSpec

    if files.sha256(path) != sha256:
        raise _not_fetched("What arrived is not what the hub says that it sent.")
    try:
        initial.start(NetworkSpec(encoder=encoder), IMAGENET, seed=0)
    except ModelError as error:
        raise _not_fetched("What arrived are no weights of this encoder.") from error


def _remove(path: Path) -> None:
    """A snapshot's file, and the blob that it links to."""
    blob = Path(os.path.realpath(path))
    path.unlink(missing_ok=True)
    blob.unlink(missing_ok=True)


def _sweep(repository: Path) -> None:
    """Remove what a killed fetch left half."""
    for part in repository.glob("blobs/*.incomplete"):
        if time.time() - part.stat().st_mtime > LEFT_SECONDS:
            part.unlink(missing_ok=True)


def _not_fetched(detail: str) -> ModelError:
    return ModelError(
        "Cannot fetch the ImageNet weights.",
        detail=detail,
        hint="Nothing of them is kept. Check the connection and the proxy (HTTPS_PROXY) and try again; or give "
        "torchvision's file of this encoder as the first weights.",
    )
