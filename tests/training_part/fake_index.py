"""A package index of tiny wheels, as a folder or as a server that notes what it is asked: the seam to the internet."""

from __future__ import annotations

import contextlib
import threading
import zipfile
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import psutil
from packaging.requirements import Requirement

from fullfield.training_part import needs

TORCH, VISION = "2.14.0+cpu", "0.29.0+cpu"
_TORCH = f'__version__ = "{TORCH}"\n\n\nclass version:\n    cuda = None\n'


def wheel(folder: Path, name: str, version: str, files: Mapping[str, str] | None = None, *, padding: int = 0) -> Path:
    """A wheel that any Python can install; `padding`: bytes that make it long."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = name.replace("-", "_")
    about = f"{plain}-{version}.dist-info"
    content = {
        **(files or {f"{plain}/__init__.py": ""}),
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    if padding:
        content[f"{plain}/padding"] = "x" * padding
    path = folder / f"{plain}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for inside, text in content.items():
            archive.writestr(inside, text)
        archive.writestr(f"{about}/RECORD", "".join(f"{inside},,\n" for inside in [*content, f"{about}/RECORD"]))
    return path


def training_part(folder: Path, *, torch: int = 0) -> Path:
    """All that an installation asks for, in tiny builds whose label the lock does not know. What the engine
    itself needs is what runs this test. `torch`: bytes of its wheel."""
    wheel(folder, "torch", TORCH, {"torch/__init__.py": _TORCH}, padding=torch)
    wheel(folder, "torchvision", VISION)
    for text in needs.pinned(needs.lock()):
        asked = Requirement(text)
        if asked.marker is None or asked.marker.evaluate():
            files = {"seen.pth": f"{Path(psutil.__file__).parents[1]}\n"} if asked.name == "filelock" else None
            wheel(folder, asked.name, f"{text.partition('==')[2].split(' ')[0]}+test", files)
    return folder


class Index:
    """Serves the wheels of `folder`. `asked`: the paths; `stalls`: in a wheel whose name begins so, after its half, the
    answer waits for `go`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.url = folder, ""
        self.asked: list[str] = []
        self.stalls, self.go = "-", threading.Event()

    def wheels(self) -> list[str]:
        """The names of the wheels that were asked for."""
        return [path.rpartition("/")[2] for path in self.asked if path.endswith(".whl")]


@contextlib.contextmanager
def serving(index: Index) -> Iterator[Index]:
    """The index, answering at `index.url`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            index.asked.append(self.path)
            name = self.path.rstrip("/").rpartition("/")[2]
            if self.path.endswith("/"):
                found = [path.name for path in index.folder.glob("*.whl") if _project(path) == name]
                links = "".join(f'<a href="/files/{link}">{link}</a>' for link in found)
                self._answer(f"<!DOCTYPE html><html><body>{links}</body></html>".encode(), "text/html")
            else:
                content = (index.folder / unquote(name)).read_bytes()
                self._answer(content, "application/zip", stalls=name.startswith(index.stalls))

        def _answer(self, content: bytes, kind: str, *, stalls: bool = False) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            with contextlib.suppress(OSError):
                if stalls:
                    self.wfile.write(content[: len(content) // 2])
                    self.wfile.flush()
                    index.go.wait(60)
                    content = content[len(content) // 2 :]
                self.wfile.write(content)

        def log_message(self, format: str, *values: object) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    index.url = f"http://127.0.0.1:{server.server_port}/simple"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield index
    finally:
        index.go.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _project(path: Path) -> str:
    return path.name.partition("-")[0].replace("_", "-").lower()
