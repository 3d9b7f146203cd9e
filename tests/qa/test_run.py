"""`fullfield qa`: our plates against what is known of them, DICOM files of them, and files that cannot be measured."""

from __future__ import annotations

import copy
import csv
import errno
import io
import json
from pathlib import Path
from typing import Any

import pydicom
import pytest

import light
from fullfield import files, parts
from fullfield.dicom import phantom_files
from fullfield.errors import CannotWrite, ExitCode, UsageError
from fullfield.image import own_presets
from fullfield.qa import run
from fullfield.qa.figures import FIGURES
from fullfield.qa.trend import ENOUGH
from fullfield_app import arguments


@pytest.fixture(scope="module")
def plates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plates")
    assert arguments.parse(["qa", "--save-plates", str(folder), "--dose", "5", "--seed", "2"])() == 0
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A map network that nobody trained."""
    light.require(*parts.NETWORK)
    from fullfield.model import seeded
    from fullfield.model.spec import named

    path = tmp_path_factory.mktemp("model") / "gains.safetensors"
    seeded.make(path, named("map"), seed=1)
    return path


def reported(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code = arguments.parse(["qa", "-q", "--json", *words])()
    return code, json.loads(capsys.readouterr().out)


def test_that_our_plates_are_measured_as_they_are_known_to_be_and_a_preset_beside_them(
    plates: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [word for what in ("edge", "flat", "discs") for word in (f"--{what}", str(next(plates.glob(f"*{what}*"))))]
    curves, trend = tmp_path / "curves.csv", tmp_path / "trend.csv"

    code, found = reported(capsys, "--csv", str(curves), "--trend", str(trend), "--model", str(model), "--transfer")
    ours = {(row["object"], row["kind"], row["method"]): row for row in found["rows"]}
    edge, flat, discs = (ours[what, "raw", "detector"] for what in ("edge", "flat", "discs"))

    assert code == 0 and len(ours) == 21
    for figure in ("mtf50", "mtf10"):
        assert edge["figures"][figure] == pytest.approx(edge["truth"][figure], rel=0.03)
    assert flat["figures"]["noise"] == pytest.approx(flat["truth"]["noise"], rel=0.01)
    assert flat["figures"]["nps_at_1"] == pytest.approx(flat["truth"]["nps_at_1"], rel=0.05)
    assert discs["figures"]["cnr"] == pytest.approx(discs["truth"]["cnr"], rel=0.1)
    auto = ours["edge", "raw", "auto"]
    assert auto["figures"]["peak"] > 1.2 and len(auto["sha256"]) == 64
    assert auto["figures"]["mtf_transfer_at_1"] > 1.2 > edge["figures"]["peak"]
    assert ours["flat", "raw", "auto"]["figures"]["noise_transfer_at_1"] > 1
    assert {row["method"] for row in found["signal_over_noise"]} == {"auto", "gains"}
    transfer = json.loads(model.with_name("gains.safetensors.transfer.json").read_text("utf-8"))
    assert transfer["model"] == files.sha256(model) == ours["flat", "raw", "gains"]["sha256"]
    assert {(one["object"], one["kind"]) for one in transfer["figures"]} == {row[:2] for row in ours}
    assert len(transfer["figures"][0]["curves"]["mtf_transfer"]) > 50
    assert set(auto["figures"]) <= set(FIGURES)
    lines = curves.read_text("utf-8").splitlines()
    assert sum("edge,our edge,raw,auto,display,mtf_transfer" in line for line in lines) > 50
    assert len(trend.read_text("utf-8").splitlines()) == 22

    code, found = reported(capsys, *given)
    by_file = {(row["object"], row["method"]): row for row in found["rows"]}
    assert code == 0 and len(by_file) == 9
    assert by_file["edge", "detector"]["exposure_index"] == 4000
    assert by_file["edge", "detector"]["figures"]["mtf50"] == pytest.approx(edge["figures"]["mtf50"], rel=0.02)
    assert by_file["flat", "detector"]["figures"]["noise"] == pytest.approx(flat["figures"]["noise"] / 2**0.5, rel=0.02)
    assert by_file["discs", "detector"]["figures"]["discs"] >= 12
    assert by_file["edge", "auto"]["equipment"] == "Fullfield Phantom"


def test_that_edges_and_flat_fields_are_measured_in_the_detector_s_plane_and_discs_in_the_patient_s(
    plates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given: list[str] = []
    for what in ("edge", "flat", "discs"):
        dataset = pydicom.dcmread(next(plates.glob(f"*{what}*")))
        for name, more in (("magnified", {"EstimatedRadiographicMagnificationFactor": "1.25"}), ("calibrated", {})):
            changed = copy.deepcopy(dataset)
            for keyword, value in (more or {"PixelSpacing": ["0.08", "0.08"]}).items():
                setattr(changed, keyword, value)
            changed.save_as(tmp_path / f"{what}-{name}.dcm")
        given += [f"--{what}", *map(str, sorted(tmp_path.glob(f"{what}-*")))]
    flat = pydicom.dcmread(tmp_path / "flat-calibrated.dcm")
    del flat.ImagerPixelSpacing
    flat.save_as(tmp_path / "patient.dcm")

    code, found = reported(capsys, *given)
    _, other = reported(capsys, "--flat", str(tmp_path / "patient.dcm"))

    assert code == 0
    pixels = {(row["object"], row["spacing_mm"]) for row in found["rows"]}
    assert pixels == {("edge", 0.1), ("flat", 0.1), ("discs", 0.08)}
    assert not any(row["remarks"] for row in found["rows"] if row["object"] == "edge" and row["method"] == "source")
    assert {row["spacing_mm"] for row in other["rows"]} == {0.08}
    assert "no Imager Pixel Spacing" in other["rows"][1]["remarks"][-1]


def test_that_a_model_s_figures_are_told_as_nobody_s_where_a_preset_would_take_their_place(
    plates: Path, model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fullfield.enhance.guarded.Guarded.instead", lambda *_: "The preset takes its place.")

    _, found = reported(capsys, "--flat", str(next(plates.glob("*flat*"))), "--model", str(model))

    remarks = {row["method"]: " ".join(row["remarks"]) for row in found["rows"]}
    assert "does not give this result without --force-result. The preset takes" in remarks["gains"]
    assert "force-result" not in remarks["auto"]


def test_that_models_of_one_file_s_name_are_told_apart_and_none_is_taken_for_a_preset(
    plates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    light.require(*parts.NETWORK)
    from fullfield.model import seeded
    from fullfield.model.spec import named

    models = [tmp_path / name for name in ("net.safetensors", "other/net.safetensors", "auto.safetensors")]
    models[1].parent.mkdir()
    for seed, path in enumerate(models):
        seeded.make(path, named("map"), seed=seed)
    given = ("--flat", str(next(plates.glob("*flat*"))), "--preset", "general")

    _, found = reported(capsys, *given, "--model", *map(str, (*models, models[0])))

    of = {row["method"]: row["sha256"] for row in found["rows"]}
    assert len(of) == len(found["rows"]) == 6
    for path in models:
        assert of[f"{path.stem}-{files.sha256(path)[:8]}"] == files.sha256(path)


def test_that_a_model_leaves_its_own_file_s_history_and_not_that_of_another_of_its_name(
    plates: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "trend.csv"
    given = ("--edge", str(next(plates.glob("*edge*"))), "--model", str(model), "--trend", str(path))
    assert reported(capsys, *given)[0] == 0
    with path.open(encoding="utf-8", newline="") as stream:
        lines = list(csv.DictReader(stream))
    (own,) = (line for line in lines if line["sha256"] == files.sha256(model))

    def after(sha256: str) -> int:
        """The exit code where a file of this model's name has shown the edge otherwise so far."""
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, own)
            writer.writeheader()
            writer.writerows([{**own, "mtf50": "9", "sha256": sha256}] * ENOUGH)
        return reported(capsys, *given)[0]

    assert (after(own["sha256"]), after("0" * 64)) == (1, 0)


def test_that_a_plate_s_file_has_the_exposure_index_of_its_dose(plates: Path) -> None:
    found = {path.stem.split("-")[1]: pydicom.dcmread(path) for path in plates.iterdir()}
    assert {name: file.ExposureIndex for name, file in found.items()} == {"edge": 4000, "flat": 500, "discs": 500}
    assert found["flat"].TargetExposureIndex == 250 and found["flat"].DeviationIndex == pytest.approx(3.01)
    assert found["flat"].PresentationIntentType == "FOR PROCESSING"


def test_that_files_that_cannot_be_measured_are_told_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chest = phantom_files.write(phantom_files.plain_chest(512), tmp_path / "chest.dcm")
    other = tmp_path / "notes.txt"
    other.write_text("no image")

    code, found = reported(capsys, "--flat", str(chest), str(other))

    assert code == 4 and not found["rows"]
    assert {one["name"] for one in found["failed"]} == {"chest.dcm", "notes.txt"}
    assert "It is no flat field" in json.dumps(found["failed"], ensure_ascii=False)


def test_that_a_preset_of_the_users_own_that_cannot_be_used_is_told_once_where_presets_are_chosen() -> None:
    own_presets.folder().mkdir(parents=True)
    (own_presets.folder() / "ours.toml").write_text("name = ", encoding="utf-8")
    said: list[str] = []
    for chosen in (("auto", "all"), ("chest",)):
        run.methods(run.Asked(presets=chosen), notice=said.append)
    (text,) = said
    assert text.startswith("Your preset ours is not chosen automatically")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--preset", "chst"), "There is no preset 'chst'. The nearest is chest."),
        (("--transfer",), "Cannot write a transfer."),
        (("--trend", "."), "Cannot append to the trend file."),
    ],
)
def test_that_a_wrong_option_is_told_before_anything_is_measured(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        arguments.parse(["qa", *words])()


def test_that_a_measurement_whose_other_file_cannot_be_written_joins_no_trend(
    plates: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise CannotWrite("No space.")

    trend, curves = tmp_path / "trend.csv", tmp_path / "curves.csv"
    monkeypatch.setattr(files, "write_text", full)
    words = ["--flat", str(next(plates.glob("*flat*"))), "--trend", str(trend), "--csv", str(curves)]
    with pytest.raises(CannotWrite):
        arguments.parse(["qa", "-q", *words])()
    assert not trend.exists()


def test_that_curves_replace_curves_and_no_other_file_of_the_user_s(
    plates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flat = str(next(plates.glob("*flat*")))
    curves, trend, scan = tmp_path / "curves.csv", tmp_path / "trend.csv", tmp_path / "scan.dcm"
    for _ in range(2):
        assert reported(capsys, "--flat", flat, "--trend", str(trend), "--csv", str(curves))[0] == 0
    scan.write_bytes(Path(flat).read_bytes())
    before = scan.read_bytes(), trend.read_bytes()

    for path, said in ((trend, "the trend file"), (scan, "no table")):
        with pytest.raises(UsageError, match=said):
            arguments.parse(["qa", "--flat", flat, "--trend", str(trend), "--csv", str(path)])()

    assert (scan.read_bytes(), trend.read_bytes()) == before
    with pytest.raises(UsageError, match="the trend file"):
        new = str(tmp_path / "new.csv")
        arguments.parse(["qa", "--flat", flat, "--trend", new, "--csv", new])()


def test_that_an_edge_stands_over_no_flat_field_where_there_are_two_and_files_of_one_name_are_told_apart(
    plates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, (edge, flat) in {"a": ("1", "2"), "b": ("1", "3")}.items():
        (tmp_path / folder).mkdir()
        for what, name in (("edge", edge), ("flat", flat)):
            (tmp_path / folder / name).write_bytes(next(plates.glob(f"*{what}*")).read_bytes())
    edges, flats = [str(tmp_path / one) for one in ("a/1", "b/1")], [str(tmp_path / one) for one in ("a/2", "b/3")]

    _, one = reported(capsys, "--edge", *edges, "--flat", flats[0])
    _, two = reported(capsys, "--edge", edges[0], "--flat", *flats)

    told = [(over["method"], over["edge"], over["flat"]) for over in one["signal_over_noise"]]
    assert told == [("auto", edge, "2") for edge in edges] and not two["signal_over_noise"]
    assert {row["name"] for row in one["rows"]} == {*edges, "2"}


def test_that_an_image_whose_fault_nobody_foresaw_costs_itself_alone(
    plates: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def odd(*_: object, **given: object) -> None:
        raise ZeroDivisionError("float division by zero")

    monkeypatch.setattr("fullfield.qa.edge.find", odd)
    edges, flats = (str(next(plates.glob(f"*{what}*"))) for what in ("edge", "flat"))

    code, found = reported(capsys, "--edge", edges, "--flat", flats)

    assert code == ExitCode.SOME_FAILED and {row["object"] for row in found["rows"]} == {"flat"}
    ((name, problem),) = (one.values() for one in found["failed"])
    assert name == Path(edges).name and "did not foresee: ZeroDivisionError" in problem


@pytest.mark.parametrize("dose", ["0", "none", "1000"])
def test_that_a_dose_that_is_none_is_refused(dose: str) -> None:
    with pytest.raises(SystemExit) as left:
        arguments.parse(["qa", "--dose", dose])
    assert left.value.code == 2


def test_that_a_measurement_that_standard_output_has_no_room_for_joins_no_trend(
    plates: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("sys.stdout", Full())
    words = ["--flat", str(next(plates.glob("*flat*"))), "--trend", str(tmp_path / "trend.csv")]
    with pytest.raises(CannotWrite, match="No space"):
        arguments.parse(["qa", "-q", *words])()
    assert not (tmp_path / "trend.csv").exists()
