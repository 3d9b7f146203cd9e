from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.errors import InputRefused, UsageError
from fullfield.image import presets
from fullfield.image.image import InputKind
from fullfield.image.preset_file import to_toml

PROCESSED, RAW = InputKind.PROCESSED, InputKind.RAW


@pytest.mark.parametrize(
    ("body_part", "species", "modality", "wanted"),
    [
        ("CHEST", "", "CR", "chest"),
        ("Thorax PA", "Homo sapiens", "DX", "chest"),
        ("RIBCAGE", "", "DX", "chest"),
        ("HAND", "", "CR", "extremity"),
        ("EXTREMITY", "", "CR", "extremity"),
        ("tib/fib", "", "CR", "extremity"),
        ("SKULL", "", "DX", "skull"),
        ("", "", "PX", "dental"),
        ("Mandible", "", "DX", "dental"),
        ("", "", "IO", "dental"),
        ("顎 1", "", "PX", "dental"),
        ("C-SPINE", "", "DX", "spine"),
        ("LSPINE", "", "DX", "spine"),
        ("HIP", "", "DX", "abdomen-pelvis"),
        ("BREAST", "", "MG", "mammography"),
        ("", "", "MG", "mammography"),
        ("BREAST", "", "RG", "mammography"),  # a film that was digitised
        ("Left breast", "human", "CR", "mammography"),
        ("BREAST", "", "DX", "mammography"),
        ("BREAST", "canine", "RG", "general"),
        ("BREAST", "", "PX", "general"),
        ("THORAX", "Canine", "DX", "veterinary-trunk"),
        ("CHEST", "Feline species", "DX", "veterinary-trunk"),
        ("STIFLE", "dog", "CR", "veterinary-limb"),
        ("", "Equine", "DX", "general"),
        ("", "", "", "general"),
        ("WHATEVER", "human", "DX", "general"),
    ],
)
def test_that_the_header_chooses_the_preset(body_part: str, species: str, modality: str, wanted: str) -> None:
    for kind, suffix in ((PROCESSED, ""), (RAW, "-raw")):
        found = presets.choose(body_part=body_part, species=species, kind=kind, modality=modality)
        assert found.name == wanted + suffix
        assert found.kinds == (kind,)


def test_that_a_preset_for_processed_images_is_never_used_for_raw_ones_and_the_right_ones_are_named() -> None:
    with pytest.raises(InputRefused) as caught:
        presets.require(presets.load("chest"), kind=RAW, modality="DX", why="The file says that it is for processing.")

    assert "chest-raw" in caught.value.hint
    assert "mammography-raw" not in caught.value.hint
    assert "The file says that it is for processing." in caught.value.detail


def test_that_a_mammogram_needs_a_preset_of_its_own() -> None:
    with pytest.raises(InputRefused) as caught:
        presets.require(presets.load("general"), kind=PROCESSED, modality="MG")

    assert caught.value.detail == "MG images need a preset that is made for them."
    assert caught.value.hint == "Choose auto or one of mammography."
    presets.require(presets.load("mammography"), kind=PROCESSED, modality="MG")


def test_that_a_chest_is_not_given_a_mammography_preset() -> None:
    with pytest.raises(InputRefused, match="made for MG"):
        presets.require(presets.load("mammography"), kind=PROCESSED, modality="DX")


def test_that_a_breast_on_film_may_have_the_mammography_preset_and_any_other() -> None:
    for name in ("mammography", "general"):
        presets.require(presets.load(name), kind=PROCESSED, modality="RG", body_part="BREAST")
    with pytest.raises(InputRefused, match="made for MG"):
        presets.require(presets.load("mammography"), kind=PROCESSED, modality="RG", body_part="CHEST")


def test_that_a_wrong_name_is_met_with_the_nearest_right_one() -> None:
    with pytest.raises(UsageError, match="The nearest is extremity"):
        presets.load("extremities")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])  # with a byte order mark: saved by Notepad
def test_that_a_user_loads_a_file_of_his_own(tmp_path: Path, encoding: str) -> None:
    target = tmp_path / "ours.toml"
    target.write_text(to_toml(presets.load("spine")), encoding=encoding)

    assert presets.load(str(target)) == presets.load("spine")


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"name = 1"])
def test_that_a_broken_file_is_told_without_its_path(tmp_path: Path, content: bytes) -> None:
    target = tmp_path / "ours.toml"
    target.write_bytes(content)

    with pytest.raises(UsageError) as caught:
        presets.load(str(target))

    assert str(tmp_path) not in str(caught.value)


def test_that_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        presets.load(str(tmp_path / "none.toml"))


def test_that_both_kinds_have_a_general_preset_and_it_comes_first() -> None:
    assert presets.names()[:2] == ("general", "general-raw")
