"""Bytes of an optimizer by those of the network's weights, as a `MemoryEstimate` wants them. Imports no torch."""

from __future__ import annotations

from fullfield.techniques.site import Site

LARGEST = 512 * 512 * 3 * 3 * 4  # bytes of the largest weight, a convolution of layer4 in both encoders


def by_weights(count: float, site: Site) -> float:
    """`count` bytes by those of all fp32 weights; 0 where nobody knows the weights."""
    total = sum(site.costs.facts.weights.values())
    return count / total if total else 0.0
