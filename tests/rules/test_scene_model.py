"""`packaging/scene_model.py --ship`: what it puts into the resources, and which files it refuses."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import map_file
from fullfield import files
from fullfield.errors import FullfieldError, ModelError
from fullfield.image import guards
from fullfield.model import shipped, weakness
from fullfield.model import tried as beside
from fullfield.model.tried import Tried
from support import packaged

Ship = Callable[..., bool]


@pytest.fixture
def ship() -> Ship:
    return packaged("scene_model").ship  # type: ignore[no-any-return]


@pytest.fixture
def resources(tmp_path: Path) -> Path:
    """In which nothing ships yet."""
    folder = tmp_path / "resources"
    folder.mkdir()
    guards.write_limits(folder / guards.FILE, {guards.MAP: guards.Limits(of={"drawn 0": 1.0})})
    return folder


def leave_tried(model: Path, **tried: Tried) -> None:
    """Beside a model: what a bench has found."""
    beside.write(model.with_suffix(beside.BESIDE), tried)


def test_that_a_file_ships_with_its_facts_and_the_limits_beside_it_and_takes_the_place_of_the_one_before(
    ship: Ship, resources: Path, tmp_path: Path
) -> None:
    first, second = (tmp_path / name / "model.safetensors" for name in ("first", "second"))
    own = {guards.MAP: guards.Limits(of={"drawn 0": 0.25}), guards.PRESET: guards.Limits(of={"drawn 0": 9.0})}
    hashes = [map_file.write(path, name=path.parent.name) for path in (first, second)]
    guards.write_limits(first.with_suffix(guards.OWN), own)
    leave_tried(first, chest=Tried(signals=3, median=1.25, lost=0.333))
    leave_tried(second, mammography=Tried(signals=2, median=0.625, lost=1.0))

    assert ship(first, resources, ("dental", "mammography"))
    assert json.loads((resources / guards.FILE).read_text())[hashes[0]] == {"drawn 0": 0.25}
    assert shipped.read_facts(resources / "weights" / shipped.FACTS).worse == ("dental", "mammography")
    (how,) = shipped.read_facts(resources / "weights" / shipped.FACTS).tried.items()
    assert how == ("chest", Tried(signals=3, median=1.25, lost=0.333))
    assert not ship(second, resources)

    facts = shipped.read_facts(resources / "weights" / shipped.FACTS)
    assert files.sha256(resources / "weights" / "shipped.safetensors") == facts.sha256 == hashes[1]
    assert facts.tried["mammography"].behind and "chest" not in facts.tried
    assert facts.data_licence == map_file.LICENCE and facts.made_by.startswith("python packaging/scene_model.py")
    assert json.loads((resources / guards.FILE).read_text()) == {guards.MAP: {"drawn 0": 1.0}}


@pytest.mark.parametrize(
    ("reported", "why"),
    [
        ({"licence": ""}, "the owner of its data"),
        ({"for_tests": True}, "no trained map network"),
        ({"metrics": {"loss": 20.0}, "baselines": {weakness.UNPROCESSED: 5.0}}, "not better than"),
    ],
)
def test_that_what_must_not_ship_is_refused_and_nothing_is_changed(
    ship: Ship, resources: Path, tmp_path: Path, reported: dict[str, object], why: str
) -> None:
    before = shutil.copy(resources / guards.FILE, tmp_path / "before")
    map_file.write(tmp_path / "model.safetensors", **reported)
    leave_tried(tmp_path / "model.safetensors", chest=Tried(signals=3, median=1.25, lost=0.0))
    with pytest.raises(ModelError, match="This model does not ship") as refused:
        ship(tmp_path / "model.safetensors", resources)
    assert why in refused.value.detail
    assert [path.name for path in resources.iterdir()] == [guards.FILE]
    assert (resources / guards.FILE).read_bytes() == Path(before).read_bytes()


def test_that_neither_a_large_nor_a_damaged_file_ships(
    ship: Ship, resources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.safetensors"
    map_file.write(path)
    with monkeypatch.context() as patch:
        patch.setattr(shipped, "LARGEST_BYTES", 10_000)
        with pytest.raises(ModelError, match="larger than 10,000 bytes"):
            ship(path, resources)
    with pytest.raises(ModelError, match="This model does not ship") as refused:
        ship(path, resources, ("chest", "nose"))
    assert "no preset 'nose'" in refused.value.detail
    with pytest.raises(ModelError, match="This model does not ship") as refused:
        ship(path, resources)
    assert "not tried" in refused.value.detail and "model.tried.json" in refused.value.hint
    path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    with pytest.raises(FullfieldError, match="Cannot use the model file"):
        ship(path, resources)
    assert not (resources / "weights").exists()
