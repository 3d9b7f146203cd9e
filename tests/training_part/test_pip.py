"""pip: what it is set to, what it had whole when it was ended, and what its errors mean."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fullfield.errors import CannotWrite, MissingPart
from fullfield.training_part import pip, pythons
from fullfield.training_part.pip import Pip, Settings
from training_part.conftest import FakeContext
from training_part.fake_index import wheel

PYTHON = Path(sys.base_prefix) / "bin" / "python3"


@pytest.mark.usefixtures("no_settings")
def test_that_an_index_of_its_own_is_known_by_its_host_and_not_by_who_signs_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pip.settings(PYTHON) == Settings()
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://more.clinic.example/simple")
    assert pip.settings(PYTHON) == Settings()
    settings = tmp_path / "pip.conf"
    settings.write_text("[global]\nindex-url = https://user:secret@mirror.clinic.example/simple\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    assert pip.settings(PYTHON) == Settings(own=True, host="mirror.clinic.example")


@pytest.mark.usefixtures("no_settings")
def test_that_where_pip_shall_ask_none_pytorchs_index_is_not_asked_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert pip.settings(PYTHON) == Settings(own=True)
    assert pip.settings(Path("/no/such/python")) == Settings(own=True), "told by the variables where there is no pip"


def test_that_what_had_come_whole_is_kept_and_what_was_cut_is_not(tmp_path: Path, context: FakeContext) -> None:
    asked = Pip(tmp_path, context)
    whole = wheel(asked.temporary / "pip-unpack-1", "torch", "2.14.0", padding=5000)
    cut = wheel(asked.temporary / "pip-unpack-1", "torchvision", "0.29.0", padding=5000)
    cut.write_bytes(cut.read_bytes()[:3000])
    assert asked.fetched_bytes(tmp_path / "store") == whole.stat().st_size + 3000
    asked.keep_fetched(tmp_path / "store")
    assert [path.name for path in (tmp_path / "store").iterdir()] == [whole.name]
    assert not asked.temporary.exists()


@pytest.mark.parametrize(
    ("said", "reported"),
    [
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]", "certificate"),
        ("ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 407", "proxy refuses"),
        ("WARNING: 401 Error\nERROR: HTTP error 401 Client Error: Unauthorized", "index refuses"),
        ("NewConnectionError: Failed\nERROR: No matching distribution found for torch", "reached"),
        ("ERROR: No matching distribution found for simpleitk==2.5.7", "no wheel of simpleitk"),
        ("ERROR: Cannot install torch because these package versions have conflicting dependencies.\nERROR: "
         "ResolutionImpossible\n    The user requested torch\n    The user requested (constraint) torch<=2.15.0",
         "no wheel of torch "),
        ("ERROR: Cannot install torch and torchvision because these package versions have conflicting dependencies.\n"
         "ERROR: ResolutionImpossible\n    torch 2.14.0 depends on filelock\n"
         "    The user requested (constraint) filelock==4.2.11", "no wheel of filelock "),
        ("ERROR: Cannot install torch==2.14.0 and torchvision==0.28.0 because these package versions have conflicting "
         "dependencies.\n    torchvision 0.28.0 depends on torch==2.13.0\nERROR: ResolutionImpossible", "go together"),
        ("ERROR: Cannot install torch and torchvision because these package versions have conflicting dependencies.\n"
         "ERROR: ResolutionImpossible\n    torch 2.14.0 depends on numpy>=3\n"
         "    The user requested (constraint) numpy==2.1.0", "go together"),
        ("ERROR: ResolutionImpossible: for help visit", "do not go together"),
        ("Killed", "code 3"),
    ],
)  # fmt: skip
def test_that_an_error_of_pip_is_told_in_words_with_what_to_do(said: str, reported: str) -> None:
    error = pip.failure(said, 3)
    assert isinstance(error, CannotWrite | MissingPart)
    assert reported in error.detail and error.hint


def test_that_no_path_and_no_address_of_pips_words_is_told() -> None:
    error = pip.failure("ERROR: /data/anna/x: https://user:secret@mirror.example broke", 1)
    assert "anna" not in str(error) and "secret" not in str(error)


def test_that_a_python_is_found_that_can_make_environments() -> None:
    found = pythons.find()
    assert found.version in pythons.VERSIONS and found.path.exists()


def test_that_where_none_fits_it_is_said_which_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text(
        '#!/bin/sh\necho \'{"path": "/usr/bin/python3", "version": "3.9", "bits": 64, "free_threaded": false}\'\n'
    )
    old.chmod(0o755)
    monkeypatch.setattr(pythons.other_python, "commands", lambda versions: [["no-such-python"], [str(old)], ["false"]])
    with pytest.raises(MissingPart, match=r"3\.11 to 3\.14"):
        pythons.find()
