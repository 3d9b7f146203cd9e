"""How near methods come to what is wanted, and the best of the map network's form beside them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest

import light
from fullfield import files, parts
from fullfield.bench import losses, oracle, quality
from fullfield.bench.displayed import SOURCE
from fullfield.bench.losses import CONVENTIONAL, ORACLE
from fullfield.dicom import phantom_files
from fullfield.errors import UsageError
from fullfield.image import phantom
from fullfield.image.phantom import PhantomKind


@pytest.fixture
def measured() -> None:
    """Losses are computed by torch."""
    light.require(*parts.NETWORK)
    import torch

    torch.set_num_threads(1)


def test_that_the_oracle_finds_a_picture_that_the_form_can_make_and_none_that_it_cannot() -> None:
    x = phantom.processed(PhantomKind.SKULL, longer=640).pixels.astype(np.float32) / np.float32(4095)
    band = x - cv2.GaussianBlur(x, (0, 0), 1.5)
    z = 6 * (x - np.float32(0.5)) + 9 * band
    possible = 1 / (1 + np.exp(-z))
    spot = possible.copy()
    spot[300:308, 300:308] += np.float32(0.2)

    found, without = oracle.best(x, possible), oracle.best(x, spot)

    assert np.abs(found - possible).mean() < 0.01
    assert np.abs(x - possible).mean() > 0.03
    flat = (slice(300, 308), slice(300, 308))
    assert float((without - found)[flat].mean()) < 0.1  # of 0.2: there is nothing there to be stronger


@pytest.mark.usefixtures("measured")
def test_that_methods_are_told_by_size_and_kind_beside_the_oracle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.png"
    table = losses.run(None, ("192",), count=1, seed=3, sheet=sheet)
    capsys.readouterr()

    rows = {(row.kind, row.method): row for row in table.rows}
    assert len(rows) == len(table.rows) == 8 and not table.left_out
    for kind in ("raw", "processed"):
        best, usual = rows[kind, ORACLE], rows[kind, CONVENTIONAL]
        assert 0 < best.loss < rows[kind, SOURCE].loss and best.correlations[0] > 0.5
        assert (usual.loss < best.loss) == (kind == "processed")  # of which its result is wanted
        assert len(best.ratios) == 3 and 0 <= best.clipped <= 1
    text = table.text()
    assert "192 pixels, raw input, 1 images" in text and "100%" in text
    picture = cv2.imread(str(sheet), cv2.IMREAD_GRAYSCALE)
    assert picture.shape[1] == 5 * 320 and picture.max() > 200


@pytest.mark.usefixtures("measured")
def test_that_a_folder_is_judged_by_what_the_processor_makes_of_it_and_raw_and_empty_files_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    phantom_files.write(phantom_files.plain_chest(512), tmp_path / "chest.dcm")
    raw = next(sample for sample in phantom_files.SAMPLES if sample.raw)
    (tmp_path / "raw.dcm").write_bytes((files.resource("phantoms") / f"{raw.name}.dcm").read_bytes())
    cv2.imwrite(str(tmp_path / "black.png"), np.zeros((600, 500), np.uint16))

    quality.bench(json=True, folder=tmp_path, sizes=("256",))

    reported = json.loads(capsys.readouterr().out)
    assert {row["kind"] for row in reported["losses"]["rows"]} == {"raw"}
    assert reported["losses"]["left_out"] == [
        ["black.png", "It is one grey: nothing can be wanted."],
        ["raw.dcm", "It is raw: what is wanted is not known."],
    ]
    assert {row["name"] for row in reported["losses"]["rows"]} == {"chest.dcm"} and len(reported["rows"]) == 3


@pytest.mark.usefixtures("measured")
def test_that_a_sheet_that_has_no_image_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "black.png"), np.zeros((300, 300), np.uint16))
    sheet = tmp_path / "sheet" / "sheet.png"
    losses.run(tmp_path, ("256",), count=1, seed=0, sheet=sheet)
    assert "No sheet was written" in capsys.readouterr().err and not sheet.exists()


def test_that_a_method_that_shows_nothing_has_no_band_at_all() -> None:
    band = np.random.default_rng(0).normal(size=(64, 64)).astype(np.float32)
    assert losses._band(np.zeros_like(band), band) == (0, 0)


def test_that_figures_for_programs_are_json_also_where_a_method_makes_what_is_wanted() -> None:
    row = losses.Row(
        size="256",
        kind="processed",
        name="leaves 1",
        method=CONVENTIONAL,
        loss=0.0,
        psnr_db=math.inf,
        ratios=(1.0, math.nan, 1.0),
        correlations=(1.0, 1.0, 1.0),
        clipped=0.0,
        noise=None,
        seconds=0.1,
    )
    (reported,) = json.loads(json.dumps(losses.Table(rows=(row,)).values(), allow_nan=False))["rows"]
    assert reported["psnr_db"] is None and reported["ratios"] == [1.0, None, 1.0] and reported["loss"] == 0


def test_that_a_model_a_sheet_a_seed_or_a_count_at_no_size_is_refused(tmp_path: Path) -> None:
    for given in ({"sheet": tmp_path / "sheet.png"}, {"seed": 0}, {"count": 3}):
        with pytest.raises(UsageError, match="at no size"):
            quality.bench(json=False, folder=tmp_path, **given)
