"""How a report speaks: our texts in the reader's language, numbers in its signs, values of a run in plain words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime

from fullfield.errors import UsageError
from fullfield.image.export import NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES
from fullfield.techniques import registry
from fullfield.translation import ENGLISH, Language, marked
from fullfield.units import format_bytes, format_seconds

CONTEXT = "report"  # of its texts in the files of the translators
DISCLAIMERS = {ENGLISH: NOT_FOR_DIAGNOSIS, "es": NOT_FOR_DIAGNOSIS_ES}
KINDS = {  # of memory
    "weights": marked("weights"),
    "gradients": marked("gradients"),
    "optimizer": marked("optimizer"),
    "activations": marked("activations"),
    "loss": marked("loss"),
    "workspace": marked("workspace"),
    "input": marked("input"),
    "host": marked("host"),
    "reserve": marked("reserve"),
}
VALUES = {  # of settings, where they are words
    "native": marked("native"),
    "cosine": marked("cosine"),
    "constant": marked("constant"),
    "imagenet": marked("imagenet"),
    "none": marked("none"),
    "auto": marked("auto"),
    "shipped": marked("Learned"),
    "pairs": marked("pairs"),
    "image": marked("image"),
    "both": marked("both"),
}


@dataclass(frozen=True, kw_only=True)
class Words:
    """Speaks `language`."""

    language: Language

    def say(self, text: str) -> str:
        """A text of the report, or what the engine has told; as it is where neither knows it."""
        said = self.language.translate(CONTEXT, text)
        return said if said != text else self.language.say(text)

    def number(self, value: float, decimals: int) -> str:
        """With the minus of print; `–` where it is none."""
        return self.language.written(f"{value:.{decimals}f}".replace("-", "−")) if math.isfinite(value) else "–"

    def count(self, value: int) -> str:
        """`20000` → "20,000"."""
        return self.language.written(f"{value:,}")

    def bytes(self, count: int | None) -> str:
        """Empty where it is not known."""
        return self.language.written(format_bytes(count)) if count else ""

    def seconds(self, value: float) -> str:
        """A duration."""
        return self.language.written(format_seconds(value))

    def moment(self, seconds: float) -> str:
        """A date and time as ISO 8601 writes them, the same in all languages."""
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC" if seconds else self.say("an unknown time")

    def setting(self, value: object) -> str:
        """A value of the settings."""
        if isinstance(value, bool):
            return self.say("yes") if value else self.say("no")
        if isinstance(value, float):
            return self.language.written(f"{value:g}")
        return self.say(VALUES.get(str(value), str(value)))

    def technique(self, text: str) -> str:
        """By its title where this language has one of its own; else by its name, as it is typed."""
        try:
            title = registry.read(text).title
        except UsageError:  # of a newer version
            return text
        said = self.say(title)
        return said if said != title else text

    def disclaimers(self) -> tuple[tuple[str, str], ...]:
        """In every language, each with its code; the reader's first."""
        return tuple(sorted(DISCLAIMERS.items(), key=lambda entry: entry[0] != self.language.code))
