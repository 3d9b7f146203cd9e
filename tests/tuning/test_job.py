"""A model fine-tuned on a clinic's images and held against the one before, by the job that a run is."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from fullfield import checked, files
from fullfield.data import review
from fullfield.data.reference import Reference
from fullfield.enhance import models
from fullfield.enhance.enhancer import open_preset
from fullfield.errors import InputRefused, InputUnreadable, ModelError, UsageError
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.image import HighValues, Image, InputKind
from fullfield.model import card as cards
from fullfield.model import weights
from fullfield.model.card import Card
from fullfield.model.network import build
from fullfield.model.phantom import phantom
from fullfield.model.spec import named
from fullfield.plan import spec as specs
from fullfield.protocol.comparison import Comparison
from fullfield.protocol.events import ModelCompared, Notice
from fullfield.protocol.training import Training, from_json
from fullfield.train import begun_from
from fullfield.tuning import comparing, job, seen
from training import FakeContext, prepared_phantoms, tuned_by_two

tuned = tuned_by_two()
PATIENTS, STRENGTH = 6, 1.6


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures for display, of a patient each."""
    folder = tmp_path_factory.mktemp("clinic")
    for number in range(PATIENTS):
        plane = phantom(224, 208, seed=number)
        Pillow.fromarray(np.rint(plane * 255).astype(np.uint8)).save(folder / f"{number}{number}.png")
    return folder


@pytest.fixture(scope="module")
def before(clinic: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A map network that has learned from the first picture and changes nothing."""
    path, spec = tmp_path_factory.mktemp("before") / "before.safetensors", named("map")
    seen = (files.sha256(clinic / "00.png"),)
    weights.save(path, build(spec), Card(name="before", network=spec, input_kind="processed", data_sha256=seen))
    return path


def asked(clinic: Path, before: Path) -> Training:
    """As a user asks, but small."""
    small = {"size": 208, "epochs": 1, "batch": 1, "threads": 1, "device": "cpu", "techniques": []}
    given = {"data": str(clinic), "weights": str(before), "compare": True, **small}
    return from_json(specs.with_defaults(given))


def test_that_a_model_is_held_against_the_one_before_on_patients_nobody_learned_from(
    clinic: Path, before: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen, "LONGER", 640)
    for path in clinic.iterdir():  # what this clinic likes: stronger than the preset
        wish = review.Verdict(judgement=review.Judgement.ADJUSTED, preset="general", strength=STRENGTH)
        review.give(files.sha256(path), wish)
    context = FakeContext(tmp_path / "run")
    spec = asked(clinic, before)
    assert (spec.network, spec.warm_up) == ("map", 0.1)
    summary = job.run(spec, context)

    (found,) = (event.comparison for event in context.reported(ModelCompared))
    assert len(found.patients) == found.apart == PATIENTS // 2 and found.left_out == 0
    assert (found.before, found.before_sha256) == ("before", files.sha256(before))
    for one in found.patients:
        assert one.before is not None and 0 < one.new != one.before and 0 < one.preset < 100
    assert found.seen and {one.over for one in found.seen} == {"before", "preset"}
    assert not found.offered and summary["offered"] is False
    assert "Only 3 patients who were kept apart" in found.verdict
    assert [event.text for event in context.reported(Notice)][-1] == found.verdict

    split = json.loads((context.folder / "split.json").read_text())
    parts = {name: {sha for item in items for sha in item["sha256"]} for name, items in split.items()}
    assert len(parts["apart"]) == 3 and not parts["apart"] & (parts["training"] | parts["validation"])
    first = files.sha256(clinic / "00.png")
    assert first not in parts["apart"], "the model before has learned from it"

    model = context.folder / "model.safetensors"
    card = cards.verify(model.read_bytes())
    assert checked.make(Comparison, card.comparison) == found == models.inspect(model).comparison
    assert set(card.data_sha256) == parts["training"] | parts["validation"] | {first}
    left = json.loads((context.folder / "summary.json").read_text())
    assert left["model_sha256"] == summary["model_sha256"] == files.sha256(model)
    assert json.loads((context.folder / "comparison.json").read_text()) == json.loads(json.dumps(asdict(found)))

    assert begun_from.sha256(context.folder) == files.sha256(before)

    def refuse(*_: object) -> object:
        raise InputRefused("Cannot enhance this image.", detail="No preset is meant for it.")

    monkeypatch.setattr(comparing, "_cases", refuse)
    monkeypatch.setattr(seen, "over", lambda *_, **__: ())
    none = comparing.compared(specs.checked(spec), context)
    assert (none.patients, none.apart, none.left_out, none.left_out_why) == ((), 3, 3, ("No preset is meant for it.",))


def test_that_a_training_is_done_where_its_model_cannot_be_compared(
    clinic: Path, before: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> Comparison:
        raise InputUnreadable("The images are gone.", detail="Connect their disk.")

    monkeypatch.setattr(comparing, "compared", gone)
    monkeypatch.setattr("fullfield.train.job.run", lambda *_: {"epochs": 1})
    context = FakeContext(tmp_path / "run")
    assert job.run(asked(clinic, before), context) == {"epochs": 1}
    assert "is not offered: The images are gone." in context.reported(Notice)[-1].text


def test_that_a_model_is_held_against_nothing_where_the_one_that_it_began_from_is_gone(
    clinic: Path, before: Path, tmp_path: Path
) -> None:
    spec = specs.checked(asked(clinic, before))
    with pytest.raises(ModelError, match="Cannot find the model 'away'"):
        comparing.compared(replace(spec, weights=str(tmp_path / "away.safetensors")), FakeContext(tmp_path / "run"))


@pytest.mark.parametrize("named", ["other.safetensors", "before.safetensors", "away.pth", "auto"])
def test_that_no_verdict_is_given_where_first_weights_are_not_those_that_it_began_with(
    named: str, clinic: Path, before: Path, tmp_path: Path
) -> None:
    spec, context, own = asked(clinic, before), FakeContext(tmp_path / "run"), tmp_path / "before.safetensors"
    own.write_bytes(before.read_bytes())
    (context.folder / "checkpoints").mkdir()
    begun_from.keep(context.folder, "", str(own))
    network, card = weights.load(before)
    for path in (own, tmp_path / "other.safetensors"):  # the one is written over, the other lies beside it
        weights.save(path, network, replace(card, name="other"))
    first = named if named == "auto" else str(tmp_path / named)
    with pytest.raises(ModelError, match=r"Cannot hold the model against|Cannot find the model"):
        comparing.compared(replace(specs.checked(spec), weights=first), context)


def test_that_prepared_data_are_refused_before_anything_is_trained(before: Path, tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "pairs", 4, rows=208, columns=192)
    with pytest.raises(UsageError, match="prepared data"):
        job.run(asked(data.folder, before), FakeContext(tmp_path / "run"))


@pytest.mark.parametrize("high", list(HighValues))
@pytest.mark.parametrize("padding", [0, 4095])
def test_that_what_is_wanted_is_what_was_trained_on_and_padding_counts_for_no_method(
    high: HighValues, padding: int
) -> None:
    pixels = np.rint(phantom(240, 208, seed=1) * 3500 + 200).astype(np.uint16)
    pixels[:, :60] = padding
    given = {"bits": 12, "high": high, "kind": InputKind.PROCESSED, "padding": (padding, padding)}
    image = Image(pixels=pixels, **given)
    header = Header(source_format="dicom", sha256="", rows=240, columns=208, bits_stored=12, photometric="")
    decoded = Decoded(image=image, header=header, folder=Path())
    wanted, _ = Reference("general").make(image, header)
    assert not wanted[:, :60].any()
    case = comparing.Case(decoded=decoded, wanted=wanted)
    assert comparing._loss(open_preset("general"), case) < 0.01
