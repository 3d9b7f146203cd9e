"""The encoders that a training can have, for the window and the command line. Imports no torch."""

from __future__ import annotations


def names() -> tuple[str, ...]:
    """As they are typed, the paper's first."""
    from fullfield.model.encoders.registry import ENCODERS

    return tuple(ENCODERS)


def titles() -> tuple[tuple[str, str], ...]:
    """Name and title, in English, of each."""
    from fullfield.model.encoders.registry import ENCODERS

    return tuple((name, one.title) for name, one in ENCODERS.items())


def fetched() -> tuple[str, ...]:
    """Those whose ImageNet weights can be fetched."""
    from fullfield.model.imagenet import SOURCES

    return tuple(SOURCES)
