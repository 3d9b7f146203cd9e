"""Bytes of an optimizer by those of the network's weights, and its time, as a `MemoryEstimate` wants them. No torch."""

from __future__ import annotations

from fullfield.techniques.site import Site

COMPILED_WAITS = 30
"""What a card waits for the program at each tensor that a compiled update of low bits takes up, in waits: 0.9 ms;
measured with eight bits."""


def by_weights(count: float, site: Site) -> float:
    """`count` bytes by those of all fp32 weights; 0 where nobody knows the weights."""
    total = sum(site.costs.facts.weights.values())
    return count / total if total else 0.0


def update_time(at_512: float, site: Site) -> float:
    """What an update adds to the time of a step, by the plain step's: `at_512` for one image of 512 × 512 pixels, for
    it takes as long whatever the images. 0 on a card, where it is compiled (`COMPILED_WAITS`).
    """
    shape = site.shape
    return at_512 * 512 * 512 / (shape.batch * shape.height * shape.width) if site.kind == "cpu" else 0.0
