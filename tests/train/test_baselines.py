"""What simple methods reach."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from fullfield.data.prepared import Unit
from fullfield.errors import InputRefused, UsageError
from fullfield.image import clahe
from fullfield.image.image import InputKind
from fullfield.model.phantom import phantom
from fullfield.train import baselines, evaluate
from training import PROCESSED, RAW, prepared_phantoms

CLIPS, TILES = baselines.CLIPS, baselines.TILES  # all of them; tests have fewer, see `training.tuned_by_two`


def test_that_the_baselines_are_the_input_a_tuned_clahe_and_the_processor_measured_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(baselines, "CLIPS", CLIPS)
    monkeypatch.setattr(baselines, "TILES", TILES)
    data = prepared_phantoms(tmp_path / "data", 3, rows=192, columns=192)
    training, validation = data.items[:2], data.items[2:]
    count = 0

    def each() -> None:
        nonlocal count
        count += 1

    found = list(baselines.measured(tmp_path, data, training, validation, each))
    assert [baseline.name.split(" (")[0] for baseline in found] == [
        baselines.UNPROCESSED,
        baselines.CLAHE,
        baselines.CONVENTIONAL,
    ]
    assert found[0].quality == evaluate.of_pair(*data.load(validation[0]))
    assert all(baseline.quality.loss > 0 for baseline in found)
    measured = count
    assert list(baselines.measured(tmp_path, data, training, validation, each)) == found
    assert count == measured


def test_that_baselines_of_other_images_are_measured_anew(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "data", 3, rows=192, columns=192)
    one, another, third = data.items
    first = list(baselines.measured(tmp_path, data, (one,), (another,), lambda: None))
    second = list(baselines.measured(tmp_path, data, (one,), (third,), lambda: None))
    assert second[0].quality == evaluate.of_pair(*data.load(third)) != first[0].quality
    sharper = prepared_phantoms(tmp_path / "sharper", 3, rows=224, columns=192)
    again = list(baselines.measured(tmp_path, sharper, (sharper.items[0],), (sharper.items[2],), lambda: None))
    assert again[0].quality == evaluate.of_pair(*sharper.load(sharper.items[2])) != second[0].quality


def test_that_few_large_images_decide_on_clahe_where_all_of_them_would_take_longer_than_a_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = prepared_phantoms(tmp_path / "data", 5, rows=192, columns=192)

    def looked_at(pixels: int) -> int:
        monkeypatch.setattr(baselines, "TUNED_PIXELS", pixels)
        looks: list[None] = []
        list(
            baselines.measured(tmp_path / str(pixels), data, data.items[:4], data.items[4:], lambda: looks.append(None))
        )
        return len(looks)

    settings, methods = len(baselines.CLIPS) * len(baselines.TILES), 3
    assert looked_at(4 * 192 * 192) == 4 * settings + methods
    assert looked_at(3 * 192 * 192 - 1) == 2 * settings + methods
    assert looked_at(1) == settings + methods


def test_that_inputs_of_two_kinds_are_told_apart_and_the_figure_is_their_mean(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192, kinds=(RAW, PROCESSED))
    found = list(baselines.measured(tmp_path, data, data.items[:1], data.items[1:], lambda: None))
    apart = [evaluate.of_pair(*data.load(data.items[1], kind)).loss for kind in (RAW, PROCESSED)]
    assert found[0].quality.loss_by_kind == {"raw": apart[0], "processed": apart[1]}
    assert found[0].quality.loss == pytest.approx(sum(apart) / 2)
    assert list(baselines.measured(tmp_path, data, data.items[:1], data.items[1:], lambda: None)) == found


@pytest.mark.parametrize(
    ("kinds", "simulated", "name"),
    [
        ((RAW,), True, baselines.CONVENTIONAL),
        ((RAW,), False, ""),
        ((PROCESSED,), False, ""),
        ((RAW, PROCESSED), True, baselines.ON_SIMULATED),
    ],
)
def test_that_the_conventional_processor_is_not_held_against_its_own_references(
    tmp_path: Path, kinds: tuple[InputKind, ...], simulated: bool, name: str
) -> None:
    made = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192, kinds=kinds)
    data = replace(made, conventional=True, items=tuple(replace(item, simulated=simulated) for item in made.items))
    found = list(baselines.measured(tmp_path, data, data.items[:1], data.items[1:], lambda: None))
    assert [one.name for one in found if one.name.startswith(baselines.CONVENTIONAL)] == [name] * bool(name)
    assert found[0].name == baselines.UNPROCESSED and len(found) == 2 + bool(name)
    if name == baselines.ON_SIMULATED:
        assert found[2].quality.loss_by_kind == {}


def test_that_clahe_is_tuned_to_the_best_of_its_settings_on_the_training_part(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path, 2, rows=192, columns=192)
    tuned = list(baselines.measured(tmp_path, data, data.items, data.items, lambda: None))[1]
    assert tuned.name.startswith("CLAHE (clip ")
    for clip in (0.5, 1.0, 2.0, 4.0):
        planes = [data.load(item) for item in data.items]
        found = evaluate.mean(evaluate.of_pair(clahe.equalise(x, clip=clip, tiles=4), y) for x, y in planes)
        assert tuned.quality.loss <= found.loss


def test_that_a_mild_clahe_stays_mild_on_small_tiles() -> None:
    plane = phantom(256, 256, seed=0)
    losses = [evaluate.of_pair(clahe.equalise(plane, clip=clip, tiles=4), plane).loss for clip in (1.0, 2.0, 4.0)]
    assert losses == sorted(losses)
    assert losses[0] < 0.5 * losses[2]


@pytest.mark.parametrize("refused", [InputRefused("No preset is for it."), UsageError("There is no preset.")])
def test_that_where_no_preset_is_for_the_inputs_there_is_no_such_baseline(
    refused: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(plane: object, kind: object) -> Unit:
        raise refused

    monkeypatch.setattr(baselines, "processed", refuse)
    data = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192)
    found = list(baselines.measured(tmp_path, data, data.items[:1], data.items[1:], lambda: None))
    assert [one.name.partition(" (")[0] for one in found] == [baselines.UNPROCESSED, baselines.CLAHE]
    assert list(baselines.measured(tmp_path, data, data.items[:1], data.items[1:], lambda: None)) == found


@pytest.mark.parametrize(
    ("sides", "most", "pixels", "found"),
    [
        ([10] * 6, 16, 10_000, [0, 1, 2, 3, 4, 5]),
        ([10] * 6, 3, 10_000, [0, 2, 4]),
        ([10] * 6, 2, 10_000, [0, 3]),
        ([10] * 7, 3, 10_000, [0, 2, 4]),
        ([10] * 6, 16, 300, [0, 2, 4]),
        ([10, 20, 10], 16, 300, [0]),
        ([10] * 6, 16, 1, [0]),
        ([], 16, 400, []),
    ],
)
def test_that_clahe_is_tuned_on_images_spread_over_the_part_as_many_as_the_largest_allows(
    sides: list[int], most: int, pixels: int, found: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(baselines, "TUNED_PIXELS", pixels)
    items = tuple(SimpleNamespace(rows=side, columns=10, place=place) for place, side in enumerate(sides))
    assert [one.place for one in baselines._spread(items, most)] == found  # type: ignore[arg-type,attr-defined]


@pytest.mark.parametrize("text", ["[1", "{}", '{"of": 1}', '{"baselines": [{"name": 1}]}'])
def test_that_what_is_damaged_is_measured_again(text: str, tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192)
    given = (tmp_path, data, data.items[:1], data.items[1:], lambda: None)
    (tmp_path / baselines.FILE).write_text(text)
    first = next(baselines.measured(*given))
    assert first.name == baselines.UNPROCESSED and first.quality == evaluate.of_pair(*data.load(data.items[1]))
