"""A user's own presets: saved, found by name, versioned, and chosen for the body parts that they name."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from fullfield.data import pairs, reference
from fullfield.errors import CannotWrite, UsageError
from fullfield.image import own_presets, presets
from fullfield.image.image import InputKind
from fullfield.image.preset import ADJUSTED
from fullfield.image.preset_file import to_toml

TAKEN = frozenset(presets.names())


def test_that_an_adjusted_preset_says_so_and_has_the_new_values() -> None:
    chest = presets.load("chest")
    more = chest.adjusted({"detail.gain": 2.0}).adjusted({"edges.gains": (1.0, 0.5, 0.2)})
    assert more.name == "chest" + ADJUSTED and (more.detail_gain, more.edges_gains) == (2.0, (1.0, 0.5, 0.2))
    assert more.sha256() != chest.sha256() and chest.adjusted({}) is chest


@pytest.mark.parametrize("changes", [{"detail.gain": 99.0}, {"detail.gian": 1.0}, {"edges.gains": (1.0,)}])
def test_that_an_adjustment_out_of_its_range_is_refused(changes: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        presets.load("chest").adjusted(changes)


def test_that_a_saved_preset_is_found_by_its_name() -> None:
    values = presets.load("chest").adjusted({"detail.gain": 2.0})
    saved = own_presets.save(values, title="Our Lungs, bright", body_parts=(), taken=TAKEN)
    assert saved.name == "our-lungs-bright"
    assert presets.load("our-lungs-bright") == saved and presets.own() == (saved,)


def test_that_saving_under_the_same_name_makes_the_next_version() -> None:
    for number, gain in enumerate((1.0, 2.0)):
        values = presets.load("chest").adjusted({"detail.gain": gain})
        saved = own_presets.save(values, title="Ours", body_parts=(), taken=TAKEN)
        assert saved.version == f"1.0.{number}"
        path = own_presets.paths()["ours"]
        path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")  # as Notepad saves it
    assert presets.load("ours").detail_gain == 2.0


def test_that_two_presets_with_different_titles_never_share_a_file() -> None:
    chest = presets.load("chest")
    for title, gain in (("Hand +", 3.0), ("Hand −", 0.5), ("Hand −", 0.6)):
        own_presets.save(chest.adjusted({"detail.gain": gain}), title=title, body_parts=(), taken=TAKEN)
    kept = [
        (preset.name, preset.title, preset.version, preset.detail_gain)
        for preset in sorted(presets.own(), key=lambda one: one.title)
    ]
    assert kept == [("hand", "Hand +", "1.0.0", 3.0), ("hand-2", "Hand −", "1.0.1", 0.6)]


def test_that_a_preset_for_another_kind_of_input_replaces_none_of_the_same_title() -> None:
    for name in ("chest", "chest-raw"):
        own_presets.save(presets.load(name), title="Ours", body_parts=("CHEST",), taken=TAKEN)
    for kind, name in ((InputKind.PROCESSED, "ours"), (InputKind.RAW, "ours-2")):
        assert presets.choose(body_part="CHEST", species="", kind=kind).name == name


def test_that_a_folder_that_takes_no_preset_is_told_as_fullfield_s_own() -> None:
    own_presets.folder().write_bytes(b"a file where the folder should be")
    with pytest.raises(CannotWrite, match=r"own folder of this user .presets.*FULLFIELD_PRESETS"):
        own_presets.save(presets.load("chest"), title="Ours", body_parts=(), taken=TAKEN)


def test_that_a_file_that_cannot_be_read_is_not_written_over() -> None:
    own_presets.folder().mkdir(parents=True)
    newer = own_presets.folder() / "ours.toml"
    newer.write_text('name = "ours"\n[grid]\nlines = 0.5\n')
    saved = own_presets.save(presets.load("chest"), title="Ours", body_parts=(), taken=TAKEN)
    assert saved.name == "ours-2" and "grid" in newer.read_text() and presets.own() == (saved,)


@pytest.mark.parametrize("title", ["chest", "Chest", " … "])
def test_that_a_name_that_ships_or_says_nothing_is_refused(title: str) -> None:
    with pytest.raises(UsageError):
        own_presets.save(presets.load("chest"), title=title, body_parts=(), taken=TAKEN)


@pytest.mark.parametrize("title", ["می\u200cخواهم", "Del\x7fete", "Left\u202eright", "a\ud83eb"])
def test_that_a_title_that_could_not_be_read_again_is_refused(title: str) -> None:
    with pytest.raises(UsageError, match="another name"):
        own_presets.save(presets.load("chest"), title=title, body_parts=(), taken=TAKEN)
    assert not own_presets.paths()


def test_that_every_blank_of_a_title_becomes_a_plain_space() -> None:
    saved = own_presets.save(presets.load("chest"), title="Tórax\u00a0nítido\u2009 2 ", body_parts=(), taken=TAKEN)
    assert presets.load("tórax-nítido-2") == saved and saved.title == "Tórax nítido 2"


def test_that_what_a_header_says_is_kept_as_it_can_be_read_again() -> None:
    parts, species = ("\U0001f9b4", "T\u00d3RAX\u00a0AP", "LE\x7fG"), ("gato\x00dom\u00e9stico",)
    saved = own_presets.save(presets.load("chest"), title="Ours", body_parts=parts, species=species, taken=TAKEN)
    assert presets.load("ours") == saved
    assert saved.body_parts == ("\U0001f9b4", "T\u00d3RAX AP", "LE G") and saved.species == ("gato dom\u00e9stico",)


@pytest.mark.parametrize("title", ["Auto", "image", "Pairs"])
def test_that_a_word_that_means_something_else_where_a_preset_is_named_is_refused(title: str) -> None:
    with pytest.raises(UsageError, match="another name"):
        own_presets.save(presets.load("chest"), title=title, body_parts=(), taken=TAKEN)
    assert presets.own() == ()


def test_that_the_words_of_a_training_are_among_those_that_no_preset_may_have() -> None:
    assert {presets.AUTO, pairs.PAIRS, reference.IMAGE} <= own_presets.RESERVED


def test_that_a_name_is_made_of_letters_digits_and_hyphens() -> None:
    assert own_presets.slug("Our_Lungs__größer 2") == "our-lungs-größer-2"


def test_that_the_part_of_the_body_does_not_depend_on_the_users_presets() -> None:
    own_presets.save(presets.load("chest"), title="Ours", body_parts=("CHEST",), taken=TAKEN)
    assert presets.choose(body_part="CHEST", species="", kind=InputKind.PROCESSED).name == "ours"
    assert presets.body_part_key(body_part="CHEST", species="", modality="DX") == "chest"


def test_that_automatic_takes_the_users_preset_for_its_body_part_alone() -> None:
    values = presets.load("chest").adjusted({"detail.gain": 2.0})
    own_presets.save(values, title="By name", body_parts=(), taken=TAKEN)
    own_presets.save(values, title="Ours", body_parts=("HAND",), taken=TAKEN)
    kind = InputKind.PROCESSED
    assert presets.choose(body_part="HAND", species="", kind=kind).name == "ours"
    assert presets.choose(body_part="CHEST", species="", kind=kind).name == "chest"
    assert presets.choose(body_part="HAND", species="dog", kind=kind).name != "ours"
    assert presets.choose(body_part="HAND", species="", kind=InputKind.RAW).name == "extremity-raw"


def test_that_a_damaged_file_of_the_user_spoils_nothing() -> None:
    own_presets.folder().mkdir(parents=True)
    (own_presets.folder() / "bad.toml").write_text("name = 3")
    assert presets.own() == ()
    with pytest.raises(UsageError, match="bad"):
        presets.load("bad")
    (told,) = presets.passed_over()
    assert "Your preset bad is not chosen automatically" in told.title and "name" in told.detail


def test_that_a_file_that_was_copied_or_renamed_is_a_preset_by_itself() -> None:
    own_presets.save(presets.load("chest").adjusted({"detail.gain": 1.0}), title="Hand", body_parts=(), taken=TAKEN)
    hand = own_presets.paths()["hand"]
    for name, values in (("hand-strong", hand.read_text(encoding="utf-8")), ("ours", to_toml(presets.load("chest")))):
        text = re.sub(r"(?m)^gain = .*$", "gain = 3.5", values)
        (hand.parent / f"{name}.toml").write_text(text, encoding="utf-8")
    hand.rename(hand.parent / "hand (from Anna).toml")
    found = {preset.name: preset.detail_gain for preset in presets.own()}
    assert found == {"hand (from Anna)": 1.0, "hand-strong": 3.5, "ours": 3.5}
    assert all(presets.load(preset.name) == preset for preset in presets.own())


@pytest.mark.parametrize("name", ["chest", "auto", "Pairs", "a\nb"])
def test_that_a_file_whose_name_means_something_else_is_not_offered(name: str) -> None:
    own_presets.folder().mkdir(parents=True)
    ours = replace(presets.load("chest"), title="Ours")
    (own_presets.folder() / f"{name}.toml").write_text(to_toml(ours), encoding="utf-8")
    assert presets.own() == () and presets.load("chest").title != "Ours"


def test_that_a_choice_is_taken_in_its_variant_for_the_kind() -> None:
    raw, processed = InputKind.RAW, InputKind.PROCESSED
    assert presets.fitting("chest", body_part="", species="", kind=raw).name == "chest-raw"
    assert presets.fitting("chest-raw", body_part="", species="", kind=processed).name == "chest"
    assert presets.fitting("auto", body_part="HAND", species="", kind=raw).name == "extremity-raw"
