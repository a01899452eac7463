"""The squares of a picture that members' shadows can fall on, so that others are left alone."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.rendering.sun import SUN_DIRECTION

TILE = 8  # pixels a side
STRIDE, MOST_STRIDES = 3.0, 8  # [m] of a shadow's length that one box covers; boxes a member
SPREAD = 1.5  # how much larger a ball looks in the corner of a picture than in its middle


def shaded_boxes(
    low: Float, high: Float, radius: Float, floor: float, camera: Camera, size: tuple[int, int]
) -> Float | None:
    """Return boxes (B, 4) left, bottom, right, top [pixels] that shadows of capsules fall into.

    What a capsule keeps the sun from is behind it, as far down as the scene reaches. None if part
    of that is beside or behind the eye, where no box is known.

    Args:
        low: (N, 3) lower ends of capsules [m].
        high: (N, 3) upper ends [m].
        radius: (N,) [m].
        floor: Height of the lowest point of the scene [m].
        camera: From where it is seen.
        size: Of the picture [pixels].
    """
    fall = np.maximum(high[:, 2] + radius - floor, 0.0) / SUN_DIRECTION[2]  # (N,) [m]
    count = int(np.clip(np.ceil(fall.max(initial=0.0) / STRIDE), 1, MOST_STRIDES))
    share = np.linspace(0.0, 1.0, count + 1)[:, None, None, None]
    places = np.stack([low, high]) - share * fall[:, None] * SUN_DIRECTION  # (K, 2, N, 3)
    pixel, depth = camera.project(places.reshape(-1, 3), size)
    if (depth <= np.tile(radius, 2 * count + 2)).any():
        return None
    focal = size[1] / 2.0 / np.tan(camera.field_of_view / 2.0)
    reach = (SPREAD * focal * np.tile(radius, 2 * count + 2) / depth)[:, None]
    shape = (count + 1, 2, len(low), 2)
    least = (pixel - reach).reshape(shape).min(axis=1)
    most = (pixel + reach).reshape(shape).max(axis=1)
    boxes = [np.minimum(least[:-1], least[1:]), np.maximum(most[:-1], most[1:])]
    return np.concatenate(boxes, axis=-1).reshape(-1, 4)


def covered(boxes: Float, size: tuple[int, int]) -> Bool:
    """Return which tiles (H / TILE, W / TILE), both rounded up, boxes (B, 4) [pixels] touch."""
    across, up = (-(-side // TILE) for side in size)
    first = np.floor(boxes[:, :2] / TILE).astype(np.intp)
    last = np.floor(boxes[:, 2:] / TILE).astype(np.intp)
    seen = ((last >= 0) & (first < [across, up])).all(axis=1)
    left, bottom = np.maximum(first[seen], 0).T
    right, top = np.minimum(last[seen] + 1, [across, up]).T
    # Each box adds one at its first tile and takes it back beyond its last; sums give the counts.
    changes = np.zeros((up + 1) * (across + 1), np.intp)
    ends = ((bottom, left, 1), (bottom, right, -1), (top, left, -1), (top, right, 1))
    for row, column, step in ends:
        changes += step * np.bincount(row * (across + 1) + column, minlength=len(changes))
    counts = changes.reshape(up + 1, across + 1).cumsum(axis=0).cumsum(axis=1)
    return np.asarray(counts[:-1, :-1] > 0)


def runs(tiles: Bool) -> NDArray[np.float32]:
    """Return boxes (R, 4) left, bottom, right, top [pixels] of tiles side by side, each once."""
    edges = np.diff(tiles.astype(np.int8), axis=1, prepend=0, append=0)
    row, first = np.nonzero(edges > 0)
    _, last = np.nonzero(edges < 0)
    return TILE * np.column_stack([first, row, last, row + 1]).astype(np.float32)
