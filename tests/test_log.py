"""No patient value and no path of the user ever in a log."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from fullfield import log


@pytest.fixture
def written(tmp_path: Path) -> Path:
    log.configure(file=tmp_path / "x.log", level=logging.DEBUG)
    return tmp_path / "x.log"


def test_that_a_remembered_name_and_its_parts_are_redacted(written: Path) -> None:
    log.remember(["MUELLER^Anna=Test"])
    logging.getLogger("x").warning("cannot show %s, nor Anna, nor MUELLER", "MUELLER^Anna=Test")
    assert not {"MUELLER", "Anna"} & set(written.read_text().replace(",", " ").split())


@pytest.mark.parametrize("said", ["KÖRBER", "körber", "Ko\u0308rber"])
def test_that_a_remembered_name_is_redacted_in_whatever_letters_it_is_written(said: str, written: Path) -> None:
    log.remember(["Körber^Ada"])
    logging.getLogger("x").warning("cannot show %s", said)
    assert "cannot show •••" in written.read_text(encoding="utf-8")


def test_that_a_sharp_s_is_redacted_where_capitals_spell_it_as_two(written: Path) -> None:
    log.remember(["Preuß^Ida"])
    logging.getLogger("x").warning("cannot show PREUSS")
    assert "cannot show •••" in written.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "path",
    [
        "/home/anna/MUELLER.dcm",
        r"C:\Users\anna\MUELLER.dcm",
        "/home/anna b/MUELLER x.dcm",
        r"D:\anna b\MUELLER x.dcm",
        "/o'anna/MUELLER.dcm",
    ],
)
def test_that_a_path_is_redacted(written: Path, path: str) -> None:
    logging.getLogger("x").error("cannot read %s", path)
    assert "MUELLER" not in written.read_text() and "anna" not in written.read_text()


def test_that_a_count_is_no_path(written: Path) -> None:
    logging.getLogger("x").error("item 3/24 of and/or failed")
    assert "item 3/24 of and/or failed" in written.read_text()


def test_that_a_message_cannot_forge_a_line_or_colour_the_terminal(written: Path) -> None:
    logging.getLogger("x").error("name\nINFO forged \x1b[31m")
    assert len(written.read_text().splitlines()) == 1 and "\x1b" not in written.read_text()


def test_that_an_exception_tells_its_place_and_not_its_values(written: Path) -> None:
    try:
        raise ValueError("KEANE^Sam 1970-01-01")
    except ValueError:
        logging.getLogger("x").exception("item 3 failed")
    text = written.read_text()
    assert "ValueError at test_log.py:" in text and "KEANE" not in text


def test_that_libraries_that_log_patient_values_are_silent(written: Path) -> None:
    logging.getLogger("pydicom").error("PatientName KEANE")
    logging.getLogger("pynetdicom.events").info("PatientName KEANE")
    assert written.read_text() == ""


def test_that_a_log_that_has_become_long_is_kept_once_and_begun_anew(tmp_path: Path) -> None:
    file = tmp_path / "window.log"
    log.set_aside(file)
    file.write_text("first\n")
    log.set_aside(file)
    assert file.read_text() == "first\n"
    for line in ("second", "third"):
        file.write_text(f"{line}\n" + "x" * log.LONGEST_BYTES)
        log.set_aside(file)
    assert [path.name for path in tmp_path.iterdir()] == ["window.1.log"]
    assert (tmp_path / "window.1.log").read_text().startswith("third")
