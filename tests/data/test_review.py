"""What an expert says of references, and what a training makes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from collection import Collection
from data.test_prepare import Reported, picture
from fullfield import files
from fullfield.data import prepare, review, reviewed
from fullfield.data.prepare import Request
from fullfield.data.prepared import Prepared
from fullfield.data.reference import strengthened
from fullfield.data.review import Judgement, Verdict
from fullfield.errors import CannotWrite, InputUnreadable
from fullfield.image import presets
from fullfield.image.preset import PARAMETERS

REJECTED = Verdict(judgement=Judgement.REJECTED)
STRONGER = Verdict(
    judgement=Judgement.ADJUSTED,
    preset="general",
    strength=1.5,
    made_by=f"the conventional processor, preset general {presets.load('general').version} at 150% of its strength",
)
APPROVED = Verdict(
    judgement=Judgement.APPROVED,
    preset="general",
    made_by=f"the conventional processor, preset general {presets.load('general').version}",
)


@pytest.fixture
def singles(collection: Collection) -> Collection:
    for number in range(4):
        collection.add(f"NAME{number}.dcm", picture(number), patient=f"PATIENT{number}")
    return collection


@pytest.fixture
def hashes(singles: Collection) -> list[str]:
    return [singles.decode(path).header.sha256 for path in sorted(singles.folder.iterdir())]


def made(collection: Collection, *, watch_stop: bool = True, reference: str = "auto") -> Prepared:
    request = Request(folder=collection.folder, size=192, reference=reference, seed=0, review=watch_stop)
    return prepare.prepare(request, collection, progress=Reported())


def test_that_verdicts_are_kept_by_content_and_can_be_taken_back() -> None:
    review.give("a" * 64, APPROVED)
    review.give("b" * 64, STRONGER)
    assert review.load() == {"a" * 64: APPROVED, "b" * 64: STRONGER}
    assert review.give("a" * 64, None) == {"b" * 64: STRONGER} == review.load()


DAMAGED = (
    '{"version": 1, "verdicts": {"a": {"judgement": "adored"}}}',
    '{"version": 2, "verdicts": {}}',
    '{"version": 1, "verdi',
    "[]",
)


@pytest.mark.parametrize("text", DAMAGED)
def test_that_a_damaged_file_of_verdicts_is_neither_heeded_nor_replaced_and_that_is_said(
    singles: Collection, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
) -> None:
    monkeypatch.setenv("FULLFIELD_REVIEWS", str(tmp_path))
    (tmp_path / review.NAME).write_text(text)
    for use in (review.load, lambda: review.give("b" * 64, REJECTED), lambda: made(singles)):
        with pytest.raises(InputUnreadable, match="which references were approved"):
            use()
    assert (tmp_path / review.NAME).read_text() == text
    assert made(singles, watch_stop=False).items


def test_that_a_rejected_image_is_left_out_and_counted(singles: Collection, hashes: list[str]) -> None:
    before = made(singles)
    assert before.reviewed == {}
    review.give(hashes[0], REJECTED)
    after = made(singles)
    assert {item.source_sha256[0] for item in after.items} == set(hashes[1:])
    assert after.reviewed == {"approved": 0, "adjusted": 0, "rejected": 1, "unreviewed": 3}
    assert after.folder != before.folder
    assert made(singles, watch_stop=False) == before


def test_that_an_adjusted_reference_is_made_as_the_expert_wants_it(singles: Collection, hashes: list[str]) -> None:
    before = made(singles)
    review.give(hashes[1], STRONGER)
    review.give(hashes[2], APPROVED)
    after = made(singles)
    assert after.reviewed == {"approved": 1, "adjusted": 1, "rejected": 0, "unreviewed": 2}
    then = {item.source_sha256[0]: before.load(item)[1] for item in before.items}
    for item in after.items:
        content = item.source_sha256[0]
        same = np.array_equal(after.load(item)[1], then[content])
        assert same == (content != hashes[1])
    assert "150%" in after.reference


def test_that_what_was_approved_of_another_preset_counts_as_not_reviewed(
    singles: Collection, hashes: list[str]
) -> None:
    review.give(hashes[0], APPROVED)
    assert made(singles, reference="chest").reviewed["approved"] == 0
    assert made(singles, reference="general").reviewed["approved"] == 1


def test_that_verdicts_on_the_processor_mean_nothing_where_it_makes_nothing(
    singles: Collection, hashes: list[str]
) -> None:
    review.give(hashes[0], REJECTED)
    found = made(singles, reference="image")
    assert len(found.items) == 4
    assert found.reviewed == {}


def test_that_the_counts_are_told_in_a_sentence() -> None:
    text = reviewed.sentence({"approved": 9, "adjusted": 2, "rejected": 1, "unreviewed": 28})
    assert text.startswith("References reviewed by an expert: 12 of 40; 9 approved, 2 adjusted, 1 rejected")


@pytest.mark.parametrize("name", presets.names())
@pytest.mark.parametrize("strength", [0.0, 0.5, 2.0])
def test_that_any_strength_of_any_preset_stays_within_its_parameters(name: str, strength: float) -> None:
    preset = presets.load(name)
    other = strengthened(preset, strength)
    assert not [fault for item in PARAMETERS for fault in item.faults(other.value(item))]
    assert (other.detail_gain > preset.detail_gain) == (strength > 1)
    assert strengthened(preset, 1.0) is preset


def test_that_what_was_approved_counts_by_who_made_what_was_seen_then(singles: Collection, hashes: list[str]) -> None:
    review.give(hashes[0], replace(APPROVED, made_by="the conventional processor, preset general 0.9.0"))
    assert made(singles).reviewed["approved"] == 0
    review.give(hashes[0], APPROVED)
    assert made(singles).reviewed["approved"] == 1


def test_that_a_folder_that_takes_no_verdict_is_told_as_fullfield_s_own() -> None:
    files.user_folder("reviews").write_bytes(b"a file where the folder should be")
    with pytest.raises(CannotWrite, match=r"own folder of this user .reviews.*FULLFIELD_REVIEWS"):
        review.give("a" * 64, REJECTED)
