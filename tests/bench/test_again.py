from __future__ import annotations

import json
from pathlib import Path

import pytest

from fullfield.bench import again
from fullfield.bench.again import LARGEST_CHANGE, Row, Table
from fullfield.dicom import phantom_files
from fullfield.errors import UsageError
from fullfield.image import phantom
from fullfield.image.phantom import PhantomKind


@pytest.fixture(scope="module")
def skull() -> Row:
    return again.measure(phantom.processed(PhantomKind.SKULL, longer=1024))


def test_that_a_result_that_names_its_maker_changes_little_when_it_is_enhanced_again(skull: Row) -> None:
    assert 0 < skull.known <= LARGEST_CHANGE
    assert skull.known < skull.unknown


def test_that_the_source_is_given_all_of_the_work(skull: Row) -> None:
    assert skull.left == 1.0
    assert skull.left_again <= skull.left


def test_that_the_more_another_processor_did_the_less_is_left_to_do(skull: Row) -> None:
    left, change = zip(*skull.elsewhere, strict=True)
    assert list(left) == sorted(left, reverse=True)
    assert list(change) == sorted(change, reverse=True) and change[-1] < 0.8 * change[0]
    lines = Table(rows=(skull, skull)).text().splitlines()
    assert lines[-1] == f"sources after CLAHE, clip limit 8: told 0 (0 %); change, median {change[-1]:.2f}"


def test_that_a_folders_images_are_measured_and_the_rest_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    phantom_files.write(phantom_files.plain_chest(512), tmp_path / "chest.dcm")
    (tmp_path / "notes.txt").write_text("no image")
    code = again.bench(json=True, folder=tmp_path)
    reported = json.loads(capsys.readouterr().out)
    image, notes = reported["rows"]
    assert code == (0 if reported["kept"] else 1)
    assert image["name"] == "chest.dcm" and not image["reason"]
    assert notes["reason"]


def test_that_the_median_of_what_is_known_decides() -> None:
    little, much = (Row(name="", known=known) for known in (LARGEST_CHANGE, 2 * LARGEST_CHANGE))
    assert Table(rows=(little, little, much)).kept
    assert not Table(rows=(little, much, much)).kept
    assert not Table(rows=(Row(name="", reason="no image"),)).kept
    assert (
        "2 (67 %) of the results, 0 (0 %) of the sources"
        in Table(rows=(Row(name="a"), *(Row(name="b", left_again=0.4),) * 2)).text()
    )


def test_that_a_folder_without_images_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        again.bench(json=False, folder=tmp_path)
