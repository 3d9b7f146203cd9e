"""Every text for people reaches the translators, and every language says all of them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from pytestqt.qtbot import QtBot

from fullfield import files
from fullfield.image.export import NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES
from fullfield_app.gui import actions, language, texts
from fullfield_app.gui.help import chapters
from fullfield_app.gui.train.techniques import readable
from fullfield_app.gui.translation import say_core
from support import ROOT

GUI = ROOT / "app" / "fullfield_app" / "gui"
SPANISH = ROOT / "resources" / "translations" / "fullfield_es.ts"

# Contexts whose Spanish is whole. `None` stands for all of them.
FINISHED: frozenset[str] | None = None
SAME_IN_SPANISH = {
    *("General", "MomentumNet", "1:1", "+", "−", "↻", "↺", "⇋", "⥮", "Zoom", "DICOM", "PNG", "TIFF"),
    *("CNR", "SNR {region}", "GiB", "100·(1 − MS-SSIM)", "{zoom} %   W {width}   L {level}"),
    "{name}   W {width}   L {level}",
    *("{side} {contrast} %", "{memory}, {time}", "x {column}   y {row}"),
    *("{zoom} %", "{card}, {memory}", "{check}: {verdict}", "GPU", "{title}: {fact}", "{length} px", "{length} mm"),
    *("U-Net, {encoder}", "PSNR {psnr} dB", "Original", "p", "{size}, {began}", "{pixels} px", "{amount}"),
    *("1 − MS-SSIM", "PySide6 {0}.", "{0}, {1}, Python {2}.", "PSNR, dB", "no", "inductor", "Ctrl", "{area} mm²"),
    *("gpipe", "powersgd", "topk", "{count} ms", "{count} s"),
}
"""Reviewed: words that Spanish writes as English does."""

Text = tuple[str, str]  # context, text


def in_sources() -> Iterator[tuple[Text, Path]]:
    """Every text that is marked for translation in the window's sources, with its file."""
    for path in sorted(GUI.rglob("*.py")):
        yield from ((text, path) for text in _texts(ast.parse(path.read_text(encoding="utf-8")), ""))


def _texts(node: ast.AST, context: str) -> Iterator[Text]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _texts(child, child.name)
            continue
        if isinstance(child, ast.Call):
            called = child.func.id if isinstance(child.func, ast.Name) else getattr(child.func, "attr", "")
            given = [_constant(argument) for argument in child.args]
            if called == "tr":
                yield context, given[0]
            elif called in ("translate", "QT_TRANSLATE_NOOP") and len(given) > 1:
                yield given[0], given[1]
        yield from _texts(child, context)


def _constant(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def translations(source: Path = SPANISH) -> dict[Text, str]:
    """What the `.ts` says of every text; nothing where it is not finished."""
    found = {}
    for context in ElementTree.parse(source).getroot().iter("context"):
        for message in context.findall("message"):
            said = message.find("translation")
            assert said is not None
            whole = said.get("type") is None
            found[context.findtext("name", ""), message.findtext("source", "")] = (said.text or "") if whole else ""
    return found


def finished(context: str) -> bool:
    return FINISHED is None or context in FINISHED


def test_that_qt_finds_every_text_that_the_sources_mark() -> None:
    known = translations()
    missing = [
        f"{path.name}: {text}" for text, path in in_sources() if finished(text[0]) and all(text) and text not in known
    ]
    assert missing == [], "run: python packaging/start.py translate"


def test_that_no_text_is_put_together_before_it_is_translated() -> None:
    """`tr(f"…")` and `tr(name)` reach no translator; `translate(context, name)` shows a text that a table marks."""
    wrong = []
    for path in sorted(GUI.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and getattr(node.func, "attr", "") == "tr":
                if not _constant(node.args[0]):
                    wrong.append(f"{path.name}:{node.lineno}")
            elif isinstance(node, ast.FormattedValue):
                inner = [call for call in ast.walk(node) if isinstance(call, ast.Call) and call.args]
                if any(_names_a_translator(call.func) and _constant(call.args[-1]) for call in inner):
                    wrong.append(f"{path.name}:{node.lineno}: lupdate does not look into f-strings")
    assert wrong == []


def _names_a_translator(function: ast.expr) -> bool:
    return (function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")) in ("tr", "translate")


def test_that_every_text_is_said_in_spanish() -> None:
    said = {text: spanish for text, spanish in translations().items() if finished(text[0])}
    assert [text for text, spanish in said.items() if not spanish.strip()] == []
    assert [text for text, spanish in said.items() if spanish == text[1] and text[1] not in SAME_IN_SPANISH] == []


def test_that_raw_is_one_word_in_spanish_and_the_tour_names_the_button_of_all_as_the_window_does() -> None:
    tour = " ".join(" ".join(text.split()) for _, text in chapters("es"))
    said = translations().values()
    assert [text for text in (*said, tour) if "en bruto" in text] == []
    assert "A todas" in said and "las exportaciones y *A todas* actúan" in tour


def test_that_a_translation_has_the_places_of_its_source_and_ends_as_it() -> None:
    wrong = []
    for (context, text), spanish in translations().items():
        places = [sorted(re.findall(r"\{\w*\}", each)) for each in (text, spanish)]
        ends = [each.rstrip()[-1:] if each.rstrip()[-1:] in "….:" else "" for each in (text, spanish)]
        if spanish and (places[0] != places[1] or ends[0] != ends[1]):
            wrong.append((context, text, spanish))
    assert wrong == []


def test_that_one_menu_bar_has_no_mnemonic_twice() -> None:
    letters = [spanish[spanish.index("&") + 1] for (context, _), spanish in translations().items() if "&" in spanish]
    assert len(letters) == len(set(letters))


def test_that_what_ships_is_what_the_translators_wrote(tmp_path: Path) -> None:
    """The `.qm` files are made of the `.ts` files, and those know every text of the engine's tables."""
    subprocess.run([sys.executable, str(ROOT / "packaging" / "translate.py"), "--into", str(tmp_path)], check=True)
    if FINISHED is None:
        assert translations(tmp_path / SPANISH.name) == translations()
        assert (tmp_path / "fullfield_es.qm").read_bytes() == files.resource(
            "translations/fullfield_es.qm"
        ).read_bytes()
        assert (tmp_path / "sentences.txt").read_text() == files.resource("translations/sentences.txt").read_text()
    assert {text for text in translations(tmp_path / SPANISH.name) if finished(text[0])} <= set(translations())


@pytest.fixture
def spanish(qapp: QApplication) -> Iterator[None]:
    language.install(qapp, "es")
    yield
    language.install(qapp, "en")
    QLocale.setDefault(QLocale.c())


@pytest.mark.usefixtures("spanish")
def test_that_the_window_speaks_spanish_once_it_is_asked_to(qtbot: QtBot) -> None:
    assert texts.not_a_medical_device() == NOT_FOR_DIAGNOSIS_ES
    assert QCoreApplication.translate("menus", "&File") == "&Archivo"
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)  # a text of Qt's own
    qtbot.addWidget(box)
    assert box.button(QDialogButtonBox.StandardButton.Cancel).text() == "Cancelar"
    assert QLocale().decimalPoint() == ","


@pytest.mark.usefixtures("spanish")
def test_that_keys_are_called_as_texts_and_keyboards_call_them() -> None:
    assert actions.native(["Ctrl+Shift+O", "Ctrl+Return"]) == "Ctrl+Mayús+O, Ctrl+Intro"


def test_that_english_needs_no_file(qapp: QApplication) -> None:
    language.install(qapp, "es")
    language.install(qapp, "en")
    assert texts.not_a_medical_device() == NOT_FOR_DIAGNOSIS
    QLocale.setDefault(QLocale.c())


@pytest.mark.parametrize(("setting", "spoken"), [("en", "en"), ("es", "es"), ("auto", "en")])
def test_that_the_setting_is_what_is_spoken(setting: str, spoken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_wanted", lambda: ("de_DE", "fr"))
    assert language.chosen(setting) == spoken


def test_that_the_computer_s_language_is_spoken_where_nothing_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_wanted", lambda: ("ca-ES", "es-ES", "en"))
    assert language.chosen(language.AUTOMATIC) == "es"


@pytest.mark.usefixtures("spanish")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The system says: No space left on device.", "El sistema dice: No space left on device."),
        ("Cannot use this file: it is a colour image.", "No se puede usar este archivo: es una imagen en color."),
        ("Try again. Choose from 1 to 3 images.", "Inténtelo de nuevo. Elija de 1 a 3 imágenes."),
        ("A GPU is here. NVIDIA H100 PCIe, 79.1 GiB free.", "Aquí hay una GPU. NVIDIA H100 PCIe, 79,1 GiB libres."),
        (
            "It holds more than 1,200 elements: no radiograph does.",
            "Contiene más de 1.200 elementos: ninguna radiografía",
        ),
        (
            "chosen because it is the fastest of 9 plans that fit what each device has: it takes 4.9 GiB.",
            "elegido porque es el más rápido de 9 planes que caben en lo que tiene cada dispositivo: ocupa 4,9 GiB.",
        ),
        ("Something else that nobody knows.", "Something else that nobody knows."),
    ],
)
def test_that_a_sentence_of_the_engine_is_said_with_its_values(text: str, said: str) -> None:
    assert say_core(text).startswith(said)


@pytest.mark.usefixtures("spanish")
def test_that_a_sentence_on_techniques_names_them_by_their_titles() -> None:
    sentence = "checkpointing: refused because it takes 4.0 GiB, more than 3.0 GiB."
    assert readable(sentence) == "Puntos de control: se descarta porque ocupa 4,0 GiB, más de 3,0 GiB."
