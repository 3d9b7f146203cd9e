"""The names of the conventional processor's parameters for people, and what each does, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from fullfield_app.gui.translation import QT_TRANSLATE_NOOP


@dataclass(frozen=True, kw_only=True)
class ParameterText:
    """`title`: beside its slider; `titles`: of each of several numbers; `main`: shown before "all" are asked for."""

    title: str
    text: str
    titles: tuple[str, ...] = ()
    main: bool = False

    def say(self, place: int | None) -> str:
        """The title of the number, or of number `place` of several."""
        title = translate("parameters", self.title)
        return title if place is None else f"{title}: {translate('parameters', self.titles[place])}"

    def say_in(self, section: str, place: int | None) -> str:
        """The same with its section, for those who do not see under which heading it stands."""
        return f"{translate('parameters', SECTIONS[section])}, {self.say(place)}"

    def explain(self) -> str:
        """What it does."""
        return translate("parameters", self.text)


translate = QCoreApplication.translate
_FINE = (
    QT_TRANSLATE_NOOP("parameters", "finest level"),
    QT_TRANSLATE_NOOP("parameters", "second level"),
    QT_TRANSLATE_NOOP("parameters", "third level"),
    QT_TRANSLATE_NOOP("parameters", "fourth level"),
)
_COARSE = (
    QT_TRANSLATE_NOOP("parameters", "coarsest level"),
    QT_TRANSLATE_NOOP("parameters", "second coarsest"),
    QT_TRANSLATE_NOOP("parameters", "third coarsest"),
    QT_TRANSLATE_NOOP("parameters", "fourth coarsest"),
)

SECTIONS = {
    "detail": QT_TRANSLATE_NOOP("parameters", "Detail"),
    "edges": QT_TRANSLATE_NOOP("parameters", "Edges"),
    "latitude": QT_TRANSLATE_NOOP("parameters", "Latitude"),
    "noise": QT_TRANSLATE_NOOP("parameters", "Noise"),
    "gradation": QT_TRANSLATE_NOOP("parameters", "Brightness and contrast"),
    "guard": QT_TRANSLATE_NOOP("parameters", "Background"),
}
"""The first part of a parameter's key, in the order in which they are shown.

Those of the range are not: the file's window and the direct exposure that is found reach further on nearly every image,
and brightness and contrast go by the anatomy's values, so that they would change next to nothing.
"""

TEXTS: dict[str, ParameterText] = {
    "detail.gain": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Amount"),
        text=QT_TRANSLATE_NOOP(
            "parameters",
            "How much weak structures of every size are lifted; 0 leaves them. All share one range of grey: the more "
            "they are lifted, the weaker is what containment takes for noise.",
        ),
        main=True,
    ),
    "detail.power": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Fall towards strong edges"),
        text=QT_TRANSLATE_NOOP("parameters", "How fast the gain falls from weak structures to strong edges."),
    ),
    "detail.limit": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Strongest edge"),
        text=QT_TRANSLATE_NOOP("parameters", "Edges beyond it are not amplified at all."),
    ),
    "detail.limit_least": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Least strongest edge"),
        text=QT_TRANSLATE_NOOP("parameters", "The smallest limit, for levels with little in them."),
    ),
    "detail.toe": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Toe"),
        text=QT_TRANSLATE_NOOP(
            "parameters",
            "Below this part of the strongest edge the gain is constant: of little effect where few structures are "
            "that weak.",
        ),
    ),
    "detail.usual": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Usual detail"),
        text=QT_TRANSLATE_NOOP(
            "parameters",
            "How strong detail is, beside large structures, before any processing. An image with more is changed less.",
        ),
    ),
    "detail.usual_together": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Usual detail and texture"),
        text=QT_TRANSLATE_NOOP(
            "parameters",
            "How strong both are together before any processing. An image with more is changed less.",
        ),
    ),
    "edges.gains": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Sharpness"),
        text=QT_TRANSLATE_NOOP("parameters", "Added to the detail of the finest structures: trabeculae, vessels."),
        titles=_FINE[:3],
        main=True,
    ),
    "latitude.gains": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Large differences"),
        text=QT_TRANSLATE_NOOP("parameters", "Below 1 large bright and dark areas are brought closer together."),
        titles=_COARSE,
    ),
    "latitude.residual": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Largest differences"),
        text=QT_TRANSLATE_NOOP("parameters", "Below 1 the whole picture is evened out: lung and abdomen at once."),
        main=True,
    ),
    "noise.reach": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Containment"),
        text=QT_TRANSLATE_NOOP("parameters", "How far above the noise a structure must be to be lifted in full."),
        main=True,
    ),
    "noise.floors": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Least detail in noise"),
        text=QT_TRANSLATE_NOOP(
            "parameters",
            "What containment leaves of the gain at least. Below 0 noise itself is lowered by that share at most, and "
            "further as other detail is lifted, for all share one range of grey.",
        ),
        titles=_FINE,
    ),
    "gradation.median": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Brightness"),
        text=QT_TRANSLATE_NOOP("parameters", "Where the middle of the anatomy's values lies between black and white."),
        main=True,
    ),
    "gradation.pull": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Pull"),
        text=QT_TRANSLATE_NOOP("parameters", "How far the picture's own brightness is moved towards that."),
    ),
    "gradation.slope": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Contrast"),
        text=QT_TRANSLATE_NOOP("parameters", "How steep the curve is in its middle; near 0 it is a straight line."),
        main=True,
    ),
    "guard.reach": ParameterText(
        title=QT_TRANSLATE_NOOP("parameters", "Kept dark"),
        text=QT_TRANSLATE_NOOP(
            "parameters",
            "Up to this value direct exposure beside the body is kept dark. Nothing changes where none was found, or "
            "where it is dark already.",
        ),
        main=True,
    ),
}
