"""Where a collimator's blades end on a thumbnail: straight sharp edges along a side, bright and even outside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BLADE_STEP = 0.04  # of the range: the least step at a blade's edge
_STAIRS = 1.5  # of the stored values: a lower step is one of quantisation
_BLADE_SHARE = 0.7  # of the edge's length that must show the step: anatomy is not that straight
_MOST_INSIDE = 70  # percentile: what is outside of a blade may hold other blades, what is inside them too
_BLADE_LEVEL = 0.8  # of what is there: what lies above it may be other blades
_STRIP = 0.04  # of a side: a scanner's black edge, or a line of text on black, is no wider
_BLACK = 0.02  # of the range: where a quarter of such a strip lies below, letters or not
_DEEPEST = 0.42  # of a side: a blade never covers more
_BAR = 0.2  # of a side: what lies between two fields is never wider

Mask = NDArray[np.bool_]


def fields(scaled: NDArray[np.float32], masked: Mask, stair: float = 0.0) -> list[tuple[int, int, int, int]]:
    """(top, bottom, left, right) of each field: one, or two beside or below each other with a bar between them.

    `scaled`: the thumbnail, its range about 0 … 1, bone bright. `masked`: what is no image anyway. `stair`: what one
    stored value more makes of the range; a stair of that height is no edge.
    """
    least = max(_BLADE_STEP, _STAIRS * stair)
    box = _blades(scaled, masked, least)
    top, bottom, left, right = box
    part = (slice(top, bottom), slice(left, right))
    across = _bar(scaled[part].T, masked[part].T, least)
    if across is not None:
        halves = [(top, bottom, left, left + across[0]), (top, bottom, left + across[1], right)]
    elif (down := _bar(scaled[part], masked[part], least)) is not None:
        halves = [(top, top + down[0], left, right), (top + down[1], bottom, left, right)]
    else:
        return [box]
    found = []
    for start, end, first, last in halves:
        half = (slice(start, end), slice(first, last))
        above, below, before, behind = _blades(scaled[half], masked[half], least)
        found.append((start + above, start + below, first + before, first + behind))
    return found


def strips(scaled: NDArray[np.float32], stair: float = 0.0) -> Mask:
    """Narrow black strips along the sides, letters in them or not, with a straight edge to something brighter.

    `stair`: see `fields`.
    """
    found, least = np.zeros(scaled.shape, bool), max(_BLADE_STEP, _STAIRS * stair)
    for plane, mask in ((scaled, found), (scaled.T, found.T)):
        mask[: _strip(plane, least)] = True
        mask[plane.shape[0] - _strip(plane[::-1], least) :] = True
    return found


def _strip(scaled: NDArray[np.float32], least: float) -> int:
    """How many rows at the top are such a strip."""
    deepest = int(scaled.shape[0] * _STRIP)
    shares = (scaled[2 : deepest + 2] - scaled[:deepest] > least).mean(axis=1)
    for edge in np.flatnonzero(shares >= _BLADE_SHARE)[::-1]:
        if np.percentile(scaled[: edge + 1], 25) <= _BLACK:
            return int(edge) + 2
    return 0


def _bar(scaled: NDArray[np.float32], masked: Mask, least: float) -> tuple[int, int] | None:
    """The rows between two fields: a bright even strip from side to side, with a sharp edge above and below."""
    rows, columns = scaled.shape
    if rows < 16 or columns < 16:
        return None
    steps = scaled[2:] - scaled[:-2]
    up, down = ((steps > least).mean(axis=1), (steps < -least).mean(axis=1))
    starts, ends = (np.flatnonzero(share >= _BLADE_SHARE) for share in (up, down))
    best, black = None, float(scaled.min())
    for start in starts:
        for end in ends[(ends > start) & (ends <= start + _BAR * rows)]:
            strip = scaled[start + 2 : end + 1]
            least, middle, most = np.percentile(strip, [10, 50, 90]) if strip.size else (0.0, 0.0, np.inf)
            if most - least > 0.5 * (middle - black):  # nor is it by anything less dark
                continue
            rest = np.concatenate([scaled[: start + 1], scaled[end + 2 :]])
            outside = rest[~np.concatenate([masked[: start + 1], masked[end + 2 :]])]
            if outside.size and _is_bar(least, middle, most, outside):
                best = (int(start), int(end) + 2) if best is None or end - start > best[1] - best[0] else best
    return best


def _is_bar(least: float, middle: float, most: float, outside: NDArray[np.float32]) -> bool:
    """Whether a strip is even and brighter than nearly everything, and not the only thing there: a limb would be.
    `least`, `middle`, `most`: 10, 50 and 90 in a hundred of its pixels are below them."""
    darkest, bulk, bright = np.percentile(outside, [1, 85, 97])  # some of it may lie under other blades
    height = middle - darkest
    return bool(
        least > min(bulk, darkest + _BLADE_LEVEL * (bright - darkest))
        and most - least <= 0.5 * height
        and bright - darkest >= 0.25 * height
    )


def _blades(scaled: NDArray[np.float32], masked: Mask, least: float) -> tuple[int, int, int, int]:
    """(top, bottom, left, right) between straight edges along a side that are bright and even on the outside."""
    top, bottom, left, right = 0, scaled.shape[0], 0, scaled.shape[1]
    for _ in range(3):  # a deep blade hides the others' edges until it is cut away
        part, known = scaled[top:bottom, left:right], masked[top:bottom, left:right]
        above, below = _blade(part, known, least), _blade(part[::-1], known[::-1], least)
        before, behind = _blade(part.T, known.T, least), _blade(part.T[::-1], known.T[::-1], least)
        top, bottom, left, right = top + above, bottom - below, left + before, right - behind
        if not above + below + before + behind:
            break
    return top, bottom, left, right


def _blade(scaled: NDArray[np.float32], masked: Mask, least: float) -> int:
    """How many rows at the top lie under a blade."""
    rows, columns = scaled.shape
    deepest = int(rows * _DEEPEST)
    if deepest < 3 or columns < 16:
        return 0
    steps = scaled[2 : deepest + 2] - scaled[:deepest]
    known = ~(masked[2 : deepest + 2] & masked[:deepest])
    counted = np.maximum(known.sum(axis=1), 1)
    share = ((steps < -least) & known).sum(axis=1) / counted  # brighter outside: the skin's edge is the opposite
    edges = (share >= _BLADE_SHARE) & (known.mean(axis=1) >= 0.25)
    for edge in np.flatnonzero(edges)[::-1]:
        outside = scaled[: edge + 1][~masked[: edge + 1]]
        inside = scaled[edge + 2 :][~masked[edge + 2 :]]
        if outside.size == 0 or (inside.size and _is_blade(outside, inside)):
            soft = edges[edge:]  # the blade's shadow ends over some rows, and what lies in them is neither
            return int(edge) + (soft.size if soft.all() else int(soft.argmin())) + 1
    return 0


def _is_blade(outside: NDArray[np.float32], inside: NDArray[np.float32]) -> bool:
    """Whether what lies outside is even, or, where noise or scatter make it uneven, brighter than nearly everything."""
    return bool(outside.std() < 0.35 * inside.std() or np.percentile(outside, 5) > np.percentile(inside, _MOST_INSIDE))


__all__ = ["fields", "strips"]
