"""The dialog of preferences; what is changed in it is changed at once, so it has nothing to confirm."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTabWidget, QVBoxLayout, QWidget

from fullfield_app.gui.preferences.general import GeneralPage
from fullfield_app.gui.preferences.keys_editor import KeysEditor
from fullfield_app.gui.recent import RecentFiles
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.widgets.accessible import complete, name

SIZE = (680, 520)


def show_preferences(owner: QWidget, store: SettingsStore, recent: RecentFiles) -> QDialog:
    """Open it over `owner`."""
    dialog = QDialog(owner)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    title = QCoreApplication.translate("preferences", "Preferences")
    dialog.setWindowTitle(title)
    name(dialog, title)
    tabs = QTabWidget()
    tabs.setDocumentMode(True)
    name(tabs, QCoreApplication.translate("preferences", "Groups of preferences"))
    for page in (GeneralPage(store, recent), KeysEditor(store)):
        tabs.addTab(page, page.accessibleName())
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.addWidget(tabs)
    layout.addWidget(buttons)
    dialog.resize(*SIZE)
    complete(dialog)
    dialog.open()
    return dialog
