"""Enhancing on a node: results are those of this computer, no name goes there, and what it does not do is done here."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest
from pydicom import dcmread
from pydicom.dataset import FileDataset
from pydicom.uid import generate_uid

from flows.command import fullfield
from fullfield import __version__, files
from fullfield.enhance import batch
from fullfield.enhance.elsewhere import Machines
from fullfield.errors import InputRefused, UsageError
from fullfield.image import multiscale, own_presets, presets
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.image import Enhanced, HighValues, Image, InputKind, Relationship, VoiTable
from fullfield.image.preset import Preset
from fullfield.image.values import Window
from fullfield.model.phantom import phantom
from fullfield.nodes import exchange, image_lines, probe, ssh
from fullfield.nodes.image_lines import Asked
from fullfield.nodes.node import Node
from fullfield.nodes.probe import Versions
from fullfield.protocol.batch import BatchSpec, Item
from fullfield.protocol.events import Event, ItemDone, ItemFailed, Notice
from nodes.servers import command, enhancing, kept, left
from training import FakeContext

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")
PATIENT, STUDY = "Doe^Jane", "study-of-jane"


def image(rows: int = 96, columns: int = 80, **fields: Any) -> Image:
    values = {
        "pixels": np.rint(phantom(rows, columns, seed=rows) * 4095).astype(np.uint16),
        "bits": 12,
        "high": HighValues.BRIGHT,
        "kind": InputKind.PROCESSED,
        **fields,
    }
    return Image(**values)


def radiographs(folder: Path, count: int) -> list[Path]:
    """Files of one patient, each with its own image."""
    folder.mkdir()
    first = dcmread(files.resource("phantoms/hand-dx.dcm"))
    assert isinstance(first, FileDataset)
    first.decompress()
    first.PatientName, first.PatientID = PATIENT, "4711-JANE"
    for number in range(count):
        side = 128 + 16 * (number % 12)
        top = (1 << first.BitsStored) - 1
        first.PixelData = np.rint(phantom(side, side, seed=number) * top).astype(np.uint16).tobytes()
        first.Rows = first.Columns = side
        first.SOPInstanceUID = first.file_meta.MediaStorageSOPInstanceUID = generate_uid()
        first.save_as(folder / f"jane-{number}.dcm")
    return sorted(folder.iterdir())


def spec(sources: list[Path], out: Path, place: str = "local", **fields: Any) -> BatchSpec:
    items = tuple(
        Item(index=index, source=str(path), target=f"{path.stem}_enhanced.dcm") for index, path in enumerate(sources)
    )
    values = {"choice": "auto", "kind": "auto", "device": "auto", "format": "dicom", "timeout": 120.0, "jobs": 2}
    return BatchSpec(items=items, out=str(out), place=place, **{**values, **fields})


class Killing(FakeContext):
    """A batch whose node is killed as soon as so many images are done."""

    def __init__(self, folder: Path, there: Path, after: int) -> None:
        super().__init__(folder)
        self._there, self._after = there, after

    def emit(self, event: Event, /) -> None:
        super().emit(event)
        if isinstance(event, ItemDone) and len(self.reported(ItemDone)) == self._after:
            [process] = enhancing(self._there)
            process.kill()


def test_that_a_node_killed_in_the_middle_costs_no_image_and_knew_no_name(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, sources = tmp_path / "there", radiographs(tmp_path / STUDY, 8)
    kept(address, there, allow_images=True)
    own = own_presets.save(presets.load("extremity"), title=f"As {PATIENT} likes", body_parts=(), taken=frozenset())
    batch.run(spec(sources, tmp_path / "here", choice=own.name), FakeContext(tmp_path / "run"))
    sent, here = bytearray(), []
    start, enhance = ssh.start, multiscale.enhance

    def record(node: Node, *words: str, errors_to: IO[bytes]) -> subprocess.Popen[bytes]:
        process = start(node, *words, errors_to=errors_to)
        assert process.stdin is not None
        sent.extend(" ".join(words).encode())
        write = process.stdin.write
        process.stdin = Recorded(process.stdin, lambda content: (sent.extend(content), write(content)))
        return process

    def count(image: Image, preset: Preset) -> Enhanced:
        here.append(image)
        return enhance(image, preset)

    monkeypatch.setattr("fullfield.nodes.ssh.start", record)
    monkeypatch.setattr("fullfield.nodes.enhancing.multiscale.enhance", count)
    context = Killing(tmp_path / "run2", there, after=3)
    summary = batch.run(spec(sources, tmp_path / "away", "node:gpu", choice=own.name), context)
    assert (summary["done"], summary["failed"]) == (8, 0), context.reported(ItemFailed)
    assert 8 - 3 - 2 <= len(here) <= 8 - 3, "the node did the first ones, this computer the others"
    warned = [one.text for one in context.reported(Notice) if one.level == "warning"]
    assert len(warned) == 1 and "The line to the node gpu is cut." in warned[0], warned
    assert ". What is not done there is enhanced on this computer." in warned[0]
    for source in sources:
        name = f"{source.stem}_enhanced.dcm"
        one, other = dcmread(tmp_path / "here" / name), dcmread(tmp_path / "away" / name)
        assert one.pixel_array.std() > 0 and (one.pixel_array == other.pixel_array).all()
        assert other.PatientName == PATIENT and one.DerivationDescription == other.DerivationDescription
        assert own.name in other.DerivationDescription, "which preset it was, this computer knows"
    went = sources[context.reported(ItemDone)[0].index]
    assert dcmread(went).pixel_array.tobytes() in sent, "what is searched are the bytes that went"
    words = ("Doe", "Jane", "JANE", STUDY, sources[0].stem, "hand", str(tmp_path / STUDY), own.name, "extremity")
    assert [word for word in words if word.encode() in sent] == []
    assert left(there) == [], "images come and go in memory"
    assert (there / "cache" / "nodes").stat().st_mode & 0o077 == 0


class Recorded:
    """A pipe; what is written into it goes through `write`."""

    def __init__(self, pipe: IO[bytes], write: Callable[[bytes], object]) -> None:
        self._pipe, self.write = pipe, write

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pipe, name)


def test_that_the_command_enhances_there_and_says_what_is_missing_for_that(address: str, tmp_path: Path) -> None:
    sources = radiographs(tmp_path / STUDY, 2)
    there, given = tmp_path / "there", ("--batch", *sources, "-o", tmp_path / "out", "--on")
    unknown = fullfield(*given, "gpu")
    assert unknown.code == 2 and "There is no node 'gpu'. None is known yet. Add it: fullfield node add" in unknown.err
    assert fullfield("node", "add", "gpu", address, "--command", command(there)).code == 0
    refused = fullfield(*given, "gpu")
    assert refused.code == 2 and "Cannot enhance on the node gpu." in refused.err, refused
    assert f"Pixels of your images would go to {address}, and nobody has allowed that." in refused.err
    assert "--allow-images" in refused.err and not list((tmp_path / "out").glob("*.dcm")) and left(there) == []
    for name in ("gpu", "other"):
        kept(address, there, name=name, allow_images=True)
    done = fullfield(*given, "gpu,other")
    assert done.code == 0 and "2 enhanced, 0 skipped, 0 failed" in done.err, done
    for name in ("gpu", "other"):
        assert f"Enhancing on the node {name}: pixels and numbers go there, files stay here." in done.err
    assert left(there) == [] and len(list((tmp_path / "out").glob("*.dcm"))) == 2


def test_that_an_image_arrives_as_it_went_with_all_that_decides_its_result() -> None:
    table = VoiTable(first=7, table=np.linspace(0, 1, 3000, dtype=np.float32) ** 2, name="Dr. Doe's")
    sent = [
        image(beam=HighValues.BRIGHT, padding=(0, 3), spacing_mm=(0.1, 0.3), enhanced=True, voi=(table,)),
        image(kind=InputKind.RAW, relationship=Relationship.LINEAR, kind_reason="Of Doe.", high=HighValues.DARK),
        image(voi=(Window(low=1 / 3, high=3000.1, sigmoid=True, name="Doe"), table)),
    ]
    for one in sent:
        stream = io.BytesIO()
        image_lines.write(stream, Asked(number=3, image=image_lines.numbers_of(one)), one, lambda: None)  # type: ignore[arg-type]
        assert b"Doe" not in stream.getvalue()
        stream.seek(0)
        asked = json.loads(stream.readline())
        numbers = image_lines.ImageNumbers(**{key: _frozen(value) for key, value in asked["image"].items()})
        got = image_lines.read(stream, numbers)
        assert stream.read() == b""
        preset = presets.choose(body_part="", species="", kind=one.kind)
        bare = image_lines.preset_of(image_lines.preset_numbers(preset), one.kind)
        before, after = multiscale.enhance(one, preset), multiscale.enhance(got, bare)
        assert (before.pixels == after.pixels).all() and before.recipe.left == after.recipe.left
        named = {**vars(one), "kind_reason": "", "voi": tuple(replace(voi, name="") for voi in one.voi)}
        for key, value in named.items():
            if key not in ("pixels", "voi"):
                assert getattr(got, key) == value, key
        assert len(got.voi) == len(one.voi)


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(image_lines.VoiNumbers(**one) if isinstance(one, dict) else one for one in value)
    return value


def test_that_a_node_of_another_version_is_refused_with_both_numbers(
    there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept("gpu", there, allow_images=True)
    monkeypatch.setattr(probe, "versions", lambda: Versions(fullfield="99.0", torch=""))
    machines = Machines(device="auto", emit=lambda event: None)
    with pytest.raises(UsageError, match=rf"Cannot enhance.* It has Fullfield {__version__}, .* has 99\.0\."):
        machines.find("node:gpu")


def test_that_a_node_that_cannot_says_why_and_goes_on(there: Path, tmp_path: Path) -> None:
    kept("gpu", there, allow_images=True)
    run = "0123456789abcdef" * 2
    one = exchange.Exchange(Node(name="gpu", address="gpu", command=command(there)), run, lambda text: None)
    numbers = image_lines.numbers_of(image())
    preset = image_lines.preset_numbers(presets.load("general"))
    with pytest.raises(exchange.NotDone, match="On the node gpu: Cannot use the preset"):
        one.ask(image(), Asked(number=0, image=numbers, preset={**preset, "detail.gain": 99.0}))
    with pytest.raises(exchange.NotDone):
        one.ask(image(), Asked(number=0, image=numbers, model="f" * 64, device="cpu"))
    assert one.ask(image(), Asked(number=0, image=numbers, preset=preset)).pixels.shape == (96, 80)
    one.close()
    with pytest.raises(ssh.LineCut):
        one.ask(image(), Asked(number=0, image=numbers, preset=preset))


def test_that_who_waits_for_an_image_is_answered_where_memory_runs_out_while_it_comes(
    there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(*given: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(image_lines, "read_pixels", no_memory)
    one = exchange.Exchange(Node(name="gpu", address="gpu", command=command(there)), "0" * 32, lambda text: None)
    numbers, preset = image_lines.numbers_of(image()), image_lines.preset_numbers(presets.load("general"))
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(one.ask, image(), Asked(number=0, image=numbers, preset=preset))
        one._thread.join()
        assert isinstance(answer.exception(timeout=60.0), ssh.LineCut)
    one.close()


@pytest.mark.training
def test_that_a_model_goes_once_computes_the_same_there_and_is_gone_after(there: Path, tmp_path: Path) -> None:
    from fullfield.enhance.choose import open_choice
    from fullfield.enhance.guarded import Policy
    from fullfield.model import card as cards
    from fullfield.model import ensemble, seeded, shipped
    from fullfield.model.families.gain_map import GainMap
    from fullfield.model.spec import NetworkSpec

    kept("gpu", there, allow_images=True)
    path = tmp_path / f"{STUDY}.safetensors"
    seeded.make(path, NetworkSpec(family=GainMap.name), seed=3, input_kind="processed")
    reported: list[Event] = []
    machines = Machines(device="cpu", emit=reported.append)
    opened: dict[str, Any] = {"device": "cpu", "notice": lambda text: None, "policy": Policy(force=True)}
    machine = machines.find("node:gpu")
    away = open_choice(str(path), elsewhere=machine, **opened)
    here = open_choice(str(path), **opened)
    assert away.recipe == here.recipe
    for rows in (96, 130):
        header = Header(
            source_format="dicom", sha256="", rows=rows, columns=80, bits_stored=12, photometric="MONOCHROME2"
        )
        decoded = Decoded(image=image(rows), header=header, folder=Path())
        one, other = here.enhance(decoded), away.enhance(decoded)
        assert (one.pixels == other.pixels).all() and one.pixels.std() > 0 and one.warnings == other.warnings
        assert one.doubt == other.doubt and one.seen is not None and np.array_equal(one.seen, other.seen)
        [model] = [path for path in left(there) if path.suffix == ".safetensors"]
        assert STUDY not in str(left(there)) and cards.read(model).name == "model" and not cards.read(model).versions
    with pytest.raises(InputRefused, match="raw"):
        away.enhance(replace(decoded, image=image(kind=InputKind.RAW)))
    files.write_bytes(shipped.folder() / "shipped.safetensors", path.read_bytes())
    named = open_choice("shipped.safetensors", elsewhere=machine, **opened)
    assert named.recipe == away.recipe and (named.enhance(decoded).pixels == away.enhance(decoded).pixels).all()
    another, both = tmp_path / "another.safetensors", tmp_path / "both.safetensors"
    seeded.make(another, NetworkSpec(family=GainMap.name), seed=4, input_kind="processed")
    ensemble.join([path, another], both)
    one, other = (open_choice(str(both), elsewhere=where, **opened).enhance(decoded) for where in (None, machine))
    assert (one.pixels == other.pixels).all() and one.recipe == other.recipe
    assert one.disagreement is not None and other.disagreement is not None
    assert one.disagreement.p99 == other.disagreement.p99
    assert len([path for path in left(there) if path.suffix == ".safetensors"]) == 2, "a member is a model of its own"
    warned = [event.text for event in reported if isinstance(event, Notice) and event.level == "warning"]
    assert warned == [], "nothing of it was done here"
    assert any("On the node gpu: Enhancing on the CPU" in getattr(event, "text", "") for event in reported)
    machines.close()
    assert left(there) == []
