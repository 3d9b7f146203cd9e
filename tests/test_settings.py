"""Settings are kept, privately, and no file of them is ever a reason not to start."""

from __future__ import annotations

import os
import stat
import threading
import tomllib
from dataclasses import replace
from types import MappingProxyType

import pytest

from fullfield.errors import CannotWrite
from fullfield_app import settings
from fullfield_app.settings import ExportChoices, Settings, TrainChoices

CLOSED = Settings(overlay=False, keep_recent=False)


def leave(text: str) -> None:
    settings.folder().mkdir(parents=True)
    settings.path().write_text(text, encoding="utf-8")


def test_that_without_a_file_all_is_as_shipped() -> None:
    assert settings.load() == (Settings(), ())


def test_that_what_is_changed_is_there_the_next_time() -> None:
    keys = MappingProxyType({"curtain": ("K", "Ctrl+K"), "fit": ()})
    changed = Settings(language="es", palette="dark", overlay=False, keys=keys, train=TrainChoices(used=True, gpu="A"))
    settings.update(lambda _: changed)
    assert settings.load() == (changed, ())


def test_that_two_windows_keep_each_other_s_changes() -> None:
    settings.update(lambda now: replace(now, palette="light"))
    settings.update(lambda now: replace(now, language="es"))
    assert settings.load()[0] == Settings(palette="light", language="es")


def test_that_two_windows_that_change_at_once_keep_each_other_s_changes() -> None:
    def slow(now: Settings) -> Settings:
        other.start()
        other.join(0.5)
        return replace(now, palette="light")

    other = threading.Thread(target=settings.update, args=[lambda now: replace(now, language="es")])
    settings.update(slow)
    other.join()
    assert settings.load()[0] == Settings(palette="light", language="es")


def test_that_settings_are_written_where_no_file_can_be_locked() -> None:
    settings.path().with_name(f".{settings.path().name}.lock").mkdir(parents=True)
    settings.update(lambda now: replace(now, palette="light"))
    assert settings.load()[0] == Settings(palette="light")


def test_that_nothing_is_left_of_the_lock_of_the_settings() -> None:
    settings.update(lambda now: replace(now, palette="light"))
    assert list(settings.folder().iterdir()) == [settings.path()]


def test_that_a_damaged_file_is_set_aside_and_told() -> None:
    leave('palette = "dark\n\x00')
    assert settings.load() == (CLOSED, ("damaged",))
    assert (settings.folder() / "settings.damaged.toml").read_text(encoding="utf-8").startswith("palette")
    assert settings.load() == (CLOSED, ()), "no name is kept or shown until the user says so again"


def test_that_each_damaged_file_is_kept() -> None:
    for text in ("first =", "second =", "third ="):
        settings.folder().mkdir(exist_ok=True)
        settings.path().write_text(text, encoding="utf-8")
        assert settings.load() == (CLOSED, ("damaged",))
    kept = [settings.folder() / f"settings.damaged{number}.toml" for number in ("", 2, 3)]
    assert [path.read_text(encoding="utf-8") for path in kept] == ["first =", "second =", "third ="]


def test_that_the_byte_order_mark_of_an_editor_is_no_damage() -> None:
    leave('\ufeffpalette = "dark"')
    assert settings.load() == (Settings(palette="dark"), ())


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000], ids=["decimal", "hexadecimal"])
def test_that_a_number_that_nobody_can_read_is_damage_too(number: str) -> None:
    leave(f"notice_accepted = {number}")
    assert settings.load() == (CLOSED, ("damaged",))


@pytest.mark.parametrize(
    "wrong",
    [
        'language = "xx"',
        "palette = 3",
        "notice_accepted = -1",
        "notice_accepted = true",
        "notice_accepted = 99999999999999999999",
        "[window]\nwidth = 3000000000",
        "[window]\nleft = -3000000000",
        "[window]\nheight = -1",
        "[window]\nwidth = nan",
        "[window]\ntop = inf",
        "train = 3",
        "[train]\nvalues = [1]",
        "[keys]\nfit = 1",
        "keys = []",
    ],
)
def test_that_a_value_that_cannot_be_used_is_passed_over_and_told(wrong: str) -> None:
    leave(wrong)
    assert settings.load() == (Settings(), ("passed_over",))


def test_that_names_are_hidden_and_not_kept_where_that_choice_cannot_be_used() -> None:
    leave('overlay = 0\nkeep_recent = "no"\n')
    assert settings.load() == (CLOSED, ("passed_over",))


def test_that_a_file_that_cannot_be_read_hides_names_and_is_not_written_over() -> None:
    settings.path().mkdir(parents=True)
    assert settings.load() == (CLOSED, ("unreadable",))
    with pytest.raises(CannotWrite, match="settings"):
        settings.update(lambda now: replace(now, palette="dark"))


def test_that_a_folder_whose_name_is_no_utf_8_keeps_no_other_change_from_being_written() -> None:
    settings.update(lambda now: replace(now, palette="dark", export=ExportChoices(folder="/out/\udcfc", format="tiff")))
    assert settings.load() == (Settings(palette="dark", export=ExportChoices(format="tiff")), ())


def test_that_names_of_files_that_were_kept_here_once_are_gone_with_the_first_change() -> None:
    leave('[recent]\non = true\npaths = ["/in/MUELLER.dcm"]\n')
    settings.update(lambda now: replace(now, palette="dark"))
    assert "MUELLER" not in settings.path().read_text(encoding="utf-8")


def test_that_what_a_newer_version_wrote_is_kept() -> None:
    leave('version = 9\nshape = "round"\n[train]\nwithin_days = 3\n[far.away]\nplace = 1\n')
    settings.update(lambda now: replace(now, palette="dark"))
    table = tomllib.loads(settings.path().read_text(encoding="utf-8"))
    assert table["version"] == 9 and table["palette"] == "dark"
    assert table["shape"] == "round" and table["train"] == {"within_days": 3} and table["far"] == {"away": {"place": 1}}


def test_that_a_value_that_only_a_newer_version_knows_is_kept_until_it_is_changed() -> None:
    leave(
        'version = 2\nlanguage = "fr"\npalette = "high-contrast"\n'
        '[export]\nformat = "jpeg2000"\n[keys]\nfit = ["F"]\nnew = "Ctrl+K"\n'
    )
    settings.update(lambda now: replace(now, palette="dark", keys=MappingProxyType({"fit": ("G",)})))
    table = tomllib.loads(settings.path().read_text())
    assert table["language"] == "fr" and table["export"] == {"format": "jpeg2000"}
    assert table["palette"] == "dark" and table["keys"] == {"fit": ["G"], "new": "Ctrl+K"}
    settings.update(lambda now: replace(now, language="es"))
    assert settings.load()[0].language == "es"


def test_that_a_section_that_is_no_section_in_a_newer_version_stands_in_the_way_of_no_change() -> None:
    leave('version = 2\nexport = "somewhere"\n[train]\ngpu = {name = "H200"}\n')
    settings.update(lambda now: replace(now, palette="dark"))
    table = tomllib.loads(settings.path().read_text())
    assert table["export"] == "somewhere" and table["palette"] == "dark" and table["train"]["gpu"] == {"name": "H200"}
    settings.update(lambda now: replace(now, export=replace(now.export, format="tiff")))
    assert settings.load()[0].export.format == "tiff"


def test_that_a_setting_as_shipped_is_not_written() -> None:
    settings.update(lambda now: replace(now, palette="dark"))
    settings.update(lambda now: replace(now, palette="reading-room"))
    assert tomllib.loads(settings.path().read_text(encoding="utf-8")) == {"version": settings.VERSION}


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="rights of files are told so on POSIX alone")
def test_that_only_this_user_can_read_the_file() -> None:
    settings.update(lambda now: replace(now, palette="dark"))
    assert stat.S_IMODE(settings.path().stat().st_mode) == 0o600
