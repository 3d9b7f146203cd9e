from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fullfield import files
from fullfield.bench import detect, raw_scenes
from fullfield.bench.detect import Setting
from fullfield.bench.detect_table import Cell, Table
from fullfield.bench.displayed import GENERAL, SOURCE, Way, named, source, subject, ways
from fullfield.data.scenes import signals
from fullfield.data.scenes.signals import DISC, Signal
from fullfield.errors import InputRefused, UsageError
from fullfield.image import presets
from fullfield.image.image import Image, InputKind
from fullfield.image.phantoms.shapes import Plane
from fullfield.image.presets import AUTO
from fullfield.model import tried as beside


def refused(image: Image, part: str) -> Plane:
    raise InputRefused("Not for knees.", detail="", hint="")


METHODS = (
    Way(name=SOURCE, show=lambda image, part: source(image)),
    Way(name="flat", show=lambda image, part: 0.5 + 0.25 * (source(image) - np.float32(0.5))),
    Way(name="negative", show=lambda image, part: 1 - source(image)),
    Way(name="refusing", show=refused),
)
DISCS = tuple(Signal(kind=DISC, size=size, contrast=contrast) for size in (8.0, 14.0) for contrast in (0.08, 0.2))


EMPTY = Table(seed=0, judged="", cells=())


@pytest.fixture(scope="module")
def table() -> Table:
    setting = Setting(part="knee", kind=InputKind.RAW, signals=DISCS)
    return detect.run(METHODS, (setting,), seed=1, doses=(2.5,), longer=480)


def test_that_less_contrast_is_less_seen_and_a_negative_is_inverted(table: Table) -> None:
    flat, negative = table.line("flat", SOURCE), table.line("negative", SOURCE)

    assert flat is not None and negative is not None
    assert flat.cells == negative.cells == len(DISCS)
    assert flat.median < 0.8 and flat.at_least == 0 and flat.below == 1 and flat.inverted == 0
    assert negative.median == pytest.approx(1, abs=0.02) and negative.inverted == len(DISCS) == table.inverted_by(
        "negative"
    )


def test_that_the_aims_are_judged_by_the_last_method_alone(table: Table) -> None:
    def of(name: str) -> Table:
        kept = (SOURCE, name)
        cells = (replace(one, d_prime={key: one.d_prime[key] for key in kept}) for one in table.cells)
        return replace(table, judged=name, cells=tuple(cells))

    better = replace(
        table,
        judged="better",
        cells=tuple(
            replace(one, d_prime={SOURCE: one.d_prime[SOURCE], "better": 1.2 * one.d_prime[SOURCE]})
            for one in table.cells
        ),
    )

    assert table.judged == "refusing" and not table.stands
    assert better.stands
    assert not of("flat").stands and not of("negative").stands
    assert "aims for flat" in of("flat").text() and "missed" in of("flat").text()


def test_that_a_method_that_refuses_has_no_cell_and_is_told(table: Table) -> None:
    assert table.line("refusing", SOURCE) is None
    assert table.refused == ("refusing, knee: Not for knees.",)
    assert "0.5 mm" not in table.text() and "flat" in table.text()
    values = json.loads(table.json())
    assert values["kind"] == "detect" and len(values["cells"]) == len(DISCS)


def test_that_more_dose_and_more_contrast_are_seen_better(table: Table) -> None:
    by_contrast = {(cell.size, cell.contrast): cell.d_prime[SOURCE] for cell in table.cells}
    assert by_contrast[8.0, 0.2] > 1.5 * by_contrast[8.0, 0.08]
    setting = Setting(part="knee", kind=InputKind.RAW, signals=DISCS)
    little = detect.run(METHODS[:1], (setting,), seed=1, doses=(0.1,), longer=480)
    pairs = list(zip(little.cells, table.cells, strict=True))
    assert all(low.d_prime[SOURCE] < high.d_prime[SOURCE] for low, high in pairs)


def test_that_the_settings_of_a_run_hold_every_signal_once() -> None:
    full, quick = detect.settings(quick=False), detect.settings(quick=True)

    assert sum(len(one.signals) for one in full) == 200
    assert {one.kind for setting in full for one in setting.signals} == set(signals.KINDS)
    assert 20 <= sum(len(one.signals) for one in quick) <= 40


def test_that_everywhere_is_every_preset_that_a_scene_is_made_for_raw_and_processed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Setting] = []
    monkeypatch.setattr(detect, "run", lambda ways, scenes, **_: asked.extend(scenes) or EMPTY)
    monkeypatch.setattr(detect, "ways", lambda model: METHODS)
    monkeypatch.setattr(Table, "text", lambda table: "none")
    monkeypatch.setattr(Table, "stands", True)

    assert detect.bench(json=False, everywhere=True) == 0

    meant = {presets.meant(**subject(one.part), kind=one.kind) for one in asked}
    drawn_by_nobody = {"general", "veterinary-trunk"}
    assert meant == {name for name in presets.names() if name.removesuffix("-raw") not in drawn_by_nobody}
    assert len({(one.part, one.kind) for one in asked}) == len(asked) and all(len(one.signals) == 36 for one in asked)


def test_that_a_model_is_tried_beside_the_preset_that_is_meant_for_its_images(table: Table, tmp_path: Path) -> None:
    def of(name: str, part: str) -> list[Cell]:
        return [
            replace(one, part=part, d_prime={SOURCE: 1.0, AUTO: one.d_prime["flat"], name: one.d_prime[SOURCE]})
            for one in table.cells
        ]

    cells = (*of("model", "knee"), *of("model", "hand"), *of("model", "breast"))
    found = detect.by_preset(Table(seed=0, judged="model", cells=cells))
    assert list(found) == ["extremity-raw", "mammography-raw"] and found["extremity-raw"].signals == 2 * len(DISCS)
    assert found["mammography-raw"].median > 1.2 and found["mammography-raw"].lost == 0
    beside.write(tmp_path / "model.tried.json", found)
    assert beside.read(tmp_path / "model.safetensors") == found and beside.read(tmp_path / "other.safetensors") == {}
    (tmp_path / "model.tried.json").write_text("[1]")
    assert beside.read(tmp_path / "model.safetensors") == {}
    with pytest.raises(UsageError, match="no model that is tried"):
        detect.bench(json=False, tried=tmp_path / "none.json")


def test_that_a_model_called_as_a_method_or_as_another_model_has_digits_of_its_hash_behind_its_name(
    tmp_path: Path,
) -> None:
    models = [tmp_path / one for one in ("a/auto.safetensors", "a/gains.safetensors", "b/gains.safetensors", "b/own.x")]
    for model in models:
        model.parent.mkdir(exist_ok=True)
        model.write_bytes(str(model.relative_to(tmp_path)).encode())

    found = named(models)

    assert [name.rpartition("-")[0] or name for name in found] == ["auto", "gains", "gains", "own"]
    assert len(set(found)) == 4 and found[1] == f"gains-{files.sha256(models[1])[:8]}"
    assert named(models[1:2]) == ("gains",)


def test_that_a_raw_scene_with_blades_is_shown_as_bright_as_the_preset_says() -> None:
    methods = [way for way in ways() if way.name in (GENERAL, AUTO)]
    dark = Way(name="dark", show=lambda image, part: 0.1 * source(image))

    table = raw_scenes.Table(rows=(raw_scenes.measure("knee", 3, [*methods, dark], size=384),))

    assert table.held(AUTO) == 1 and table.held(GENERAL) == 1
    assert table.held("dark") == 0 and not table.stands
    assert "1 of 1" in table.text() and "0 of 1" in table.text()
