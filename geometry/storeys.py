"""Storeys: the heights at which a scene has much level floor."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Float, Index

LAYER = 0.25  # [m] of heights that are counted together
APART = 1.8  # [m] between two storeys, at least
LEVEL = 0.1  # rise over run of floor that counts as level, at most
LEAST_SHARE, LEAST_AREA = 0.04, 4.0  # of a storey: share of all level floor, and [m^2]
NEAR = 0.3  # [m] about a storey's height that count as on it
STOREYED = 0.6  # share of the floor that is near a storey, else the scene is one terrain
BELOW = 0.6  # [m] under a storey's height that belong to it


def storey_heights(level: Float, every: Float, least: float) -> Float:
    """Return the heights (S,) [m] of the storeys, from below; hilly ground is one storey.

    Args:
        level: (L,) heights of places all over the level floor [m].
        every: (M,) heights of places all over the floor [m].
        least: So many level places at least make a storey.
    """
    place = np.sort(level)
    if len(place) == 0:
        return np.array([float(np.median(every))]) if len(every) else np.zeros(1)
    layer = np.floor((place - place[0]) / LAYER).astype(int)
    count = np.bincount(layer)
    count = np.convolve(count, [1, 1, 1], mode="same")
    least = max(LEAST_SHARE * len(place), least)
    heights: list[float] = []
    for peak in np.argsort(-count, kind="stable").tolist():
        if count[peak] < least:
            break
        middle = place[0] + (peak + 0.5) * LAYER
        near = place[np.abs(place - middle) <= 1.5 * LAYER]
        height = float(np.median(near)) if len(near) else float(middle)
        if all(abs(height - other) >= APART for other in heights):
            heights.append(height)
    on = np.zeros(len(place), bool)
    for height in heights:
        on |= np.abs(place - height) <= NEAR
    if len(heights) > 1 and on.sum() > STOREYED * len(every):
        return np.sort(heights)
    return np.array([float(np.median(every))])


def storey_at(heights: Sequence[float] | Float, place: Float) -> Index:
    """Return the rows (M,) of the highest storeys that are not above heights (M,) [m]."""
    below = np.asarray(heights) - BELOW
    return np.maximum(np.searchsorted(below, place, side="right") - 1, 0)
