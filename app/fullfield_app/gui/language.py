"""The language of the window: our own texts, Qt's standard buttons, and how numbers are written."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from fullfield import files
from fullfield.errors import FullfieldError
from fullfield.translation import ENGLISH, LANGUAGES, Language

AUTOMATIC = "auto"
_installed: list[QTranslator] = []


def chosen(setting: str) -> str:
    """The language that `setting` means on this computer; English where the user's own is none of ours."""
    if setting in LANGUAGES:
        return setting
    tags = (tag.replace("_", "-").split("-")[0] for tag in _wanted())
    return next((tag for tag in tags if tag in LANGUAGES), ENGLISH)


def _wanted() -> tuple[str, ...]:
    """What the computer's user reads, best first: "es-MX", "en"."""
    return tuple(QLocale.system().uiLanguages())


def spoken() -> Language:
    """The language that is spoken now, for what is written outside of the window; numbers as in this country."""
    locale = QLocale()
    code = locale.name().split("_")[0]
    return Language(
        code=code if code in LANGUAGES else ENGLISH,
        decimal=locale.decimalPoint(),
        thousands=locale.groupSeparator(),
    )


def install(application: QCoreApplication, setting: str) -> None:
    """Speak this language from now on; a widget that is there already keeps its texts until it sets them anew."""
    language = chosen(setting)
    QLocale.setDefault(_locale(language))
    for translator in _installed:
        application.removeTranslator(translator)
    _installed.clear()
    if language == ENGLISH:
        return
    for file in (
        f"{QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)}/qtbase_{language}.qm",
        _ours(language),
    ):
        translator = QTranslator()
        if file and translator.load(file):
            application.installTranslator(translator)
            _installed.append(translator)


def _ours(language: str) -> str:
    try:
        return str(files.resource(f"translations/fullfield_{language}.qm"))
    except FullfieldError:  # not shipped: the texts stay English, and nothing else is amiss
        return ""


def _locale(language: str) -> QLocale:
    """The computer's own where it speaks the language: Mexico writes numbers otherwise than Spain."""
    system = QLocale.system()
    if QLocale(system.name()).language() == QLocale(language).language() and system.language() != QLocale.Language.C:
        return QLocale(system.name())
    return QLocale(language)
