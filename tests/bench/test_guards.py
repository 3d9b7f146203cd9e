"""The table of the guards: faults on purpose, counted on pictures that no limit was found from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import map_file
from fullfield.bench import displayed, guard_faults, guards, quality
from fullfield.bench.guards_table import Row, Table
from fullfield.enhance.network import open_model
from fullfield.errors import UsageError
from fullfield.image.guards import found
from fullfield.image.header import Subject
from fullfield.image.image import Enhanced, HighValues, Image, InputKind
from fullfield.model.phantom import phantom

SOUND = [0.5] * 99 + [1.5]


def row(*caught: float) -> Row:
    return Row(method="map", used=300, sound=SOUND, faulty={"blur 1": [2.5, *caught], "line 1": [9.0] * 60})


def test_that_a_table_stands_where_each_fault_is_noticed_and_few_sound_ones_are() -> None:
    assert Table(rows=(row(1.2),)).stands
    missed = Table(rows=(row(0.9),))
    assert not missed.stands and "blur 1 " in missed.text() and "50.0%" in missed.text()
    assert row(0.9).false_alarms == pytest.approx(0.01) and row(0.9).caught("line 1", times=2) == 1
    alarming = Row(method="map", used=300, sound=[2.0] * 3 + [0.5] * 97, faulty={"blur 1": [2.0]})
    assert not Table(rows=(alarming,)).stands


def test_that_a_preset_draws_nothing_and_does_not_decide() -> None:
    weak = Row(method="preset", used=300, sound=SOUND, faulty={"line 1": [0.1]})
    assert Table(rows=(weak, row(1.2))).stands and not Table(rows=(weak,)).stands


def test_that_each_half_has_raw_and_processed_pictures_and_a_model_of_one_kind_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guards, "SIDE", 320)
    monkeypatch.setattr(guards, "PIECES", 1)
    few = guard_faults.faults()[2:26:22]
    monkeypatch.setattr(guard_faults, "faults", lambda: few)
    halves = {(piece.for_limits, piece.image.kind) for piece in guards._pieces(None, 0, quick=True)}
    assert halves == {(half, kind) for half in (True, False) for kind in InputKind}
    for kind in InputKind:
        model = tmp_path / f"{kind}.safetensors"
        map_file.write(model, input_kind=kind.value)
        guards.bench(json=True, quick=True, model=model, limits=tmp_path / f"{kind}.json")
        _, reported = json.loads(capsys.readouterr().out)["rows"]
        assert (reported["used"], reported["sound"]) == (1, 1)
        assert set(reported["caught"]) == {fault.name for fault in few}


def test_that_each_fault_changes_a_result_where_it_is_put() -> None:
    plain = np.random.default_rng(0).uniform(0.3, 0.7, (320, 300)).astype(np.float32)
    place = guard_faults.place(plain, np.random.default_rng(1))
    for fault in guard_faults.faults():
        if fault.make is not None:
            made = fault.make(plain, np.random.default_rng(2), place)
            assert made.shape == plain.shape and float(np.abs(made - plain).max()) >= min(0.9 * fault.strength, 0.02)


def test_that_padding_stays_black_in_a_picture_of_lowered_gains(tmp_path: Path) -> None:
    map_file.write(tmp_path / "map.safetensors")
    enhancer = open_model(tmp_path / "map.safetensors", device="cpu", notice=lambda text: None)
    pixels = np.rint(200 + 3600 * phantom(320, 300, seed=1)).astype(np.uint16)
    pixels[:60] = 0
    image = Image(pixels=pixels, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED, padding=(0, 0))
    subject = displayed.subject("chest")
    piece = guards.Piece(image=image, subject=subject, for_limits=False, first=True)

    def make(image: Image, of: Subject) -> Enhanced:
        return enhancer.enhance(displayed.decoded(image, of))

    for fault in guard_faults.faults():
        if fault.lower is not None:
            faulty, made = guards._with_fault(make, piece, make(image, subject), fault, np.random.default_rng(2))
            assert not made.pixels[faulty.pixels == 0].any() and made.pixels.any()
            assert found(faulty, made).figures["unlike"] <= 1.01 / 4095, fault.name


def test_that_files_that_cannot_be_used_are_told_by_number_and_a_folder_of_such_alone_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Image(pixels=np.zeros((80, 400), np.uint16), bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)
    files = [(f"NAME{number}", image, displayed.subject("chest")) for number, image in enumerate(("No image.", small))]
    monkeypatch.setattr(quality, "images", lambda folder: iter(files))
    monkeypatch.setattr(guards, "PARTS", {})
    with pytest.raises(UsageError, match=r"None of 2 files can be measured\. No image\."):
        list(guards._pieces(Path(), 0, quick=False))
    told = capsys.readouterr().err
    assert told.splitlines() == ["File 1 is passed over: No image.", "File 2 is passed over: It is too small: 400×80."]


def test_that_limits_are_found_from_one_half_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guards, "SIDE", 320)
    monkeypatch.setattr(guards, "PIECES", 1)
    few = guard_faults.faults()[2:26:22]
    of_gains = guard_faults.faults()[-1]  # a preset says nothing of its gains
    monkeypatch.setattr(guard_faults, "faults", lambda: [*few, of_gains])
    guards.bench(json=True, quick=True, limits=tmp_path / "limits.json")
    found = json.loads(capsys.readouterr().out)
    (reported,) = found["rows"]
    assert (
        reported["method"] == "preset"
        and reported["used"] + reported["sound"] == 4
        and set(reported["caught"]) == {fault.name for fault in few}
    )
    assert json.loads((tmp_path / "limits.json").read_text())["preset"]["spot 0"] > 0
