"""Triangulation of polygons, also of concave ones."""

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index


def triangulate(corners: Float) -> Index:
    """Cut a simple polygon into triangles by clipping ears.

    The polygon is projected along its Newell normal (Sutherland, Sproull, Schumacker 1974), so it
    may lie anywhere in space and need not be exactly flat. The triangles have its sense of
    rotation. A polygon that crosses itself gives triangles without meaning.

    Args:
        corners: (K, 3) in order, K >= 3.

    Returns:
        (K - 2, 3) rows of ``corners``.
    """
    count = len(corners)
    if count == 3:
        return np.array([[0, 1, 2]], np.intp)
    flat = _in_its_plane(np.asarray(corners, np.float64))
    left = list(range(count))
    triangles = []
    while len(left) > 3:
        ear = _best_ear(flat, left)
        triangles.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    triangles.append((left[0], left[1], left[2]))
    return np.array(triangles, np.intp)


def triangulate_all(points: Float, corners: Index, count: Index) -> tuple[Index, Index]:
    """Cut many polygons into triangles; the convex ones, usually most, all at once.

    Args:
        points: (V, 3).
        corners: (C,) rows of ``points``: the corners of the first polygon, of the second, ...
        count: (P,) number of corners of each polygon, 3 or more; C is their sum.

    Returns:
        (F, 3) rows of ``points``, and the polygon (F,) of each triangle, in ascending order.
    """
    starts = np.cumsum(count) - count
    faces, owners = [np.empty((0, 3), np.intp)], [np.empty(0, np.intp)]
    for size in np.unique(count):
        rows = np.flatnonzero(count == size)
        rings = corners[starts[rows, None] + np.arange(size)]  # (R, size)
        convex = _is_convex(points[rings]) | (size == 3)
        second = np.arange(1, size - 1)
        fan = np.stack([np.zeros_like(second), second, second + 1], axis=1)  # (size - 2, 3)
        faces.append(rings[convex][:, fan].reshape(-1, 3))
        owners.append(np.repeat(rows[convex], size - 2))
        for row, ring in zip(rows[~convex], rings[~convex], strict=True):
            faces.append(ring[triangulate(points[ring])])
            owners.append(np.full(size - 2, row))
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    return np.concatenate(faces)[order], owner[order]


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
    fan_is_right = ((cross * normal).sum(axis=2) > 0.0).all(axis=1)
    return fan_is_right & ((turns * normal).sum(axis=2) > 0.0).all(axis=1)


def _in_its_plane(corners: Float) -> Float:
    """Return plane coordinates (K, 2) in which the polygon runs counter-clockwise."""
    near = corners - corners[0]  # far from the origin the products below would cancel out
    normal = np.cross(near, np.roll(near, -1, axis=0)).sum(axis=0)
    drop = int(np.argmax(np.abs(normal)))
    flat = np.delete(corners, drop, axis=1)
    # Dropping y leaves (x, z), whose sense of rotation is the other one.
    flipped = (normal[drop] < 0.0) != (drop == 1)
    return flat * (-1.0, 1.0) if flipped else flat


def _best_ear(flat: Float, left: list[int]) -> int:
    """Return the position in ``left`` of the ear with the sharpest tip; 0 if there is no ear."""
    ring = flat[left]
    before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
    turn = _cross(ring - before, after - ring)
    size = np.linalg.norm(after - before, axis=1) ** 2 + 1e-300
    for position in np.argsort(-turn / size, kind="stable"):
        if turn[position] <= 0.0:
            break
        corners = before[position], ring[position], after[position]
        if not _holds_a_corner(corners, ring, int(position)):
            return int(position)
    return 0


def _holds_a_corner(corners: tuple[Float, Float, Float], ring: Float, ear: int) -> bool:
    others = np.delete(np.arange(len(ring)), [ear - 1, ear, (ear + 1) % len(ring)])
    points = ring[others]
    first, second, third = corners
    inside = (
        (_cross(second - first, points - first) >= 0.0)
        & (_cross(third - second, points - second) >= 0.0)
        & (_cross(first - third, points - third) >= 0.0)
    )
    # A corner in the same place as one of the ear's (a bridge to a hole) does not count.
    same = np.zeros(len(points), bool)
    for corner in corners:
        same |= (points == corner).all(axis=1)
    return bool((inside & ~same).any())


def _cross(a: Float, b: Float) -> Float:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
