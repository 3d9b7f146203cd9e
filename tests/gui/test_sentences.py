"""Values of the engine within its sentences: numbers are written as the user's language does, versions stay."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from fullfield_app.gui import language, numbers
from fullfield_app.gui.translation import say_core


@pytest.fixture(autouse=True)
def spanish() -> Iterator[None]:
    QLocale.setDefault(QLocale("es_ES"))
    yield
    QLocale.setDefault(QLocale.c())


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("14.8 GiB", "14,8 GiB"),
        ("4.0 GiB, 3.5 GiB free)", "4,0 GiB, 3,5 GiB free)"),
        ("1,234.5 s", "1.234,5 s"),
        ("0.75", "0,75"),
        ("12.5 %", "12,5 %"),
    ],
)
def test_that_an_amount_is_written_as_the_language_does(value: str, said: str) -> None:
    assert numbers.written(value) == said


@pytest.mark.parametrize(
    "value",
    ["chest 1.0.0, general 1.0.0", "glibc2.36, Python 3.11.7", "torch 2.15.0, numpy 2.4.6", "glibc 2.35, Python 3.11."],
)
def test_that_a_version_stays_as_it_is(value: str) -> None:
    assert numbers.written(value) == value


@pytest.mark.parametrize(
    ("text", "kept", "written"),
    [
        ("It is installed for Python 3.13, and takes about 1,234 MB then.", "Python 3.13", "1.234 MB"),
        ("The driver 535.104 of NVIDIA allows CUDA 12.2.", "535.104 de NVIDIA permite CUDA 12.2", ""),
        (
            "The driver 535.104 of A allows CUDA up to 12.2, and CUDA 12.8 is needed: update it first to train on the "
            "card.",
            "CUDA hasta 12.2",
            "",
        ),
        ("It has PyTorch 2.10, and this computer has 2.9.", "PyTorch 2.10, y este ordenador tiene 2.9", ""),
        ("preset my-chest 1.0", "ajuste my-chest 1.0", ""),
        (
            "preset my-chest 1.0, 20 % of it: the source was processed already",
            "ajuste my-chest 1.0, 20 % de él: la imagen de origen ya estaba procesada",
            "",
        ),
        ("the conventional processor, preset my-chest 1.10", "my-chest 1.10", ""),
        ("RTX 2070, 8.0 GiB, of which 7.5 GiB are free; compute capability 7.5.", "cómputo 7.5", "7,5 GiB"),
    ],
)
def test_that_a_version_of_two_numbers_is_no_amount(qapp: QApplication, text: str, kept: str, written: str) -> None:
    language.install(qapp, "es")
    try:
        said = say_core(text)
    finally:
        language.install(qapp, "en")
    assert kept in said and written in said
