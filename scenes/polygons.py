"""Triangulation of polygons, also of concave ones."""

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError

TIE = 1e-9
"""Part of a polygon's size below which a difference is none.

The last bits of coordinates that a program works out depend on the CPU. In a regular polygon they
would decide which of many equal ears is cut first, or whether a corner on a side is in the way."""

FEW = 1000
"""Corners of concave polygons that are cut by Python, in about a fifth of a second."""

BUDGET = 500_000_000
"""Most corners that are looked at for all concave polygons of one mesh: some seconds.

A polygon of 100,000 corners takes a hundredth of it if it winds as outlines do; one whose corners
all lie beside each other takes the square of their number.
"""


def triangulate(corners: Float) -> Index:
    """Cut a simple polygon into triangles by clipping ears, the sharpest first.

    The polygon is projected along its Newell normal (Sutherland, Sproull, Schumacker 1974), so it
    may lie anywhere in space and need not be exactly flat. The triangles have its sense of
    rotation. A polygon that crosses itself gives triangles without meaning. Of equally sharp ears
    the one that is earliest in ``corners`` is cut first, so the last bits decide nothing.

    Args:
        corners: (K, 3) in order, K >= 3.

    Returns:
        (K - 2, 3) rows of ``corners``.

    Raises:
        InputError: It would take too long.
    """
    count = len(corners)
    if count == 3:
        return np.array([[0, 1, 2]], np.intp)
    return _cut(_in_its_plane(np.asarray(corners, np.float64)), np.array([count]))


def triangulate_all(
    points: Float, corners: Index, count: Index, *, fans: bool = True
) -> tuple[Index, Index]:
    """Cut many polygons into triangles; the convex ones, usually most, all at once.

    Args:
        points: (V, 3).
        corners: (C,) rows of ``points``: the corners of the first polygon, of the second, ...
        count: (P,) number of corners of each polygon, 3 or more; C is their sum.
        fans: Whether a convex polygon becomes a fan around its first corner; else its ears are
            clipped, too.

    Returns:
        (F, 3) rows of ``points``, and the polygon (F,) of each triangle, in ascending order.

    Raises:
        InputError: It would take too long.
    """
    if (count == 3).all():
        return corners.reshape(-1, 3), np.arange(len(count))
    starts = np.cumsum(count) - count
    faces, owners = [np.empty((0, 3), np.intp)], [np.empty(0, np.intp)]
    concave: list[Index] = []
    for size in np.unique(count):
        rows = np.flatnonzero(count == size)
        rings = corners[starts[rows, None] + np.arange(size)]  # (R, size)
        convex = np.full(len(rows), True) if size == 3 else _is_convex(points[rings]) & fans
        second = np.arange(1, size - 1)
        fan = np.stack([np.zeros_like(second), second, second + 1], axis=1)  # (size - 2, 3)
        faces.append(rings[convex][:, fan].reshape(-1, 3))
        owners.append(np.repeat(rows[convex], size - 2))
        concave.append(rows[~convex])
    bent = np.concatenate([np.empty(0, np.intp), *concave])
    if len(bent):
        rings = [corners[starts[row] : starts[row] + count[row]] for row in bent]
        flat = np.concatenate([_in_its_plane(points[ring]) for ring in rings])
        faces.append(np.concatenate(rings)[_cut(flat, count[bent])])
        owners.append(np.repeat(bent, count[bent] - 2))
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    return np.concatenate(faces)[order], owner[order]


def _cut(flat: Float, count: Index) -> Index:
    """Return the triangles (F, 3) of polygons of ``count`` corners each, as rows of ``flat``."""
    # Most files have no concave polygon.
    from rmp3d.scenes.ear_kernel import clip_ears, clip_many_ears

    faces = np.empty((int((count - 2).sum()), 3), np.intp)
    clip = clip_ears if len(flat) <= FEW else clip_many_ears
    with np.errstate(all="ignore"):
        left = clip(np.ascontiguousarray(flat), np.cumsum(count), faces, TIE, BUDGET)
    if left < 0:
        raise InputError(
            f"its polygons with up to {int(count.max()):,} corners would take minutes to cut into "
            "triangles; export it as triangles"
        )
    return faces


def _is_convex(rings: Float) -> Bool:
    """Return which rings (R, K, 3) a fan from the first corner triangulates, (R,).

    Each corner must turn in the direction of the whole ring, and no triangle of the fan may be
    upside down.
    """
    sides = rings - rings[:, :1]
    cross = np.cross(sides[:, 1:-1], sides[:, 2:])  # (R, K - 2, 3), of the fan's triangles
    normal = cross.sum(axis=1, keepdims=True)
    steps = np.roll(rings, -1, axis=1) - rings
    turns = np.cross(steps, np.roll(steps, -1, axis=1))
    flat = TIE * (normal**2).sum(axis=2)  # (R, 1)
    fan_is_right = ((cross * normal).sum(axis=2) > flat).all(axis=1)
    return fan_is_right & ((turns * normal).sum(axis=2) > flat).all(axis=1)


def _in_its_plane(corners: Float) -> Float:
    """Return plane coordinates (K, 2) in which the polygon runs counter-clockwise."""
    near = corners - corners[0]  # far from the origin the products below would cancel out
    normal = np.cross(near, np.roll(near, -1, axis=0)).sum(axis=0)
    drop = int(np.argmax(np.abs(normal)))
    flat = np.delete(corners, drop, axis=1)
    # Dropping y leaves (x, z), whose sense of rotation is the other one.
    flipped = (normal[drop] < 0.0) != (drop == 1)
    return flat * (-1.0, 1.0) if flipped else flat
