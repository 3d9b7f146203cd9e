"""The networks and encoders that a training can have, for the window and the command line. Imports no torch."""

from __future__ import annotations


def names() -> tuple[str, ...]:
    """As they are typed, the paper's first."""
    from fullfield.model.encoders.registry import ENCODERS

    return tuple(ENCODERS)


def titles() -> tuple[tuple[str, str], ...]:
    """Name and title, in English, of each."""
    from fullfield.model.encoders.registry import ENCODERS

    return tuple((name, one.title) for name, one in ENCODERS.items())


def networks() -> tuple[tuple[str, str], ...]:
    """Name and title, in English, of each kind of networks."""
    from fullfield.model.families.registry import FAMILIES

    return tuple((name, one.title) for name, one in FAMILIES.items())


def called(network: str, encoder: str) -> str:
    """What plans call the network of a kind and an encoder."""
    from fullfield.model import spec

    return spec.called(network, encoder)


def fetched() -> tuple[str, ...]:
    """Those whose ImageNet weights can be fetched."""
    from fullfield.model.imagenet import SOURCES

    return tuple(SOURCES)
