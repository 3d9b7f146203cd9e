"""What a map network says that it did comes from a node with its result, which is held against that as one of here."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import numpy as np
import pytest

import map_file
from fullfield import files
from fullfield.enhance.choose import open_choice
from fullfield.enhance.elsewhere import Elsewhere, Machines
from fullfield.enhance.guarded import Guarded, Policy
from fullfield.image.cache import Decoded
from fullfield.image.declared import Declared
from fullfield.image.header import Header
from fullfield.image.image import Pixels
from fullfield.model import ensemble
from fullfield.nodes import image_lines
from fullfield.protocol.events import Event, Notice
from nodes.servers import kept
from nodes.test_enhancing import image

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")
ROWS, COLUMNS = 300, 260
Opened = Callable[..., Guarded]


@pytest.fixture
def told() -> list[Event]:
    return []


@pytest.fixture
def machine(there: Path, told: list[Event]) -> Iterator[Elsewhere]:
    kept("gpu", there, allow_images=True)
    machines = Machines(device="cpu", emit=told.append)
    found = machines.find("node:gpu")
    assert found is not None
    yield found
    machines.close()


def opened(path: Path, machine: Elsewhere | None = None, *, force: bool = False) -> Guarded:
    return open_choice(str(path), device="cpu", notice=lambda text: None, policy=Policy(force=force), elsewhere=machine)


def decoded(rows: int = ROWS, columns: int = COLUMNS) -> Decoded:
    header = Header(
        source_format="dicom", sha256="", rows=rows, columns=columns, bits_stored=12, photometric="MONOCHROME2"
    )
    return Decoded(image=image(rows, columns), header=header, folder=Path())


def warnings(told: list[Event]) -> list[str]:
    return [event.text for event in told if isinstance(event, Notice) and event.level == "warning"]


def tables(declared: Declared) -> list[np.ndarray]:
    return [*declared.gains, declared.curve, declared.light]


def test_that_the_tables_of_a_result_from_a_node_are_those_made_here(
    machine: Elsewhere, told: list[Event], tmp_path: Path
) -> None:
    ships, flat, both = (
        files.resource("weights/shipped.safetensors"),
        tmp_path / "f.safetensors",
        tmp_path / "b.safetensors",
    )
    map_file.write(flat, input_kind="any")
    map_file.write(tmp_path / "other.safetensors", name="other")
    ensemble.join([flat, tmp_path / "other.safetensors"], both)
    for path in (ships, both):
        here, away = opened(path, force=True), opened(path, machine, force=True)
        for rows, columns in ((96, 80), (ROWS, COLUMNS), (333, 700), (1300, 64)):
            one, other = (where.enhance(decoded(rows, columns)).declared for where in (here, away))
            assert one is not None and other is not None
            assert (one.shape, one.cells) == (other.shape, other.cells)
            assert all(map(np.array_equal, tables(one), tables(other)))
            assert path != ships or np.ptp(other.gains[0]) > 0.01, "it says something"
    assert warnings(told) == [], "nothing of it was done here"


def test_that_a_faulty_picture_from_a_node_is_noticed_by_them(
    machine: Elsewhere, told: list[Event], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, read = tmp_path / "map.safetensors", image_lines.read_pixels
    map_file.write(path)
    away = opened(path, machine)
    assert away.enhance(decoded()).doubt == ""

    def with_line(stream: IO[bytes], rows: int, columns: int, moved: Callable[[], None]) -> Pixels:
        pixels = read(stream, rows, columns, moved)
        pixels[150, 100:140] += 20  # half a percent, one pixel wide
        return pixels

    monkeypatch.setattr(image_lines, "read_pixels", with_line)
    made = away.enhance(decoded())
    assert made.method_wanted == "flat map" and "not what the model itself makes of the image" in made.doubt
    assert warnings(told) == [], "nothing of it was done here"


def test_that_tables_that_cannot_be_are_refused_and_the_image_is_made_here(
    machine: Elsewhere, told: list[Event], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    map_file.write(tmp_path / "map.safetensors")
    here, away = opened(tmp_path / "map.safetensors"), opened(tmp_path / "map.safetensors", machine)
    monkeypatch.setattr(image_lines, "LARGEST", 0.0)
    one, other = here.enhance(decoded()), away.enhance(decoded())
    assert np.array_equal(one.pixels, other.pixels) and other.declared is not None
    [warned] = warnings(told)
    assert "The node gpu tells what cannot be understood." in warned and "on this computer" in warned


@pytest.mark.parametrize("number", [np.nan, -np.inf, 1e7])
def test_that_a_table_is_read_with_numbers_that_can_be_and_whole(number: float, tmp_path: Path) -> None:
    map_file.write(tmp_path / "map.safetensors")
    said, stream = opened(tmp_path / "map.safetensors").enhance(decoded()).declared, io.BytesIO()
    assert said is not None
    image_lines.write_declared(stream, said)
    content = bytearray(stream.getvalue())
    with pytest.raises(EOFError):
        image_lines.read_declared(io.BytesIO(content[:-1]), ROWS, COLUMNS, lambda: None)
    content[-4:] = np.array(number, "<f4").tobytes()
    with pytest.raises(ValueError, match="cannot be"):
        image_lines.read_declared(io.BytesIO(content), ROWS, COLUMNS, lambda: None)
