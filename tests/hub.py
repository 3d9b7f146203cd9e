"""A model hub's cache with weights in it, and a hub that answers on this computer: the seam to the internet."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from safetensors import torch as safetensors
from torch import Tensor

from fullfield.model import imagenet


def keep_weights(state: Mapping[str, Tensor], encoder: str = "resnet18") -> Path:
    """Leave weights in the cache as huggingface_hub does; their path."""
    content = safetensors.save({name: value for name, value in state.items() if not name.startswith("fc.")})
    folder = imagenet.repository(encoder)
    blob = folder / "blobs" / hashlib.sha256(content).hexdigest()
    path = folder / "snapshots" / imagenet.SOURCES[encoder].revision / imagenet.FILE
    for parent in (blob.parent, path.parent):
        parent.mkdir(parents=True)
    blob.write_bytes(content)
    path.symlink_to(blob)
    return path


class Hub:
    """Gives `content` for every file, as that of the revision that is asked for. `etag`: the SHA-256 that it names;
    `cut`: so many bytes are sent before each connection breaks; `revision`: instead of the one that is asked for."""

    def __init__(self, content: bytes) -> None:
        self.content, self.etag = content, hashlib.sha256(content).hexdigest()
        self.cut = 0
        self.revision = ""
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.url = ""


@contextlib.contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """The hub, answering at `hub.url`."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            hub.asked.append((self.path, dict(self.headers.items())))
            self.send_response(200)
            self.send_header("Content-Length", str(len(hub.content)))
            self.send_header("ETag", f'"{hub.etag}"')
            self.send_header("X-Repo-Commit", hub.revision or self.path.split("/")[-2])
            self.end_headers()

        def do_GET(self) -> None:
            self.do_HEAD()
            with contextlib.suppress(OSError):
                self.wfile.write(hub.content[: hub.cut or None])
            if hub.cut:
                self.connection.close()

        def log_message(self, format: str, *values: object) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
