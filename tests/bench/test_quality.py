from __future__ import annotations

import json
from pathlib import Path

import pytest

from fullfield.bench import quality
from fullfield.bench.quality import Row, Table
from fullfield.dicom import phantom_files
from fullfield.errors import UsageError
from fullfield.image import phantom, presets
from fullfield.image.gains import Gains
from fullfield.image.phantom import PhantomKind

GOOD, BAD = (Gains(noise=1.0, contrast=1.2, fine=fine) for fine in (1.0, 0.5))


def test_that_noise_grows_less_than_contrast_where_it_is_densest() -> None:
    for kind in (PhantomKind.CHEST, PhantomKind.SKULL):
        _, quarters = quality.measure(phantom.processed(kind, longer=1024))

        assert quarters[-1].fine >= quality.LEAST_RATIO, kind
        assert quarters[-1].coarse >= quality.LEAST_RATIO, kind


def test_that_every_preset_holds_noise_of_the_finest_levels() -> None:
    for name in presets.names():
        assert max(presets.load(name).noise_floors[:2]) < 0, name


def test_that_a_folders_images_are_measured_and_the_rest_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    phantom_files.write(phantom_files.plain_chest(512), tmp_path / "chest.dcm")
    (tmp_path / "notes.txt").write_text("no image")

    code = quality.bench(json=True, folder=tmp_path)

    reported = json.loads(capsys.readouterr().out)
    chest, notes = reported["rows"]
    assert code == (0 if reported["kept"] else 1)
    assert (chest["name"], len(chest["quarters"])) == ("chest.dcm", 4)
    assert notes["reason"] and not notes["quarters"]


def test_that_the_share_of_images_decides() -> None:
    rows = [Row(name=str(number), quarters=(GOOD,) * 4) for number in range(19)]
    bad = Row(name="bad", quarters=(GOOD, GOOD, GOOD, BAD))

    assert Table(rows=(*rows, bad)).kept
    assert not Table(rows=(*rows, bad, bad)).kept
    assert "21 images" in Table(rows=(*rows, bad, bad)).text()


def test_that_a_folder_without_images_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        quality.bench(json=False, folder=tmp_path)
